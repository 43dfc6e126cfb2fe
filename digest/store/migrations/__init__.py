"""The history of the database, one for all tables of the program, the same on both databases."""
