"""Other people's formats, in and out: what is kept here is handed over whole, and what others wrote is taken over.

    thing, told       what is handed over, and what records tell in terms that all formats share
    gathering         a path as a thing; archive and track make theirs themselves
    formats           the register of formats, catalogue all that are in it; one module for each
    writing, reading  export and import
    lost, private     what a format does not carry, and what not everybody should read

    research_crate    RO-Crate, in and out
    citations         BibTeX, CITATION.cff, DataCite, schema.org
    datasheets        the questions of a datasheet of a collection
    linked            W3C PROV, nanopublications
    workflows         CWL
    tira              folders of TIRA, and what tirex-tracker measured
    trackers          MLflow, Sacred
    qra3, heds        measurements of QRA3, datasheets of human evaluations

A format is a function from a thing to files, or from a path to a thing.  What it cannot carry it says.
"""
