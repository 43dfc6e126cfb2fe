"""GitHub: with a token GraphQL is asked, without one REST."""
