"""External programs: failures, and reports of protocol checks."""

from collections.abc import Mapping
from typing import Any

from fifteentwo.i18n.catalogue import has_text, text


def failure_text(code: str, detail: str, lang: str) -> str:
    key = f"failure.{code}"
    return text(key if has_text(key, lang) else "failure.other", lang, detail=detail, code=code)


def check_text(report: Mapping[str, Any], lang: str) -> str:
    """Return the report of `engines.check.check`, one check a line."""
    spoken = "check.views" if report["protocol"] is None else "check.protocol"
    lines = [text(spoken, lang, name=report["name"], protocol=report["protocol"])]
    for one in report["checks"]:
        what = text(f"check.{one['name']}", lang)
        why = "" if one["passed"] else failure_text(one["code"], one["detail"], lang)
        lines.append(
            "  " + text("check.passed" if one["passed"] else "check.failed", lang, what=what, why=why)
        )
        parts = [part for part in ("sent", "expected") if one[part]]
        lines += ["          " + text(f"check.{part}", lang, line=one[part]) for part in parts]
    slowest = f"{report['slowest'] * 1000:.0f}"
    lines.append(text("check.actions", lang, n=report["actions"], slowest=slowest))
    if report["same_again"] is not None:
        lines.append(text("check.same" if report["same_again"] else "check.different", lang))
    lines.append(text("check.good" if report["passed"] else "check.bad", lang))
    return "\n".join(lines)
