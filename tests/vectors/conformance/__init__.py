"""What the service answers to calls, as JSON, for clients and other implementations: see README.md."""
