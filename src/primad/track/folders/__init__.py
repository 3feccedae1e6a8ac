"""A track as a folder of YAML and files, which people can read, keep and hand on.

exporting, importing   a track to such a folder, and such a folder to a track
columns                which columns of the database stand in it, and how
trees                  how its files are read and written
"""
