"""What an explanation says, as data: every view (terminal, JSON, picture) reads this.

Report        a whole run
  CallReport    one call of gradient, jacobian or batch_jacobian
    SourceReport  one source of that call: what came back, and why
      Mending       whether mending one cause is enough
      Finding       one cause, with the place to look at and what to write instead
        Hop           one step of the path from the source to the target
        Proof         the gradient that came back with the cause mended
        Mended        a file with the cause mended
      Nudge         what the target did when the source was moved
  Note          gradients that came back and are of little use: none is lost
    Factor        what one op on the way back makes of a gradient
"""

import difflib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from minitape.source_text import lines_of


class Outcome(StrEnum):
    """What `gradient` returned for one source; EMPTY where it was given a list of none."""

    NONE = "none"
    ZERO = "zero"
    NAN = "nan"
    PARTIAL = "partial"
    ERROR = "error"
    EMPTY = "empty"
    OK = "ok"


SAYS = {
    Outcome.NONE: "is None",
    Outcome.ZERO: "is zero everywhere",
    Outcome.NAN: "contains nan or inf",
    Outcome.PARTIAL: "is only a part of it",
    Outcome.ERROR: "could not be computed",
    Outcome.EMPTY: "is an empty list",
    Outcome.OK: "is suspicious",
}


class Mending(StrEnum):
    """How many of a source's findings must be mended before a gradient comes back.

    ONE is for a single finding. ALL stand in a row: mending fewer changes nothing. ANY one brings a share of the gradient, the
    rest stays missing until all are mended. SOME must be mended together, and bring a share.
    """

    ONE = "one"
    ALL = "all"
    ANY = "any"
    SOME = "some"


class Confidence(StrEnum):
    """How much the evidence proves; only `certain` may say "because"."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Evidence(StrEnum):
    """What a finding is known by; where several steps lead to it, the weakest of them."""

    MARK = "mark"
    ORDER = "order"
    NUMBERS = "numbers"
    NAME = "name"
    RERUN = "re-run"


KNOWN_BY = {
    Evidence.MARK: "what left the tape carried a mark, and came back with it",
    Evidence.ORDER: "it follows from what ran, in which order, and on which tape",
    Evidence.NUMBERS: "it was read off the numbers that went forward, and those that came back",
    Evidence.NAME: "names in the program lead there, and nothing else does",
    Evidence.RERUN: "the script was mended so and run again, and the gradient came",
}


@dataclass(frozen=True)
class Hop:
    """One step from a value to the next on the way from the source to the target.

    `value` is the id the step arrives at and `event` the number of the trace event that made it;
    `lost` is the slug of the cause if the connection is lost on this step, else None.
    """

    value: int
    event: int
    lost: str | None


@dataclass(frozen=True)
class Place:
    """A stretch of the user's source; columns count from 0, and -1 means the whole line."""

    file: str
    line: int
    column: int = -1
    end_line: int = -1
    end_column: int = -1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Proof:
    """A mend that was run: what was changed, and the gradient (a summary, as in traces) that came back."""

    tried: str
    gradient: dict[str, Any]


@dataclass(frozen=True)
class Mended:
    """A file in which a mistake is mended by rule: its whole text before and after."""

    file: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        """What changes, as `diff -u` and `git` write it."""
        return "".join(f"{line}\n" for line in self.diff_lines)

    @property
    def diff_lines(self) -> tuple[str, ...]:
        """The lines of `diff`, without their ends."""
        before, after = lines_of(self.before), lines_of(self.after)
        return tuple(difflib.unified_diff(before, after, self.file, self.file, n=2, lineterm=""))

    @property
    def lines(self) -> tuple[tuple[int, str], ...]:
        """The new lines, each with its number; empty where lines only go."""
        before, after = lines_of(self.before), lines_of(self.after)
        changes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        return tuple(
            (number + 1, after[number])
            for how, _, _, start, end in changes
            if how != "equal"
            for number in range(start, end)
        )


@dataclass(frozen=True)
class Nudge:
    """What the target did when the source's first value was moved a little.

    `moves` is None where that could not be found out; `slope` is None where there is no one slope. `said` is it in words.
    `differs` if a gradient came back, nothing was found, and yet that gradient is another slope.
    """

    moves: bool | None
    slope: float | None
    said: str
    differs: bool = False


@dataclass(frozen=True)
class Finding:
    """One cause: where a teacher would point, what happened there, what to write instead.

    `place` is that line and `lines` are all lines that share the cause, each with a word on what happened there in `parts`.
    `label` says in a few words what happened under the marked source; `message` is the whole sentence. `evidence` is what the
    cause is known by, and `events` are the numbers of the trace events that prove it, the decisive one first. `path` leads from
    the source (excluded) to the target, empty when nothing leads there. `proof` is there if a mend was asked for and gave a
    gradient; `unproved` says why it is not. `mended` are the files with it mended by rule: with a proof, those that were run.
    `unwritten` says why they are not there, where a rule might have written them.
    """

    code: str
    slug: str
    confidence: Confidence
    place: Place
    lines: tuple[int, ...]
    label: str
    message: str
    fix: str
    parts: tuple[str, ...] = ()
    evidence: Evidence = Evidence.ORDER
    events: tuple[int, ...] = ()
    path: tuple[Hop, ...] = ()
    proof: Proof | None = None
    unproved: str = ""
    mended: tuple[Mended, ...] = ()
    unwritten: str = ""

    @property
    def known_by(self) -> tuple[Evidence, ...]:
        """Its evidence, and the re-run if one has proved it."""
        return (self.evidence,) if self.proof is None else (self.evidence, Evidence.RERUN)

    @property
    def why_sure(self) -> str:
        """How sure it is, and by what, in words."""
        told = [f"by {each}: {KNOWN_BY[each]}" for each in self.known_by]
        return f"{self.confidence}, {'; '.join(told)}"

    @property
    def mistake(self) -> tuple[str, str, int]:
        """What it tells of: findings with the same cause, file and line are one mistake."""
        return self.slug, self.place.file, self.place.line


@dataclass(frozen=True)
class SourceReport:
    """What came back for one source, and the findings, the most important first; `nudge` only if that was asked for.

    Each of `ways` is a smallest set of findings, by their places, which brings a gradient back if it is mended.
    """

    index: int
    name: str
    value: int
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    ways: tuple[tuple[int, ...], ...] = ()
    nudge: Nudge | None = None

    @property
    def mending(self) -> Mending | None:
        """What the ways come to; None where nothing was found."""
        if not self.findings:
            return None
        if len(self.findings) == 1:
            return Mending.ONE
        if len(self.ways) == 1:
            return Mending.ALL
        return Mending.ANY if all(len(way) == 1 for way in self.ways) else Mending.SOME

    @property
    def mending_said(self) -> str:
        """Whether mending one finding is enough, in words; empty for a single one."""
        places = [finding.place for finding in self.findings]
        lines = lines_in_words(sorted(places, key=lambda place: place.line))
        match self.mending:
            case Mending.ALL:
                return f"mend all of {lines}: fewer change nothing"
            case Mending.ANY:
                return f"mend all of {lines}: one alone gives only a part of the gradient"
            case Mending.SOME:
                return f"mend all of {lines}: fewer give nothing, or only a part of the gradient"
        return ""


def lines_in_words(places: Sequence[Place], *, script: str = "") -> str:
    """`lines 5 and 7`; where they are in several files, or not in the script, each with its file."""
    files = {place.file for place in places}
    if len(files) > 1 or (script and files != {script}):
        named = [f"line {place.line} of {place.file}" for place in places]
        return listed(list(dict.fromkeys(named)), most=len(named))
    lines = list(dict.fromkeys(str(place.line) for place in places))
    return f"line{'s' if len(lines) > 1 else ''} {listed(lines, most=len(lines))}"


def listed(words: Sequence[str], *, most: int = 4) -> str:
    """`a, b and c`; of more than `most` the first two, and how many there are besides."""
    if len(words) > most:
        return f"{words[0]}, {words[1]} and {len(words) - 2} more"
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


@dataclass(frozen=True)
class CallReport:
    """One gradient call: `event` is the number of its trace event, `place` where the user wrote it."""

    event: int
    place: Place
    visit: int
    api: str
    text: str
    target_name: str
    sources: tuple[SourceReport, ...]

    @property
    def has_problem(self) -> bool:
        return any(source.findings for source in self.sources)


@dataclass(frozen=True)
class Factor:
    """What the ops of one name make of a gradient on its way back: how many they are, and what each multiplies it by."""

    op: str
    line: int
    times: int
    factor: float


@dataclass(frozen=True)
class Note:
    """What is worth knowing of gradients that came back: they fade, explode, or move nothing. None is lost, so it is no finding.

    `call` is the place of the gradient calls it is about, and `rounds` are the stretches of their visits, first and last.
    `factors` are those of the ops on the way back, where the note is about that; the one to blame comes first.
    """

    code: str
    slug: str
    headline: str
    place: Place
    lines: tuple[int, ...]
    label: str
    message: str
    fix: str
    call: Place
    rounds: tuple[tuple[int, int], ...]
    factors: tuple[Factor, ...] = ()


@dataclass(frozen=True)
class Report:
    """All gradient calls of a run, in the order in which they happened, and what is to be noted beside what was lost."""

    script: str
    calls: tuple[CallReport, ...]
    notes: tuple[Note, ...] = ()

    @property
    def ok(self) -> bool:
        return not any(call.has_problem for call in self.calls)

    def notes_on(self, call: CallReport) -> tuple[Note, ...]:
        """The notes about one call."""
        return tuple(
            note
            for note in self.notes
            if note.call == call.place
            and any(first <= call.visit <= last for first, last in note.rounds)
        )

    def of(self, calls: Sequence[CallReport]) -> "Report":
        """The same of some of its calls, with the notes about these."""
        places = {call.place for call in calls}
        notes = tuple(note for note in self.notes if note.call in places)
        return replace(self, calls=tuple(calls), notes=notes)

    def as_data(self) -> dict[str, Any]:
        """The `data` of `minitape explain --json` (schema minitape.explain/1)."""
        return {
            "script": self.script,
            "calls": [_call_data(call) for call in self.calls],
            "notes": [_note_data(note) for note in self.notes],
        }


def _call_data(call: CallReport) -> dict[str, Any]:
    return {
        "line": call.place.line,
        "visit": call.visit,
        "api": call.api,
        "sources": [
            {
                "index": source.index,
                "name": source.name,
                "outcome": source.outcome.value,
                "mending": source.mending,
                "ways": [list(way) for way in source.ways],
                "findings": [_finding_data(finding) for finding in source.findings],
                "check": None if source.nudge is None else asdict(source.nudge),
            }
            for source in call.sources
        ],
    }


def _finding_data(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "slug": finding.slug,
        "confidence": finding.confidence.value,
        "evidence": [each.value for each in finding.known_by],
        "line": finding.place.line,
        "lines": list(finding.lines),
        "parts": list(finding.parts),
        "message": finding.message,
        "fix": finding.fix,
        "proof": None if finding.proof is None else asdict(finding.proof),
        "unproved": finding.unproved or None,
    }


def _note_data(note: Note) -> dict[str, Any]:
    return {
        "code": note.code,
        "slug": note.slug,
        "line": note.place.line,
        "lines": list(note.lines),
        "headline": note.headline,
        "message": note.message,
        "fix": note.fix,
        "call": note.call.line,
        "rounds": [list(stretch) for stretch in note.rounds],
        "factors": [asdict(factor) for factor in note.factors],
    }
