"""Checks the programs that benchmarks/ writes for published training steps. Says "skipped" without jax.

Whatever a framework does, losses and gradients stay the same; checkpoints that run to their end compute one product
more in each layer; what a framework stores is before a barrier.

    python3 tests/published_programs_test.py BENCHMARKS
"""

import dataclasses
import sys
import types

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    print("skipped: no jax")
    sys.exit(77)

sys.path.insert(0, sys.argv[1])
import published_programs
from published_steps import Framework

failed = 0


def expect(condition, text):
    global failed
    if not condition:
        failed += 1
        print("FAIL", text)


def row(framework, recompute="none", gated=False):
    sizes = {"layers": 2, "stage_layers": 2, "hidden": 8, "heads": 2, "kv_heads": 2, "head": 4, "ffn": 16, "vocab": 11}
    batch = {"seq": 5, "program_batch": 2, "microbatches": 1, "numbers": "float32", "tied": False}
    return types.SimpleNamespace(**sizes, **batch, gated=gated, recompute=recompute, framework=framework)


def losses_and_gradients(row):
    _, (params, _, tokens) = published_programs.train_step(row)
    keys = iter(jax.random.split(jax.random.PRNGKey(0), 64))
    params = jax.tree.map(lambda s: jax.random.normal(next(keys), s.shape), params)
    tokens = jax.random.randint(next(keys), tokens.shape, 0, row.vocab)
    return jax.jit(jax.value_and_grad(published_programs.loss_of(row), has_aux=True))(params, tokens)


def text_of(row):
    step, arguments = published_programs.train_step(row)
    return jax.jit(step).lower(*arguments).as_text()


def products(text):
    return text.count("stablehlo.dot_general")


def barriers(text):
    return text.count("stablehlo.optimization_barrier")


PLAIN = Framework()
PYTORCH = Framework(eager=True, reruns=True, loss="stored", gradients="float32")
for gated in (False, True):
    wanted = losses_and_gradients(row(PLAIN, gated=gated))
    for recompute in ("none", "full", "attn_only"):
        found = losses_and_gradients(row(PYTORCH, recompute, gated))
        same = jax.tree.map(lambda a, b: bool(jnp.allclose(a, b, rtol=1e-3, atol=1e-4)), found, wanted)
        expect(jax.tree.all(same), f"loss or gradients differ: {recompute}, gated {gated}")

once = text_of(row(PLAIN, "full"))
again = text_of(row(dataclasses.replace(PLAIN, reruns=True), "full"))
expect(products(again) > products(once), "a checkpoint that runs to its end multiplies no more than one that does not")
expect(barriers(text_of(row(PLAIN))) == 0, "a program that XLA runs has barriers")
eager = dataclasses.replace(PLAIN, eager=True)
expect(barriers(text_of(row(eager))) > 0, "an eager program has no barriers")
metrics = text_of(row(dataclasses.replace(eager, metrics=2)))
expect(metrics.count("stablehlo.log ") > text_of(row(eager)).count("stablehlo.log "), "metrics compute no losses")
masters = dataclasses.replace(PLAIN, masters=True)
half = row(masters)
half.numbers = "bfloat16"
expect("bf16" in text_of(half), "16-bit parameters are not multiplied in 16 bits")

# Dropout stores three masks in a layer (of the attention weights and of both additions to the stream) as booleans and
# reads them again.
dropped = text_of(row(dataclasses.replace(eager, dropout=True)))
without = text_of(row(eager))
stored = barriers(dropped) - barriers(without)
expect(
    stored == 5,
    f"dropout stores {stored} tuples in a layer: wanted attention weights, their gradient, and three results, "
    "each with its mask",
)
expect(products(dropped) == products(without), "dropout changes products")


# --- Steps: the framework of a row, what a stage sends to the next one, what its replicas reduce ----------------------

import published_steps  # noqa: E402

HEADER = (
    "source,model,device,layers,hidden,heads,seq,vocab,global_batch_seqs,tp,dp,pp,n_devices,microbatch,recompute,"
    "step_s,status,note,cp"
)


def step(device, source, **changed):
    """A row of GPT-3 on 16 devices in two stages of two replicas, unless changed."""
    line = dict.fromkeys(HEADER.split(","), "")
    line |= {
        "source": source,
        "model": "GPT",
        "device": device,
        "layers": "8",
        "hidden": "1024",
        "heads": "16",
        "global_batch_seqs": "32",
        "tp": "4",
        "dp": "2",
        "pp": "2",
        "n_devices": "16",
        "microbatch": "1",
        "recompute": "full",
        "step_s": "1",
    }
    return published_steps.Row(line | changed)


first = step("A100-80G", "Megatron-LM, arXiv 2104.04473")
nemo = step("A100-80G", "NeMo")
hopper = step("H100", "Megatron-LM")
deepspeed = step("A100-80G", "arXiv 2201.11990")
foundry = {
    device: step(device, "llm-foundry", pp="", model="MPT-7b", note="FSDP")
    for device in ("A100-40G", "A100-80G", "H100")
}
expect(
    first.framework.dropout and first.framework.masters and first.framework.reruns,
    "Megatron-LM of 2021 on A100 drops out, reruns, has masters",
)
expect(not hopper.framework.dropout and hopper.framework.overlaps, "runs on H100 drop nothing out and overlap")
expect(nemo.framework.overlaps and nemo.framework.dropout, "NeMo overlaps, and drops out on A100")
expect(not first.framework.overlaps, "Megatron-LM of 2021 overlaps")
expect(
    deepspeed.framework.dropout and not deepspeed.framework.interleaves and deepspeed.chunks() == 1,
    "DeepSpeed has one chunk a stage",
)
expect(first.chunks() > 1, "Megatron-LM's stages have several chunks")
expect(
    foundry["A100-40G"].framework.reruns and foundry["A100-40G"].framework.gradients is None,
    "llm-foundry before PyTorch 2.1",
)
expect(
    not foundry["A100-80G"].framework.reruns and foundry["A100-80G"].framework.gradients == "float32",
    "llm-foundry with 2.1",
)
expect(foundry["H100"].framework.metrics == 2 and foundry["H100"].software == "llm_foundry", "llm-foundry's metrics")
plain = step("TPUv5p", "MaxText", pp="")
expect(plain.framework == Framework() and plain.software == "maxtext" and plain.gated, "XLA runs MaxText as it is")

# The bubble adds (stages - 1) / (chunks x microbatches) to the work.
expect(abs(deepspeed.bubble() - (1 + 1 / deepspeed.microbatches)) < 1e-12, "the bubble of one chunk a stage")
expect(1 < first.bubble() < deepspeed.bubble() and plain.bubble() == 1, "chunks shorten the bubble; no stages, none")

# Stage transfers are activations of 16 bits, sent forward and backward for each chunk and microbatch. Each device of
# the model axis sends its part over the network, after which the parts are gathered. By hand for DeepSpeed's row:
import json  # noqa: E402
import pathlib  # noqa: E402

devices = pathlib.Path(published_steps.__file__).parents[1] / "devices"
inner, outer = json.loads((devices / "a100.json").read_text())["links"]
size = 2 * deepspeed.program_batch * deepspeed.seq * deepspeed.hidden
by_hand = size / 4 / (outer["bandwidth"] * outer["efficiency"][-1][1])
by_hand += size * 3 / 4 / (inner["bandwidth"] * inner["efficiency"][-1][1])
sent = published_steps.activations_sent(deepspeed, pathlib.Path("."), None)
expect(abs(sent / (2 * deepspeed.microbatches * by_hand) - 1) < 1e-9, "seconds of stage transfers")
expect(published_steps.activations_sent(hopper, pathlib.Path("."), None) == 0, "overlapped transfers take time")
expect(published_steps.activations_sent(plain, pathlib.Path("."), None) == 0, "transfers without stages")
expect(published_steps.activations_sent(first, pathlib.Path("."), None) > sent * 0.99, "more chunks send no less often")
print("failed" if failed else "as wanted")
sys.exit(failed > 0)
