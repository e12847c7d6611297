"""torch -> ONNX, and int8 by dynamic quantisation."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mage_ml.encoding import RELATION_NAMES
from mage_ml.extras import require

if TYPE_CHECKING:
    from mage_ml.training.model import ChainHead, EntryEncoder

OPSET: Final = 18


def export_encoder(encoder: EntryEncoder, path: Path) -> None:
    """Write the entry encoder: input_ids, attention_mask (texts, tokens) -> vectors (texts, vector size)."""
    torch = require("torch", extra="train", purpose="export a model")
    texts, tokens = torch.export.Dim("texts", min=1, max=4096), torch.export.Dim("tokens", min=3, max=512)
    ids = torch.ones((3, 16), dtype=torch.int64)
    _export(
        encoder.eval().cpu(),
        (ids, torch.ones_like(ids)),
        path,
        input_names=["input_ids", "attention_mask"],
        output_names=["vectors"],
        dynamic_shapes={"input_ids": {0: texts, 1: tokens}, "attention_mask": {0: texts, 1: tokens}},
    )


def export_head(head: ChainHead, vector_size: int, path: Path) -> None:
    """Write the chain head; inputs and outputs as in `ChainHead.forward`."""
    torch = require("torch", extra="train", purpose="export a model")
    batch, items = torch.export.Dim("batch", min=1, max=4096), torch.export.Dim("items", min=2, max=512)
    inputs = (
        torch.zeros((2, 8, vector_size)),
        torch.zeros((2, 8, head.feature_size)),
        torch.zeros((2, 8, 8, len(RELATION_NAMES))),
        torch.ones((2, 8)),
    )
    _export(
        head.eval().cpu(),
        inputs,
        path,
        input_names=["vectors", "features", "relations", "mask"],
        output_names=["axis_logits", "item_logits"],
        dynamic_shapes={
            "vectors": {0: batch, 1: items},
            "features": {0: batch, 1: items},
            "relations": {0: batch, 1: items, 2: items},
            "mask": {0: batch, 1: items},
        },
    )


def quantise(source: Path, target: Path, *, signed: bool, per_channel: bool, reduce_range: bool) -> None:
    """Quantise weights to 8 bits; activations are quantised at run time.

    Args:
        source: An fp32 model.
        target: Where the int8 model goes.
        signed: Signed or unsigned weights. Processors without VNNI saturate on signed ones.
        per_channel: One scale per output channel instead of one per tensor.
        reduce_range: Use 7 bits, which cannot saturate.
    """
    quantization = require("onnxruntime.quantization", extra="train", purpose="quantise a model")
    onnx = require("onnx", extra="train", purpose="quantise a model")
    with _quiet():
        model = onnx.load(source)
        # Shapes that the exporter recorded do not survive quantisation; the runtime infers them again.
        del model.graph.value_info[:]
        quantization.quantize_dynamic(
            model,
            target,
            weight_type=quantization.QuantType.QInt8 if signed else quantization.QuantType.QUInt8,
            per_channel=per_channel,
            reduce_range=reduce_range,
        )


def strip_traces(path: Path) -> None:
    """Remove the exporter's notes from a model: they hold source lines and paths of the machine that exported it."""
    onnx = require("onnx", extra="train", purpose="export a model")
    model = onnx.load(path)
    graphs = [model.graph, *model.functions]
    for graph in graphs:
        for item in (graph, *graph.node, *getattr(graph, "initializer", ()), *graph.value_info):
            item.ClearField("doc_string")
            item.ClearField("metadata_props")
    for value in (*model.graph.input, *model.graph.output):
        value.ClearField("doc_string")
        value.ClearField("metadata_props")
    model.ClearField("metadata_props")
    onnx.save(model, path)


def _export(
    module: object,
    inputs: tuple[object, ...],
    path: Path,
    *,
    input_names: list[str],
    output_names: list[str],
    dynamic_shapes: dict[str, dict[int, object]],
) -> None:
    torch = require("torch", extra="train", purpose="export a model")
    require("onnxscript", extra="train", purpose="export a model")
    with _quiet():
        torch.onnx.export(
            module,
            inputs,
            str(path),
            dynamo=True,
            opset_version=OPSET,
            input_names=input_names,
            output_names=output_names,
            dynamic_shapes=dynamic_shapes,
            external_data=False,
            verbose=False,
        )
        strip_traces(path)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the exporter's own chatter off the terminal; errors still raise."""
    names = ("onnxscript", "torch.onnx", "onnx_ir", "root")
    levels = {name: logging.getLogger(name).level for name in names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for name in names:
                logging.getLogger(name).setLevel(logging.ERROR)
            yield
        finally:
            for name, level in levels.items():
                logging.getLogger(name).setLevel(level)
