"""Pages of the documentation that are made from what the code knows, so that they stay true.

Each module has one page as a function that returns its text.  What a room above knows (commands, the description of the
API) is handed to it.
"""
