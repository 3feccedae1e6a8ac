"""What happened while a run was made: commands and pieces of Python, watched and noted down.

    of_command   run a command, record it, and annotate the runs it wrote
    of_python    the same for a piece of Python

    command   run a command and measure it       written   which runs it wrote
    trace     which files it read and wrote      energy    what it used
    notebook  how all that becomes a record

Only what is needed is imported: recording must not keep a command waiting.
"""
