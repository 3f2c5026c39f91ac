"""Operations on strides, one after another on real tensors, and what each did: what the stride explorer shows."""
