"""The tables of a data set, defined once: rows, header, codebook and data set descriptions all come from here.

The header of *answers* is the same for people and models, byte for byte. What a respondent does not have is an empty
cell: a model has no reaction time.
"""

from collections.abc import Mapping

from deixis.experiments import EXPERIMENTS
from deixis.records import Outcome
from deixis.scoring.error_classes import ErrorClass
from deixis.study.data.column import Column, Kind, Origin
from deixis.study.data.factors import factor_columns
from deixis.study.database.records import STATUSES
from deixis.study.designs import DESIGNS

_PROTOCOLS = tuple(dict.fromkeys(name for found in EXPERIMENTS.values() for name in found.readers))
_ORDERS = tuple(dict.fromkeys(name for found in DESIGNS.values() if len(found.orders) > 1 for name in found.order_ids))
KINDS = ("human", "model", "simulated", "reference", "test")
"""Of respondents."""
PARTS = ("trial", "practice", "check")

_WHO = (
    Column("study_id", "The study, or the name of the run folder of a model", Kind.TEXT, Origin.ASKED),
    Column("respondent_kind", "Who answered: simulated people are made up, references are strategies, test is the "
           "preview", Kind.TEXT, Origin.ASKED, KINDS),
    Column("respondent_id", "people:STUDY/CODE with a random code, or the id of a model or strategy"),
)  # fmt: skip
_ABOUT = (
    Column("item_id", "The item, or the group and the objects of a scene: what all versions of it share", Kind.TEXT,
           Origin.ASKED),
    Column("trial_id", "The trial; together with respondent, condition and protocol it makes a row unique", Kind.TEXT,
           Origin.ASKED),
    Column("trial_index", "Place of the trial in the order in which this respondent got them, checks counted, practice "
           "counted apart; empty where a person never came so far; of a model its place in the design", Kind.WHOLE,
           Origin.ASKED),
    Column("experiment", "The experiment", Kind.TEXT, Origin.ASKED, tuple(EXPERIMENTS)),
    Column("task", "The experiment, or, of comprehension, which pronouns the sentence has", Kind.TEXT, Origin.ASKED,
           tuple(name for name in EXPERIMENTS if name != "comprehension")),
    Column("condition", "The condition of the experiment", Kind.TEXT, Origin.ASKED),
    Column("protocol", "The set of design decisions; numbers of different protocols are never pooled", Kind.TEXT,
           Origin.ASKED, _PROTOCOLS),
    Column("part", "A trial, or practice or an attention check, which no analysis counts", Kind.TEXT, Origin.ASKED,
           PARTS),
    Column("block", "The block of trials; of a model the experiment", Kind.TEXT, Origin.ASKED),
    Column("block_order", "The order of blocks, by first letters; empty where there is one block", Kind.TEXT,
           Origin.ASKED, _ORDERS),
    Column("list_id", "The list that the trial is on; empty where the design has no lists", Kind.TEXT, Origin.ASKED),
)  # fmt: skip
_SAID = (
    Column("options", "The options in the order shown, as a JSON list", Kind.JSON, Origin.ASKED),
    Column("right", "The text of the right option; of several that mean the same, the first", Kind.TEXT, Origin.ASKED),
    Column("response", "The text of the option chosen, or rated highest; empty without one", Kind.TEXT, Origin.DERIVED),
    Column("response_raw", "What was given, unread: the place of the option (from 0), the ratings in the order shown "
           "(JSON), or the text of a model"),
    Column("correct", "1 for a right answer, 0 for another, a share in a tie; empty where nothing was asked or came "
           "back", Kind.NUMBER, Origin.DERIVED),
    Column("error_type", "What an answer got wrong; of checks, and where nothing counts, empty", Kind.TEXT,
           Origin.DERIVED, tuple(one.value for one in ErrorClass)),
    Column("outcome", "What became of the question; missing: planned for this respondent, and no answer there",
           Kind.TEXT, Origin.DERIVED, tuple(one.value for one in Outcome)),
    Column("rt_ms", "From the trial being seen to the answer, measured in the browser; of a model empty", Kind.NUMBER,
           Origin.RECORDED, units="ms"),
    Column("answered_at", "When the server stored the answer, or the model gave it; empty where another host stored it",
           Kind.TIME),
    Column("presentation", "How often the trial had been shown, this time included: more than 1 after a reload",
           Kind.WHOLE),
    Column("input_kind", "How it was given; assistive: a button pressed by neither key nor pointer", Kind.TEXT,
           Origin.RECORDED, ("mouse", "touch", "pen", "key", "assistive")),
    Column("hidden_ms", "How long the page was hidden while the trial was open", Kind.NUMBER, Origin.RECORDED,
           units="ms"),
    Column("blurs", "How often the page lost the focus while the trial was open", Kind.WHOLE),
    Column("trusted", "Whether the browser says that a person caused the event; false may be assistive technology",
           Kind.FLAG),
    Column("travel_px", "How far the pointer moved during the trial", Kind.WHOLE, Origin.RECORDED, units="px"),
    Column("viewport", "Width and height of the page, as 1280x800", Kind.TEXT, Origin.RECORDED, units="px"),
    Column("motion", "Whether the gaze line blinked, or was still for who asks for less motion", Kind.TEXT,
           Origin.RECORDED, ("blinked", "still", "none")),
    Column("page_loads", "How often the page had been loaded in this browser", Kind.WHOLE),
)  # fmt: skip
_EXCLUDED = Column(
    "excluded_reason", "Which declared rules leave this respondent out, and why; empty where none does", Kind.TEXT,
    Origin.DERIVED,
)  # fmt: skip
_VERSIONS = (
    Column("stimulus_sha256", "Hash of what was shown: of people the picture's file, else passage, question and "
           "options; of models the picture's pixels, else the text asked", Kind.TEXT, Origin.ASKED),
    Column("design_sha256", "Hash of everything declared before launch (study), or of the trial table (run)", Kind.TEXT,
           Origin.ASKED),
    Column("code_version", "The version of deixis that made the answers (run) or this table (study)", Kind.TEXT,
           Origin.RECORDED),
)  # fmt: skip

ANSWERS = (*_WHO, *_ABOUT, *factor_columns(), *_SAID, _EXCLUDED, *_VERSIONS)
"""One row an answer, with one for each planned trial that has none."""

RATINGS = (
    *_WHO,
    *(column for column in _ABOUT if column.name in {"trial_id", "trial_index", "task", "protocol"}),
    *(column for column in factor_columns() if column.name in {"word", "speaker", "perspective"}),
    Column("object_place", "Place of the object in the row, from the left, beginning with 0", Kind.WHOLE, Origin.ASKED),
    Column("object_label", "The letter of the object", Kind.TEXT, Origin.ASKED, ("A", "B", "C", "D")),
    Column("object_role", "What the object is in the sentence: of the pair meant or of the other, or its distance "
           "from the speaker", Kind.TEXT, Origin.ASKED, ("target pair", "other pair", "0", "1", "2", "3")),
    Column("object_distance", "How many objects lie between the speaker and the object", Kind.WHOLE, Origin.ASKED,
           ("0", "1", "2", "3")),
    Column("rating", "How likely it is that the object is meant, from 1 (not at all) to 7 (very)", Kind.WHOLE,
           Origin.RECORDED, ("1", "2", "3", "4", "5", "6", "7")),
    _EXCLUDED,
)  # fmt: skip
"""One row an object of a trial in which objects were rated; the rest of it is in *answers*, by respondent and trial."""

PEOPLE = (
    *_WHO,
    Column("status", "How far the person came", Kind.TEXT, Origin.DERIVED, STATUSES),
    Column("list_id", "The list of trials; empty before one is assigned", Kind.TEXT, Origin.ASKED),
    Column("block_order", "The order of blocks", Kind.TEXT, Origin.ASKED, _ORDERS),
    Column("trials_answered", "Trials answered", Kind.WHOLE, Origin.DERIVED),
    Column("trials_planned", "Trials of the list", Kind.WHOLE, Origin.ASKED),
    Column("share_correct", "Mean of correct in answers", Kind.NUMBER, Origin.DERIVED),
    Column("median_rt_ms", "Median time of the trials answered", Kind.NUMBER, Origin.DERIVED, units="ms"),
    Column("checks_passed", "Attention checks answered as they ask", Kind.WHOLE, Origin.DERIVED),
    Column("checks_answered", "Attention checks answered", Kind.WHOLE, Origin.DERIVED),
    Column("arrived_at", "First seen", Kind.TIME),
    Column("consented_at", "Agreed to take part", Kind.TIME),
    Column("assigned_at", "Got a list, after the practice", Kind.TIME),
    Column("completed_at", "Answered everything", Kind.TIME),
    Column("ended_at", "Ended, in whichever way", Kind.TIME),
    Column("consent_sha256", "Hash of the text agreed to"),
    Column("all_page_loads", "How often the study was loaded, in all browsers together", Kind.WHOLE),
    Column("webdriver", "Whether the browser says that a program steers it; never a reason to leave out by itself",
           Kind.FLAG),
    Column("touch", "Whether the device has a touch screen", Kind.FLAG),
    Column("last_viewport", "Width and height of the page at the last load, as 1280x800", Kind.TEXT, Origin.RECORDED,
           units="px"),
    Column("motion_setting", "Whether the device asks for less motion", Kind.TEXT, Origin.RECORDED, ("reduce", "any")),
    _EXCLUDED,
)  # fmt: skip
"""One row a person, whoever arrived; nothing in it leads to an account."""

TABLES: Mapping[str, tuple[Column, ...]] = {"answers": ANSWERS, "extras": ANSWERS, "ratings": RATINGS, "people": PEOPLE}
"""Name of a table to its columns; *extras* are practice and checks."""
ABOUT: Mapping[str, str] = {
    "answers": "One row an answer to a trial, and one for each planned trial without an answer",
    "extras": "Practice trials and attention checks, in the columns of answers",
    "ratings": "One row an object of each trial in which objects were rated",
    "people": "One row a person who arrived, how far everybody came",
    "joined": "Columns of the recruiter's own export, by person",
}
"""Name of a table to what a row of it is."""
