"""The site: pages and a REST API on the same services and queries as the command line.

settings     what Django is told, by the environment
served       the archive and the tracks that this process serves
pages        how a page is made, and how an error is told on one
middleware   who asks, what a browser may do, how much anybody may ask for
urls         every address
names        how things are named in one
fields       what somebody typed
archive/  track/  tools/  people/   the pages, by what they are about
limits/      how much of a site one person may take
running/     how its server and its workers are started
api/         the same for programs
"""
