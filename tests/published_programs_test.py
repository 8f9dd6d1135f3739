"""Programs of published steps: whatever a framework does, losses and gradients stay; checkpoints that run to their end
multiply once more a layer; what a framework stores stands before a barrier. Says "skipped" without jax.

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
print("failed" if failed else "as wanted")
sys.exit(failed > 0)
