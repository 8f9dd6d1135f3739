"""Writes the programs of published training steps with JAX: a decoder with a row's dimensions, its recomputation, loss
and Adam; parameters in f32, arithmetic in bf16. Rows with several microbatches loop over them and accumulate gradients.

Programs of rows that ran in eager PyTorch have an optimization_barrier wherever PyTorch stores a tensor: after each of
its functions, which run as one kernel (a norm, an activation, an addition, a conversion). A row's `framework` has:

    eager     whether there are such barriers
    reruns    whether a checkpointed function is rerun completely before its backward pass begins, as reentrant
              checkpoints do, and all checkpoints before PyTorch 2.1; otherwise operations whose results are not read
              are left out: in a layer, its last product
    loss      "fused": one kernel that reads 16-bit logits; "stored": f32 logits and their log_softmax are stored
    gradients the type in which gradients of weights are computed, accumulated and reduced over devices; None: that of
              the weights
    masters   whether weights are stored in 16 bits, with an f32 copy for the optimizer only; otherwise each microbatch
              converts them
    dropout   whether dropout is applied to attention weights and to what is added to the residual stream, with stored
              masks
    metrics   the number of metrics that recompute the loss from the logits, with stored intermediates, after the
              backward pass
"""

import functools
import json


def rerun(function):
    """Returns a checkpoint of `function` whose backward pass begins after the whole function has been rerun."""
    import jax

    @jax.custom_vjp
    def checkpointed(*operands):
        return function(*operands)

    def backward(operands, cotangent):
        result, pull = jax.vjp(function, *operands)
        return pull(jax.lax.optimization_barrier((cotangent, result))[0])

    checkpointed.defvjp(lambda *operands: (function(*operands), operands), backward)
    return checkpointed


def dropout():
    """Returns a function that drops elements by their values; choosing them takes no time beside the memory traffic."""
    import jax
    import jax.numpy as jnp

    def forward(x):
        mask = jnp.abs(x) > 1e-3
        return jax.lax.optimization_barrier((jnp.where(mask, x * 1.11, 0).astype(x.dtype), mask))

    dropped = jax.custom_vjp(lambda x: forward(x)[0])

    def backward(mask, cotangent):
        return (jnp.where(mask, cotangent * 1.11, 0).astype(cotangent.dtype),)

    dropped.defvjp(forward, backward)
    return dropped


def with_sums(equation, sums):
    """Returns a product of activations and a weight whose gradient is computed in type `sums`. The weight is passed
    twice: as stored, and in the type that is multiplied."""
    import jax
    import jax.numpy as jnp

    x_dims, w_dims, out = equation.replace("->", ",").split(",")

    def backward(saved, cotangent):
        x, half = saved
        of_x = jnp.einsum(f"{out},{w_dims}->{x_dims}", cotangent, half)
        of_w = jnp.einsum(f"{x_dims},{out}->{w_dims}", x, cotangent, preferred_element_type=sums)
        return of_x, of_w, jnp.zeros_like(half)

    product = jax.custom_vjp(lambda x, w, half: jnp.einsum(equation, x, half))
    product.defvjp(lambda x, w, half: (jnp.einsum(equation, x, half), (x, half)), backward)
    return product


def stored_loss():
    """Returns the mean cross entropy of f32 logits as eager PyTorch computes it: a stored log_softmax, then the
    loss."""
    import jax
    import jax.numpy as jnp

    stored = jax.lax.optimization_barrier

    def chosen(tokens, vocab):
        return jnp.arange(vocab) == tokens[..., None]

    def forward(logits, tokens):
        shifted = logits - jnp.max(logits, -1, keepdims=True)
        sums = jnp.log(jnp.sum(jnp.exp(shifted), -1, keepdims=True))
        picked = jnp.sum(jnp.where(chosen(tokens, logits.shape[-1]), shifted, 0.0), -1)
        return jnp.mean(sums[..., 0] - picked), (stored(shifted - sums), tokens)

    def backward(saved, cotangent):
        logs, tokens = saved
        of_logs = stored(jnp.where(chosen(tokens, logs.shape[-1]), -cotangent / tokens.size, 0.0))
        return stored(of_logs - jnp.exp(logs) * jnp.sum(of_logs, -1, keepdims=True)), None

    loss = jax.custom_vjp(lambda logits, tokens: forward(logits, tokens)[0])
    loss.defvjp(forward, backward)
    return loss


def loss_of(row):
    """Returns a function that computes the mean loss of a batch of tokens, and its logits."""
    import jax
    import jax.numpy as jnp
    from jax.ad_checkpoint import checkpoint_name

    half = jnp.dtype(getattr(row, "numbers", "bfloat16"))
    framework = row.framework
    stored = jax.lax.optimization_barrier if framework.eager else lambda x: x

    drop = dropout() if framework.dropout else lambda x: x

    def weighted(equation, x, w):
        """`w` is a weight in f32 and in 16 bits."""
        if framework.gradients is None:
            return stored(jnp.einsum(equation, x, w[1]))
        return stored(with_sums(equation, framework.gradients)(x, w[0], jax.lax.stop_gradient(w[1])))

    def norm(x, scale):
        x = x.astype(jnp.float32)
        return (x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale).astype(half)

    def angles():
        """Returns the cosines and sines of rotary embeddings, by position."""
        turns = jnp.arange(row.seq)[:, None] * 10000.0 ** (-jnp.arange(row.head // 2) * 2 / row.head)
        return stored(jnp.cos(turns)[:, None]), stored(jnp.sin(turns)[:, None])

    def rotated(x, turns):
        cos, sin = jax.lax.stop_gradient(turns)
        a, b = jnp.split(stored(x.astype(jnp.float32)), 2, -1)
        return stored(stored(jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)).astype(half))

    groups = row.heads // row.kv_heads

    def core(q, k, v):
        # Stored in 16 bits, as by kernels that compute scale, mask and softmax together in 32 bits.
        at = jax.lax.broadcasted_iota(jnp.int32, (row.seq, row.seq), 0) >= jax.lax.broadcasted_iota(
            jnp.int32, (row.seq, row.seq), 1
        )
        if groups == 1:
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * row.head**-0.5
            weights = jax.nn.softmax(jnp.where(at, scores, -1e9), -1).astype(half)
            return jnp.einsum("bhqk,bkhd->bqhd", drop(stored(weights)) if framework.dropout else weights, v)
        q = q.reshape(q.shape[0], row.seq, row.kv_heads, groups, row.head)
        scores = jnp.einsum("bqhgd,bkhd->bhgqk", q, k).astype(jnp.float32) * row.head**-0.5
        weights = jax.nn.softmax(jnp.where(at, scores, -1e9), -1).astype(half)
        return jnp.einsum("bhgqk,bkhd->bqhgd", weights, v).reshape(q.shape[0], row.seq, row.heads, row.head)

    # Recomputation without barriers: the simulator does not eliminate common subexpressions, so it needs none.
    checkpoint = functools.partial(jax.checkpoint, prevent_cse=False)
    if row.recompute == "attn_only":
        core = rerun(core) if framework.reruns else checkpoint(core)

    def layer(x, p, turns):
        w = {name: (value, value.astype(half)) for name, value in p.items() if not name.startswith("ln")}
        x = checkpoint_name(x, "input")
        h = stored(norm(x, p["ln1"]))
        q, k, v = (checkpoint_name(weighted("bse,ehd->bshd", h, w[name]), name) for name in ("q", "k", "v"))
        if row.gated:  # models with gates also have rotary embeddings
            q, k = rotated(q, turns), rotated(k, turns)
        attended = checkpoint_name(core(q, k, v), "context")
        x = stored(x + drop(checkpoint_name(weighted("bshd,hde->bse", attended, w["out"]), "out")))
        h = stored(norm(x, p["ln2"]))
        if row.gated:
            gate = stored(jax.nn.silu(checkpoint_name(weighted("bse,ef->bsf", h, w["gate"]), "gate")))
            h = stored(gate * weighted("bse,ef->bsf", h, w["up"]))
        else:
            h = stored(jax.nn.gelu(weighted("bse,ef->bsf", h, w["up"])))
        return stored(x + drop(checkpoint_name(weighted("bsf,fe->bse", h, w["down"]), "mlp")))

    policies = jax.checkpoint_policies
    products = policies.checkpoint_dots_with_no_batch_dims
    saved = {
        "full": None,
        "alternate": None,
        "minimal": products,
        "selective": products,
        "minimal_flash": policies.save_from_both_policies(products, policies.save_only_these_names("context")),
    }
    recomputed = layer
    if row.recompute == "full" and framework.reruns:
        recomputed = rerun(layer)
    elif row.recompute in saved:
        recomputed = checkpoint(layer, policy=saved[row.recompute])
    elif row.recompute.startswith("save:") or row.recompute == "qkv_proj_offloaded":
        names = "qkv" if row.recompute == "qkv_proj_offloaded" else row.recompute[5:]
        names = names.replace("qkv", "q+k+v").split("+")
        recomputed = checkpoint(layer, policy=policies.save_only_these_names(*names))

    def loss(params, tokens):
        x = stored(params["embed"].astype(half)[tokens])
        turns = angles() if row.gated else None
        for n, p in enumerate(params["layers"]):
            kept = row.recompute == "alternate" and n % 2 == 1  # every other layer keeps its activations
            x = jax.jit(layer if kept else recomputed)(x, p, turns)
        head = params["embed"].T if row.tied else params["unembed"]
        outputs = weighted("bse,ev->bsv", stored(norm(x, params["ln"])), (head, head.astype(half)))
        logits = stored(outputs.astype(jnp.float32)) if framework.loss == "stored" else outputs.astype(jnp.float32)
        if framework.loss == "stored":
            return stored_loss()(logits, tokens), outputs
        logits = logits - jax.lax.stop_gradient(jnp.max(logits, -1, keepdims=True))
        picked = jnp.sum(jnp.where(jnp.arange(row.vocab) == tokens[..., None], logits, 0.0), -1)
        return jnp.mean(jnp.log(jnp.sum(jnp.exp(logits), -1)) - picked), outputs

    return loss


def train_step(row):
    """Returns a train step and its abstract arguments."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def adam(p, g, m, n):
        g = g.astype(jnp.float32)
        m = 0.9 * m + 0.1 * g
        n = 0.95 * n + 0.05 * g * g
        return p - 1e-4 * (m / (jnp.sqrt(n) + 1e-8) + 0.1 * p), m, n

    both_of_logits = jax.value_and_grad(loss_of(row), has_aux=True)

    def both(params, tokens):
        """Returns the loss and gradients of a microbatch."""
        (value, logits), grads = both_of_logits(params, tokens)
        if row.framework.metrics:
            stored = jax.lax.optimization_barrier
            logits, grads = stored((logits, grads))  # after the backward pass
            again = [stored_loss()(stored(logits.astype(jnp.float32)), tokens) for _ in range(row.framework.metrics)]
            value = value, again
        return value, grads

    def gradients(params, tokens):
        if row.framework.masters:
            params = jax.tree.map(lambda p: p.astype(jnp.bfloat16) if p.ndim > 1 else p, params)
        if row.microbatches == 1:
            return both(params, tokens)

        def one(sums, micro):
            value, grads = both(params, micro)
            return jax.tree.map(lambda s, g: s + g.astype(jnp.float32), sums, grads), value

        zeros = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
        sums, values = jax.lax.scan(one, zeros, tokens)
        return jax.tree.map(jnp.mean, values), sums

    def step(params, opt_state, tokens):
        value, grads = gradients(params, tokens)
        out = jax.tree.map(adam, params, grads, opt_state["mu"], opt_state["nu"])

        def pick(i):
            return jax.tree.map(lambda t: t[i], out, is_leaf=lambda t: isinstance(t, tuple))

        return pick(0), {"mu": pick(1), "nu": pick(2)}, value

    def shape(*dims):
        return jax.ShapeDtypeStruct(dims, jnp.float32)

    e, h, k, d, f = row.hidden, row.heads, row.kv_heads, row.head, row.ffn
    one = {
        "ln1": shape(e),
        "ln2": shape(e),
        "q": shape(e, h, d),
        "k": shape(e, k, d),
        "v": shape(e, k, d),
        "out": shape(h, d, e),
        "up": shape(e, f),
        "down": shape(f, e),
    }
    if row.gated:
        one["gate"] = shape(e, f)
    params = {"embed": shape(row.vocab, e), "ln": shape(e), "layers": [one] * row.stage_layers}
    if not row.tied:
        params["unembed"] = shape(e, row.vocab)
    batch = (row.program_batch, row.seq)
    tokens = jax.ShapeDtypeStruct(batch if row.microbatches == 1 else (row.microbatches, *batch), jnp.int32)
    return step, (params, {"mu": params, "nu": params}, tokens)


def named(trees):
    """Returns the names and shapes of the arrays of a step's arguments or results."""
    import jax

    return [
        {"name": prefix + jax.tree_util.keystr(path), "shape": list(leaf.shape)}
        for prefix, tree in zip(("params", "opt_state", "batch"), trees, strict=True)
        for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]
    ]


def write_program(row, folder):
    import jax

    step, arguments = train_step(row)
    lowered = jax.jit(step, donate_argnums=(0, 1)).lower(*arguments)
    (folder / "step.mlir").write_text(lowered.as_text())
    names = {"args": named(arguments), "results": named(jax.eval_shape(step, *arguments))}
    (folder / "step.json").write_text(json.dumps(names))


def schedule(row):
    """Returns data parallelism over slices and devices, Megatron's split of heads and hidden units, then ZeRO."""
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
        tactics.append(
            {
                "name": "MP",
                "axis": "model",
                "inputs": {**split, "params/embed": 1, **({} if row.tied else {"params/unembed": 1})},
            }
        )
    if row.zero and row.dp > 1:
        # FSDP's SHARD_GRAD_OP (2) also shards its parameters between steps. It keeps gathered parameters for the
        # backward pass; here they are gathered again. Megatron's distributed optimizer (1) shards the optimizer alone.
        inputs = {}
        for tree in ("opt_state/mu", "opt_state/nu") if row.zero == 1 else ("params", "opt_state/mu", "opt_state/nu"):
            for name in [f"layers/*/{w}" for w in weights] + tables:
                inputs[f"{tree}/{name}"] = "first_divisible_dim"
        tactics.append({"name": "Z3", "axis": "data", "inputs": inputs})
    return {"tactics": tactics}
