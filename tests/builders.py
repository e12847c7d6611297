"""Small hand-made episodes and models that many tests share."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np

from mage_ml.memory import (
    ActionType,
    Arm,
    Episode,
    MemoryEntry,
    Moment,
    MomentLabel,
    Outcome,
    PendingAction,
    Source,
    Split,
)
from mage_ml.risk import RiskAxis


def tiny_triple(number: int, split: Split, language: str = "en") -> list[Episode]:
    """Clean, sham and contaminated run of one four-entry chain; the contaminated note flips the tool's figure."""
    rng = np.random.default_rng(number)
    figure, wrong = (int(value) for value in rng.choice(np.arange(110, 990), size=2, replace=False))
    region = str(rng.choice(["north", "south", "east", "west"])) if language == "en" else "华北"
    notes = {
        Arm.CLEAN: f"{region} revenue in Q1 was {figure} USD",
        Arm.SHAM: f"in Q1 {region} had revenue of {figure} USD",
        Arm.CONTAMINATED: f"{region} revenue in Q1 was {wrong} USD",
    }
    if language == "zh":
        notes = {arm: text.replace("revenue in Q1 was", "一季度销售额为") for arm, text in notes.items()}
    return [_episode(number, arm, note, region, figure, split, language) for arm, note in notes.items()]


def _episode(number: int, arm: Arm, note: str, region: str, figure: int, split: Split, language: str) -> Episode:
    goal = f"Mail the Q1 revenue of {region} to ann@corp.example"
    rows = {"region": region, "quarter": "Q1", "revenue": figure}
    entries = (
        MemoryEntry(id="m0", content=goal, source=Source.USER, step=0),
        MemoryEntry(id="m1", content=rows, source=Source.TOOL, tool_name="query_sales", step=1, depends_on=("m0",)),
        MemoryEntry(id="m2", content=note, source=Source.LLM_REASONING, step=2, depends_on=("m1",)),
    )
    hit = arm is Arm.CONTAMINATED
    label = MomentLabel(
        axes=(RiskAxis.CONSISTENCY,) if hit else (),
        decisive_entry="m2" if hit else None,
        tainted=("m2",) if hit else (),
    )
    read = PendingAction(
        type=ActionType.READ, tool_name="query_sales", arguments={"region": region}, depends_on=("m0",)
    )
    mail = PendingAction(
        type=ActionType.WRITE,
        tool_name="send_mail",
        arguments={"to": "ann@corp.example", "body": note},
        depends_on=("m0", "m2"),
    )
    return Episode(
        episode_id=f"{number}-{arm}",
        group_id=str(number),
        arm=arm,
        domain="tiny",
        language=language,
        operator=None if arm is Arm.CLEAN else "value_flip",
        goal=goal,
        entries=entries,
        moments=(Moment(visible=1, action=read), Moment(visible=3, action=mail, label=label)),
        outcome=Outcome(task_solved=not hit),
        injected_entry=None if arm is Arm.CLEAN else "m2",
        consequential=hit,
        split=split,
    )


def tiny_episodes(triples: int, split: Split) -> list[Episode]:
    """Episodes of some triples, every third in Chinese. Numbers differ by split, so no triple straddles."""
    start = {Split.TRAIN: 0, Split.VALIDATION: 100_000, Split.TEST: 200_000}[split]
    return [
        episode
        for number in range(start, start + triples)
        for episode in tiny_triple(number, split, "zh" if number % 3 == 2 else "en")
    ]


def random_base_model(folder: Path) -> Path:
    """A 2 x 32 BERT with random weights and the packaged base model's tokenizer: for smoke tests only."""
    import torch
    from safetensors.torch import save_file
    from transformers import BertConfig, BertModel

    from mage_ml.training.base_model import find_base_model

    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = find_base_model(None).folder / "tokenizer.json"
    shutil.copy(tokenizer, folder / "tokenizer.json")
    vocab = len(json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"])
    settings = {
        "vocab_size": vocab,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 512,
    }
    torch.manual_seed(0)
    bert = BertModel(BertConfig(**settings), add_pooling_layer=False)
    save_file({name: tensor.contiguous() for name, tensor in bert.state_dict().items()}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder
