"""The same bytes with any engine and number of workers, and after a kill."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from data_gen.blocks import BlockStore, build_key, make_block
from data_gen.config import EngineName, GenerateConfig
from data_gen.runner import SPLIT_FILES, generate
from mage_ml.errors import RecordError

OPERATORS = ("value_flip", "unit_slip", "false_corroboration")
CONFIG = GenerateConfig(triples=80, seed=8, seeds_per_proof=1, hard_negative_share=0.0, operators=OPERATORS)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference")
    return folder, generate(CONFIG, folder)


def same_bytes(one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in SPLIT_FILES)


def children(pid: int) -> set[int]:
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid:
            found.add(int(status.parent.name))
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
def test_the_bytes_are_the_same_at_any_number_of_workers(reference, tmp_path):
    folder, card = reference
    assert generate(CONFIG.model_copy(update={"workers": 2}), tmp_path) == card
    assert same_bytes(folder, tmp_path)


@pytest.mark.slow
def test_a_build_that_was_killed_goes_on_and_ends_with_the_same_bytes(reference, tmp_path):
    folder, card = reference
    settings = [f"--set={name}={getattr(CONFIG, name)}" for name in ("triples", "seed", "seeds_per_proof")]
    command = [
        sys.executable, "-m", "mage_ml", "generate", f"--out={tmp_path}", *settings, "--set=hard_negative_share=0.0",
        f"--set=operators=[{', '.join(OPERATORS)}]",
        "--workers=2",
    ]  # fmt: skip
    blocks = tmp_path / f".unfinished-{build_key(CONFIG)}" / "blocks"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 240
        while not list(blocks.glob("*.gz")) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.02)
        workers = children(process.pid)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    kept = BlockStore(blocks).numbers()
    assert 0 < len(kept) < 5
    assert len(workers) >= 2
    deadline = time.monotonic() + 20
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, workers)), "a worker outlived its parent"

    told = []
    resumed = generate(CONFIG, tmp_path, lambda stage, done, total: told.append((stage, done)))
    assert told[0] == ("generate", 16 * len(kept))
    assert resumed == card
    assert same_bytes(folder, tmp_path)
    assert not list(tmp_path.glob(".unfinished-*"))


@pytest.mark.slow
def test_a_local_ray_cluster_gives_the_same_bytes_and_leaves_no_process(reference, tmp_path, monkeypatch):
    pytest.importorskip("ray")
    folder, card = reference
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    script = (
        "import sys; from pathlib import Path\n"
        "from data_gen.config import GenerateConfig\n"
        "from data_gen.runner import generate\n"
        "if __name__ == '__main__':\n"
        "    config = GenerateConfig.model_validate_json(sys.argv[1])\n"
        "    print(generate(config, Path(sys.argv[2])).model_dump_json())\n"
    )
    config = CONFIG.model_copy(update={"engine": EngineName.RAY, "workers": 2})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        [sys.executable, "-c", script, config.model_dump_json(), str(tmp_path)],
        capture_output=True, text=True, timeout=240, check=False, env=environment, start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert type(card).model_validate_json(done.stdout.splitlines()[-1]) == card
    assert same_bytes(folder, tmp_path)


def test_a_block_depends_on_settings_and_number_only():
    config = CONFIG.model_copy(update={"triples": 18})
    again = config.model_copy(update={"workers": 7, "engine": EngineName.RAY, "shard_triples": 3})
    assert make_block(config, 1) == make_block(again, 1)
    assert build_key(config) == build_key(again)
    assert build_key(config) != build_key(config.model_copy(update={"seed": 9}))


def test_a_torn_block_is_made_again(tmp_path):
    store = BlockStore(tmp_path)
    data = make_block(CONFIG.model_copy(update={"triples": 6}), 0)
    store.put(0, data)
    store.put(1, data[: len(data) // 2])
    assert store.numbers() == {0}
    assert len(store.items(0)) == 6
    with pytest.raises(RecordError, match="generate again"):
        store.items(1)


def test_unfinished_work_of_other_settings_is_removed(tmp_path):
    other = tmp_path / ".unfinished-0000000000000000" / "blocks"
    other.mkdir(parents=True)
    (other / "block-000000.gz").write_bytes(b"old")
    generate(CONFIG.model_copy(update={"triples": 6, "languages": ("en",)}), tmp_path)
    assert not list(tmp_path.glob(".unfinished-*"))
