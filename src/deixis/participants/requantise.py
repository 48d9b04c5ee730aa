"""Rewriting a GGUF file's quantised weights as Q8_0."""

from pathlib import Path
from typing import Any

_FILE_TYPE_Q8_0 = 7


def to_q8_0(source: Path, target: Path) -> None:
    """Write ``source`` to ``target`` with every quantised tensor as Q8_0; norms and biases stay in float32."""
    import gguf  # noqa: PLC0415  (heavy: loads numpy and all quantisation tables)

    reader = gguf.GGUFReader(source)
    architecture = reader.fields["general.architecture"].contents()
    writer = gguf.GGUFWriter(target, architecture)
    for name, field in reader.fields.items():
        if not name.startswith("GGUF.") and name != "general.architecture":
            _copy(gguf, writer, name, field)
    q8_0, float32 = gguf.GGMLQuantizationType.Q8_0, gguf.GGMLQuantizationType.F32
    for tensor in reader.tensors:
        if tensor.tensor_type in (float32, q8_0):
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
        else:
            weights = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
            writer.add_tensor(tensor.name, gguf.quants.quantize(weights, q8_0), raw_dtype=q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _copy(gguf: Any, writer: Any, name: str, field: Any) -> None:
    value = _FILE_TYPE_Q8_0 if name == "general.file_type" else field.contents()
    kind = field.types[0]
    inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
    writer.add_key_value(name, value, kind, sub_type=inner)
