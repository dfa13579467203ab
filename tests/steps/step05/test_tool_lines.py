"""What the user gets to see of real results."""

from mini_agent.tool_lines import shortened


def test_what_moves_the_cursor_is_shown_and_not_done() -> None:
    assert shortened("\x1b[2J\r50%\x07\x9b1m\x7f\t好", lines=8) == "␛[2J␍50%␇\\x9b1m␡\t好"


def test_line_ends_of_a_file_do_not_show() -> None:
    assert shortened("一\r\n二\r\n", lines=8) == "一\n      二"
