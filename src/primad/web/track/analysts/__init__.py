"""Pages on which analysts run systems again, and say how it went."""
