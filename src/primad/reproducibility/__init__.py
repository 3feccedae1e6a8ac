"""How close is a reproduction to its original, and what changed between them?"""
