"""How writes on one object are seen, or not seen, in another that was made from it."""
