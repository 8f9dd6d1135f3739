"""Prints simulated beside published training steps, for the published rows with tensor and data parallelism only.

    python3 benchmarks/published_steps.py build/partir [STEPS.csv] [--only TEXT] [--keep FOLDER] [--device-folder FOLDER]

The rows and their sources stand in published_steps.csv. For each a program of the same dimensions is written by JAX (a decoder with the row's layers, heads, recomputation and
optimizer), partitioned by the row's schedule (data parallel or ZeRO-3, then Megatron's) and simulated. Nothing is fitted
here; the constants of the device files that were fitted, on the rows marked "fit", are named in docs/simulator.md. Says
"skipped" without jax.
"""
import argparse
import csv
import functools
import json
import pathlib
import statistics
import subprocess
import tempfile

DEVICES = {"A100-80G": "a100", "H100": "h100", "TPUv5p": "tpu_v5p", "TPUv5e": "tpu_v5e", "TPUv4": "tpu_v4"}


class Row:
    """A published step: dimensions, parallelism, and the measured seconds."""

    def __init__(self, line):
        number = lambda key: int(line[key]) if line[key] else None
        self.source, self.model = line["source"], line["model"]
        self.maxtext = "MaxText" in line["source"]
        self.layers, self.hidden, self.heads = number("layers"), number("hidden"), number("heads")
        self.seq, self.vocab, self.batch = number("seq") or 2048, number("vocab"), number("global_batch_seqs")
        self.tp, self.dp, self.devices = number("tp"), number("dp"), number("n_devices")
        self.ffn = number("ffn") or 4 * self.hidden
        self.recompute = line["recompute"]
        self.device = DEVICES[line["device"].split(" ")[0]]
        # MaxText: heads of 128, gated; its first configurations (v4): heads of 256, two matrices.
        self.first = self.device == "tpu_v4"
        self.head = (256 if self.first else 128) if self.maxtext else self.hidden // self.heads
        self.gated = self.maxtext and not self.first
        self.zero3 = self.maxtext
        # Kernels that never store what is quadratic in the sequence: MaxText's attention on v5, Transformer Engine's on H100.
        self.fused_attention = self.device in ("tpu_v5p", "tpu_v5e", "h100")
        self.seconds = float(line["step_s"]) if line["step_s"] else self.maxtext_seconds(float(line["tflops_per_dev"]))

    def parameters(self):
        attention = 4 * self.hidden * self.heads * self.head
        mlp = (3 if self.gated else 2) * self.hidden * self.ffn
        return self.layers * (attention + mlp) + 2 * self.vocab * self.hidden

    def maxtext_seconds(self, tflops):
        """MaxText counts 6 FLOPs a parameter and token, and attention without regard to its causal mask."""
        sequences = self.batch / self.devices
        weights = 6 * self.parameters() * self.seq * sequences
        attention = 12 * self.layers * self.heads * self.head * self.seq ** 2 * sequences
        return (weights + attention) / 1e12 / tflops

    def name(self):
        return f"{self.device} {self.model} dp={self.dp} tp={self.tp} {self.recompute or '-'}"


def chosen(path):
    """Rows with tensor and data parallelism only, in the file's order; why the others of that kind are left out."""
    rows, left_out = [], []
    with open(path) as file:
        lines = list(csv.DictReader(file))
    previous = {}
    for line in lines:
        if line["source"].startswith("same"):
            line["source"] = previous["source"]
        if line["status"] == "same":
            line["status"] = previous["status"]
        previous = line
        if line["pp"] != "1" or line["cp"] != "1" or not line["tp"]:
            continue
        if "FP8" in line["status"]:
            left_out.append(f"{line['model']} on {line['device']}: FP8 recipes are not modelled")
            continue
        if line["device"].split(" ")[0] not in DEVICES:
            left_out.append(f"{line['model']} on {line['device']}: no device file")
            continue
        rows.append(Row(line))
    return rows, left_out


# --- Programs ---------------------------------------------------------------------------------------------------------

def train_step(row):
    """A train step and its abstract arguments: f32 parameters computed with in bf16, Adam."""
    import jax
    import jax.numpy as jnp

    half = jnp.bfloat16

    def norm(x, scale):
        x = x.astype(jnp.float32)
        return (x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale).astype(half)

    def core(q, k, v):
        # Stored in 16 bits, as by kernels that compute scale, mask and softmax together in 32.
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * row.head ** -0.5
        at = jax.lax.broadcasted_iota(jnp.int32, (row.seq, row.seq), 0) >= jax.lax.broadcasted_iota(jnp.int32, (row.seq, row.seq), 1)
        weights = jax.nn.softmax(jnp.where(at, scores, -1e9), -1).astype(half)
        return jnp.einsum("bhqk,bkhd->bqhd", weights, v)

    # Recomputation without barriers, which say nothing to the simulator: it removes no common subexpressions.
    checkpoint = functools.partial(jax.checkpoint, prevent_cse=False)
    if row.recompute == "attn_only":
        core = checkpoint(core)

    @jax.jit
    def layer(x, p):
        w = {name: value.astype(half) for name, value in p.items() if not name.startswith("ln")}
        h = norm(x, p["ln1"])
        q, k, v = (jnp.einsum("bse,ehd->bshd", h, w[name]) for name in ("q", "k", "v"))
        x = x + jnp.einsum("bshd,hde->bse", core(q, k, v), w["out"])
        h = norm(x, p["ln2"])
        if row.gated:
            h = jax.nn.silu(h @ w["gate"]) * (h @ w["up"])
        else:
            h = jax.nn.gelu(h @ w["up"])
        return x + h @ w["down"]

    if row.recompute in ("full", "qkv_proj_offloaded"):
        layer = checkpoint(layer)
    elif row.recompute == "minimal":
        layer = checkpoint(layer, policy=jax.checkpoint_policies.checkpoint_dots_with_no_batch_dims)

    def loss(params, tokens):
        x = params["embed"].astype(half)[tokens]
        for p in params["layers"]:
            x = layer(x, p)
        logits = jnp.einsum("bse,ev->bsv", norm(x, params["ln"]), params["unembed"].astype(half),
                            preferred_element_type=jnp.float32)
        logits = logits - jax.lax.stop_gradient(jnp.max(logits, -1, keepdims=True))
        picked = jnp.sum(jnp.where(jnp.arange(row.vocab) == tokens[..., None], logits, 0.0), -1)
        return jnp.mean(jnp.log(jnp.sum(jnp.exp(logits), -1)) - picked)

    @jax.jit
    def adam(p, g, m, n):
        g = g.astype(jnp.float32)
        m = 0.9 * m + 0.1 * g
        n = 0.95 * n + 0.05 * g * g
        return p - 1e-4 * (m / (jnp.sqrt(n) + 1e-8) + 0.1 * p), m, n

    def step(params, opt_state, tokens):
        value, grads = jax.value_and_grad(loss)(params, tokens)
        out = jax.tree.map(adam, params, grads, opt_state["mu"], opt_state["nu"])
        pick = lambda i: jax.tree.map(lambda t: t[i], out, is_leaf=lambda t: isinstance(t, tuple))
        return pick(0), {"mu": pick(1), "nu": pick(2)}, value

    shape = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.float32)
    e, h, d, f = row.hidden, row.heads, row.head, row.ffn
    one = {"ln1": shape(e), "ln2": shape(e), "q": shape(e, h, d), "k": shape(e, h, d), "v": shape(e, h, d), "out": shape(h, d, e),
           "up": shape(e, f), "down": shape(f, e)}
    if row.gated:
        one["gate"] = shape(e, f)
    params = {"embed": shape(row.vocab, e), "unembed": shape(e, row.vocab), "ln": shape(e), "layers": [one] * row.layers}
    tokens = jax.ShapeDtypeStruct((row.batch, row.seq), jnp.int32)
    return step, (params, {"mu": params, "nu": params}, tokens)


def write_program(row, folder):
    import jax
    step, arguments = train_step(row)
    lowered = jax.jit(step, donate_argnums=(0, 1)).lower(*arguments)
    (folder / "step.mlir").write_text(lowered.as_text())
    named = lambda trees: [{"name": prefix + jax.tree_util.keystr(path), "shape": list(leaf.shape)}
                           for prefix, tree in zip(("params", "opt_state", "batch"), trees)
                           for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]]
    names = {"args": named(arguments), "results": named(jax.eval_shape(step, *arguments))}
    (folder / "step.json").write_text(json.dumps(names))


def schedule(row):
    weights = ("q", "k", "v", "out", "up", "gate", "down") if row.gated else ("q", "k", "v", "out", "up", "down")
    tactics = []
    if row.dp > 1:
        tactics.append({"name": "BP", "axis": "data", "inputs": {"batch/**": 0}})
    if row.tp > 1:
        columns = {name: 1 for name in ("q", "k", "v", "up", "gate") if name in weights}
        split = {f"params/layers/*/{name}": dim for name, dim in {**columns, "out": 0, "down": 0}.items()}
        tactics.append({"name": "MP", "axis": "model", "inputs": {**split, "params/embed": 1, "params/unembed": 1}})
    if row.zero3 and row.dp > 1:
        inputs = {}
        for tree in ("params", "opt_state/mu", "opt_state/nu"):
            for name in [f"layers/*/{w}" for w in weights] + ["embed", "unembed"]:
                inputs[f"{tree}/{name}"] = "first_divisible_dim"
        tactics.append({"name": "Z3", "axis": "data", "inputs": inputs})
    return {"tactics": tactics}


def simulated(partir, row, folder, device_folder):
    write_program(row, folder)
    (folder / "schedule.json").write_text(json.dumps(schedule(row)))
    mesh = ",".join(f"{name}={size}" for name, size in (("data", row.dp), ("model", row.tp)) if size > 1)
    device = f"{device_folder}/{row.device}.json" if device_folder else row.device
    command = [partir, "partition", "step.mlir", "--mesh", mesh, "--schedule", "schedule.json", "--no-check", "-o", "spmd.mlir"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return resimulated(partir, row, folder, device)


def resimulated(partir, row, folder, device):
    command = [partir, "simulate", "spmd.mlir", "--names", "step.json", "--device", device, "--json", "out.json"]
    subprocess.run(command + (["--fused-attention"] if row.fused_attention else []), cwd=folder, check=True, capture_output=True, text=True)
    return json.loads((folder / "out.json").read_text())["programs"][0]


# --- The table --------------------------------------------------------------------------------------------------------

def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    return [order.index(i) for i in range(len(values))]


def summary(title, pairs):
    if not pairs:
        return
    errors = [abs(ours / theirs - 1) for ours, theirs in pairs]
    line = f"{title}: {len(pairs)} rows, mean error {100 * statistics.mean(errors):.1f} %, worst {100 * max(errors):.1f} %"
    if len(pairs) > 2:
        correlation = statistics.correlation(ranks([a for a, _ in pairs]), ranks([b for _, b in pairs]))
        line += f", rank correlation {correlation:.3f}"
    print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("partir")
    parser.add_argument("steps", nargs="?", default=str(pathlib.Path(__file__).with_suffix(".csv")))
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", help="keep programs in this folder, and use those that are there")
    parser.add_argument("--device-folder", help="device files in place of those of the program")
    options = parser.parse_args()
    partir = str(pathlib.Path(options.partir).resolve())
    try:
        import jax  # noqa: F401
    except ImportError:
        print("skipped: no jax")
        return
    rows, left_out = chosen(options.steps)
    print(f"{'row':<44}{'measured':>10}{'simulated':>11}{'error':>9}{'compute':>9}{'memory':>9}{'comm':>8}{'exposed':>9}"
          f"{'peak GB':>9}  half")
    pairs = {"fit": [], "held": []}
    for number, row in enumerate(rows):
        if options.only not in row.name():
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            if options.keep:
                folder = pathlib.Path(options.keep).resolve() / f"{number}"
                folder.mkdir(parents=True, exist_ok=True)
            if (folder / "spmd.mlir").exists():
                figures = resimulated(partir, row, folder, f"{options.device_folder}/{row.device}.json" if options.device_folder else row.device)
            else:
                figures = simulated(partir, row, folder, options.device_folder)
        half = "fit" if number % 2 == 0 else "held"
        s = figures["seconds"]
        pairs[half].append((s["overlapped"], row.seconds))
        print(f"{row.name():<44}{row.seconds:>10.3f}{s['overlapped']:>11.3f}{100 * (s['overlapped'] / row.seconds - 1):>+8.1f}%"
              f"{s['compute']:>9.3f}{s['memory']:>9.3f}{s['communication']:>8.3f}{s['exposed_communication']:>9.3f}"
              f"{figures['memory']['peak'] / 1e9:>9.1f}  {half}", flush=True)
    for line in left_out:
        print("left out:", line)
    summary("fitted half", pairs["fit"])
    summary("held-out half", pairs["held"])
    summary("all", pairs["fit"] + pairs["held"])


if __name__ == "__main__":
    main()
