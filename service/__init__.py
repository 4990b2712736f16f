"""The rules service: the engine, and gRPC around it."""
