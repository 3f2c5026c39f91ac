"""Behind `tutor.dtypes`: what casts and sums do to numbers, observed by running them."""
