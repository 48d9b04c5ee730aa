"""Everything that can go wrong in a way the user can mend, as one tree with one voice.

A message is one line in lower case: what was wrong, with the value, then what to do.
"""


class DeixisError(Exception):
    """A fault the user can mend; the command line prints it as one line and exits with ``exit_code``."""

    exit_code = 2


class ItemsError(DeixisError):
    """A file of items that cannot be used as it is."""


class SceneError(DeixisError):
    """A scene, an object or a picture that cannot be."""


class UsageError(DeixisError):
    """A name or a combination of settings that does not exist or does not fit."""


class ParticipantError(DeixisError):
    """A participant that cannot be built, or cannot do what is asked of it."""


class FetchError(DeixisError):
    """A model that could not be brought to this machine."""

    exit_code = 3


class StoreError(DeixisError):
    """A run folder that cannot be read or written."""


class SignatureError(StoreError):
    """A run folder made under another design than the one asked for."""


class AnalysisError(DeixisError):
    """A test or a model that the data at hand do not allow; the message names the factor that is too small."""


class Unfinished(DeixisError):
    """A run that ended with trials unanswered; what was answered is kept."""

    exit_code = 3
