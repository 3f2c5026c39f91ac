"""The rooms behind `tutor.tracing`: what is seen, who watches, and what it comes to."""
