"""What is kept of a long text: whole lines within two limits, and never half a character."""

from hypothesis import given
from hypothesis import strategies as st
from mini_agent.tools.limits import Limit, keep_head, keep_tail, line_count, short

TEXTS = st.text(st.sampled_from("a好é🎉\n\r\u2028"), max_size=60)
LIMITS = st.builds(Limit, lines=st.integers(1, 8), bytes=st.integers(4, 40))


@given(TEXTS, LIMITS)
def test_the_head_is_a_beginning_that_fits(text: str, limit: Limit) -> None:
    data = text.encode()
    head = keep_head(data, limit)
    assert data.startswith(head)
    assert len(head) <= limit.bytes
    assert line_count(head) <= limit.lines
    head.decode()


@given(TEXTS, LIMITS)
def test_the_tail_is_an_end_that_fits(text: str, limit: Limit) -> None:
    data = text.encode()
    tail = keep_tail(data, limit)
    assert data.endswith(tail)
    assert len(tail) <= limit.bytes
    assert line_count(tail) <= limit.lines
    tail.decode()


def lines_of(data: bytes) -> list[bytes]:
    *lines, rest = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([rest] if rest else [])


def fits(lines: list[bytes], limit: Limit) -> bool:
    return len(lines) <= limit.lines and len(b"".join(lines)) <= limit.bytes


@given(TEXTS, LIMITS)
def test_as_many_whole_lines_as_fit(text: str, limit: Limit) -> None:
    data = text.encode()
    lines = lines_of(data)
    heads = [lines[:n] for n in range(len(lines) + 1) if fits(lines[:n], limit)]
    tails = [lines[n:] for n in range(len(lines), -1, -1) if fits(lines[n:], limit)]
    if len(heads) > 1 or not lines:
        assert keep_head(data, limit) == b"".join(heads[-1])
    else:  # the first line does not fit: most of it does
        assert limit.bytes - 3 <= len(keep_head(data, limit)) < len(lines[0])
    if len(tails) > 1 or not lines:
        assert keep_tail(data, limit) == b"".join(tails[-1])
    else:
        assert limit.bytes - 3 <= len(keep_tail(data, limit)) < len(lines[-1])


def test_what_fits_is_kept_whole() -> None:
    data = "一\n二\n".encode()
    assert keep_head(data, Limit(lines=2, bytes=len(data))) == data
    assert keep_tail(data, Limit(lines=2, bytes=len(data))) == data
    assert keep_tail(b"xx\na\nb\n", Limit(bytes=4)) == b"a\nb\n"


def test_bytes_that_are_no_text_do_not_lead_astray() -> None:
    data = b"\x80" * 100
    assert len(keep_head(data, Limit(bytes=50))) == 50
    assert len(keep_tail(data, Limit(bytes=50))) == 50


def test_only_lf_ends_a_line() -> None:
    assert line_count("a\u2028b\rc\x85d\n".encode()) == 1
    assert line_count(b"") == 0
    assert line_count(b"a\nb") == 2


def test_short_says_how_long_it_was() -> None:
    assert short("abc", most=3) == "abc"
    assert short("x" * 1000, most=3) == "xxx…（共 1000 个字符）"
