"""Bytes of a file as text: UTF-8, or a refusal that says what they are instead."""

from ..results import ToolError
from .limits import short

UTF16_MARKS = {b"\xff\xfe": "UTF-16LE", b"\xfe\xff": "UTF-16BE"}


def decode(data: bytes, path: str, *, size: int) -> str:
    """Return bytes of a file as text. Another encoding is never guessed: it would be written back.

    Args:
        data: From the start of the file or of a line, up to the end of a character.
        path: What the model calls the file.
        size: Of the whole file, in bytes.

    Raises:
        ToolError: it is not UTF-8; the message says how to look at the file instead.
    """
    path = short(path)
    if name := UTF16_MARKS.get(data[:2]):
        raise ToolError(f"{path} 是 {name} 文本，不是 UTF-8。可用 bash：iconv -f {name} -t UTF-8")
    if b"\0" in data:
        raise ToolError(f"{path} 是二进制文件（{size} 字节），不能当作文本。可用 bash：file、xxd")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(
            f"{path} 不是 UTF-8 文本（含字节 0x{data[error.start]:02X}），编码不明，不作猜测。"
            f"若知道编码，可用 bash，例如：iconv -f GBK -t UTF-8"
        ) from None
