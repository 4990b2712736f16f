"""Tests of the engine, the service and the client."""
