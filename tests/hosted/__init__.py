"""Tests of the hosted games, through real gRPC."""
