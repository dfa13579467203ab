"""The words that generated parts use, in both languages."""

from collections.abc import Mapping
from dataclasses import dataclass

from lab.bilingual import Language
from lab.seams.changes import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Every word and phrase that is not taken from the source. Fields are in braces."""

    line: str
    lines: str
    no_output: str
    hung: str
    killed: str
    file_columns: tuple[str, ...]
    step_columns: tuple[str, ...]
    term_columns: tuple[str, ...]
    kinds: Mapping[Kind, str]
    carried: str
    chapter: str
    coming: str
    minutes: str
    hours: str
    sitting: str
    sitting_columns: tuple[str, ...]
    rules: str
    check: str
    compare: str


WORDS: Mapping[Language, Words] = {
    "en": Words(
        line="*`{file}`, line {first}*",
        lines="*`{file}`, lines {first}–{last}*",
        no_output="*It prints nothing.*",
        hung="# still running after {seconds:g} s, and killed",
        killed="# ended by {name}",
        file_columns=("File", "Kind", "Lines", "Why"),
        step_columns=("Step", "What is new", "Chapter"),
        term_columns=("Term", "In Chinese", "Meaning", "Chapter"),
        kinds={"new": "new", "changed": "changed", "carried": "carried", "gone": "gone"},
        carried="Byte for byte as in step {before:02}: {count} files",
        chapter="chapter",
        coming="coming",
        minutes="{count} minutes",
        hours="{count} hours",
        sitting_columns=("Sitting", "Title", "Minutes", "Rules", "Files to build"),
        sitting="**Build** {files}; about {minutes} minutes.",
        rules="What must hold then: {count} rules",
        check="Check: `lab check --only {id}`. Stuck: `lab hint {id}`.",
        compare="Compare, when it passes: <code>{file}</code>",
    ),
    "zh": Words(
        line="*`{file}`，第 {first} 行*",
        lines="*`{file}`，第 {first}–{last} 行*",
        no_output="*没有任何输出。*",
        hung="# {seconds:g} 秒后仍未结束，被强行终止",
        killed="# 被 {name} 结束",
        file_columns=("文件", "类别", "行数"),
        step_columns=("步骤", "新增内容", "章节"),
        term_columns=("术语", "意思", "章"),
        kinds={"new": "新增", "changed": "修改", "carried": "不变", "gone": "删除"},
        carried="与第 {before:02} 步逐字节相同的文件：{count} 个",
        chapter="章节",
        coming="待完成",
        minutes="{count} 分钟",
        hours="{count} 小时",
        sitting_columns=("节", "标题", "分钟", "规则", "要写的文件"),
        sitting="**动手写** {files}；大约 {minutes} 分钟。",
        rules="做完之后必须成立：{count} 条",
        check="检查：`lab check --only {id}`。卡住了：`lab hint {id}`。",
        compare="通过之后再比较：<code>{file}</code>",
    ),
}
