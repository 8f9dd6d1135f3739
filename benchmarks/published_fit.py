"""Fits one constant per device, and one per device and further software, on published steps.

The constant of a device ("sustained") is the fraction of the speed of isolated matrix products that products within a
step reach. Rows of other software on the device are fitted a share of it. The rows are those marked "fit" (every other
row of published_steps.csv, all of calibration_steps.csv). Each constant is the median of the values that the rows need
one by one, which minimises the mean of |log(simulated / measured)|. Nothing else is fitted, and nothing on held-out
rows.

    python3 benchmarks/published_fit.py build/partir devices simulate/software OUT_FOLDER --keep FOLDER
                                        [--without-source TEXT]

--keep is a folder of the programs that published_steps.py --keep wrote, one subfolder per CSV file. Device and software
files are written to OUT_FOLDER. Shares are between 0.5 and 1.6, "sustained" is at most 1.
"""

import argparse
import functools
import json
import math
import pathlib
import statistics

import published_steps


def fit_rows(partir, keep, without):
    here = pathlib.Path(__file__).parent
    for name in ("published_steps", "calibration_steps"):
        rows, _ = published_steps.chosen(here / f"{name}.csv")
        for number, row in enumerate(rows):
            if name == "published_steps" and number % 2:
                continue
            if without and without in row.source:
                continue
            folder = keep / name / str(number)
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / "spmd.mlir").exists():
                published_steps.partitioned(partir, row, folder)
            yield row, folder


def scaled(device, factor):
    out = json.loads(json.dumps(device))
    out["matrix"]["sustained"] = round(min(1, factor), 3)
    out["sources"]["matrix.sustained"] = "fitted"
    return out


def needed(error):
    """Returns the factor between 0.5 and 1.6 at which the decreasing function log(simulated / measured) is 0, to 0.2
    %."""
    low, high = 0.5, 1.6
    for _ in range(9):
        middle = (low + high) / 2
        low, high = (middle, high) if error(middle) > 0 else (low, middle)
    return (low + high) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("partir")
    parser.add_argument("devices")
    parser.add_argument("software")
    parser.add_argument("out")
    parser.add_argument("--keep", required=True)
    parser.add_argument("--without-source", default="")
    options = parser.parse_args()
    partir = str(pathlib.Path(options.partir).resolve())
    out = pathlib.Path(options.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    rows = list(fit_rows(partir, pathlib.Path(options.keep).resolve(), options.without_source))
    software = {}
    for file in sorted(pathlib.Path(options.software).glob("*.software.json")):
        software[file.name.split(".")[0]] = json.loads(file.read_text())
        (out / file.name).write_text(file.read_text())

    def error(row, folder):
        _, seconds = published_steps.step_of(partir, row, folder, out, out)
        return math.log(seconds / row.seconds)

    def median(rows, write):
        """Returns the median of the factors that the rows need, set by `write`, and the mean error with the median."""

        def one(row, folder):
            def with_factor(factor):
                write(factor)
                return error(row, folder)

            return needed(with_factor)

        factor = statistics.median(one(*row) for row in rows)
        write(factor)
        return factor, 100 * statistics.mean(abs(error(*row)) for row in rows)

    def write_sustained(file, device, factor):
        (out / file.name).write_text(json.dumps(scaled(device, factor)))

    def write_share(name, device, share):
        software[name].setdefault("products", {})[device["name"]] = round(share, 3)
        software[name]["sources"][f"products.{device['name']}"] = "fitted"
        (out / f"{name}.software.json").write_text(json.dumps(software[name]))

    for file in sorted(pathlib.Path(options.devices).glob("*.json")):
        device = json.loads(file.read_text())
        (out / file.name).write_text(json.dumps(device))
        names = [row.software for row, _ in rows if row.device == device["name"]]
        if not names:
            continue
        # The constant of the device is that of one software, the others get a share of it.
        first = "llm_foundry" if "llm_foundry" in names else names[0]
        mine = [(row, folder) for row, folder in rows if row.device == device["name"] and row.software == first]
        factor, left = median(mine, functools.partial(write_sustained, file, device))
        print(
            f"{device['name']:<10}{first:<14}{len(mine):>4} rows  sustained {factor:.3f}       mean error {left:.1f} %",
            flush=True,
        )
        for other in sorted(set(names) - {first}):
            theirs = [(row, folder) for row, folder in rows if row.device == device["name"] and row.software == other]
            share, left = median(theirs, functools.partial(write_share, other, device))
            print(
                f"{device['name']:<10}{other:<14}{len(theirs):>4} rows  share of that {share:.3f}   "
                f"mean error {left:.1f} %",
                flush=True,
            )


if __name__ == "__main__":
    main()
