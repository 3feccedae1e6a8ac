"""How close is each reproduction to its original, at every level that the test collection allows?"""
