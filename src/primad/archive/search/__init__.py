"""Which runs are asked for?  From the words of a query to the runs it finds.

language, terms, fields       the query as typed, the values in it, and the field that a name means
conditions, sets, texts       which runs meet one condition, or have a word; how such sets are cut
selecting, ordering, facets   the runs of a whole query, their order, and the values they have
facts, measures               what of a record can be searched for, and which score a measure means
finding, hits                 the one run that somebody means, and how a run is shown in a list
"""
