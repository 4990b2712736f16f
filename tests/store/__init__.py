"""The stores: one acceptance suite for all of them, and real failures of a real Redis."""
