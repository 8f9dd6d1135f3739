"""Measures how good the fitted constants are on rows that they were not fitted on, over all four CSV files.

    python3 benchmarks/published_leave_out.py build/partir devices simulate/software --keep FOLDER

leave one device out   its "sustained" is the median of the other devices', and its software's shares are 1
leave one source out   its device's constants are fitted on the rows marked "fit" of other sources; if none of these are
                       on that device, as above

--keep as for published_fit.py. Prints the number of rows, mean and worst error of what was left out.
"""

import argparse
import json
import math
import pathlib
import statistics
import tempfile

import published_fit
import published_steps

FILES = ("published_steps", "calibration_steps", "held_out_steps", "held_out_sweeps_steps")


def all_rows(keep):
    here = pathlib.Path(__file__).parent
    for name in FILES:
        rows, _ = published_steps.chosen(here / f"{name}.csv")
        for number, row in enumerate(rows):
            row.fit = name == "calibration_steps" or (name == "published_steps" and number % 2 == 0)
            yield row, keep / name / str(number)


class Trial:
    """Simulates rows with device and software files in which the constants are replaced."""

    def __init__(self, partir, devices, software, folder):
        self.partir, self.folder = partir, pathlib.Path(folder)
        self.devices = {f.stem: json.loads(f.read_text()) for f in pathlib.Path(devices).glob("*.json")}
        self.software = {
            f.name.split(".")[0]: json.loads(f.read_text()) for f in pathlib.Path(software).glob("*.software.json")
        }

    def error(self, row, program, sustained, share):
        device = json.loads(json.dumps(self.devices[row.device]))
        device["matrix"]["sustained"] = round(min(1, sustained), 4)
        (self.folder / f"{row.device}.json").write_text(json.dumps(device))
        software = json.loads(json.dumps(self.software[row.software]))
        software["products"] = {row.device: share}
        software["sources"][f"products.{row.device}"] = "left out"
        (self.folder / f"{row.software}.software.json").write_text(json.dumps(software))
        _, seconds = published_steps.step_of(self.partir, row, program, self.folder, self.folder)
        return seconds / row.seconds - 1

    def median_of_others(self, device):
        return statistics.median(
            d["matrix"]["sustained"]
            for name, d in self.devices.items()
            if name != device and d["sources"]["matrix.sustained"].startswith("fitted")
        )


def line(title, errors):
    errors = [abs(e) for e in errors]
    print(f"{title:<64}{len(errors):>5}{100 * statistics.mean(errors):>8.1f} %{100 * max(errors):>8.1f} %", flush=True)
    return errors


def source_of(row):
    """Returns the publication of a row; several tables of one repository count as one publication."""
    return row.source.split(" ")[0] + (" " + row.device if row.source.startswith(("same", "Megatron-LM")) else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("partir")
    parser.add_argument("devices")
    parser.add_argument("software")
    parser.add_argument("--keep", required=True)
    options = parser.parse_args()
    partir = str(pathlib.Path(options.partir).resolve())
    rows = list(all_rows(pathlib.Path(options.keep).resolve()))
    with tempfile.TemporaryDirectory() as temporary:
        trial = Trial(partir, options.devices, options.software, temporary)

        def needed_share(row, program):
            return published_fit.needed(lambda share: math.log1p(trial.error(row, program, 1, share)))

        print(f"{'left out':<64}{'rows':>5}{'mean':>10}{'worst':>10}")
        every = []
        for device in sorted({row.device for row, _ in rows}):
            sustained = trial.median_of_others(device)
            every += line(
                f"device {device}, sustained {sustained:.3f}",
                [trial.error(row, program, sustained, 1) for row, program in rows if row.device == device],
            )
        line("every device", every)
        every = []
        for source in sorted({source_of(row) for row, _ in rows}):
            errors = []
            for device, software in sorted({(row.device, row.software) for row, _ in rows if source_of(row) == source}):
                rest = [
                    (row, program)
                    for row, program in rows
                    if row.fit and row.device == device and row.software == software and source_of(row) != source
                ]
                # One constant in place of both: the speed that this software sustains on this device.
                shares = [needed_share(row, program) for row, program in rest]
                share = statistics.median(shares) if rest else trial.median_of_others(device)
                errors += [
                    trial.error(row, program, 1, share)
                    for row, program in rows
                    if source_of(row) == source and row.device == device and row.software == software
                ]
            every += line(f"source {source}", errors)
        line("every source", every)


if __name__ == "__main__":
    main()
