"""Chapters: one package per notebook, with its questions, exercises and claims."""
