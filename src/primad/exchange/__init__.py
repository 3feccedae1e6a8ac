"""Other people's formats, in and out: what is kept here is handed over whole, and what others wrote is taken over.

    thing, told       what is handed over, and what records tell in terms that all formats share
    gathering         a path as a thing; archive and track make theirs themselves
    formats           the register of formats, catalogue all that are in it; one module or folder for each
    writing, reading  export and import
    lost, private     what a format does not carry, and what not everybody should read

A format is a function from a thing to files, or from a path to a thing.  What it cannot carry it says.
"""
