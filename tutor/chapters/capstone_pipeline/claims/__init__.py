"""The claims that chapter 10 decides."""

from __future__ import annotations

from tutor.chapters.capstone_pipeline.claims.helpers import HELPERS
from tutor.chapters.capstone_pipeline.claims.images import IMAGES
from tutor.chapters.capstone_pipeline.claims.loading import LOADING
from tutor.chapters.capstone_pipeline.claims.models import MODELS
from tutor.chapters.capstone_pipeline.claims.sparse_rows import SPARSE_ROWS

CLAIMS = (*IMAGES, *LOADING, *SPARSE_ROWS, *HELPERS, *MODELS)

__all__ = ["CLAIMS"]
