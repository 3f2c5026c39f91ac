"""The experiments of `timing_lab`: as data, run without a widget, and what they found as facts."""
