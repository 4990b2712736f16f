"""Code generated from `proto/finspan.proto` by `make proto`; never edited by hand."""
