"""What ships is what its provenance says, and is as strong as asked."""

import hashlib
import json
import time

from fifteentwo.analysis.solved_tables import data_file


def test_what_ships_is_what_its_provenance_says() -> None:
    figures = json.loads(data_file("equilibrium.json").read_text(encoding="utf-8"))
    began = time.perf_counter()
    for name in ("pegging.book", "laying_away.table"):
        data = data_file(name).read_bytes()
        line = data.index(b"\n") + 1
        size = int(data[line : line + 8], 16)
        header = json.loads(data[line + 8 : line + 8 + size])
        digest = hashlib.sha256(data[line + 8 + size :]).hexdigest()
        assert digest == header["digest"] == figures["digests"][name]
        assert header["rounds"] >= 200
        assert header["seed"] == figures["seed"]
        assert header["version"] == figures["version"]
    assert time.perf_counter() - began < 5
    assert figures["exploitability"]["pegging"] <= 0.0005
    assert figures["exploitability"]["discard"] <= 0.005
    assert figures["exploitability"]["deal"] <= 0.01
