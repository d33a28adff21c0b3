"""The picture agrees with the text: its card has the fix and the line of the first finding."""

from explain import judge

from minitape import draw

LOST = [name for name, case in judge.CASES.items() if case.causes and not case.is_missed]


@judge.of_each_case(LOST)
def test_card_of_the_break_has_the_line_and_the_fix(name: str) -> None:
    case, explained = judge.CASES[name], judge.explained(name)
    for number, call in enumerate(explained.report.calls, start=1):
        if (call.location.line, call.visit) != (case.line, case.visit):
            continue
        picture = draw.picture(explained.ran.trace, explained.report, call=number)
        finding = next(each for source in call.sources for each in source.findings)
        begins = finding.fix[:10]  # the row may break before a long piece of code
        reported = [
            card
            for card in picture.cards
            if any(row.label == "fix" and row.text.startswith(begins) for row in card.rows)
        ]
        assert any(str(finding.location.line) in card.location for card in reported)
