"""What shows that what the pages say is true?  Claims, what was measured for each, and the page EVIDENCE.md.

    claim      a claim: what it says, where, the command that shows it, how its figure is read, what makes it stale
    reading    readers of figures
    claims/    all claims, a module for each subject
    ledger     what was measured, when, and at which commit: measured.json
    history    what git says: changes since a commit, changes in no commit
    measuring  commands are run, and figures read
    page       EVIDENCE.md
    quoting    pages that quote a figure get the new one

``python -m evidence`` puts them together.
"""
