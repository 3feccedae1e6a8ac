"""A recorded command as others can carry it out."""
