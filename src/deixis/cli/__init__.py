"""The command line: one file a command, each a few lines around one call.

Commands import the rooms they call inside the function, so that ``--help`` answers at once.
"""
