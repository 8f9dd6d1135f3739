"""A baseline in the style of Alpa: an integer program over one strategy per operation, solved by HiGHS, axis by axis.

A strategy is an entry of the operation's registry, or the replicated operation. It costs the seconds of the operation,
divided by the axis size if the entry tiles. Between operations, conversions (all_gather, all_reduce, reduce_scatter,
all_to_all) cost the value's bytes at the bandwidth of the axis' link, and a donated argument has the layout of the
result that takes over its buffer. Memory is not a constraint, as in Alpa. The layouts chosen for arguments are then
applied as tactics by our engine, which decides everything else by propagation. Input: benchmarks/strategies.cpp.
"""

import json
import subprocess

import numpy as np
import scipy.sparse

WHOLE = None


def conversion(have, want, size, axis):
    """Seconds to convert a value from one layout to another; `size` is its bytes on each device when replicated."""
    if have == want or have is WHOLE:
        return 0.0  # slicing sends nothing
    n = axis["size"]
    share = size * (n - 1) / n / axis["bandwidth"]
    if isinstance(have, str):  # a pending reduction
        return axis["latency"] + (2 * share if want is WHOLE else share)
    return axis["latency"] + (share if want is WHOLE else share / n)


class Program:
    """Collects the columns, costs and equality constraints of an integer program with variables in [0, 1]."""

    def __init__(self):
        self.costs = []
        self.integral = []
        self.rows = []
        self.columns = []
        self.entries = []
        self.right = []

    def variable(self, cost=0.0, integral=True):
        self.costs.append(cost)
        self.integral.append(integral)
        return len(self.costs) - 1

    def equal(self, terms, right):
        for column, coefficient in terms:
            self.rows.append(len(self.right))
            self.columns.append(column)
            self.entries.append(coefficient)
        self.right.append(right)

    def solve(self, seconds):
        """Returns the values of the columns (None if none were found in time), and whether they are optimal."""
        import highspy

        matrix = scipy.sparse.csc_matrix(
            (self.entries, (self.rows, self.columns)), shape=(len(self.right), len(self.costs))
        )
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.costs), len(self.right)
        lp.col_cost_ = np.array(self.costs)
        lp.col_lower_, lp.col_upper_ = np.zeros(lp.num_col_), np.ones(lp.num_col_)
        lp.row_lower_ = lp.row_upper_ = np.array(self.right, dtype=float)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
        lp.integrality_ = [
            highspy.HighsVarType.kInteger if i else highspy.HighsVarType.kContinuous for i in self.integral
        ]
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("time_limit", float(seconds))
        solver.setOptionValue("threads", 2)
        solver.passModel(lp)
        solver.run()
        if solver.getInfo().primal_solution_status != 2:  # kSolutionStatusFeasible
            return None, False
        return solver.getSolution().col_value, solver.getModelStatus() == highspy.HighsModelStatus.kOptimal


def classes(layouts):
    """Groups strategies by layout: {layout: [columns]}."""
    out = {}
    for layout, column in layouts:
        out.setdefault(layout, []).append(column)
    return out


def one_axis(problem, dims, axis, seconds):
    """Returns (layout by value for one axis, whether it is optimal), given the local sizes; (None, False) if no
    solution was found in time."""
    n = axis["size"]
    program = Program()
    layouts = {}  # by value: [(layout, column)]

    def divides(value, layout):
        if not isinstance(layout, int):
            return True
        return problem["values"][value] is not None and dims[value][layout] % n == 0

    def bytes_of(value):
        info = problem["values"][value]
        whole = int(np.prod(info["dims"])) or 1
        return info["bytes"] * int(np.prod(dims[value])) / whole

    def join(have, want, value):
        """Adds a column for each pair of a layout of the value's producer and a layout of one of its readers."""
        if problem["values"][value] is None:
            return
        have, want = classes(have), classes(want)
        if len(have) == 1 and len(want) == 1:
            (h,), (w,) = have, want
            for column in have[h]:
                program.costs[column] += conversion(h, w, bytes_of(value), axis)
            return
        pairs = {
            (h, w): program.variable(conversion(h, w, bytes_of(value), axis), integral=False)
            for h in have
            for w in want
        }
        for h, columns in have.items():
            program.equal([(pairs[h, w], 1) for w in want] + [(c, -1) for c in columns], 0)
        for w, columns in want.items():
            program.equal([(pairs[h, w], 1) for h in have] + [(c, -1) for c in columns], 0)

    def free_layouts(value):
        info = problem["values"][value]
        options = [WHOLE, *(d for d in range(len(info["dims"])) if divides(value, d))] if info else [WHOLE]
        out = [(o, program.variable()) for o in options]
        program.equal([(c, 1) for _, c in out], 1)
        return out

    for v in problem["arguments"]:
        layouts[v] = free_layouts(v)
    needs = []
    for op in problem["operations"]:
        strategies = [([WHOLE] * len(op["reads"]), [WHOLE] * len(op["defines"]), op["seconds"])]
        for operands, results in op["entries"]:
            sides = [*zip(op["reads"], operands, strict=True), *zip(op["defines"], results, strict=True)]
            if all(divides(v, a) for v, a in sides):
                tiles = any(isinstance(a, int) for _, a in sides)
                strategies.append((operands, results, op["seconds"] / n if tiles else op["seconds"]))
        columns = [program.variable(s[2]) for s in strategies]
        program.equal([(c, 1) for c in columns], 1)
        for k, v in enumerate(op["reads"]):
            needs.append((v, [(s[0][k], c) for s, c in zip(strategies, columns, strict=True)]))
        for k, v in enumerate(op["defines"]):
            layouts.setdefault(v, [(s[1][k], c) for s, c in zip(strategies, columns, strict=True)])
    for v, want in needs:
        if v in layouts:
            join(layouts[v], want, v)
    ends = dict((result, argument) for argument, result in problem["donated"])
    for v in problem["results"]:
        if v in layouts:
            join(layouts[v], layouts[ends[v]] if v in ends else free_layouts(v), v)
    found, optimal = program.solve(seconds)
    if found is None:
        return None, False
    return {v: next(layout for layout, c in columns if found[c] > 0.5) for v, columns in layouts.items()}, optimal


def tactics(strategies, program, mesh, device, seconds):
    """Returns (tactics that the integer programs choose, whether all were solved to optimality); (None, False) if one
    of them found nothing in time."""
    got = subprocess.run([strategies, program, mesh, device], capture_output=True, text=True, check=True)
    problem = json.loads(got.stdout)
    dims = [list(v["dims"]) if v else [] for v in problem["values"]]
    out, solved = [], True
    for axis in sorted(problem["axes"], key=lambda a: -a["size"]):
        chosen, optimal = one_axis(problem, dims, axis, seconds / len(problem["axes"]))
        if chosen is None:
            return None, False
        solved = solved and optimal
        arguments = zip(problem["names"], problem["arguments"], strict=True)
        inputs = {n: chosen[v] for n, v in arguments if chosen[v] is not WHOLE}
        for v, layout in chosen.items():
            if isinstance(layout, int):
                dims[v][layout] //= axis["size"]
        out.append({"name": f"ILP {axis['name']}", "axis": axis["name"], "inputs": inputs})
    return out, solved
