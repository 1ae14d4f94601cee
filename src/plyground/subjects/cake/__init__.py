"""Cutting a cake so that nobody can complain."""
