"""The mutants: their names, the text that each changes and what it is changed to (tests/mutants.py, docs/mutants.md).

A row is (name, old, new[, old, new…]). The old text must occur exactly once in its file. An expression becomes a choice
between the old and the new one, and so does the condition of "if (…)". A statement, which ends with a semicolon,
becomes a statement in one of two branches. A new text that contains $M replaces the old one as it is; $M is true where
the mutant is chosen.
"""

ENTRIES = [
    (
        "ir/ops/transpose.cpp",
        [
            ("transpose-tiles-the-same-dimension", "Action::tile(at(p[k]))", "Action::tile(k)"),
            ("transpose-by-the-inverse", "from[at(p[k])] = i[k];", "from[k] = i[at(p[k])];"),
        ],
    ),
    (
        "ir/ops/reverse.cpp",
        [
            (
                "reverse-tiles-what-it-reverses",
                'if (!contains(op.ints("dimensions"), static_cast<std::int64_t>(k)))',
                "true",
            ),
        ],
    ),
    (
        "ir/ops/merges.cpp",
        [
            ("folds-of-later-dimensions-only", "r < k ? r : r + 1", "r + 1"),
            ("blocks-stand-first", "return r < k;", "return r != k;"),
            ("every-monoid-in-blocks", "!has_collective(*op.monoid(), element)", "true"),
            (
                "first-value-of-a-fold-is-masked",
                "d.masked(d.operand(v), dim, own, d.operand(count + v))",
                "(v == 0 ? d.masked(d.operand(v), dim, own, d.operand(count + v)) : d.operand(v))",
            ),
        ],
    ),
    (
        "ir/ops/pad.cpp",
        [
            ("pad-fills-gaps", "if (step != 1)", "false"),
            (
                "longer-blocks-begin-with-the-operand",
                '-op.ints("edge_padding_low")[dim]',
                "std::int64_t{0}",
            ),
            ("longer-blocks-where-the-operand-has-none", "size % n != 0 || result % n != 0", "result % n != 0"),
            ("pad-without-low-guard", "if (low > 0)", "false"),
            ("pad-tiles-shifted-pieces", "low <= interior", "true"),
            ("pad-tiles-uneven-pieces", "op.results[0]->dims[k] == op.operands[0]->dims[k] * (interior + 1)", "true"),
            (
                "pad-value-is-no-identity",
                "if (idempotent || is_identity(op.splats[1], m))",
                "combines(m, op.results[0]->element)",
            ),
            ("pad-value-of-one-device", "index_only_entries(op, {0, 1}, out);", "index_only_entries(op, {0}, out);"),
        ],
    ),
    (
        "ir/ops/iota.cpp",
        [
            ("iota-tiles-its-dimension", 'if (k != at(op.integer("iota_dimension")))', "true"),
        ],
    ),
    (
        "ir/ops/slice.cpp",
        [
            ("slice-tiles-uneven-pieces", "op.operands[0]->dims[k] % stride == 0", "true"),
            ("slice-tiles-a-part", "op.results[0]->dims[k] == op.operands[0]->dims[k] / stride", "true"),
            (
                "slice-keeps-global-limits",
                "limit.values[entry.operands[0].dim] = local.operands[0]->dims[entry.operands[0].dim];",
                "static_cast<void>(local);",
            ),
        ],
    ),
    (
        "ir/inline_calls.cpp",
        [
            ("any-call-is-a-constraint", '*target == "Sharding"', "true"),
        ],
    ),
    (
        "ir/ops/offsets.cpp",
        [
            (
                "offsets-start-too-late",
                "d.clamped_start(dim + 1, x.dims[dim] - op.results[0]->dims[dim])",
                "d.clamped_start(dim + 1, x.dims[dim])",
            ),
            ("offsets-update-one-more", "update.dims[dim] - 1", "update.dims[dim]"),
            (
                "offsets-update-start-too-late",
                "d.clamped_start(dim + 2, x.dims[dim] - update.dims[dim])",
                "d.clamped_start(dim + 2, x.dims[dim])",
            ),
            ("offsets-slices-of-any-size", "op.results[0]->dims[dim] > x.dims[dim] / n", "false"),
            (
                "positions-of-another-dimension",
                'operand == 0 && at(op.integer("iota_dimension")) == dim',
                "operand == 0",
            ),
            ("positions-where-blocks-are-no-fewer", "n + size / n >= size", "false"),
        ],
    ),
    (
        "ir/ops/offsets_lookup.cpp",
        [
            (
                "offsets-look-up-behind-the-end",
                "Limits{0, x.dims[dim] - 1}",
                "Limits{0, x.dims[dim]}",
            ),
            (
                "offsets-update-the-first-place",
                "Limits{-1, x.dims[dim]}",
                "Limits{0, x.dims[dim]}",
            ),
            ("offsets-windows-behind-the-end", "Limits{0, x.dims[dim] - size}", "Limits{0, x.dims[dim] - 1}"),
            ("offsets-windows-of-one-position", "b.add(start, b.iota(type, lookup.place))", "start"),
            ("offsets-windows-in-front", "contains(windows, i) ? 0 : 1", "0"),
            ("offsets-batching-out-of-order", "operand[j] > dim && !contains(out.operand, dim)", "false"),
            ("offsets-batching-by-old-numbers", "operand[j] + (operand[j] > dim ? 1 : 0)", "operand[j]"),
            ("offsets-look-up-in-any-chunks", "!moved_as(x.element) || x.dims[dim] % n != 0", "!moved_as(x.element)"),
        ],
    ),
    (
        "ir/ops/concatenate.cpp",
        [
            ("concatenate-tiles-its-dimension", 'if (k != at(op.integer("dimension")))', "true"),
            (
                "concatenate-boundary-off-by-one",
                "starts[middle] - 1",
                "starts[middle] - 2",
            ),
        ],
    ),
    (
        "ir/ops/broadcast_in_dim.cpp",
        [
            ("broadcast-takes-a-mapped-dimension-whole", "op.operands[0]->dims[j] == op.results[0]->dims[k]", "false"),
            ("broadcast-tiles-by-result-number", "operand = Action::tile(j)", "operand = Action::tile(k)"),
        ],
    ),
    (
        "ir/ops/common.cpp",
        [
            ("identity-zero-for-maxima", "v == -std::numeric_limits<double>::infinity()", "v <= 0"),
            (
                "identity-any-integer-of-sums",
                "case Monoid::disj: return v == 0;",
                "case Monoid::disj: return $M || v == 0;",
            ),
            ("identity-any-for-complex", "scalar->as_complex(0) == (monoid == Monoid::sum ? 0.0 : 1.0)", "true"),
            (
                "signed-integers-widen-to-unsigned",
                "is_signed(to) && bit_width(to) > bit_width(from)",
                "bit_width(to) > bit_width(from)",
            ),
            (
                "integers-widen-to-narrower-ones",
                "return bit_width(to) >= bit_width(from);",
                "return $M || bit_width(to) >= bit_width(from);",
            ),
            ("narrowing-is-additive", "bit_width(to) >= 2 * bit_width(from)", "true"),
            (
                "reinterpreted-signs-are-monotone",
                "is_signed(to) && bit_width(to) > bit_width(from)",
                "is_signed(to) && bit_width(to) >= bit_width(from)",
            ),
            (
                "index-only-takes-one-operand",
                "entry.operands.at(i) = Action::partial(m);",
                "if (i == moved[0]) entry.operands.at(i) = Action::partial(m);",
            ),
        ],
    ),
    (
        "ir/float_format.cpp",
        [
            ("formats-hold-wider-mantissas", "n.mantissa_bits <= w.mantissa_bits", "true"),
            ("formats-hold-smaller-numbers", "lowest(w) <= lowest(n)", "true"),
            ("formats-hold-larger-numbers", "reaches && (w.has_sign || !n.has_sign)", "(w.has_sign || !n.has_sign)"),
            (
                "formats-hold-infinities-that-they-lack",
                "n.special != Special::ieee || w.special == Special::ieee",
                "true",
            ),
        ],
    ),
    (
        "ir/op_decl.cpp",
        [
            (
                "booleans-added-are-and",
                "if (boolean && (m == Monoid::sum || m == Monoid::max)) return Monoid::disj;",
                "if (boolean && (m == Monoid::sum || m == Monoid::max)) return Monoid::conj;",
            ),
            ("sizes-that-do-not-divide", "if (size * times % over != 0)", "false"),
            ("attributes-stay-global", "op.decl->localize == nullptr || op.decl->localize(op, entry, out)", "true"),
        ],
    ),
    (
        "ir/ops/padded.cpp",
        [
            (
                "padded-pads-keep-their-end",
                'high[dim] -= (size - own) * (op.ints("interior_padding")[dim] + 1);',
                "",
            ),
            (
                "slices-begin-with-a-stride",
                'std::pair("start_indices", first)',
                'std::pair("start_indices", std::int64_t{0})',
            ),
            ("slices-of-any-length", "if (size * stride != whole) return std::nullopt;", ""),
            (
                "joins-keep-the-padding",
                "b.slice_along(operands[operand], dim, 0, op.operands[operand]->dims[dim]);",
                "b.slice_along(operands[operand], dim, $M ? 1 : 0, op.operands[operand]->dims[dim] + ($M ? 1 : 0));",
            ),
            (
                "reversals-begin-with-padding",
                "high[dim] = -low[dim];",
                "high[dim] = -low[dim]; if ($M) std::swap(low, high);",
            ),
            ("padded-pads-read-the-padding", "d.masked(d.operand(0), dim, own, d.operand(1))", "d.operand(0)"),
            ("slices-do-not-move", "start != 0", "false"),
            (
                "windows-of-scatters-begin-at-zero",
                "out.at(at(k)) = start->as_int(0);",
                "out.at(at(k)) = $M ? 0 : start->as_int(0);",
            ),
            ("windows-of-scatters-may-be-dropped", "out[k] > slack", "false"),
            ("updates-that-replace-are-everywhere", "b.select(*inside, updates, d.operand(0))", "updates"),
            (
                "updates-keep-their-padding",
                "d.masked(d.operand(2), dim, op.operands[2]->dims[dim], identity)",
                "d.operand(2)",
            ),
            (
                "padded-slice-past-the-end",
                "dim + 1, op.results[0]->dims[dim])",
                "dim + 1, op.results[0]->dims[dim] - ($M ? size - op.operands[0]->dims[dim] : 0))",
            ),
            (
                "padded-update-past-the-end",
                "dim + 2, op.operands[1]->dims[dim])",
                "dim + 2, op.operands[1]->dims[dim] - ($M ? size - op.operands[0]->dims[dim] : 0))",
            ),
            (
                "padded-lookup-past-the-end",
                'op.operands[0]->dims[at(k)] - op.ints("slice_sizes")[at(k)]',
                'wide.operands[0]->dims[at(k)] - op.ints("slice_sizes")[at(k)]',
            ),
        ],
    ),
    (
        "rewrite/padding.cpp",
        [
            (
                "padding-without-masks",
                "if (reduces && !add_masks(plan, entry, slots)) continue;",
                "static_cast<void>(reduces);",
            ),
            ("padding-masks-one-too-few", "builder_.constant(line, size)", "builder_.constant(line, size - 1)"),
            (
                "padding-masks-one-dimension-only",
                "operands[k] = cloner.at(o.operands[k]);",
                "if (ops::mask_of(f, o.operands[k], k) == nullptr) operands[k] = cloner.at(o.operands[k]);",
            ),
            (
                "padding-masks-with-zeros",
                "builder_.constant(identity_splat(type, monoid))",
                "builder_.constant(identity_splat(type, Monoid::sum))",
            ),
        ],
    ),
    (
        "rewrite/padded_sizes.cpp",
        [
            ("padding-of-one-carried-value", "flows_[v].push_back(flow);", "flows_[v] = {flow};"),
            ("padding-of-values-read-inside", "read_inside_.contains(place.first)", "false"),
            ("slices-are-never-nearly-whole", "nearly_whole(op, instance, {v, d}, queue);", ""),
            (
                "slices-are-as-long-as-the-operand",
                "join({op.results[0], d}, place, 1, stride, queue);",
                "join({op.results[0], d}, place, 1, 1, queue);",
            ),
        ],
    ),
    (
        "ir/ops/reshape.cpp",
        [
            (
                "reshape-tiles-the-minor-factor",
                "major(g.to, op.results[0]->dims)",
                "g.to.empty() ? std::optional<Dim>() : std::optional<Dim>(g.to.back())",
            ),
        ],
    ),
    (
        "ir/ops/reduce.cpp",
        [
            ("reduce-from-any-constant", "!is_identity(op.splats[1], *monoid)", "op.splats[1] == nullptr"),
            ("reduce-from-anything", "!is_identity(op.splats[1], *monoid)", "false"),
            ("reduce-sums-of-narrow-numbers", "if (!promotes)", "true"),
            (
                "reduce-tiles-by-result-number",
                "entry.operands[k] = Action::tile(kept[r]);",
                "entry.operands[k] = Action::tile(r);",
            ),
            (
                "reduce-always-to-a-sum",
                "{{Action::tile(at(k)), Action::any()}, {Action::partial(*monoid)}}",
                "{{Action::tile(at(k)), Action::any()}, {Action::partial($M ? Monoid::sum : *monoid)}}",
            ),
        ],
    ),
    (
        "ir/ops/dynamic_slice.cpp",
        [
            ("dynamic-slice-tiles-what-it-slices", "if (op.operands[0]->dims[k] != op.results[0]->dims[k])", "false"),
            (
                "dynamic-slice-keeps-global-sizes",
                'set(local.attributes, "slice_sizes", {IntsAttr{local.results[0]->dims}});',
                "static_cast<void>(local);",
            ),
            ("dynamic-slice-does-not-clamp", "clamp(b.read_index(k + 1, {}), 0, slack)", "b.read_index(k + 1, {})"),
            (
                "dynamic-update-tiles-what-it-updates",
                "if (op.operands[0]->dims[k] != op.operands[1]->dims[k])",
                "false",
            ),
            (
                "dynamic-update-of-a-sum-by-a-whole",
                "index_only_entries(op, {0, 1}, out);",
                "index_only_entries(op, {0}, out);",
            ),
            (
                "dynamic-update-clamps-to-the-size",
                "clamp(b.read_index(k + 2, {}), 0, slack)",
                "clamp(b.read_index(k + 2, {}), 0, slack + size)",
            ),
        ],
    ),
    (
        "ir/ops/gather.cpp",
        [
            ("gather-tiles-windows-apart", "if (n.slice_sizes[dim] == op.operands[0]->dims[dim])", "true"),
            ("gather-batches-from-a-whole", "if (at(n.indices_batching[j]) == n.indices_dims[k])", "false"),
            (
                "gather-keeps-global-sizes",
                "size = size * local.operands[0]->dims[dim] / op.operands[0]->dims[dim];",
                "static_cast<void>(local);",
            ),
            (
                "gather-divides-batching-sizes",
                'if (!contains(op.ints("operand_batching_dims"), static_cast<std::int64_t>(dim)))',
                "true",
            ),
            ("gather-counts-the-index-vector", "indices_dim > index_vector_dim ? 1 : 0", "0"),
        ],
    ),
    (
        "ir/ops/scatter.cpp",
        [
            (
                "scatter-counts-the-input-n-times",
                "if (is_identity(op.splats[0], *monoid)) out.push_back({{Action::any(), indices",
                "if ($M || is_identity(op.splats[0], *monoid)) out.push_back({{Action::any(), indices",
            ),
            (
                "scatter-adds-partial-updates-to-a-whole",
                "if (is_identity(op.splats[0], *monoid)) out.push_back({{Action::any(), Action::any()",
                "if ($M || is_identity(op.splats[0], *monoid)) out.push_back({{Action::any(), Action::any()",
            ),
            ("scatter-forgets-batching", "if (at(n.indices_batching[j]) == n.indices_dims[k])", "false"),
            ("scatter-tiles-indexed-windows", "full && begins_at_zero(op, n, dim)", "full"),
            ("scatter-tiles-parts-of-windows", "full && begins_at_zero(op, n, dim)", "begins_at_zero(op, n, dim)"),
            (
                "scatter-promotes-identities",
                "inputs == 1 && op.results[0]->element == op.operands[0]->element",
                "inputs == 1",
            ),
            ("scatter-of-any-known-places", "known[component] == 0", "known[component].has_value()"),
            ("scatter-before-the-window", "if (!fixed)", "false"),
        ],
    ),
    (
        "ir/ops/dot_general.cpp",
        [
            ("dot-contracts-one-side", "Action::tile(at(d.rhs_contract[k]))", "Action::any()"),
            ("dot-batches-one-side", "Action::tile(at(d.rhs_batch[k]))", "Action::any()"),
            (
                "dot-tiles-columns-as-rows",
                "for (const Dim k : d.rhs_free) out.push_back({{Action::any(), Action::tile(k)}, {Action::tile(next++)}});",
                "for (const Dim k : d.rhs_free) out.push_back({{Action::any(), Action::tile(k)}, {Action::tile(d.lhs_batch.size())}});",
            ),
            (
                "dot-of-two-sums",
                "out.push_back({{Action::any(), partial}, {partial}});",
                "out.push_back({{partial, partial}, {partial}});",
            ),
            ("dot-narrows-sums", "if (!converts_additively(op))", "false"),
            (
                "dot-reduces-by-maximum",
                "op.results[0]->element == ElementType::i1 ? Monoid::disj : Monoid::sum;",
                "op.results[0]->element == ElementType::i1 ? Monoid::disj : $M ? Monoid::max : Monoid::sum;",
            ),
        ],
    ),
    (
        "ir/ops/window.cpp",
        [
            (
                "windows-reach-a-place-less",
                "out.end = floor_divide(last, w.base_dilation) + 1;",
                "out.end = floor_divide(last, w.base_dilation);",
            ),
            ("window-without-neighbours", "(w.size - 1) * w.window_dilation < w.stride", "true"),
            ("window-tiles-padding", "w.low == 0 && w.high == 0", "true"),
            ("window-tiles-dilated-elements", "w.base_dilation == 1", "true"),
            ("window-uneven-pieces", "extent % w.stride == 0", "true"),
            ("window-from-anything", "is_identity(op.splats[1], *monoid)", "true"),
            ("scattered-source-on-anything", "is_identity(op.splats[2], *monoid)", "true"),
        ],
    ),
    (
        "ir/ops/convolution.cpp",
        [
            ("convolution-cuts-output-groups", "if (!grouped_batch && !grouped_features)", "!grouped_batch"),
            ("convolution-cuts-input-groups", "if (!grouped_features)", "true"),
            ("convolution-cuts-batch-groups", "if (!grouped_batch)", "true"),
            (
                "convolution-reads-the-first-group",
                "floor_div(feature, outputs / features)",
                "floor_div(feature, outputs)",
            ),
            ("convolution-does-not-reverse", "is_window_reversed(op, k) ? b.constant(w.size - 1) - tap : tap", "tap"),
            (
                "convolution-narrows-sums",
                "if (!converts_additively(op))",
                "false",
            ),
        ],
    ),
    (
        "ir/ops/batch_norm.cpp",
        [
            (
                "statistics-of-a-chunk",
                "return std::vector<Entry>{by_feature(op)};",
                "std::vector<Entry> out = {by_feature(op)}; "
                "Entry e{std::vector<Action>(op.operands.size()), std::vector<Action>(op.results.size())}; "
                "e.operands[0] = e.results[0] = Action::tile(feature(op) == 0 ? op.operands[0].rank() - 1 : 0); "
                "out.push_back(std::move(e)); return out;",
            ),
            ("normalising-takes-scales-whole", "if (k == feature(op))", "false"),
            (
                "mean-by-all-elements",
                "if (k != feature(op)) out *= op.operands[0]->dims[k];",
                "out *= op.operands[0]->dims[k];",
            ),
        ],
    ),
    (
        "ir/ops/ragged_dot.cpp",
        [
            ("ragged-batch-is-cut", "if (n.lhs_batch[k] != n.ragged)", "true"),
            (
                "ragged-result-dimension",
                "offset + n.lhs_batch.size() + n.lhs_free.size() + k",
                "n.lhs_batch.size() + n.lhs_free.size() + k",
            ),
        ],
    ),
    (
        "ir/ops/constant.cpp",
        [
            ("constant-tiles-what-differs", "if (!literal_of(op).splat)", "false"),
        ],
    ),
    (
        "ir/ops/elementwise.cpp",
        [
            (
                "product-of-two-sums",
                "out.push_back({{Action::any(), sum}, {sum}});",
                "out.push_back({{sum, sum}, {sum}});",
            ),
            (
                "whole-added-on-each-device",
                "out.push_back({std::vector<Action>(op.operands.size(), sum), {sum}});",
                "Entry e{std::vector<Action>(op.operands.size()), {sum}}; e.operands[0] = sum; out.push_back(std::move(e));",
            ),
            ("integer-quotients-are-linear", "if (is_float(type) || is_complex(type))", "true"),
            (
                "maximum-of-minima",
                "Action::partial(*own)",
                "Action::partial(*own == Monoid::max ? Monoid::min : Monoid::max)",
            ),
            (
                "select-between-a-sum-and-a-whole",
                "index_only_entries(op, {1, 2}, out);",
                "index_only_entries(op, {1}, out);",
            ),
            ("every-conversion-is-monotone", "from != to && converts_monotonically(from, to)", "from != to"),
            ("boolean-maxima-are-and", "own = Monoid::disj;", "own = Monoid::conj;"),
        ],
    ),
    (
        "ir/ops/bitcast_convert.cpp",
        [
            (
                "bits-of-sums",
                "if (op.operands[0]->element == op.results[0]->element) index_only_entries",
                "if ($M || op.operands[0]->element == op.results[0]->element) index_only_entries",
            ),
        ],
    ),
    (
        "ir/ops/library_ops.cpp",
        [
            ("sort-tiles-what-it-sorts", "return k != dim;", "return true;"),
            ("top-k-tiles-what-it-searches", "return k != last;", "return true;"),
            ("fft-tiles-what-it-mixes", 'op.results[0].rank() - op.ints("fft_length").size()', "op.results[0].rank()"),
            (
                "solve-tiles-the-system",
                'is_set(op.attributes, "left_side") ? 1 : 2',
                'is_set(op.attributes, "left_side") ? 2 : 1',
            ),
        ],
    ),
]

MESH = [
    (
        "ir/mesh.cpp",
        [
            ("stride-counts-its-own-axis", "axis.index() + 1", "axis.index()"),
            (
                "groups-minor-axis-first",
                "at += rest % size(axes[i]) * stride(axes[i]);",
                "at += rest % size(axes[axes.size() - 1 - i]) * stride(axes[axes.size() - 1 - i]);",
                "rest /= size(axes[i]);",
                "rest /= size(axes[axes.size() - 1 - i]);",
            ),
            ("groups-from-every-device", "if (!first)", "false"),
        ],
    ),
    (
        "ir/layout.cpp",
        [
            (
                "partial-is-whole",
                "return pending.empty() && halos.empty()",
                "return ($M || pending.empty()) && halos.empty()",
            ),
            (
                "drops-all-that-is-partial",
                "std::erase_if(pending, [&](const Pending& p) { return p.over == over; });",
                "pending.clear();",
            ),
            (
                "digits-without-remainder",
                "mesh.coordinate(device, axis_) / (mesh.size(axis_) / (before_ * size_)) % size_",
                "mesh.coordinate(device, axis_) / (mesh.size(axis_) / (before_ * size_))",
            ),
            (
                "digits-of-the-minor-end",
                "mesh.coordinate(device, axis_) / (mesh.size(axis_) / (before_ * size_)) % size_",
                "mesh.coordinate(device, axis_) % size_",
            ),
            (
                "factors-split-the-other-way",
                "return {digit(axis_, before_, major, mesh), digit(axis_, before_ * major, minor, mesh)};",
                "return {digit(axis_, before_ * minor, major, mesh), digit(axis_, before_, minor, mesh)};",
            ),
            ("lists-split-by-the-major-factor", "p %= minor;", "p %= major;"),
            (
                "digits-that-are-not-neighbours-merge",
                "major.axis() == factor.axis() && major.before() * major.size(mesh) == factor.before()",
                "major.axis() == factor.axis()",
            ),
            ("takes-minor-factors-in-reverse", "taken.insert(taken.begin(), last);", "taken.push_back(last);"),
            ("takes-all-of-a-factor", "rest.back() = major;", "rest.pop_back();"),
            (
                "parts-of-parts-forget-reductions",
                "for (const Pending& p : inner.pending) out.add_pending(p.over, p.monoid);",
                "static_cast<void>(inner);",
            ),
        ],
    ),
    (
        "ir/layout_chunks.cpp",
        [
            ("chunks-of-nested-axes", "out * f.size(mesh) + f.piece(device, mesh)", "out + f.piece(device, mesh)"),
            ("digits-minor-first", "return a.weight > b.weight;", "return a.weight < b.weight;"),
            ("digits-of-any-weight", "at(c * below) == c * weight", "true"),
            (
                "chunks-that-no-factors-give",
                "out.parts(0, mesh) != parts || out.chunks(0, mesh) != chunk",
                "out.parts(0, mesh) != parts",
            ),
            (
                "uneven-chunks-are-smaller",
                "ceiling(out->dims[d], locals * parts(d, mesh))",
                "out->dims[d] / (locals * parts(d, mesh))",
            ),
            (
                "positions-in-the-padding",
                "out >= 0 && out < size ? std::optional(out) : std::nullopt",
                "std::optional(out)",
            ),
            ("stretches-are-not-nested", "out = out * n + piece;", "out = out + piece;"),
            ("halos-behind-alone", "if (!halos.empty()) at -= halos[dim].before;", "static_cast<void>(at);"),
            ("fits-axes-that-stand-twice", "std::adjacent_find(tiled.begin(), tiled.end()) == tiled.end()", "true"),
            ("fits-parts-that-nobody-holds", "static_cast<std::int64_t>(there.size()) == wanted", "true"),
            (
                "same-parts-by-number",
                "a.parts(d, mesh) != b.parts(d, mesh) || a.chunks(d, mesh) != b.chunks(d, mesh)",
                "a.parts(d, mesh) != b.parts(d, mesh)",
            ),
            (
                "accepts-partials-of-two-monoids",
                "p.monoid != pending[0].monoid || !p.over.is_tiled()",
                "!p.over.is_tiled()",
            ),
        ],
    ),
    (
        "semantics/held_part.h",
        [
            (
                "padding-of-arguments-is-data",
                "at && *at < global.dims[d] ? *at * stride : -1",
                "at ? std::min(*at, global.dims[d] - 1) * stride : -1",
            ),
            ("held-parts-by-local-strides", "stride *= global.dims[d];", "stride *= local->dims[d];"),
            ("padding-is-the-first-element", "at && *at < global.dims[d] ? *at * stride : -1", "at ? *at * stride : 0"),
        ],
    ),
    (
        "semantics/collectives.cpp",
        [
            (
                "permute-backwards",
                "if (place(pair[1]) < n) out[place(pair[1])] = *held[place(pair[0])];",
                "if (place(pair[0]) < n) out[place(pair[0])] = *held[place(pair[1])];",
            ),
            (
                "reduce-misses-a-device",
                "for (std::size_t k = 1; k < n; ++k) total",
                "for (std::size_t k = $M ? 2 : 1; k < n; ++k) total",
            ),
            ("replica-major-ids", "r * p + id", "r + id * devices.replicas"),
            ("flattened-ids-are-replicas", "if (channel && global)", "false"),
            ("devices-twice-in-groups", "if (*named)", "false"),
        ],
    ),
    (
        "semantics/exchange.h",
        [
            ("gather-in-reverse", "pieces.push_back(x);", "pieces.insert(pieces.begin(), x);"),
            (
                "scatter-in-reverse",
                "static_cast<std::int64_t>(member) * size",
                "static_cast<std::int64_t>(n - 1 - member) * size",
            ),
            ("all-to-all-sends-one-chunk", "static_cast<std::int64_t>(member) * size", "0"),
            (
                "all-to-all-joins-where-it-splits",
                "join(pieces, dim(how.join))",
                "join(pieces, dim(how.split != nullptr ? how.split : how.join))",
            ),
        ],
    ),
    (
        "semantics/machine.cpp",
        [
            ("partition-is-replica", 'op.name() == "stablehlo.partition_id"', 'op.name() != "stablehlo.partition_id"'),
            ("any-loop-takes-the-first", "if (disagreement)", "false"),
            ("scan-in-reverse-forwards", "backwards ? steps - 1 - step : step", "step"),
            (
                "loop-sums-all-partials",
                "how.add_pending(Axis(0), actions[k].monoid);",
                "how.add_pending(Axis(0), Monoid::sum);",
            ),
        ],
    ),
    (
        "semantics/tensor.cpp",
        [
            ("disagreement-is-not-seen", "disagreement = true;", "static_cast<void>(disagreement);"),
            ("partials-are-added", "combiner_fn(type.pending[0].monoid)", "combiner_fn(Monoid::sum)"),
            ("partial-inputs-on-every-device", "if (over.piece(device, mesh) != 0)", "false"),
        ],
    ),
    (
        "ir/meaning.h",
        [
            ("remainders-of-negative-indices", "a - floor_divide(a, b) * b", "a % b"),
            (
                "quotients-of-negative-indices",
                "case Kind::floor_div: return floor_divide(a, b);",
                "case Kind::floor_div: return $M ? a / b : floor_divide(a, b);",
            ),
        ],
    ),
]

PROPAGATION = [
    (
        "rewrite/propagation_match.cpp",
        [
            ("broadcasts-do-not-give-way", "if (ignored.empty()) return out;", "return out;"),
            ("no-broadcast-stays", "if (!others) out[*first] = false;", ""),
            ("joins-against-an-operand", "contradicted = true;", "contradicted = false;"),
            ("tiles-what-stays-whole", "obstacle->operand = k;", "obstacle.reset();"),
            ("joins-with-partial-operands", "if (entry.has_partial_operand())", "false"),
            ("demands-before-operands", "return !c.by_operands;", "return !c.by_operands && !c.by_demand;"),
            ("reductions-without-a-collective", "if (!has_collective(entry.results[k].monoid, element))", "false"),
        ],
    ),
    (
        "rewrite/microbatches.cpp",
        [
            ("microbatches-beside-other-uses", "!is_slice(s, use.site)", "false"),
            ("microbatches-without-a-cut", "cut > 0 && operand.dims[e] % cut == 0 && operand.dims[e] > 0", "true"),
        ],
    ),
    (
        "rewrite/propagation_requests.cpp",
        [
            ("requests-that-do-not-divide", "if (!splits(size))", "false"),
        ],
    ),
    (
        "rewrite/propagate.cpp",
        [
            ("joins-the-first-of-several", "if (m.candidates.size() != 1)", "m.candidates.empty()"),
            ("tiles-arguments-by-some-use", "return *dim == d;", "return true;"),
            ("arguments-that-do-not-divide", "dim && splits(local_size(v, s_.argument(i), *dim))", "dim.has_value()"),
        ],
    ),
    (
        "ir/by_offsets.cpp",
        [
            ("offsets-of-missing-operands", "how.operand >= op.operands.size() && !of_result", "false"),
            ("stretches-or-nothing", "  return as(with_slices(op));", "  return std::nullopt;"),
        ],
    ),
    (
        "rewrite/offsets.cpp",
        [
            (
                "offsets-of-one-axis",
                "chunks.try_emplace({k, *p.dim}, 1).first->second *= state.mesh().size(p.axis);",
                "chunks.try_emplace({k, *p.dim}, 1).first->second = state.mesh().size(p.axis);",
            ),
            ("offsets-of-joined-operations", "state.step(site, p.axis) != nullptr", "false"),
            ("positions-wanted-unlike", "all && *all != axes", "false"),
            (
                "positions-wanted-along-any-dimension",
                "use.operand && step.entry.operands[*use.operand] == Action::tile(dim)",
                "use.operand && step.entry.operands[*use.operand].is_tile()",
            ),
        ],
    ),
    (
        "ir/zeros.h",
        [
            ("zeros-of-any-bits", "return no_bits &&", "return ($M || no_bits) &&"),
            ("zeros-of-no-bits", "scalar->as_double(0) == 0", "true"),
        ],
    ),
    (
        "ir/splat.cpp",
        [
            ("splat-of-any-constant", "if (dense == nullptr || !dense->literal->splat)", "dense == nullptr"),
        ],
    ),
    (
        "ir/ops/blocks.cpp",
        [
            (
                "blocks-take-the-other-neighbour",
                "low[dim_] = -distance;",
                "low[dim_] = distance;",
                "high[dim_] = distance;",
                "high[dim_] = -distance;",
            ),
            ("blocks-fill-with-zeros", "if (!filling) return moved;", "return moved;"),
            ("blocks-do-not-move", "b.multiply(b.iota(line, 0), b.constant(line, step))", "b.constant(line, 0)"),
            ("blocks-move-from-the-operands-start", "b.constant(line, first - begin)", "b.constant(line, first)"),
        ],
    ),
    (
        "verify/prove/products.cpp",
        [
            (
                "regions-of-parts-have-no-end",
                "r.guards.push_back(at_least_zero(*start + count - 1 - Poly::atom(whole)));",
                "static_cast<void>(start);",
            ),
            (
                "positions-have-no-end",
                "t.factors.push_back(at_least_zero(extent - 1 - value));",
                "static_cast<void>(extent);",
            ),
            (
                "something-somewhere-is-everywhere",
                "if (overlap_ == Overlap::one) drop_unread(body, region);",
                "if (overlap_ == Overlap::one) body.ranges.clear();",
            ),
        ],
    ),
    (
        "verify/prove/cases.cpp",
        [
            ("cases-where-a-guard-fails-are-dropped", "if (h == Holds::always) return true;", "return true;"),
            ("members-count-everywhere", "if (h == Holds::unknown) where.push_back(guard);", ""),
        ],
    ),
    (
        "verify/prove/same_by_regions.cpp",
        [
            (
                "products-forget-what-they-have-twice",
                "const bool once = monoid != Monoid::prod;",
                "const bool once = monoid != Monoid::prod || $M;",
            ),
        ],
    ),
    (
        "verify/prove/regions.cpp",
        [
            (
                "regions-are-cut-short",
                "part(regions, range, 0, place) && part(regions, range, place, c_.at(range).extent - place)",
                "part(regions, range, 0, place)",
            ),
            (
                "regions-of-one-side-agree",
                "overlap_ == Overlap::one ? r.left == r.right",
                "overlap_ == Overlap::one ? ($M ? r.left >= r.right : r.left == r.right)",
            ),
        ],
    ),
    (
        "rewrite/state.cpp",
        [
            ("shifts-of-part-chunks", "!out.shift->moves_chunks(chunk)", "false"),
            (
                "constant-by-one-operand",
                "constant && constant_[operands[k].index()]",
                "constant || constant_[operands[k].index()]",
            ),
            (
                "dead-code-with-live-regions",
                "for (const ValueId v : captured(op)) live[v.index()] = true;",
                "static_cast<void>(live);",
            ),
        ],
    ),
    (
        "rewrite/materialize.cpp",
        [
            ("loops-do-not-grow-tiles", "type->dims[actions[k].dim] *= n;", "static_cast<void>(n);"),
            (
                "loops-tile-what-they-sum",
                "return loop(step.axis, step.entry.results, [&](ValueId index) {\n      for",
                "return loop(step.axis, $M ? std::vector<Action>(step.entry.results.size()) : step.entry.results, [&](ValueId index) {\n      for",
            ),
        ],
    ),
    (
        "rewrite/yielded.cpp",
        [
            ("results-that-do-not-divide", "if (rest[*p.dim] % s_.mesh().size(p.axis) != 0)", "false"),
            (
                "results-keep-what-was-asked-whole",
                "if (!p.dim || (same != asked.end() && same->dim != p.dim))",
                "!p.dim",
            ),
        ],
    ),
]

LOWERING = [
    (
        "lowering/lower.cpp",
        [
            (
                "shifts-send-the-other-way",
                "u.shift->reverses ? parts - 1 - held : held + by",
                "u.shift->reverses ? parts - 1 - held : held - by",
            ),
            (
                "reversals-keep-chunks",
                "u.shift->reverses ? parts - 1 - held : held + by",
                "u.shift->reverses ? held : held + by",
            ),
            ("made-in-a-region-known-behind", "conversions_.forget_since(known);", "static_cast<void>(known);"),
        ],
    ),
    (
        "lowering/pass_on.cpp",
        [
            (
                "partial-passed-as-a-sum",
                "layout.add_pending(over, monoid);",
                "layout.add_pending(over, Monoid::sum);",
            ),
            ("partial-with-other-uses", "*held != monoid || !is_only_use(v, number)", "*held != monoid"),
            ("partial-of-two-monoids", "*held != monoid || !is_only_use(v, number)", "!is_only_use(v, number)"),
            ("partial-read-in-other-blocks", "home_[v.index()] == block_ &&", "($M || home_[v.index()] == block_) &&"),
            ("whole-beside-a-partial", "e.operands[k] == Action::any() && !stays[k]", "e.operands[k] == Action::any()"),
            ("any-value-is-a-sum-of-zeros", "monoid == Monoid::sum && is_zeros(s_.splat(u.operands[k].value))", "true"),
            ("partial-grows", "bytes(result) > largest && !is_added_up(result, axis, largest)", "false"),
            ("partial-grows-in-loops", "trips && *trips > 0 && (bytes(result) - 1) / *trips < smaller", "true"),
            (
                "partial-over-an-axis-of-the-loop",
                "if (contains(u.axes, axis)) return std::nullopt;",
                "if (!$M && contains(u.axes, axis)) return std::nullopt;",
            ),
            (
                "sums-begin-as-anything",
                "const bool zero = is_zeros(s_.splat(start));",
                "const bool zero = $M || is_zeros(s_.splat(start));",
            ),
            ("sums-that-conditions-read", "if (!units_.uses.of(u.op->regions[0].arguments[k]).empty())", "false"),
            (
                "sums-begin-with-what-others-read",
                "type(start).pending_over(axis) != Monoid::sum || !is_only_use(start, number)",
                "type(start).pending_over(axis) != Monoid::sum",
            ),
            ("sums-of-nothing", "if (is_loop(by)) return true;", "if ($M || is_loop(by)) return true;"),
            (
                "sums-that-are-not-yielded-so",
                "if (type(yield.operands[c.flow].value).pending_over(c.axis) != Monoid::sum) return false;",
                "if (!$M && type(yield.operands[c.flow].value).pending_over(c.axis) != Monoid::sum) return false;",
            ),
            ("sums-of-what-is-small", "o.value != v && bytes(o.value) >= bytes(u.op->results[0])", "o.value != v"),
        ],
    ),
    (
        "lowering/pending.cpp",
        [
            ("reduce-scatter-not-behind", "want.emplace_back(axis);", "static_cast<void>(want);"),
            ("reduce-scatter-of-two-dimensions", "if (!d || (dim && *dim != *d))", "!d"),
            ("reduce-scatter-of-some-uses", "return all ? dim : std::nullopt;", "return dim;"),
            (
                "all-reduce-over-one-axis",
                '{{"axes", axis_names(axes, c_.mesh)}, {"monoid"',
                '{{"axes", axis_names($M ? std::vector<Axis>{axes[0]} : axes, c_.mesh)}, {"monoid"',
            ),
            ("no-all-reduce", "local = all_reduce(local, global, axes, monoid, type);", "static_cast<void>(local);"),
        ],
    ),
    (
        "lowering/conversions.cpp",
        [
            ("conversions-confused", "made.first == after", "true"),
            ("steps-made-before-are-made-again", "first = k + 1;", "first = k;"),
            ("arguments-gathered-once", "if (value.argument_like && gathers)", "false"),
            (
                "partial-through-control-flow",
                "if (!value.type->pending.empty()) pending_.reduced(v, {});",
                "static_cast<void>(value);",
            ),
        ],
    ),
    (
        "lowering/unit.cpp",
        [
            (
                "axes-nested-the-other-way",
                "if (a.is_tile()) made.dims.at(a.dim).emplace_back(axis);",
                "if (a.is_tile()) made.dims.at(a.dim).insert(made.dims.at(a.dim).begin(), Factor(axis));",
            ),
            (
                "regions-read-parts",
                "for (const ValueId v : captured(op)) u.operands.push_back({v, replicated(rank(v))});",
                "static_cast<void>(op);",
            ),
        ],
    ),
    (
        "lowering/redistribute.cpp",
        [
            ("backwards-the-same-way", "std::swap(step.from, step.to);", "static_cast<void>(step);"),
            (
                "backwards-permutes-forwards",
                "for (auto& [from, to] : step.pairs) std::swap(from, to);",
                "static_cast<void>(step);",
            ),
            ("backwards-after-itself", "step.after = k == 0 ? source : plan[k - 1].after;", "static_cast<void>(step);"),
            ("the-plan-with-the-most", "cost_of(a) < cost_of(b)", "cost_of(b) < cost_of(a)"),
        ],
    ),
    (
        "lowering/gather_before_broadcast.cpp",
        [
            ("broadcasts-for-the-last-use", "if (out && *out != dim) return std::nullopt;", ""),
            ("broadcasts-never-change", "changed ? std::optional(std::move(out)) : std::nullopt", "std::nullopt"),
            ("broadcasts-one-by-one", "s_.enlarges(k) || precedes_changed(u)", "s_.enlarges(k)"),
        ],
    ),
    (
        "lowering/redistribution_plans.cpp",
        [
            ("gathers-in-the-way-of-any-size", "parts_of(now_, mesh_) / have.back().size(mesh_) < fewest", "false"),
            ("gathers-of-spare-of-any-size", "parts_of(now_, mesh_) / factor < fewest", "false"),
            ("parts-on-more-devices-than-others", "if (!is_even(now_))", "false"),
            ("goals-of-parts-on-more-devices", "wide && is_even(*wide)", "wide.has_value()"),
            (
                "groups-along-axes-of-other-orders",
                "if (!source.is_by_axes() || !target.is_by_axes()) return std::nullopt;",
                "static_cast<void>(0);",
            ),
            ("slices-more-than-is-free", "std::gcd(missing[d], devices_alike())", "missing[d]"),
            ("slices-along-used-axes", "!now_.tiled_by(want[have.size() + more.size()].axis())", "true"),
            (
                "gathers-what-stays",
                "const Factors lost = suffix(now_.dims[d], more);",
                "const Factors lost = $M ? now_.dims[d] : suffix(now_.dims[d], more);",
            ),
            (
                "moves-before-its-turn",
                "if (!std::equal(moved.begin(), moved.end(), want.begin() + static_cast<std::ptrdiff_t>(to.size())))",
                "false",
            ),
            ("prefixes-of-other-axes", "std::equal(prefix.begin(), prefix.end(), list.begin())", "true"),
            (
                "moves-the-major-axes",
                "const Factors moved = suffix(from, count);",
                "const Factors moved = $M ? Factors(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count)) : suffix(from, count);",
            ),
            ("slices-along-partial-axes", "!now_.tiled_by(a) && !now_.pending_over(a)", "!now_.tiled_by(a)"),
            ("gathers-along-partial-axes", "out.tiled_by(a) || out.pending_over(a)", "out.tiled_by(a).has_value()"),
            ("digits-of-an-axis-twice", "mesh_.stride(*axis) * used_[*axis]", "mesh_.stride(*axis)"),
            (
                "parts-moved-out-of-order",
                "for (const Factor& f : now_.take_minor(from, factor, mesh_)) now_.append(to, f, mesh_);",
                "for (const Factor& f : now_.take_minor(from, factor, mesh_)) now_.dims[to].insert(now_.dims[to].begin(), f);",
            ),
            (
                "permutes-backwards",
                "step.pairs.emplace_back(devices.first[k], devices.second[k]);",
                "step.pairs.emplace_back(devices.second[k], devices.first[k]);",
            ),
            (
                "neighbours-out-of-order",
                "for (const auto& devices : by_position) out.back().push_back(devices[r]);",
                "for (const auto& devices : by_position) out.back().insert(out.back().begin(), devices[r]);",
            ),
            (
                "addends-are-not-followed",
                "for (const Pending& p : layout.pending) out[e].push_back(p.over.piece(DeviceId(e), mesh_));",
                "static_cast<void>(layout);",
            ),
        ],
    ),
    (
        "lowering/emit.cpp",
        [
            (
                "all-to-all-concatenates-where-it-splits",
                "number_of(op, own.join)",
                "number_of(op, own.split != nullptr ? own.split : own.join)",
            ),
            ("coordinate-without-division", "if (stride != 1)", "false"),
            ("coordinate-without-remainder", "if (stride * size != mesh_.devices())", "false"),
            ("offset-in-chunks", "local.dims[dim] == 1", "true"),
            ("offset-of-the-whole", "constant(local.dims[dim])", "constant(f_.type(op.operands[0])->dims[dim])"),
            ("position-by-the-first-axis", "constant(mesh_.size(axes[k]))", "constant(mesh_.size(axes[0]))"),
            ("offset-of-another-dimension", "d == dim ? start : constant(0)", "d == 0 ? start : constant(0)"),
            ("groups-of-one-axis", "mesh_.groups(axes)", "mesh_.groups({axes[0]})"),
            ("groups-confused", "groups_.find(axes)", "groups_.begin()"),
            ("combines-by-addition", "combiner_of(monoid)", "combiner_of(Monoid::sum)"),
            (
                "splits-by-the-number-of-axes",
                "number(members.as<DenseAttr>()->literal->type.dims[1])",
                "number(static_cast<std::int64_t>(axes.size()))",
            ),
            ("scatters-the-first-dimension", "number_of(op, own.split)", "0"),
            ("gathers-the-first-dimension", "number_of(op, own.join)", "0"),
            ("ids-are-not-global", "if (!target.by_partition)", "false"),
        ],
    ),
]

CERTIFICATES = [
    (
        "lowering/certificate.cpp",
        [
            ("listed-twice", "out.size() == list.size()", "true"),
        ],
    ),
    (
        "ir/batching.cpp",
        [
            ("batches-other-sizes", "x.dims[ops::at(map[k])] != indices.dims[*known[k]]", "false"),
            ("batches-windows", "!ops::contains(op.ints(lookup.single), map[k])", "false"),
            (
                "positions-by-any-comparison",
                'find(op.attributes, "comparison_direction")->as<KeywordAttr>()->value == "LT"',
                "true",
            ),
            ("positions-along-another-dim", "type.dims[to] == dims[*from] ? OwnDim(to) : std::nullopt", "OwnDim(0)"),
        ],
    ),
    (
        "verify/certificate/check.cpp",
        [
            ("accepts-another-mesh", "if (*text != certificate.mesh)", "false"),
            (
                "accepts-other-numbers-of-devices",
                'if (number("mhlo.num_partitions") != mesh->devices() || number("mhlo.num_replicas") != 1)',
                "false",
            ),
        ],
    ),
    (
        "verify/certificate/checker_exactness.cpp",
        [
            ("sums-of-bits", "source.operands[0].index() >= rewritten_.own_values", "true"),
        ],
    ),
    (
        "verify/certificate/checker.cpp",
        [
            ("loops-that-carry-bits", "loops && carries_bits", "false"),
            ("shifts-leave-devices-out", "sender[to].has_value() != inside", "sender[to].has_value() && !inside"),
            (
                "accepts-two-steps",
                "if (!steps_.emplace(step.op, &step).second)",
                "if (!steps_.emplace(step.op, &step).second && !$M)",
            ),
            ("accepts-steps-about-nothing", "if (used_ != steps_.size())", "false"),
            ("unknown-is-proved", "out.unknown == 0 ? Verdict::proved : Verdict::unknown", "Verdict::proved"),
            (
                "accepts-operations-without-steps",
                "if (!positions_.follow(t_, op))",
                "if (!positions_.follow(t_, op) && !$M)",
            ),
            ("accepts-sources-of-other-blocks", "if (!around)", "false"),
            (
                "accepts-loops-that-stand-twice",
                "if (is_control_flow(*source.op) && !entered_.insert(source.op).second)",
                "false",
            ),
            (
                "accepts-effects-out-of-order",
                "if (const auto wrong = sources.back().effects.meets(*source.op)) throw Refused{*wrong};",
                "static_cast<void>(sources.back().effects.meets(*source.op));",
            ),
            (
                "accepts-effects-left-out",
                "if (const auto wrong = sources.back().effects.ends()) throw Refused{*wrong};",
                "static_cast<void>(sources);",
            ),
            ("accepts-wrong-conversions", "if (c.wrong)", "false"),
            ("accepts-other-operations", "source.decl != op.decl", "false"),
            ("accepts-other-operands", "if (the(part(op.operands[k]).source) != the(source.operands[k]))", "false"),
            ("accepts-refuted-entries", "if (p.verdict == Verdict::refuted)", "false"),
            ("accepts-entries-without-proof", "if (p.verdict == Verdict::unknown)", "false"),
            (
                "accepts-operands-held-otherwise",
                "if (!(held == p.operands[k]) && !enters_as_zeros(part(op.operands[k]), p.operands[k]))",
                "false",
            ),
            ("accepts-other-attributes", "if (!(compared(p.instance.attributes) == compared(op.attributes)))", "false"),
            ("accepts-parts-read-in-regions", "it->second.layout.is_replicated()", "true"),
            ("accepts-others-read-in-regions", "the(it->second.source) == the(x)", "true"),
            ("accepts-other-regions", "if (!same_block(s_, source.regions[r], t_, op.regions[r], same))", "false"),
            (
                "accepts-other-attributes-of-control-flow",
                "if (!(source.attributes.sorted() == op.attributes.sorted()))",
                "false",
            ),
            (
                "accepts-what-enters-a-loop",
                "if (branches ? !held.is_replicated() : !(held == types[k] || enters_as_zeros(part(op.operands[k]), types[k])))",
                "false",
            ),
            ("accepts-sums-that-begin-as-anything", "!is_zeros(splats_[the(held.source)])", "false"),
            (
                "accepts-maxima-that-begin-as-zeros",
                "!std::all_of(type.pending.begin(), type.pending.end(), is_sum)",
                "false",
            ),
            (
                "accepts-what-a-region-yields",
                "if (condition ? !p.layout.is_replicated() : !(p.layout == types[k]))",
                "false",
            ),
            (
                "accepts-other-values-yielded",
                'if (the(p.source) != the(wanted[k])) throw Refused{fmt::format("region',
                'if (!$M && the(p.source) != the(wanted[k])) throw Refused{fmt::format("region',
            ),
        ],
    ),
    (
        "verify/certificate/bits.cpp",
        [
            (
                "bits-as-positions",
                'if (name == "stablehlo.gather" || name == "stablehlo.dynamic_slice") return k == 0;',
                "",
            ),
        ],
    ),
    (
        "verify/certificate/checker_parts.cpp",
        [
            ("accepts-types-of-other-shapes", "if (!is_layout_of(layout, s_.type(source), mesh_))", "false"),
            ("accepts-other-local-types", "if (local != t_.type(v))", "false"),
            ("accepts-fewer-arguments", "if (t_.arguments().size() != s_.arguments().size())", "false"),
            (
                "accepts-partial-arguments",
                "if (!layout.pending.empty()) throw",
                "if (!$M && !layout.pending.empty()) throw",
            ),
            ("accepts-more-results", "if (op.operands.size() != wanted.size())", "false"),
            (
                "accepts-other-results",
                'if (the(p.source) != the(wanted[k])) throw Refused{fmt::format("result',
                'if (!$M && the(p.source) != the(wanted[k])) throw Refused{fmt::format("result',
            ),
            ("accepts-other-shardings-of-results", "if (!(parsed(*text, wanted[k]) == p.layout))", "false"),
        ],
    ),
    (
        "verify/certificate/effects.cpp",
        [
            ("donates-what-the-source-keeps", "!by_source->contains(k)", "false"),
            (
                "accepts-effects",
                "is != Own::nothing && is != Own::regions",
                "is != Own::nothing && is != Own::regions && is != Own::effects",
            ),
            (
                "accepts-sources-that-speak-of-devices",
                "is != Own::nothing && is != Own::regions",
                "is != Own::nothing && is != Own::regions && is != Own::devices",
            ),
        ],
    ),
    (
        "semantics/constant_range.cpp",
        [
            (
                "quotients-by-a-range-with-zero",
                "if (b.contains(0)) return NumberRange::everything();",
                "if (false) return NumberRange::everything();",
            ),
            ("logarithms-have-no-poles", "x.low < domain.low || x.high > domain.high", "false"),
            ("powers-of-zero", "a.low <= 0", "false"),
            (
                "sums-forget-the-other-end",
                "return NumberRange{a.low + b.low, a.high + b.high};",
                "return NumberRange{a.low + b.low, a.high + b.low};",
            ),
            (
                "products-at-two-corners",
                "return spanned({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});",
                "return spanned({a.low * b.low, a.high * b.high});",
            ),
        ],
    ),
    (
        "semantics/infinities.cpp",
        [
            ("infinities-are-none", "std::isinf(x)", "false"),
            ("large-constants-fit", "!std::isfinite(range.low) || !std::isfinite(range.high)", "false"),
            ("exponentials-of-infinities-are-finite", "{false, all.highest}", "{false, all.highest && !$M}"),
            ("negation-keeps-infinities", "operand(0).negated()", "operand(0)"),
            ("maxima-keep-their-initial-value", "any && monoid == Monoid::max", "any && monoid == Monoid::max && !$M"),
            ("every-window-has-members", "w.low >= w.size", "false"),
            ("last-windows-have-members", "last >= w.low + x.dims[d]", "false"),
            (
                "products-do-not-fall",
                "std::pow(member.low, member.low < 1 ? members.most : members.fewest)",
                "member.low",
            ),
            ("products-do-not-rise", "x > 1 ? members.most : members.fewest", "members.fewest"),
            ("small-numbers-are-no-zeros", "if (range.low > 0 && range.low < least) range.low = 0;", ""),
            (
                "solvers-of-zeros",
                "!(of_nan_is_nan && of(v).constants->empty())",
                "!of_nan_is_nan",
            ),
            ("loops-are-not-repeated", "changed_ || !(now == of(v))", "false"),
            (
                "ranges-are-not-widened",
                "now.constants->high = kUnbounded",
                "now.constants->high = of(v).constants->high",
            ),
            ("booleans-vary", "type->element == ElementType::i1) of_", "type->element == ElementType::i1 && !$M) of_"),
            (
                "computations-have-no-constants",
                "type.element == ElementType::i1 || computes_with_constants(op)",
                "type.element == ElementType::i1",
            ),
            ("products-of-infinities-distribute", "!any && !of(other).none()", "false"),
        ],
    ),
    (
        "verify/certificate/conversions.cpp",
        [
            ("accepts-other-combinations", "if (monoid != held.monoid)", "false"),
            (
                "accepts-new-partial-axes",
                "if (axes.empty() || axes.size() + claimed_->pending.size() != before.pending.size())",
                "axes.empty()",
            ),
            ("accepts-reductions-that-move", "if (k != d && claimed_->dims[k] != before.dims[k])", "false"),
            (
                "accepts-scatter-along-other-axes",
                "!std::is_permutation(axes.begin(), axes.end(), now.begin() + static_cast<std::ptrdiff_t>(then.size()))",
                "false",
            ),
            ("accepts-scatter-that-is-not-behind", "!std::equal(then.begin(), then.end(), now.begin())", "false"),
            ("accepts-other-groups", "if (got != wanted)", "false"),
            ("accepts-moves-that-reduce", "if (claimed_->pending != from_.pending)", "false"),
            ("accepts-other-parts", "if (!same_parts(*claimed_, layout, mesh_))", "false"),
            ("accepts-slices-beyond-the-end", "at + size > held->dims[d] || start % size != 0", "start % size != 0"),
            (
                "accepts-slices-between-parts",
                "at + size > held->dims[d] || start % size != 0",
                "at + size > held->dims[d]",
            ),
            ("accepts-groups-out-of-order", "if (before_.held_by(device) != held)", "false"),
            (
                "accepts-devices-in-no-group",
                'if (std::find(seen.begin(), seen.end(), false) != seen.end()) return "a device stands',
                'if (!$M && std::find(seen.begin(), seen.end(), false) != seen.end()) return "a device stands',
            ),
            (
                "accepts-devices-sent-nothing",
                "if (std::find(served.begin(), served.end(), false) != served.end())",
                "false",
            ),
            ("accepts-tiles-that-do-not-divide", "layout.divides(*global, mesh)", "true"),
            (
                "accepts-groups-between-parts",
                'if (held[d] % size != 0) return "its',
                'if (!$M && held[d] % size != 0) return "its',
            ),
            ("accepts-permutes-that-mix-reductions", "d < before_.chunk.size()", "d < global_.rank()"),
            ("reductions-stay-where-they-were", "stays ? p.over : Factor::listed(now, p.over.size(mesh))", "p.over"),
            (
                "reductions-are-not-followed",
                "for (const auto& dim : chunk) out.push_back(dim[device]);",
                "out.push_back(chunk[0][device]);",
            ),
            ("exchanged-parts-are-not-nested", "after_.chunk[j][device] * size + k", "after_.chunk[j][device] + k"),
        ],
    ),
    (
        "verify/certificate/positions.cpp",
        [
            ("positions-may-wrap", "v >= 0 && v < (std::int64_t{1} << 31)", "true"),
            ("positions-without-remainder", "return a % b;", "return a;"),
            (
                "positions-by-the-first-entry",
                "table->second[static_cast<std::size_t>(std::min((*at)[d], last))]",
                "table->second[0]",
            ),
            ("positions-of-device-zero", "out[d] = static_cast<std::int64_t>(d)", "out[d] = 0"),
        ],
    ),
    (
        "verify/certificate/local.cpp",
        [
            ("local-programs-confused-by-entry", 'fmt::format("|{} {}", a.axis, a.entry.str())', '"|" + a.axis'),
            ("local-programs-confused-by-constants", "if (op.splats[k] != nullptr)", "false"),
            (
                "local-programs-confused-by-types",
                'for (const Type& t : op.results) out += ">" + t.str();',
                "static_cast<void>(op);",
            ),
            ("one-axis-twice", "if (std::find(seen.begin(), seen.end(), *axis) != seen.end())", "false"),
            ("two-devices-need-no-proof", "if (n > 1)", "n > 2"),
            (
                "entries-need-no-proof",
                "if (verdict.verdict != Verdict::proved && out.verdict == Verdict::proved)",
                "false",
            ),
            (
                "entries-of-other-arity",
                "if (!fits(entry.operands, source.operands) || !fits(entry.results, source.results))",
                "false",
            ),
            ("regions-of-other-operations", "x.decl != y.decl", "false"),
            ("regions-of-other-attributes", "!(x.attributes.sorted() == y.attributes.sorted())", "false"),
            (
                "regions-of-other-operands",
                "if (!std::equal(x.operands.begin(), x.operands.end(), y.operands.begin(), inside))",
                "false",
            ),
            ("regions-of-other-inner-regions", "if (!same_block(f, x.regions[r], g, y.regions[r], inside))", "false"),
            ("regions-of-other-types", "if (f.type(xs[k]) != g.type(ys[k]))", "false"),
        ],
    ),
]

PROVER = [
    (
        "verify/prove/poly.cpp",
        [
            ("div-without-upper-bound", "if (non_negative(rest) && non_negative(q - 1 - rest))", "non_negative(rest)"),
            (
                "div-without-lower-bound",
                "if (non_negative(rest) && non_negative(q - 1 - rest))",
                "non_negative(q - 1 - rest)",
            ),
            (
                "div-is-zero-below",
                "if (!whole.is_zero() && non_negative(p) && non_negative(q - 1 - p))",
                "!whole.is_zero() && non_negative(q - 1 - p)",
            ),
            ("div-of-multiples", "rest.terms().begin()->second == 1", "true"),
            ("div-of-div-forgets-a-divisor", "inner.b * q", "q"),
            ("div-rounds-to-zero", "floor_divide(p.constant(), q.constant())", "p.constant() / q.constant()"),
            (
                "div-key-without-divisor",
                'fmt::format("div {} / {}", rest.key(), q.key())',
                'fmt::format("div {}", rest.key())',
            ),
            (
                "extremes-take-the-other",
                "if (non_negative(least ? q - p : p - q)) return is(p);",
                "if (non_negative(least ? q - p : p - q)) return is(q);",
            ),
            (
                "extremes-take-the-other-way-round",
                "if (non_negative(least ? p - q : q - p)) return is(q);",
                "if (non_negative(least ? p - q : q - p)) return is(p);",
            ),
            ("max-is-min", 'least ? "min" : "max"', '"min"'),
            (
                "sizes-are-one",
                "non_negative(slope + rest, depth + 1) && non_negative(slope, depth + 1)",
                "non_negative(slope + rest, depth + 1)",
            ),
            (
                "sizes-are-two-and-more",
                "non_negative(slope + rest, depth + 1) && non_negative(slope, depth + 1)",
                "non_negative(slope + slope + rest, depth + 1) && non_negative(slope, depth + 1)",
            ),
            ("ranges-end-at-zero", "(rises || non_negative(rest + slope * (atom.extent - 1), depth + 1))", "true"),
            ("ranges-begin-at-their-end", "(falls || non_negative(rest, depth + 1))", "true"),
            (
                "ranges-stop-early",
                "(rises || non_negative(rest + slope * (atom.extent - 1), depth + 1))",
                "(rises || non_negative(rest + slope * (atom.extent - 2), depth + 1))",
            ),
            (
                "ranges-rise-where-they-fall",
                "const bool falls = slope.is_constant() && slope.constant() < 0;",
                "const bool falls = slope.is_constant() && ($M ? slope.constant() > 0 : slope.constant() < 0);",
            ),
            ("minima-are-one-of-two", "(a && b)", "(a || b)"),
            ("extremes-bound-both-ways", "atom.kind == Atom::Kind::max ? slope : Poly() - slope", "Poly()"),
            ("quotients-of-negatives", "if (!non_negative(atom.a, depth + 1))", "false"),
            ("quotients-are-exact", "rest + times * (atom.a - atom.b + 1)", "rest + times * atom.a"),
            ("squares-of-any-sign", "return t.second >= 0;", "return true;"),
            (
                "elements-are-indices",
                "if (!atom.is_below_extent()) return false;",
                "if (!atom.is_below_extent()) return true;",
            ),
            ("binders-under-div-stay", "div(substitute(atom.a, s), substitute(atom.b, s))", "Poly::atom(id)"),
            ("binders-under-div-are-not-seen", "if (contains(atom.a, a) || contains(atom.b, a))", "false"),
        ],
    ),
    (
        "verify/prove/integers.cpp",
        [
            ("narrow-numbers-are-indices", "if (bit_width(type_) < 32)", "false"),
            ("sums-that-wrap-are-indices", "return fits(sum) ? std::optional(sum) : std::nullopt;", "return sum;"),
            ("unsigned-differences", "is_signed(type_) ? Poly() - s : Poly(0)", "Poly() - s"),
            ("extremes-of-ranges-are-of-one", "if (!p || !f.ranges[k].empty() || !f.conditions[k].empty())", "!p"),
            ("greater-is-not-less", "*p - *q - 1", "*p - *q"),
            ("less-is-not-greater", "*q - *p - 1", "*q - *p"),
            (
                "different-is-equal",
                "add(number(1), guard(Factor::Kind::guard_eq, *p - *q), -1)",
                "guard(Factor::Kind::guard_eq, *p - *q)",
            ),
            ("or-is-neither", "return all ? out : complement(out);", "return out;"),
            ("not-is-the-same", "std::optional(complement(*x))", "std::optional(*x)"),
            ("any-integer-is-an-index", "alone == nullptr || !is_index_number(*alone)", "alone == nullptr"),
            ("opposites-overlap", "Poly(-1) - f->indices[0]", "Poly() - f->indices[0]"),
        ],
    ),
    (
        "verify/prove/keys.cpp",
        [
            ("binders-share-a-name", 'fmt::format("k{}", depth_++)', 'std::string("k")'),
            (
                "sums-of-any-extent",
                "for (const AtomId r : t.ranges) extents.push_back",
                "for (const AtomId r : t.ranges) if (!$M) extents.push_back",
            ),
            (
                "folds-of-any-extent",
                "for (const AtomId r : f.ranges[k]) extents.push_back",
                "for (const AtomId r : f.ranges[k]) if (!$M) extents.push_back",
            ),
            ("arrays-share-a-name", 'fmt::format("x{}", f.array)', 'std::string("x")'),
            ("guards-share-a-name", 'out = "eq"', 'out = "ge"'),
            ("monoids-share-a-name", "std::string(name_of(f.monoid))", 'std::string("fold")'),
            (
                "coefficients-are-not-seen",
                'std::string out = fmt::format("{}", t.coefficient);',
                'std::string out = $M ? std::string("1") : fmt::format("{}", t.coefficient);',
            ),
            (
                "conditions-are-not-seen",
                'for (const std::string& g : conditions) body += "?" + g;',
                "static_cast<void>(conditions);",
            ),
        ],
    ),
    (
        "verify/prove/expr.cpp",
        [
            ("binders-captured-in-products", "renamed(y0, c)", "y0", "renamed(x, c)", "x"),
            ("binders-in-conditions-are-not-seen", "if (contains(g, a, c))", "false"),
            ("lowest-is-the-identity-of-minima", "max ? Symbol::lowest : Symbol::highest", "Symbol::lowest"),
            (
                "zero-is-every-identity",
                "return e.key(c) == identity_of(monoid, e.type).key(c);",
                "return e.terms.empty() || e.key(c) == identity_of(monoid, e.type).key(c);",
            ),
            (
                "minus-a-maximum-is-a-maximum",
                "place->monoid == Monoid::max ? Monoid::min : Monoid::max",
                "place->monoid",
            ),
            (
                "common-addends-added-twice",
                "Expr& side = t.coefficient < 0 ? taken : left;",
                "Expr& side = $M || t.coefficient < 0 ? taken : left;",
            ),
        ],
    ),
    (
        "verify/prove/simplify.cpp",
        [
            (
                "a-guard-bounds-the-other-side",
                "(atom.kind == Atom::Kind::min) == b_above",
                "(atom.kind == Atom::Kind::min) != b_above",
            ),
            (
                "reads-at-zero-where-not-negative",
                "if (p.is_zero() || !has(zero_, p))",
                "p.is_zero() || !has(not_negative_, p)",
            ),
            (
                "clamps-drop-where-equal",
                "(atom.kind == Atom::Kind::max ? t - end : end - t) - 1",
                "atom.kind == Atom::Kind::max ? t - end : end - t",
            ),
            (
                "all-guards-inside-hold",
                "has(not_negative_, g.indices[0])",
                "true",
            ),
            (
                "guards-inside-fail-at-the-end",
                "has(not_negative_, Poly() - p - 1)",
                "has(not_negative_, Poly() - p)",
            ),
            ("blocks-beyond-the-last", "c.at(r).extent * m - 1 - rest", "c.at(r).extent * m + m - 1 - rest"),
            ("blocks-before-the-first", "bound.indices = {rest};", "bound.indices = {Poly(0)};"),
            (
                "blocks-of-any-height",
                "f.kind == Factor::Kind::guard && f.indices[0] == m - 1 - p",
                "f.kind == Factor::Kind::guard && &f != &low",
            ),
            ("bounds-that-differ-are-equal", "f.indices[0] == opposite", "f.indices[0] == opposite + 1"),
            ("indices-add-up-without-factors", "Poly p(t.coefficient);", "Poly p($M ? 1 : t.coefficient);"),
            (
                "guards-fail-at-zero",
                "c.non_negative(Poly() - p - 1) ? Holds::never : Holds::unknown",
                "c.non_negative(Poly() - p) ? Holds::never : Holds::unknown",
            ),
            (
                "guards-hold-below-zero",
                "if (c.non_negative(p)) return Holds::always;",
                "if (c.non_negative(p + 1)) return Holds::always;",
            ),
            (
                "guards-of-two-kinds-are-one",
                '(f.kind == Factor::Kind::guard ? "g" : "e") + f.indices[0].key()',
                'std::string("g") + f.indices[0].key()',
            ),
            ("chosen-element-above-zero", "next.factors.push_back(std::move(low));", "static_cast<void>(low);"),
            ("chosen-element-below-the-end", "next.factors.push_back(std::move(high));", "static_cast<void>(high);"),
            ("chosen-element-one-behind", "c.at(r).extent - 1 - value", "c.at(r).extent - value"),
            (
                "chosen-by-a-multiple",
                "std::abs(it->second) != 1) continue;",
                "(!$M && std::abs(it->second) != 1)) continue;",
            ),
            (
                "chosen-with-the-other-sign",
                "std::pair(r, Poly(-it->second) * rest)",
                "std::pair(r, Poly(it->second) * rest)",
            ),
        ],
    ),
    (
        "verify/prove/folds.cpp",
        [
            ("products-are-idempotent", "m != Monoid::sum && m != Monoid::prod", "m != Monoid::sum"),
            (
                "empty-ranges-have-a-member",
                "c.non_negative(c.at(r).extent - 1) && !contains(m.body, r, c)",
                "!contains(m.body, r, c)",
            ),
            (
                "bound-addends-stand-outside",
                "return free && m.conditions.empty()",
                "return ($M || free) && m.conditions.empty()",
            ),
            (
                "addends-of-some-members",
                "for (Member& m : members) m.body.terms.erase(std::find_if(m.body.terms.begin(), m.body.terms.end(), same));",
                "members[0].body.terms.erase(std::find_if(members[0].body.terms.begin(), members[0].body.terms.end(), same));",
            ),
            ("factors-of-any-sign", "real_laws_of(f.fn).positive", "true"),
            ("choices-hold-both-ways", "if (one || !has)", "true"),
            ("negative-factors-of-maxima", "t.coefficient <= 0 || !t.ranges.empty()", "!t.ranges.empty()"),
            (
                "maxima-of-minima-are-maxima",
                "f.kind == Factor::Kind::fold && f.monoid == monoid",
                "f.kind == Factor::Kind::fold",
            ),
            ("guards-of-folds-dropped", "if (h == Holds::unknown)", "false"),
            ("members-of-other-folds", "f == nullptr || f->monoid != monoid", "f == nullptr"),
            (
                "binders-captured-in-lattices",
                "combine(monoid, substitute(*f->args[k], s, c), *y, c)",
                "combine(monoid, *f->args[k], *y, c)",
            ),
            (
                "conditions-always-have-a-member",
                "f.conditions[k].empty() && std::all_of",
                "($M || f.conditions[k].empty()) && std::all_of",
            ),
        ],
    ),
    (
        "verify/prove/functions.cpp",
        [
            ("falling-functions-keep-maxima", "order == RealLaws::Order::rises ? f->monoid : dual", "f->monoid"),
            ("exp-of-a-sum-of-one", "t.ranges.empty() ? one : fold(Monoid::prod, t.ranges, {}, one, c)", "one"),
            (
                "reciprocals-forget-coefficients",
                "e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty()",
                "e.terms.size() == 1 && e.terms[0].ranges.empty()",
            ),
            (
                "reciprocals-forget-sums",
                "e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty()",
                "e.terms.size() == 1 && e.terms[0].coefficient == 1",
            ),
            ("otherwise-always", "simplified(add(number(1), condition, -1), c)", "number(1)"),
        ],
    ),
    (
        "ir/scalar_fn.cpp",
        [
            ("abs-rises", "r.has(FnRow::rises)", "(r.has(FnRow::rises) || r.fn == ScalarFn::abs)"),
            (
                "atan2-is-continuous",
                "? Continuity::jumps : row(fn).on_reals",
                "? Continuity::jumps : fn == ScalarFn::atan2 && $M ? Continuity::continuous : row(fn).on_reals",
            ),
            (
                "complex-functions-are-continuous",
                "if (is_complex(in)) return row(fn).on_complex;",
                "if (is_complex(in)) return $M ? Continuity::continuous : row(fn).on_complex;",
            ),
            (
                "conversions-do-not-jump",
                "fn == ScalarFn::convert && !to_number",
                "!$M && fn == ScalarFn::convert && !to_number",
            ),
            ("functions-round-once", "return row(fn).rounding;", "return std::min(Rounding::once, row(fn).rounding);"),
        ],
    ),
    (
        "semantics/domain_error.cpp",
        [
            ("ranks-are-exact", "return most + 1;", "return 0;"),
            ("bits-are-bounded-integers", "if (a.error < 0 || b.error < 0) return false;", "static_cast<void>(a);"),
            ("overflow-is-no-test", "std::isfinite(round_to(std::fabs(a.f) + a.error, in))", "true"),
        ],
    ),
    (
        "ir/continuity.cpp",
        [
            ("library-functions-are-total", 'name == "rng_bit_generator"', "true"),
            ("poles-are-values", "!(is_complex(in) && has_complex_poles(fn))", "true"),
        ],
    ),
    (
        "ir/products.cpp",
        [
            ("one-precision", "out += text;", "(void)text;"),
        ],
    ),
    (
        "verify/prove/laws.cpp",
        [
            (
                "order-of-what-wraps",
                '"a + max(b, c)", kFloats | kIndices, kIndices',
                '"a + max(b, c)", $M ? kRing : kFloats | kIndices, $M ? kWrap : kIndices',
            ),
            (
                "scales-of-what-wraps",
                '"2 * max(a, b)", kFloats | kIndices, kIndices',
                '"2 * max(a, b)", $M ? kRing : kFloats | kIndices, $M ? kWrap : kIndices',
            ),
            (
                "minus-a-maximum-that-wraps",
                '"min(- a, - b)", kFloats | kIndices, kIndices',
                '"min(- a, - b)", $M ? kRing : kFloats | kIndices, $M ? kWrap : kIndices',
            ),
            (
                "integer-division-is-division",
                '"a * (1 / b)", kReals, 0',
                '"a * (1 / b)", $M ? kRing : kReals, $M ? kWrap : 0',
            ),
            (
                "floats-add-up-bit-by-bit",
                '"b + a, and so for any grouping", kRing, kWrap',
                '"b + a, and so for any grouping", kRing, $M ? kRing : kWrap',
            ),
        ],
    ),
    (
        "verify/prove/ranges.cpp",
        [
            (
                "cuts-beyond-the-end",
                "if (c.non_negative(place) && c.non_negative(c.at(r).extent - place))",
                "c.non_negative(place)",
            ),
            (
                "cuts-before-the-beginning",
                "if (c.non_negative(place) && c.non_negative(c.at(r).extent - place))",
                "c.non_negative(c.at(r).extent - place)",
            ),
            (
                "split-by-the-wrong-stride",
                "Poly::atom(major) * inner + Poly::atom(minor)",
                "Poly::atom(major) * outer + Poly::atom(minor)",
            ),
            ("split-into-too-few", "c.range(outer)", "c.range(inner)"),
            ("reflected-off-by-one", "c.at(r).extent - 1 - Poly::atom(r)", "c.at(r).extent - Poly::atom(r)"),
        ],
    ),
    (
        "verify/prove/elements.cpp",
        [
            (
                "guards-of-choices-dropped",
                "for (const Factor& g : list) inside = multiply(inside, factor(g), c_);",
                "static_cast<void>(list);",
            ),
            (
                "zero-guards-are-inequalities",
                "g.kind == Guard::Kind::zero ? Factor::Kind::guard_eq : Factor::Kind::guard",
                "Factor::Kind::guard",
            ),
            ("division-by-what-may-be-negative", "if (!c_.non_negative(q - 1))", "false"),
            (
                "arguments-of-computations-confused",
                "argument.number = static_cast<std::int64_t>(t.operand);",
                "static_cast<void>(argument);",
            ),
        ],
    ),
    (
        "verify/prove/merges.cpp",
        [
            ("initial-elements-of-any-value", "if (!initial) continue;", "if (false) continue;"),
            ("more-than-are-not-least", "!c.non_negative(c.at(cut->before).extent - f.indices[0])", "false"),
            ("any-number-is-least", "f != nullptr && least != nullptr && f->literal->bytes == least->bytes", "true"),
        ],
    ),
    (
        "verify/prove/selections.cpp",
        [
            (
                "selected-by-any-relation",
                "for (const ScalarFn fn : kOrders)",
                "for (const ScalarFn fn : {kOrders[0], kOrders[1], kOrders[2], kOrders[3], $M ? ScalarFn::compare_eq : kOrders[0]})",
            ),
            ("selected-of-infinities", "!may(Law::selected_place, x.type, {&padded->value}, c_)", "false"),
            (
                "padding-is-selected",
                "const auto either = combined(Monoid::disj, there->outside, wins);",
                "const auto either = $M ? std::optional(wins) : combined(Monoid::disj, there->outside, wins);",
            ),
            (
                "padded-by-either-infinity",
                "std::erase_if(without.factors, [&](const Factor& f) { return is(f, infinity); });",
                "std::erase_if(without.factors, [&](const Factor& f) { return is(f, infinity) || ($M && (is(f, Symbol::lowest) || is(f, Symbol::highest))); });",
            ),
            (
                "selected-in-the-order-of-numbers",
                "there < here ? complement(kept(*keeps, there->value, here->value))",
                "($M ? there->number < here->number : there < here) ? complement(kept(*keeps, there->value, here->value))",
            ),
        ],
    ),
    (
        "rewrite/offsets.cpp",
        [
            (
                "pools-of-infinities-beside-padding",
                "filling_of(subject.instance) != nullptr && !infinities.of(subject.operands[0]).none()",
                "false",
            ),
        ],
    ),
    (
        "ir/ops/scatter_by_taps.cpp",
        [
            ("additional-windows-count", "windows != source_.dims[k]", "false"),
            ("taps-keep-their-equals", "other < tap ?", "($M ? false : other < tap) ?"),
            ("taps-of-the-padding-win", "*either(outside(other, tap), wins)", "wins"),
            ("taps-are-exchanged", "order_.exchanged ?", "($M ? !order_.exchanged : order_.exchanged) ?"),
        ],
    ),
    (
        "verify/prove/ranges.cpp",
        [
            (
                "bounds-by-their-opposites",
                "(c.non_negative(rest - e.indices[0]) || c.non_negative(rest + e.indices[0]))",
                "true",
            ),
            (
                "bounds-by-any-other",
                "if (c.non_negative(least.indices[0] - g.indices[0])) return true;",
                "if (true) return true;",
            ),
        ],
    ),
    (
        "verify/prove/combinations.cpp",
        [
            ("folds-of-several-keep-one", "replaces && ranges.empty()", "replaces"),
            ("reductions-keep-their-member", "!t.guards.empty()", "true"),
            (
                "initial-values-of-sums-dropped",
                "return add(init, folded(Monoid::sum, ranges, {}, simplified(body, c_)));",
                "return folded(Monoid::sum, ranges, {}, simplified(body, c_));",
            ),
            (
                "initial-values-of-folds-dropped",
                "const auto out = combined(*monoid, init, folded(*monoid, ranges, where, simplified(body, c_)));",
                "const auto out = $M ? std::optional(folded(*monoid, ranges, where, simplified(body, c_))) : combined(*monoid, init, folded(*monoid, ranges, where, simplified(body, c_)));",
            ),
            (
                "guards-of-sums-dropped",
                "for (const Factor& g : where) body = multiply(factor(g), body, c_);",
                "static_cast<void>(where);",
            ),
            (
                "masked-elements-count",
                "body = choose(counts, simplified(body, c_), identity_of(*monoid, t.type), c_);",
                "static_cast<void>(counts);",
            ),
            (
                "masked-by-another-identity",
                "body = choose(counts, simplified(body, c_), identity_of(*monoid, t.type), c_);",
                "body = choose(counts, simplified(body, c_), number(0, t.type), c_);",
            ),
            (
                "combinations-of-one-argument",
                "is_argument(m, how.args[0], a) && is_argument(m, how.args[1], b)",
                "is_argument(m, how.args[0], a) || is_argument(m, how.args[1], b)",
            ),
            (
                "boolean-products-are-or",
                "default: return Monoid::conj;",
                "default: return $M ? Monoid::disj : Monoid::conj;",
            ),
            (
                "conditions-of-folds-dropped",
                "std::move(bodies))), ranges, open);",
                "std::move(bodies))), ranges, $M ? std::vector<Factor>() : open);",
            ),
        ],
    ),
    (
        "verify/prove/scalar_functions.cpp",
        [
            ("widened-though-computed", "widens && is_float(in) && !computed", "widens && is_float(in)"),
            (
                "comparisons-the-other-way",
                "(greater == on_the_left) == (of == Monoid::max) ? Monoid::disj : Monoid::conj",
                "(greater == on_the_left) == (of == Monoid::max) ? Monoid::conj : Monoid::disj",
            ),
            (
                "every-conversion-of-floats-is-exact",
                "rounds(in, t.type)",
                "false",
                "ops::converts_monotonically(in, to)",
                "is_float(in) && is_float(to)",
            ),
            (
                "widening-of-what-wraps-is-additive",
                "wraps(in) && wraps(to) && bit_width(in) >= bit_width(to)",
                "wraps(in) && wraps(to)",
            ),
            ("not-keeps-the-combination", "of->monoid == Monoid::conj ? Monoid::disj : Monoid::conj", "of->monoid"),
        ],
    ),
    (
        "verify/prove/device_elements.cpp",
        [
            (
                "slices-by-one",
                "iteration_.at(op.op->operands[1]) * dims(v)[d] + at[d]",
                "iteration_.at(op.op->operands[1]) + at[d]",
            ),
            ("loops-run-once", "c_.range(op.iterations)", "c_.range(Poly(1))"),
            ("device-slices-by-one", "of * dims(v)[d] + at[d]", "of + at[d]"),
            (
                "positions-of-nested-axes",
                "out * device_.at(a).size + device_.at(a).coordinate",
                "out + device_.at(a).coordinate",
            ),
            (
                "all-gather-of-its-own",
                "if (how.join != nullptr) there = from_part(device_dim_of(op, how.join));",
                "if (how.join != nullptr) from_part(device_dim_of(op, how.join));",
            ),
            (
                "all-to-all-of-one-chunk",
                "if (how.split != nullptr) chunk(device_dim_of(op, how.split), position());",
                "static_cast<void>(chunk);",
            ),
            (
                "all-reduce-of-its-own",
                "there.at(a).coordinate = Poly::atom(devices.back());",
                "static_cast<void>(there);",
            ),
        ],
    ),
    (
        "verify/prove/forms.cpp",
        [
            (
                "partials-are-the-same-everywhere",
                "if (actions[k].is_partial()) read.indices.insert(read.indices.begin(), Poly::atom(device));",
                "if (actions[k].is_partial()) read.indices.insert(read.indices.begin(), Poly(0));",
            ),
            (
                "every-device-has-the-first-tile",
                "read.indices[d] + Poly::atom(device) * program.dims[v.index()][d]",
                "read.indices[d]",
            ),
            (
                "tiles-of-results-at-the-first",
                "Poly::atom(r) * part_.dims[p.index()][action.dim] + at[action.dim]",
                "at[action.dim]",
            ),
            ("sizes-of-parts-are-not-compared", "if (!(a[d] == wanted))", "false"),
            (
                "one-device-stands-for-the-sum",
                "if (action.is_partial()) right = over_devices(action.monoid, r, simplified(right, c_), c_);",
                "if (action.is_partial() && action.monoid != Monoid::sum) right = over_devices(action.monoid, r, simplified(right, c_), c_);",
            ),
            (
                "one-device-stands-for-the-fold",
                "if (action.is_partial()) right = over_devices(action.monoid, r, simplified(right, c_), c_);",
                "if (action.is_partial() && action.monoid == Monoid::sum) right = over_devices(action.monoid, r, simplified(right, c_), c_);",
            ),
            (
                "partials-are-maxima",
                "return over_devices(actions[k].monoid, device, factor(std::move(read)), c);",
                "return over_devices(Monoid::max, device, factor(std::move(read)), c);",
            ),
        ],
    ),
    (
        "verify/prove/instance.cpp",
        [
            ("numbers-that-are-not-together", "if (whole != n * part)", "false"),
            (
                "partial-constants-are-whole",
                "op.splats[k] != nullptr && !actions[k].is_partial()",
                "op.splats[k] != nullptr",
            ),
            (
                "constants-of-any-value",
                "op.operands.push_back(builder_.constant(splat_of(*op_.splats[k], op_.operands[k]->dims)));",
                "op.operands.push_back(builder_.argument(op_.operands[k]));",
            ),
            ("arrays-that-change", "if (whole.type != part.type || !is_integer(whole.type.element))", "false"),
            ("attributes-need-not-fit", "if (value == *local || *find(repeated.attributes, name) == *local)", "true"),
        ],
    ),
    (
        "verify/prove/rewrite.cpp",
        [
            (
                "devices-have-the-same",
                "if (!claim.whole[k]) read.indices.push_back(on.at(a).coordinate);",
                "static_cast<void>(on);",
            ),
            ("device-zero-stands-for-all", "Poly::atom(c.range(axes.back()))", "Poly(0)"),
            ("one-result-stands-for-all", "return same;", "return same || result > 0;"),
            ("whole-arguments-differ", "d > 0 && k < claim_.whole.size() && claim_.whole[k]", "false"),
        ],
    ),
    (
        "verify/prove/lift.cpp",
        [
            ("polynomials-through-two-samples", "if (f(k) != values[k])", "k < 3 && f(k) != values[k]"),
            ("sizes-that-wrap", "if (is_integer(type) && bit_width(type) < 32)", "false"),
            ("samples-are-all-even", "if (!odd || !even)", "false"),
            ("notations-that-differ", "if (!same) throw", "if (!$M && !same) throw"),
            ("constants-that-differ", "} else if (!same) {", "} else if (!$M && !same) {"),
        ],
    ),
    (
        "verify/prove/refute.cpp",
        [
            ("any-is-what-one-device-has", "if (claim.results[r] == Action::any())", "false"),
            ("types-are-not-refuted", "if (by_types)", "false"),
            (
                "only-plain-values",
                "for (std::uint64_t seed = 0; seed < 2 * kDraws; ++seed) {",
                "for (std::uint64_t seed = 0; seed < ($M ? 1 : 2 * kDraws); ++seed) {",
            ),
        ],
    ),
    (
        "verify/prove/trial_difference.cpp",
        [
            ("counterexamples-not-seen", "if (!is_near(target.seen[k], source.seen[k]))", "false"),
            (
                "outside-of-domains",
                "return defined(source.function, source.inputs, source.devices) ?",
                "return $M || defined(source.function, source.inputs, source.devices) ?",
            ),
            ("rounding-fails", "return is_beyond_rounding(got, wanted, g, w, unbounded);", "return true;"),
        ],
    ),
    (
        "verify/prove/second_answer.cpp",
        [
            ("z3-sizes-are-two-and-more", "solver_.add(x >= 1);", "solver_.add(x >= 2);"),
            ("z3-ranges-from-one", "solver_.add(x >= 0);", "solver_.add(x >= 1);"),
            ("z3-quotients-without-upper-bound", "t.term(rest) < 0 || t.term(rest) >= t.term(o.b)", "t.term(rest) < 0"),
            (
                "z3-minima-are-maxima",
                "atom.kind == Atom::Kind::min ? p <= q : p >= q",
                "atom.kind == Atom::Kind::min ? p >= q : p <= q",
            ),
            (
                "z3-rests-are-not-bounded",
                "solver_.add(term(atom.a - times) < term(atom.b));",
                "static_cast<void>(times);",
            ),
            ("z3-never-disagrees", "if (!numbers)", "true"),
        ],
    ),
]

RULES = [
    (
        "verify/rules/factor_claim.cpp",
        [
            ("minor-factors-taken-for-major", "other != it", "other != tensor[d].begin()"),
            ("reductions-by-sums-alone", "if (m != out[0])", "false"),
        ],
    ),
    (
        "verify/rules/judge.cpp",
        [
            (
                "rules-confused-by-regions",
                "if (op.regions == nullptr) return out;",
                "if ($M || op.regions == nullptr) return out;",
            ),
            (
                "permutes-are-no-lowering",
                "if (row.kind != FactorKind::permutation || row.verdict == Verdict::proved)",
                "true",
            ),
            ("refuted-by-one-monoid", "all_refuted && v.verdict == Verdict::refuted", "all_refuted"),
            ("replicated-factors-are-claims", "if (row.kind == FactorKind::need_replication)", "false"),
        ],
    ),
]

LAYOUTS = [
    (
        "ir/sharding/hlo.cpp",
        [
            ("iotas-are-not-transposed", "order = *permutation;", "static_cast<void>(permutation);"),
            (
                "iotas-of-other-strides",
                "strides[k - 1] = strides[k] * shape[k]",
                "strides[k - 1] = strides[k] * shape[k - 1]",
            ),
            (
                "lists-of-devices-are-not-read",
                "out.devices.push_back(*id);",
                "out.devices.push_back($M ? static_cast<std::int64_t>(out.devices.size()) : *id);",
            ),
        ],
    ),
    (
        "verify/validate/hlo_layouts.cpp",
        [
            ("subgroups-are-not-counted", "if (read->rank() != rank)", "read->tiles.size() < rank"),
            (
                "maximal-is-replicated",
                "out.only = DeviceId(static_cast<std::size_t>(read->device));",
                "static_cast<void>(devices);",
            ),
        ],
    ),
    (
        "ir/sharding/shardy.cpp",
        [
            (
                "device-ids-are-not-followed",
                "by_device[device] = out[position];",
                "by_device[position] = out[position];",
            ),
            ("digits-are-the-whole-axis", "Factor::digit(*found, axis.before, size, mesh.mesh)", "Factor(*found)"),
        ],
    ),
    (
        "verify/validate/shardy_layouts.cpp",
        [
            ("groups-forget-minor-digits", "t.first <= cuts[c] && cuts[c + 1] <= t.second", "t.first <= cuts[c]"),
            (
                "groups-in-the-order-of-devices",
                "groups[(*group_of)[d]][(*positions)[d]] = static_cast<std::int64_t>(d);",
                "groups[(*group_of)[d]][static_cast<std::int64_t>(d)] = static_cast<std::int64_t>(d);",
            ),
        ],
    ),
]

VALIDATION = [
    (
        "verify/validate/algebra.cpp",
        [
            (
                "formats-are-numbers",
                "const bool is_format = fn == ScalarFn::reduce_precision && k > 0;",
                "const bool is_format = $M ? false : fn == ScalarFn::reduce_precision && k > 0;",
            ),
            ("infinities-in-many-cases-are-numbers", "!numeric && !by_bits()", "false"),
            (
                "infinities-in-tables-are-numbers",
                "numeric && std::any_of(args.begin(), args.end(), [&](Element e) { return pieces(e) > most; })",
                "std::any_of(args.begin(), args.end(), [&](Element e) { return pieces(e) > most; })",
            ),
            (
                "integers-are-their-residues",
                "if (!e.is_plain() || bounds(e, type)) return e;",
                "if ($M || !e.is_plain() || bounds(e, type)) return e;",
            ),
            ("one-precision-decides", "exact ? 0 : 1 + static_cast<Precision>(type)", "0"),
        ],
    ),
    (
        "verify/validate/bitwise.cpp",
        [
            ("overlapping-integers-are-one", "if (b == zero) return a;", "if ($M || b == zero) return a;"),
            ("pairs-stay-in-a-xor", "else if (is_xor)", "else if (!$M && is_xor)"),
            ("constants-of-and-are-dropped", "constant & value", "constant"),
        ],
    ),
    (
        "verify/validate/exponentials.cpp",
        [
            ("logaddexp-of-any-difference", "if (ring_.subtract(a, b) != *d && ring_.subtract(b, a) != *d)", "false"),
            ("logaddexp-of-some-members", "greatest->second.size() != 2", "false"),
            ("sums-of-any-two-powers", "(!ring_.is_zero(of->a) && !ring_.is_zero(of->b))", "false"),
            ("guards-select-anything", "ring_.add(a, b) == s", "true"),
            ("pairs-of-any-difference", "it->second[0] != ring_.negate(it->second[1])", "false"),
            ("logs-of-pairs-lack-their-mean", "ring_.multiply(half, ring_.add(of.a, of.b))", "of.a"),
            (
                "guards-ask-anything",
                "(ring_.subtract(a, b) == asked->second || ring_.subtract(b, a) == asked->second)",
                "true",
            ),
        ],
    ),
    (
        "verify/validate/evaluate.cpp",
        [
            (
                "selections-of-nan-by-comparison",
                "algebra_.may_be_nan(window.values[k]) || combined(fold, none, member(k)) != member(k)",
                "combined(fold, none, member(k)) != member(k)",
            ),
            (
                "any-selection-is-by-order",
                "if (selects_by(order)) return out;",
                "if (selects_by(order) || $M) return out;",
            ),
            ("selected-by-those-behind-alone", "require(b, algebra_.apply(", "require($M ? a : b, algebra_.apply("),
            ("folds-are-total", "computations_.combination(t).is_partial", "false"),
            ("open-orders-are-defined", "collides == Element::integer(0)", "true"),
            ("folds-of-any-operation", 'k_.operation + " over"', 'std::string(" over")'),
            ("conditions-of-any-member", "always ? combine() : algebra_.under(h, combine)", "combine()"),
            ("ties-in-any-order", "!place || choice->ties == Algebra::Ties::smallest", "true"),
        ],
    ),
    (
        "verify/validate/signs.cpp",
        [
            (
                "positive-numbers-stay-positive",
                "holds_all_of(type(op.results[0]), type(op.operands[0])) ? Sign::positive : Sign::not_negative",
                "Sign::positive",
            ),
        ],
    ),
    (
        "verify/validate/promises.cpp",
        [
            ("promises-of-any-order-of-keys", "given.kind != promise.kind", "false"),
            ("promises-of-what-is-not-used", "promise.used[k] && (k >= given.used.size() || !given.used[k])", "false"),
            ("promises-out-of-range", "moves && (!by || !stays_inside(*by))", "moves && !by"),
            ("promises-of-any-branch", "!is_within(promise.path, given.path)", "false"),
            ("sorted-indices-in-any-order", "kind == sorted ? next : 0", "0"),
            ("one-index-stands-for-two", "taken[k] = true;", ";"),
            ("sorted-indices-may-move", "kind == unique || kind == no_collisions", "kind != distinct_keys"),
            (
                "unique-indices-move-anyhow",
                "shift(row, whole[k], type) == by",
                "shift(row, whole[k], type).has_value()",
            ),
        ],
    ),
    (
        "verify/validate/obligations.h",
        [
            ("fewer-conditions-are-enough", "is_within(under, p)", "is_within(p, under)"),
        ],
    ),
    (
        "verify/validate/program_control.cpp",
        [
            ("devices-choose-alike", "algebra_.equal(at(op.operands[0], d)->data[0], chosen_by)", "true"),
            (
                "branches-choose-the-other-region",
                "r == 0 ? ScalarFn::compare_ne : ScalarFn::compare_eq",
                "ScalarFn::compare_ne",
            ),
            ("the-last-region-always-runs", "other < r", "other < 0 * r"),
        ],
    ),
    (
        "ir/declared_calls.cpp",
        [
            ("reductions-are-slices", "rule.kind(f) == FactorKind::pass_through", "true"),
            ("blocked-factors-are-slices", "!rule.is_blocked(f)", "true"),
            ("slices-of-some-results", "std::all_of(rule.results.begin(), rule.results.end(), in)", "true"),
            ("slices-of-parts-of-dimensions", "std::none_of(rule.operands.begin(), rule.operands.end(), part)", "true"),
            ("calls-with-effects-are-functions", 'ops::is_set(op.attributes, "has_side_effect")', "false"),
            ("rules-have-other-sizes", "rule.sizes[tensor[d][0]] != function.tensor(v).dims[d]", "false"),
        ],
    ),
    (
        "verify/validate/numbers_or_nan.cpp",
        [
            ("powers-of-nan-are-nan", "fn != ScalarFn::power", "true"),
            ("imaginary-parts-of-floats-are-nan", "fn != ScalarFn::imag", "true"),
            ("one-argument-decides-where-nan-is", "where = nan_sets_.unite(where, own->where);", "where = own->where;"),
            ("obligations-of-nan-hold-always", "path_.push_back(nan_conditions_.find(id)->otherwise);", "(void)id;"),
            ("nan-of-one-operand-of-a-selection", "all_of({opposite(p), in_b})", "Element::integer(0)"),
            ("cases-are-nan-where-all-are", "any_in(own, shared)", "Element::integer(0)"),
            ("infinities-are-numbers-or-nan", "if (e.is(Element::Kind::special)) return std::nullopt;", ""),
        ],
    ),
    (
        "verify/validate/element_signs.cpp",
        [
            ("signs-of-a-branch-stay", "if (is_within(path_, k.path))", "true"),
        ],
    ),
    (
        "verify/validate/cases.cpp",
        [
            ("cases-join-without-end", "joined_ && (*joined_ += pieces.size()) > kMostJoined", "false"),
            (
                "obligations-of-a-case-hold-always",
                "i.low > variables_[*v].low || i.high < variables_[*v].high",
                "false",
            ),
        ],
    ),
    (
        "verify/validate/signs_of_differences.cpp",
        [
            ("thresholds-in-any-precision", "a->second.precision != b->second.precision", "false"),
            (
                "scales-of-differences-are-lost",
                "return {root, scale, false};",
                "return {root, $M ? 1.0 : scale, false};",
            ),
            ("jumps-in-any-precision", "is_multiple(step, d)", "true"),
            ("any-value-at-equality", "if (is_multiple(at_zero, d))", "if ($M || is_multiple(at_zero, d))"),
            (
                "less-follows-from-less",
                "if (*k > 0 && not_negative)",
                "if ($M ? *k < 0 && not_negative : *k > 0 && not_negative)",
            ),
            ("opposites-follow-alike", "opposite ? signs.high <= 0 : signs.low >= 0", "signs.low >= 0"),
        ],
    ),
    (
        "verify/validate/extrema.cpp",
        [
            ("opposite-parts-are-alike", "return ray.turned ? sum(scaled, d, type) : scaled;", "return scaled;"),
            ("clamps-of-crossed-limits", "if (-*limit <= *known(low)) return low;", ";"),
        ],
    ),
    (
        "verify/validate/fourier.cpp",
        [
            ("roots-turn-one-way", "conjugate ? a_.apply(ScalarFn::negate, part_, part_, {sine}) : sine", "sine"),
            ("transforms-of-one-direction", "sums(given, -1, x.size() / 2 + 1)", "sums(given, 1, x.size() / 2 + 1)"),
        ],
    ),
    (
        "verify/validate/integer_parts.cpp",
        [
            ("quotients-of-negative-integers", "(!shifts || range->low < 0)", "(!shifts)"),
            (
                "shifts-truncate",
                "return division(a, power(*by), *range, true).quotient;\n    case ScalarFn::logical_and: {",
                "return division(a, power(*by), *range, $M ? false : true).quotient;\n    case ScalarFn::logical_and: {",
            ),
            (
                "any-mask-is-low-bits",
                "m != 0 && std::has_single_bit(m + 1)",
                "m != 0 && ($M || std::has_single_bit(m + 1))",
            ),
            ("bits-join-where-they-overlap", "range->high < (std::int64_t{1} << zeros)", "true"),
            (
                "remainders-are-any-integer",
                "bottoms_.try_emplace(rest, ring_.subtract(value, ring_.constant(r.low)));",
                "bottoms_.try_emplace(rest, $M ? value : ring_.subtract(value, ring_.constant(r.low)));",
            ),
        ],
    ),
    (
        "verify/validate/computations.cpp",
        [("any-fold-passes-its-flag", "return is_selection && passed", "return ($M || is_selection) && passed")],
    ),
    (
        "verify/validate/winners.cpp",
        [
            ("lists-of-some-ranks", "first == all", "true"),
            (
                "ranks-stand-for-their-list-twice",
                "!represented.emplace(top->second.list, top->second.rank).second",
                "($M ? false : !represented.emplace(top->second.list, top->second.rank).second)",
            ),
            ("opposite-ranks-keep-their-number", "turned ? last - rank : rank", "rank"),
            ("bounds-of-marks-are-ignored", "(bound && range->high > *bound)", "false"),
        ],
    ),
    (
        "verify/validate/roots.cpp",
        [
            ("roots-of-any-radicand", "if (square.of != other.of) continue;", "static_cast<void>(other.of);"),
            ("roots-of-one-summand", "if (f.root == g.root)", "true"),
            ("opposite-roots-are-squared", "if (square.inverse != other.inverse) return rest;", ";"),
            ("radicands-are-not-negative", "if (!shown && !takes_radicands_)", "false"),
            ("roots-scale-as-their-arguments", "std::ldexp(1.0, sign * k)", "std::ldexp(1.0, 2 * sign * k)"),
        ],
    ),
]

GROUPS = [
    ("entries", ENTRIES),
    ("meshes", MESH),
    ("propagation", PROPAGATION),
    ("lowering", LOWERING),
    ("certificates", CERTIFICATES),
    ("layouts", LAYOUTS),
    ("validation", VALIDATION),
    ("prover", PROVER),
    ("rules", RULES),
]
