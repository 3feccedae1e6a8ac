"""A research object (RO-Crate) of a thing, and back.

    packing       a thing as a crate, by the profile for runs of processes
    unpacking     a crate, ours or that of others, as a thing

    crate         the entities of a crate that is written, each once
    describing    people, software, data, publications and values as entities
    acting        what was done as actions
    graph         the entities of a crate that is read, however hostile
    recounting    what the actions of others say, as records
    words         the names and words that both directions share

Defined in https://w3id.org/ro/crate/1.1 and https://w3id.org/ro/wfrun/process/0.5.
"""
