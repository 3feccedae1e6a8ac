"""How precise is a measured value, and why does it vary?"""
