"""Published vectors: what the generator and the digests give, for whoever writes them again elsewhere."""
