"""How is a site run: its server, its workers, and what is looked at before they start?

serving, work   a server, and a worker for the jobs of a site
tending         a process kept alive beside a server
checking        whether a site is ready for the world
permissions     who else on this machine may read what the site writes
demonstration   a finished demonstration shown in a site
"""
