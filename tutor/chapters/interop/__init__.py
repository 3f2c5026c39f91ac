"""Chapter 08: what shares memory between torch, NumPy and TensorFlow, and what does not."""
