"""Requests that nobody would send on purpose: invented, real ones changed, and bytes; millions of them."""
