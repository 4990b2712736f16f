"""Tests of the service through real gRPC, and of the parts that it is made of."""
