"""Is a run, with what it says about itself, fit to be used?  One module for each side it is looked at from."""
