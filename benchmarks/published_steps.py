"""Prints simulated next to published training steps, with the error and rank correlation of ours and of a null model.

    python3 benchmarks/published_steps.py build/partir [STEPS.csv] [--only TEXT] [--keep FOLDER]
                                          [--device-folder FOLDER] [--software-folder FOLDER]

STEPS.csv: published_steps.csv (the default; device files are fitted on its rows marked "fit"), calibration_steps.csv
(rows of devices and software that the former lacks; fitted on), or held_out_steps.csv, held_out_sweeps_steps.csv and
held_out_blind_steps.csv (nothing is fitted on them). For each row JAX writes a program of the same dimensions
(published_programs.py), which is partitioned by the row's schedule (data parallel, Megatron's, ZeRO) and simulated
with the software that ran it. Rows with pipelines are one stage of one replica with all its microbatches, times 1 +
(stages - 1) / (chunks x microbatches), the bubble of arXiv 2104.04473. If the framework does not overlap them, the
time in which the stage sends activations and the all_reduce of its gradients over the replicas are added.

The null model is hardware FLOPs over peak, divided by one utilisation per device: the median of the other rows of that
device. Prints "skipped" without jax.
"""

import argparse
import csv
import dataclasses
import json
import pathlib
import statistics
import subprocess
import tempfile

import published_programs

DEVICES = {
    "A100": "a100",
    "A100-80G": "a100",
    "A100-SXM": "a100",
    "A100-40G": "a100",
    "H100": "h100",
    "H200": "h200",
    "B200": "b200",
    "TPUv5p": "tpu_v5p",
    "TPUv5e": "tpu_v5e",
    "TPUv4": "tpu_v4",
    "TPUv6e": "tpu_v6e",
}

# By a substring of the source.
SOFTWARE = (("MaxText", "maxtext"), ("maxtext", "maxtext"), ("llm-foundry", "llm_foundry"), ("torchtitan", "fsdp"))
# Memory that differs from that in the device file: NVIDIA A100 datasheet (SXM, 40 GB).
VARIANTS = {"A100-40G": {"bytes": 4e10, "bandwidth": 1.555e12}}


@dataclasses.dataclass(frozen=True)
class Framework:
    """How a framework runs a step. published_programs.py documents the fields up to `metrics`."""

    eager: bool = False
    reruns: bool = False
    loss: str = "fused"
    gradients: str | None = None
    masters: bool = False
    dropout: bool = False
    metrics: int = 0
    # Overlaps the reduction of gradients with the backward pass, and sends to the next stage with matrix products.
    overlaps: bool = True
    interleaves: bool = True  # a stage has several chunks of layers


# Megatron-LM's checkpoints are its CheckpointFunction, an autograd.Function; its cross entropy reads f32 logits; its
# optimizer (Float16OptimizerWithFloat16Params) has f32 copies of 16-bit parameters.
MEGATRON = Framework(eager=True, reruns=True, loss="stored", masters=True)
FRAMEWORKS = {
    "megatron": MEGATRON,
    # torchtitan (3faaa1a): train_configs compile = false, cross_entropy of pred.float(),
    # mixed_precision_reduce float32.
    "fsdp": Framework(eager=True, loss="stored", gradients="float32"),
    # llm-foundry (v0.3.0) modeling_mpt.py: FusedCrossEntropyLoss, and train_metrics LanguageCrossEntropy and
    # LanguagePerplexity, which Composer (v0.16, trainer.py, _eval_train_metrics) updates with each microbatch's logits;
    # mixed_precision DEFAULT reduces gradients in f32.
    "llm_foundry": Framework(eager=True, gradients="float32", metrics=2),
}


def framework_of(source, device, model, software):
    if software == "megatron":
        if "2201.11990" in source:  # DeepSpeed's PipelineEngine has one chunk per stage (runtime/pipe/schedule.py)
            return dataclasses.replace(MEGATRON, overlaps=False, interleaves=False, dropout=True)
        # The runs on H100 use --overlap-grad-reduce and --overlap-p2p-communication; NeMo has overlapped the former
        # since 22.05 (release notes). Dropout is 0.1 by default (arguments.py; NeMo's configurations), and 0 in the
        # runs on H100.
        first = device.startswith("A100")
        return dataclasses.replace(MEGATRON, overlaps=not first or "NeMo" in source, dropout=first)
    if software == "llm_foundry" and {(device, ""), (device, model)} & BEFORE_PYTORCH_2_1:
        return dataclasses.replace(FRAMEWORKS[software], reruns=True, gradients=None)  # mixed_precision PURE
    return FRAMEWORKS.get(software, Framework())


# Rows of llm-foundry's tables of May 2023 (5f43bf1: PyTorch 1.13, submit_benchmarks.py --image), whose checkpoints are
# rerun completely; the others were measured again with 2.1 (b2a43a1, 5e85bd6). By device, and by model if not all rows
# of the device are of that time.
BEFORE_PYTORCH_2_1 = {("A100-40G", ""), ("A100-80G", "MPT-70b")}


class Row:
    """A published step: dimensions, parallelism, and measured seconds."""

    def __init__(self, line):
        def number(key):
            return int(float(line[key])) if line.get(key) else None

        self.source, self.model = line["source"], line["model"]
        self.maxtext = "MaxText" in self.source or "maxtext" in self.source
        self.software = line.get("software") or next(
            (software for part, software in SOFTWARE if part in self.source), "megatron"
        )
        self.device = DEVICES[line["device"].split(" ")[0]]
        self.framework = framework_of(self.source, line["device"].split(" ")[0], self.model, self.software)
        self.memory = VARIANTS.get(line["device"].split(" ")[0], {})
        self.layers, self.hidden, self.heads = number("layers"), number("hidden"), number("heads")
        self.seq, self.vocab, self.batch = number("seq") or 2048, number("vocab") or 51200, number("global_batch_seqs")
        self.tp, self.dp, self.pp, self.devices = number("tp"), number("dp"), number("pp") or 1, number("n_devices")
        self.slices, self.interleave = number("slices") or 1, number("interleave")
        self.ffn = number("ffn") or 4 * self.hidden
        self.recompute = {"": "none", "no": "none"}.get(line["recompute"], line["recompute"])
        # MaxText: heads of 128, gated MLP; its first configurations (v4): heads of 256, no gate.
        first = self.device == "tpu_v4"
        self.head = number("head") or ((256 if first else 128) if self.maxtext else self.hidden // self.heads)
        self.kv_heads = number("kv_heads") or self.heads
        self.gated = bool(number("gated")) if line.get("gated") else self.maxtext and not first
        self.tied = bool(number("tied"))
        self.zero = number("zero") if line.get("zero") else 3 if self.maxtext or "FSDP" in line["note"] else 0
        self.stage_layers = self.layers // self.pp  # excluding the output layer, which belongs to the last stage
        self.microbatches = number("accumulate") or 1
        self.replicas = 1
        if self.pp > 1:
            self.microbatches = self.batch // self.dp // (number("microbatch") or 1)
        if self.pp > 1 or not self.framework.overlaps:
            self.replicas, self.dp, self.batch = self.dp, 1, self.batch // self.dp
        self.program_batch = self.batch // self.microbatches
        self.seconds = float(line["step_s"]) if line["step_s"] else self.seconds_of(float(line["tflops_per_dev"]))

    def parameters(self):
        attention = 2 * self.hidden * (self.heads + self.kv_heads) * self.head
        mlp = (3 if self.gated else 2) * self.hidden * self.ffn
        return self.layers * (attention + mlp) + (1 if self.tied else 2) * self.vocab * self.hidden

    def seconds_of(self, tflops):
        """Returns the seconds of a step. MaxText (and Llama 3's report) count 6 FLOPs per parameter and token, and
        attention without regard to its mask."""
        sequences = self.batch * self.replicas / self.devices
        weights = 6 * self.parameters() * self.seq * sequences
        attention = 12 * self.layers * self.heads * self.head * self.seq**2 * sequences
        return (weights + attention) / 1e12 / tflops

    def bubble(self):
        if self.pp == 1:
            return 1
        return 1 + (self.pp - 1) / self.chunks() / self.microbatches

    def chunks(self):
        """Returns the number of chunks of a stage; if it is not published, a value between one and one per layer."""
        if not self.framework.interleaves:
            return 1
        return self.interleave or 2 * self.stage_layers / (1 + self.stage_layers)

    def name(self):
        sequence = f" seq={self.seq}" if self.seq != 2048 else ""
        shape = "".join(
            f" {k}={n}"
            for k, n in (("slices", self.slices), ("dp", self.dp * self.replicas), ("tp", self.tp), ("pp", self.pp))
            if n > 1
        )
        return f"{self.device} {self.model}{shape}{sequence} {self.recompute}"


def why_not(line):
    """Returns why a row is not simulated, or None if it is."""
    if "FP8" in line["status"]:
        return "FP8 recipes are not modelled"
    if "int8" in line["note"]:
        return "quantised training is not modelled"
    if "MegaScale" in line["source"] and "T2 MegaScale" in line["source"]:
        return "a changed model (parallel blocks, window attention) whose dimensions are not all published"
    if line["cp"] not in ("", "1"):
        return "context parallelism is not modelled"
    if not line["tp"] or not line["dp"]:
        return "its parallelism is not published"
    if line["device"].split(" ")[0] not in DEVICES:
        return "no device file"
    return None


def chosen(path):
    """Returns the rows in the order of the file, and why the others are left out."""
    rows, left_out, previous = [], [], {}
    with open(path) as file:
        lines = list(csv.DictReader(file))
    for line in lines:
        if line["source"].startswith("same"):
            line["source"] = previous["source"]
        if line["status"] == "same":
            line["status"] = previous["status"]
        previous = line
        reason = why_not(line)
        if reason:
            left_out.append(f"{line['model']} on {line['n_devices']} {line['device']}: {reason}")
        else:
            rows.append(Row(line))
    return rows, left_out


def partitioned(partir, row, folder):
    published_programs.write_program(row, folder)
    (folder / "schedule.json").write_text(json.dumps(published_programs.schedule(row)))
    axes = (("slice", row.slices), ("data", row.dp), ("model", row.tp))
    mesh = ",".join(f"{name}={size}" for name, size in axes if size > 1) or "data=1"
    command = [
        partir,
        "partition",
        "step.mlir",
        "--mesh",
        mesh,
        "--schedule",
        "schedule.json",
        "--no-check",
        "-o",
        "spmd.mlir",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)


def device_of(row, folder, device_folder):
    """Returns the name of a device, or the path of its file."""
    if not device_folder and not row.memory:
        return row.device
    file = pathlib.Path(device_folder or pathlib.Path(__file__).parents[1] / "devices", f"{row.device}.json").resolve()
    if not row.memory:
        return str(file)
    device = json.loads(file.read_text())
    device["memory"].update(row.memory)
    (folder / "device.json").write_text(json.dumps(device))
    return "device.json"


def simulated(partir, row, folder, device_folder, software_folder):
    device = device_of(row, folder, device_folder)
    software = (
        str(pathlib.Path(software_folder, f"{row.software}.software.json").resolve())
        if software_folder
        else row.software
    )
    command = [
        partir,
        "simulate",
        "spmd.mlir",
        "--names",
        "step.json",
        "--device",
        device,
        "--software",
        software,
        "--json",
        "out.json",
    ]
    done = subprocess.run(
        command + (["--link", "slice=network"] if row.slices > 1 else []), cwd=folder, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads((folder / "out.json").read_text())["programs"][0]


def activations_sent(row, folder, device_folder):
    """Returns the seconds in which a stage sends activations and their gradients and waits for them. Each device of the
    model axis sends its part, and the receivers gather the parts (arXiv 2104.04473, section 4.1)."""
    if row.pp == 1 or row.framework.overlaps:
        return 0
    device = device_of(row, folder, device_folder)
    file = (
        folder / device
        if device.endswith(".json")
        else pathlib.Path(__file__).parents[1] / "devices" / f"{device}.json"
    )
    inner, outer = json.loads(file.read_text())["links"]
    size = 2 * row.program_batch * row.seq * row.hidden

    def rate(link):
        return link["bandwidth"] * link["efficiency"][-1][1]

    one = size / row.tp / rate(outer) + size * (row.tp - 1) / row.tp / rate(inner)
    return 2 * row.chunks() * row.microbatches * one


def gradients_reduced(partir, row, folder, device_folder):
    """Returns the seconds of an all_reduce of a stage's f32 gradients over the replicas; 0 if it is overlapped."""
    if row.replicas == 1 or row.framework.overlaps:
        return 0
    share = row.parameters() * row.stage_layers // row.layers // row.tp // 1024 * 1024
    each, total = f"tensor<{row.replicas}x{share * row.tp}xf32>", f"tensor<{share * row.tp}xf32>"
    types = f"({each}, tensor<f32>) -> {total}"
    text = f"""func.func @main(%x: {each}) -> {total} {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : {types}
  return %0 : {total}
}}"""
    if not (folder / "reduce_spmd.mlir").exists():
        (folder / "reduce.mlir").write_text(text)
        tactics = [{"name": "BP", "axis": "data", "inputs": {"arg0": 0}}]
        tactics += [{"name": "MP", "axis": "model", "inputs": {"arg0": 1}}] if row.tp > 1 else []
        (folder / "reduce_schedule.json").write_text(json.dumps({"tactics": tactics}))
        mesh = f"data={row.replicas}" + (f",model={row.tp}" if row.tp > 1 else "")
        subprocess.run(
            [
                partir,
                "partition",
                "reduce.mlir",
                "--mesh",
                mesh,
                "--schedule",
                "reduce_schedule.json",
                "--no-check",
                "-o",
                "reduce_spmd.mlir",
            ],
            cwd=folder,
            check=True,
            capture_output=True,
        )
    device = device_of(row, folder, device_folder)
    subprocess.run(
        [partir, "simulate", "reduce_spmd.mlir", "--device", device, "--json", "reduce.json"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return json.loads((folder / "reduce.json").read_text())["programs"][0]["seconds"]["communication"]


def step_of(partir, row, folder, device_folder, software_folder):
    """Returns the figures of the simulated program, and the seconds of the row's step."""
    figures = simulated(partir, row, folder, device_folder, software_folder)
    outside = gradients_reduced(partir, row, folder, device_folder) + activations_sent(row, folder, device_folder)
    return figures, figures["seconds"]["overlapped"] * row.bubble() + outside


# --- The table --------------------------------------------------------------------------------------------------------


class Result:
    def __init__(self, row, figures, seconds, half):
        self.row, self.half = row, half
        self.measured, self.ours = row.seconds, seconds
        self.ideal = figures["flops"]["matrix"] / figures["flops"]["peak_per_second"]
        self.figures = figures

    def error(self):
        return self.ours / self.measured - 1


def null_seconds(results):
    """Returns by row: hardware FLOPs over peak, divided by the median utilisation of the device's other rows."""
    out = {}
    for r in results:
        others = [o.ideal / o.measured for o in results if o.row.device == r.row.device and o is not r]
        if others:
            out[id(r)] = r.ideal / statistics.median(others)
    return out


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    return [order.index(i) for i in range(len(values))]


def correlation(a, b):
    if len(a) < 3 or len(set(a)) < 2 or len(set(b)) < 2:
        return float("nan")
    return statistics.correlation(ranks(a), ranks(b))


def summary(title, results, null):
    known = [r for r in results if id(r) in null]
    if not known:
        return
    measured = [r.measured for r in known]
    ours, nulls = [r.ours for r in known], [null[id(r)] for r in known]

    def error(seconds):
        return [abs(s / m - 1) for s, m in zip(seconds, measured, strict=True)]

    def use(seconds):
        return [r.ideal / s for r, s in zip(known, seconds, strict=True)]

    print(
        f"{title:<14}{len(known):>5}{100 * statistics.mean(error(ours)):>9.1f}%{100 * max(error(ours)):>8.1f}%"
        f"{100 * statistics.mean(error(nulls)):>9.1f}%{100 * max(error(nulls)):>8.1f}%"
        f"{correlation(ours, measured):>9.3f}{correlation(nulls, measured):>8.3f}"
        f"{correlation(use(ours), use(measured)):>11.3f}"
    )


def summaries(results):
    null = null_seconds(results)
    print(f"\n{'':<14}{'':>5}{'ours':>18}{'null model':>18}{'rank correlation':>17}{'of use':>11}")
    print(f"{'':<14}{'rows':>5}{'mean':>10}{'worst':>9}{'mean':>10}{'worst':>9}{'ours':>9}{'null':>8}{'ours':>11}")
    for device in sorted({r.row.device for r in results}):
        summary(device, [r for r in results if r.row.device == device], null)
    for half in ("fit", "held"):
        summary(half, [r for r in results if r.half == half], null)
    summary("all", results, null)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("partir")
    parser.add_argument("steps", nargs="?", default=str(pathlib.Path(__file__).with_suffix(".csv")))
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", help="keep programs here, by STEPS.csv and row, and use those that are there")
    parser.add_argument("--device-folder", help="device files in place of those of the program")
    parser.add_argument("--software-folder", help="software files in place of those of the program")
    options = parser.parse_args()
    partir = str(pathlib.Path(options.partir).resolve())
    try:
        import jax  # noqa: F401
    except ImportError:
        print("skipped: no jax")
        return
    rows, left_out = chosen(options.steps)
    held_out = "held_out" in options.steps
    calibration = "calibration" in options.steps
    print(
        f"{'row':<52}{'measured':>10}{'simulated':>11}{'error':>9}{'compute':>9}{'memory':>9}{'comm':>8}"
        f"{'exposed':>9}{'peak GB':>9}" + ("" if held_out else "  half")
    )
    results = []
    for number, row in enumerate(rows):
        if options.only not in row.name():
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            if options.keep:
                folder = pathlib.Path(options.keep).resolve() / pathlib.Path(options.steps).stem / f"{number}"
                folder.mkdir(parents=True, exist_ok=True)
            if not (folder / "spmd.mlir").exists():
                partitioned(partir, row, folder)
            figures, seconds = step_of(partir, row, folder, options.device_folder, options.software_folder)
        r = Result(row, figures, seconds, "fit" if calibration else "held" if held_out or number % 2 else "fit")
        results.append(r)
        s = figures["seconds"]
        print(
            f"{row.name():<52}{row.seconds:>10.3f}{r.ours:>11.3f}{100 * r.error():>+8.1f}%"
            f"{s['compute']:>9.3f}{s['memory']:>9.3f}{s['communication']:>8.3f}{s['exposed_communication']:>9.3f}"
            f"{figures['memory']['peak'] / 1e9:>9.1f}" + ("" if held_out else f"  {r.half}"),
            flush=True,
        )
    for line in left_out:
        print("left out:", line)
    summaries(results)


if __name__ == "__main__":
    main()
