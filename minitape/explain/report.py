"""An explanation as data, which every view (terminal, JSON, picture) reads.

Report        a whole run
  CallReport    one call of gradient, jacobian or batch_jacobian
    SourceReport  one source of that call: what came back, and why
      `FixesNeeded`     whether fixing one cause is enough
      Finding       one cause, with the location to look at and what to write instead
        Hop           one step of the path from the source to the target
        Proof         the gradient that a run with the cause fixed returned
        `FixedFile`      a file with the cause fixed
      PerturbationResult  how the target changed when the source was perturbed
  GradientNote  gradients that came back but are of little use
    ScalingFactor  the factor by which one op scales a gradient in the backward pass
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from minitape.explain.texts import report as texts
from minitape.source_text import lines_of
from minitape.templates import code


class Outcome(StrEnum):
    """What `gradient` returned for one source; EMPTY for an empty list of sources."""

    NONE = "none"
    ZERO = "zero"
    NAN = "nan"
    PARTIAL = "partial"
    ERROR = "error"
    EMPTY = "empty"
    OK = "ok"


SAYS = {
    Outcome.NONE: texts.IS_NONE,
    Outcome.ZERO: texts.IS_ZERO,
    Outcome.NAN: texts.IS_NAN,
    Outcome.PARTIAL: texts.IS_INCOMPLETE,
    Outcome.ERROR: texts.IS_ERROR,
    Outcome.EMPTY: texts.IS_EMPTY,
    Outcome.OK: texts.IS_OF_BROKEN_TARGET,
}
ADJECTIVES = {
    Outcome.NONE: texts.NONE,
    Outcome.ZERO: texts.ZERO,
    Outcome.NAN: texts.NAN,
    Outcome.PARTIAL: texts.INCOMPLETE,
    Outcome.ERROR: texts.MISSING_BY_ERROR,
    Outcome.EMPTY: texts.MISSING_BY_SOURCES,
}


class FixesNeeded(StrEnum):
    """How many findings of a source must be fixed before a gradient comes back.

    Attributes:
        ONE: There is a single finding.
        ALL: All findings are on one path, so fixing only some of them has no effect.
        ANY: Each finding is on a separate path, so fixing one restores its contribution, while the others stay missing.
        SOME: Some findings must be fixed together to restore a contribution.
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
    """The evidence for a finding; if several pieces are needed, the weakest of them."""

    MARK = "mark"
    ORDER = "order"
    NUMBERS = "numbers"
    NAME = "name"
    COMPILED = "compiled"
    RERUN = "re-run"


KNOWN_BY = {
    Evidence.MARK: texts.BY_MARK,
    Evidence.ORDER: texts.BY_ORDER,
    Evidence.NUMBERS: texts.BY_NUMBERS,
    Evidence.NAME: texts.BY_NAME,
    Evidence.COMPILED: texts.BY_COMPILED,
    Evidence.RERUN: texts.BY_RERUN,
}


@dataclass(frozen=True)
class Hop:
    """One step of the path from the source to the target.

    Attributes:
        value: The id of the value after the step.
        event: The number of the trace event of the step.
        lost: The slug of the cause if this step breaks the path, else None.
    """

    value: int
    event: int
    lost: str | None


@dataclass(frozen=True)
class Location:
    """A range in the user's source; columns count from 0, and -1 means the whole line."""

    file: str
    line: int
    column: int = -1
    end_line: int = -1
    end_column: int = -1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class RunnerUp:
    """Another cause that fits a gradient, but is less well supported: its code, its slug, and the line to change."""

    code: str
    slug: str
    location: Location


@dataclass(frozen=True)
class Proof:
    """A fix that was run: what it changed, the gradient that the run returned (a summary, as in traces), and the engine that
    ran it.
    """

    tried: str
    gradient: dict[str, Any]
    engine: str = ""


@dataclass(frozen=True)
class FixedFile:
    """A file in which a rule fixed a mistake: its whole text before and after."""

    file: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The change as `diff -u` and `git` write it."""
        return "".join(f"{line}\n" for line in self.diff_lines)

    @property
    def diff_lines(self) -> tuple[str, ...]:
        """The lines of `diff`, without their ends."""
        before, after = lines_of(self.before), lines_of(self.after)
        return tuple(difflib.unified_diff(before, after, self.file, self.file, n=2, lineterm=""))

    @property
    def lines(self) -> tuple[tuple[int, str], ...]:
        """The new lines, each with its number; empty where lines are only removed."""
        after = lines_of(self.after)
        return tuple(
            (number + 1, after[number])
            for _, _, start, end in self.changes
            for number in range(start, end)
        )

    @property
    def changes(self) -> tuple[tuple[int, int, int, int], ...]:
        """The lines that differ: for each change, the first line before and the one after the last, and the same for the new
        text. Lines count from 0.
        """
        before, after = lines_of(self.before), lines_of(self.after)
        # A fix leaves nearly all lines as they are, and a comparison of many equal lines takes quadratic time.
        most = min(len(before), len(after))
        head = next((i for i in range(most) if before[i] != after[i]), most)
        most -= head
        tail = next((i for i in range(most) if before[-1 - i] != after[-1 - i]), most)
        parts = before[head : len(before) - tail], after[head : len(after) - tail]
        codes = difflib.SequenceMatcher(None, *parts, autojunk=False).get_opcodes()
        return tuple(
            (head + i, head + j, head + k, head + m) for how, i, j, k, m in codes if how != "equal"
        )


@dataclass(frozen=True)
class PerturbationResult:
    """How the target changed when the first value of the source was perturbed.

    Attributes:
        moves: Whether the target changed; None if that could not be measured.
        derivative: The numerical derivative; None if the one-sided derivatives differ or nothing was measured.
        text: The result in words.
        differs: Whether a gradient that came back without a finding differs from the numerical derivative.
    """

    moves: bool | None
    derivative: float | None
    text: str
    differs: bool = False


@dataclass(frozen=True)
class Finding:
    """One cause: where to look, what happened there, what to write instead.

    Attributes:
        code: The code, such as MT201.
        slug: The name of its cause: numpy-roundtrip.
        confidence: How much the evidence proves.
        location: The line to change.
        lines: All lines that share the cause.
        label: What happened, in a few words for the line under the marked source.
        message: What happened, in full sentences.
        fix: What to write instead.
        parts: A note on what happened on each of `lines`.
        evidence: The kind of evidence.
        events: The numbers of the trace events that prove it, the decisive one first.
        path: The steps from the source (excluded) to the target; empty if no path exists.
        proof: The run that proves the fix, if a proof was requested and the run returned a gradient.
        unproved: The reason why a proof is missing.
        fixed: The files after a rule fixed the cause; if there is a proof, the files that were run.
        unwritten: The reason why `fixed` is empty although a rule could have fixed the cause.
        runner_up: The best supported of the other causes that fit; None if no other cause fits.
        is_harmless: Whether nothing is wrong as long as other gradients of the same call arrive.
        is_harmless_alone: Whether nothing is wrong even if none of them arrives.
    """

    code: str
    slug: str
    confidence: Confidence
    location: Location
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
    fixed: tuple[FixedFile, ...] = ()
    unwritten: str = ""
    runner_up: RunnerUp | None = None
    is_harmless: bool = False
    is_harmless_alone: bool = False

    @property
    def known_by(self) -> tuple[Evidence, ...]:
        """The evidence for the finding, and the run with the fix if it proved the finding."""
        return (self.evidence,) if self.proof is None else (self.evidence, Evidence.RERUN)

    @property
    def evidence_text(self) -> str:
        """The confidence and the evidence, in words."""
        evidence = "; ".join(KNOWN_BY[each] for each in self.known_by)
        words = texts.EVIDENCE(confidence=self.confidence, evidence=evidence)
        other = self.runner_up
        if other is None:
            return words
        line = lines_in_words([other.location], script=self.location.file)
        return words + texts.RUNNER_UP(slug=code(other.slug), code=other.code, line=line)

    @property
    def mistake(self) -> tuple[str, str, int]:
        """The mistake that the finding belongs to. Findings with the same cause, file and line are one mistake."""
        return self.slug, self.location.file, self.location.line


@dataclass(frozen=True)
class SourceReport:
    """What came back for one source, and the findings, the most important first.

    Attributes:
        index: Its index among the sources of the call.
        name: What the user calls it.
        value: Its id in the trace; 0 for a source that is not a tensor.
        outcome: What came back.
        findings: The causes, the most important first.
        fix_sets: The smallest sets of findings, by index, that bring a gradient back when they are fixed.
        nudge: The result of perturbing the source, if that was requested.
        is_tiny: Whether a gradient with the outcome ZERO has elements that are not exactly 0.
    """

    index: int
    name: str
    value: int
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    fix_sets: tuple[tuple[int, ...], ...] = ()
    nudge: PerturbationResult | None = None
    is_tiny: bool = False

    @property
    def outcome_text(self) -> str:
        """The outcome, as words that follow "the gradient"."""
        return texts.IS_TINY if self.is_tiny else SAYS[self.outcome]

    @property
    def fixes_needed(self) -> FixesNeeded | None:
        """How many findings must be fixed, according to `fix_sets`; None if there are no findings."""
        if not self.findings:
            return None
        if len(self.findings) == 1:
            return FixesNeeded.ONE
        if len(self.fix_sets) == 1:
            return FixesNeeded.ALL
        return (
            FixesNeeded.ANY
            if all(len(fix_set) == 1 for fix_set in self.fix_sets)
            else FixesNeeded.SOME
        )

    @property
    def fixes_needed_text(self) -> str:
        """Whether fixing one finding is enough, in words; empty for a single one."""
        locations = sorted(
            (each.location for each in self.findings), key=lambda location: location.line
        )
        two = _two_lines(locations)
        lines = two or lines_in_words(locations)
        match self.fixes_needed:
            case FixesNeeded.ALL:
                return (texts.FIX_BOTH if two else texts.FIX_ALL)(lines=lines)
            case FixesNeeded.ANY:
                return (texts.FIX_BOTH_FOR_ALL if two else texts.FIX_ALL_FOR_ALL)(lines=lines)
            case FixesNeeded.SOME:
                return texts.FIX_SOME(lines=lines_in_words(locations))
        return ""


def lines_in_words(locations: Sequence[Location], *, script: str = "") -> str:
    """Return the lines as text, such as `lines 5 and 7`; if they are in several files, or not in the script, each with its
    file.
    """
    if _need_their_files(locations, script):
        named = each_line_in_words(locations, script=script)
        return listed(named, most=len(named))
    lines = list(dict.fromkeys(str(location.line) for location in locations))
    words = listed(lines, most=len(lines))
    return texts.LINE(line=words) if len(lines) == 1 else texts.LINES(lines=words)


def each_line_in_words(locations: Sequence[Location], *, script: str = "") -> list[str]:
    """Return one text per line, such as `line 5`; if they are in several files, or not in the script, each with its file."""
    if _need_their_files(locations, script):
        named = [
            texts.LINE_OF_FILE(line=location.line, file=location.file) for location in locations
        ]
    else:
        named = [texts.LINE(line=location.line) for location in locations]
    return list(dict.fromkeys(named))


def _need_their_files(locations: Sequence[Location], script: str) -> bool:
    files = {location.file for location in locations}
    return len(files) > 1 or bool(script and files != {script})


def _two_lines(locations: Sequence[Location]) -> str:
    """Return two lines as text, such as `line 5 and line 7`; empty if there are not exactly two."""
    named = each_line_in_words(locations)
    return " and ".join(named) if len(named) == 2 else ""


def listed(words: Sequence[str], *, most: int = 4) -> str:
    """Return items as text, such as `a, b and c`; if there are more than `most`, the first two and the number of the others."""
    if len(words) > most:
        return f"{words[0]}, {words[1]} and {len(words) - 2} more"
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def target_quoted(name: str | None) -> str:
    """Return a target in the form used in a sentence: code in backticks, words such as "the loss" without."""
    if not name:
        return texts.THE_TARGET
    return name if name in (texts.THE_TARGET, texts.THE_LOSS) else code(name)


def source_quoted(name: str) -> str:
    """Return a source in the form used in a sentence. The trace calls sources with the same name `w (sources[0])` and `w
    (sources[1])`.
    """
    shared = re.fullmatch(r"(.+) \((sources\[\d+\])\)", name)
    if shared is None:
        return code(name)
    name, element = shared.groups()
    return code(element) if name == "Variable" else f"{code(name)} ({code(element)})"


@dataclass(frozen=True)
class CallReport:
    """One gradient call: `event` is the number of its trace event, `location` the user's line."""

    event: int
    location: Location
    visit: int
    api: str
    text: str
    target_name: str
    sources: tuple[SourceReport, ...]

    @property
    def has_problem(self) -> bool:
        return any(source.findings for source in self.sources)


@dataclass(frozen=True)
class ScalingFactor:
    """How much the ops of one name scale a gradient in the backward pass: the number of these ops, and the factor of each."""

    op: str
    line: int
    times: int
    factor: float


@dataclass(frozen=True)
class GradientNote:
    """A note on gradients that came back but are of little use: they vanish, explode, or change nothing. It is not a finding.

    Attributes:
        code: Its page in the catalog of messages.
        slug: The name of its kind.
        headline: The note in one line.
        location: The line to look at.
        lines: All lines that share it.
        label: What happened, in a few words.
        message: What happened, in full sentences.
        fix: What to write instead.
        call: The line of the gradient calls that it is about.
        iterations: The ranges of iterations of these calls, each with its first and its last.
        factors: The scale factors of ops in the backward pass, if the note is about them; the op with the largest effect comes
            first.
    """

    code: str
    slug: str
    headline: str
    location: Location
    lines: tuple[int, ...]
    label: str
    message: str
    fix: str
    call: Location
    iterations: tuple[tuple[int, int], ...]
    factors: tuple[ScalingFactor, ...] = ()


@dataclass(frozen=True)
class Report:
    """All gradient calls of a run, in the order in which they ran, and the notes."""

    script: str
    calls: tuple[CallReport, ...]
    notes: tuple[GradientNote, ...] = ()

    @property
    def ok(self) -> bool:
        return not any(call.has_problem for call in self.calls)

    def notes_on(self, call: CallReport) -> tuple[GradientNote, ...]:
        """Return the notes about one call."""
        return tuple(
            note
            for note in self.notes
            if note.call == call.location
            and any(first <= call.visit <= last for first, last in note.iterations)
        )

    def of(self, calls: Sequence[CallReport]) -> "Report":
        """Return the report of some of its calls, with the notes about these calls."""
        locations = {call.location for call in calls}
        notes = tuple(note for note in self.notes if note.call in locations)
        return replace(self, calls=tuple(calls), notes=notes)

    def as_data(self) -> dict[str, Any]:
        """Return the `data` of `minitape explain --json` (schema minitape.explain/1)."""
        return {
            "script": self.script,
            "calls": [_call_data(call) for call in self.calls],
            "notes": [_note_data(note) for note in self.notes],
        }


def _call_data(call: CallReport) -> dict[str, Any]:
    return {
        "line": call.location.line,
        "iteration": call.visit,
        "api": call.api,
        "sources": [
            {
                "index": source.index,
                "name": source.name,
                "outcome": source.outcome.value,
                "fixes_needed": source.fixes_needed,
                "fix_sets": [list(fix_set) for fix_set in source.fix_sets],
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
        "runner_up": _runner_up_data(finding.runner_up),
        "line": finding.location.line,
        "lines": list(finding.lines),
        "labels": list(finding.parts),
        "message": finding.message,
        "fix": finding.fix,
        "proof": None if finding.proof is None else asdict(finding.proof),
        "unproved": finding.unproved or None,
    }


def _runner_up_data(other: RunnerUp | None) -> dict[str, Any] | None:
    if other is None:
        return None
    return {"code": other.code, "slug": other.slug, "line": other.location.line}


def _note_data(note: GradientNote) -> dict[str, Any]:
    return {
        "code": note.code,
        "slug": note.slug,
        "line": note.location.line,
        "lines": list(note.lines),
        "headline": note.headline,
        "message": note.message,
        "fix": note.fix,
        "call": note.call.line,
        "iterations": [list(stretch) for stretch in note.iterations],
        "factors": [asdict(factor) for factor in note.factors],
    }
