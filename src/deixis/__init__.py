"""deixis: do language models, and people, know whose *I*, *here*, *tomorrow* and *mine* it is?"""

__version__ = "0.1.0"
