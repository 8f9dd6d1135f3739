"""Programs of published training steps, written by JAX: a decoder of a row's dimensions with its recomputation, loss and
Adam; parameters in f32, arithmetic in bf16. Rows with several microbatches loop over them and add gradients up."""
import functools
import json


def loss_of(row):
    """Mean loss of a batch of tokens."""
    import jax
    import jax.numpy as jnp
    from jax.ad_checkpoint import checkpoint_name

    half = jnp.dtype(getattr(row, "numbers", "bfloat16"))

    def norm(x, scale):
        x = x.astype(jnp.float32)
        return (x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale).astype(half)

    groups = row.heads // row.kv_heads

    def core(q, k, v):
        # Stored in 16 bits, as by kernels that compute scale, mask and softmax together in 32.
        at = jax.lax.broadcasted_iota(jnp.int32, (row.seq, row.seq), 0) >= jax.lax.broadcasted_iota(jnp.int32, (row.seq, row.seq), 1)
        if groups == 1:
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * row.head ** -0.5
            weights = jax.nn.softmax(jnp.where(at, scores, -1e9), -1).astype(half)
            return jnp.einsum("bhqk,bkhd->bqhd", weights, v)
        q = q.reshape(q.shape[0], row.seq, row.kv_heads, groups, row.head)
        scores = jnp.einsum("bqhgd,bkhd->bhgqk", q, k).astype(jnp.float32) * row.head ** -0.5
        weights = jax.nn.softmax(jnp.where(at, scores, -1e9), -1).astype(half)
        return jnp.einsum("bhgqk,bkhd->bqhgd", weights, v).reshape(q.shape[0], row.seq, row.heads, row.head)

    # Recomputation without barriers, which say nothing to the simulator: it removes no common subexpressions.
    checkpoint = functools.partial(jax.checkpoint, prevent_cse=False)
    if row.recompute == "attn_only":
        core = checkpoint(core)

    def layer(x, p):
        w = {name: value.astype(half) for name, value in p.items() if not name.startswith("ln")}
        x = checkpoint_name(x, "input")
        h = norm(x, p["ln1"])
        q, k, v = (checkpoint_name(jnp.einsum("bse,ehd->bshd", h, w[name]), name) for name in ("q", "k", "v"))
        attended = checkpoint_name(core(q, k, v), "context")
        x = x + checkpoint_name(jnp.einsum("bshd,hde->bse", attended, w["out"]), "out")
        h = norm(x, p["ln2"])
        if row.gated:
            h = jax.nn.silu(checkpoint_name(h @ w["gate"], "gate")) * (h @ w["up"])
        else:
            h = jax.nn.gelu(h @ w["up"])
        return x + checkpoint_name(h @ w["down"], "mlp")

    policies = jax.checkpoint_policies
    products = policies.checkpoint_dots_with_no_batch_dims
    saved = {"full": None, "alternate": None, "minimal": products, "selective": products,
             "minimal_flash": policies.save_from_both_policies(products, policies.save_only_these_names("context"))}
    recomputed = layer
    if row.recompute in saved:
        recomputed = checkpoint(layer, policy=saved[row.recompute])
    elif row.recompute.startswith("save:") or row.recompute == "qkv_proj_offloaded":
        names = "qkv" if row.recompute == "qkv_proj_offloaded" else row.recompute[5:]
        names = names.replace("qkv", "q+k+v").split("+")
        recomputed = checkpoint(layer, policy=policies.save_only_these_names(*names))

    def loss(params, tokens):
        x = params["embed"].astype(half)[tokens]
        for n, p in enumerate(params["layers"]):
            kept = row.recompute == "alternate" and n % 2 == 1  # every other layer keeps its activations
            x = jax.jit(layer if kept else recomputed)(x, p)
        head = params["embed"].T if row.tied else params["unembed"]
        logits = jnp.einsum("bse,ev->bsv", norm(x, params["ln"]), head.astype(half)).astype(jnp.float32)
        logits = logits - jax.lax.stop_gradient(jnp.max(logits, -1, keepdims=True))
        picked = jnp.sum(jnp.where(jnp.arange(row.vocab) == tokens[..., None], logits, 0.0), -1)
        return jnp.mean(jnp.log(jnp.sum(jnp.exp(logits), -1)) - picked)

    return loss


def train_step(row):
    """A train step and its abstract arguments."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def adam(p, g, m, n):
        g = g.astype(jnp.float32)
        m = 0.9 * m + 0.1 * g
        n = 0.95 * n + 0.05 * g * g
        return p - 1e-4 * (m / (jnp.sqrt(n) + 1e-8) + 0.1 * p), m, n

    both = jax.value_and_grad(loss_of(row))

    def gradients(params, tokens):
        if row.microbatches == 1:
            return both(params, tokens)

        def one(sums, micro):
            value, grads = both(params, micro)
            return jax.tree.map(lambda s, g: s + g.astype(jnp.float32), sums, grads), value

        zeros = jax.tree.map(lambda p: jnp.zeros_like(p), params)
        sums, values = jax.lax.scan(one, zeros, tokens)
        return jnp.mean(values), sums

    def step(params, opt_state, tokens):
        value, grads = gradients(params, tokens)
        out = jax.tree.map(adam, params, grads, opt_state["mu"], opt_state["nu"])
        pick = lambda i: jax.tree.map(lambda t: t[i], out, is_leaf=lambda t: isinstance(t, tuple))
        return pick(0), {"mu": pick(1), "nu": pick(2)}, value

    shape = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.float32)
    e, h, k, d, f = row.hidden, row.heads, row.kv_heads, row.head, row.ffn
    one = {"ln1": shape(e), "ln2": shape(e), "q": shape(e, h, d), "k": shape(e, k, d), "v": shape(e, k, d), "out": shape(h, d, e),
           "up": shape(e, f), "down": shape(f, e)}
    if row.gated:
        one["gate"] = shape(e, f)
    params = {"embed": shape(row.vocab, e), "ln": shape(e), "layers": [one] * row.stage_layers}
    if not row.tied:
        params["unembed"] = shape(e, row.vocab)
    batch = (row.program_batch, row.seq)
    tokens = jax.ShapeDtypeStruct(batch if row.microbatches == 1 else (row.microbatches, *batch), jnp.int32)
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
    """Data parallelism over slices and devices, Megatron's split of heads and hidden units, then ZeRO."""
    weights = ("q", "k", "v", "out", "up", "gate", "down") if row.gated else ("q", "k", "v", "out", "up", "down")
    tables = ["embed"] if row.tied else ["embed", "unembed"]
    batch = 0 if row.microbatches == 1 else 1
    tactics = []
    for axis, size in (("slice", row.slices), ("data", row.dp)):
        if size > 1:
            tactics.append({"name": "BP" + axis, "axis": axis, "inputs": {"batch/**": batch}})
    if row.tp > 1:
        columns = {name: 1 for name in ("q", "k", "v", "up", "gate") if name in weights}
        split = {f"params/layers/*/{name}": dim for name, dim in {**columns, "out": 0, "down": 0}.items()}
        tactics.append({"name": "MP", "axis": "model", "inputs": {**split, "params/embed": 1, **({} if row.tied else {"params/unembed": 1})}})
    if row.zero and row.dp > 1:
        # FSDP's SHARD_GRAD_OP (2), too, has its parameters sharded between steps; what it keeps for the backward pass is
        # gathered again here.
        inputs = {}
        for tree in ("params", "opt_state/mu", "opt_state/nu"):
            for name in [f"layers/*/{w}" for w in weights] + tables:
                inputs[f"{tree}/{name}"] = "first_divisible_dim"
        tactics.append({"name": "Z3", "axis": "data", "inputs": inputs})
    return {"tactics": tactics}
