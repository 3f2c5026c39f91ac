"""The rooms of `tutor.errors`: from a traceback to what it means."""
