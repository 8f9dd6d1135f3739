"""Opens reports in Chromium without network, at the widths of a phone and of a desktop. Says "skipped" (77) without
Chromium.

They must draw, show the figures of the JSON, run without script errors, not scroll sideways, and stay small.

    python3 tests/report_test.py build/partir EXAMPLES [CORPUS]
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# BEFORE precedes all scripts and counts errors; AFTER follows them and reports what was drawn.
BEFORE = """<script>window.wrong = [];
window.addEventListener('error', (e) => wrong.push(String(e.message)));
const logged = console.error; console.error = (...a) => { wrong.push(a.join(' ')); logged(...a); };
</script>"""
AFTER = """<script>
const drawn = [...document.querySelectorAll('canvas')].filter((c) => Chart.getChart(c) && c.width > 0 && c.height > 0 &&
  c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v !== 0)).length;
const select = document.querySelector('#arrays select');
let arrays = 0;
if (select) for (const option of [...select.options].slice(0, 40)) {
  select.value = option.value;
  select.dispatchEvent(new Event('change'));
  arrays += document.querySelectorAll('#tiles .cell').length > 0;
}
const found = {wrong: window.wrong, canvases: document.querySelectorAll('canvas').length, drawn: drawn, arrays: arrays,
  options: select ? Math.min(40, select.options.length) : 0, width: window.innerWidth,
  sideways: document.documentElement.scrollWidth - window.innerWidth,
  outside: performance.getEntriesByType('resource').length,
  figures: Object.fromEntries(
    [...document.querySelectorAll('[data-figure]')].map((e) => [e.dataset.figure, e.textContent])),
  sections: [...document.querySelectorAll('section')].map((s) => s.id)};
window.parent.postMessage(found, '*');
</script>"""
# The frame has the requested width; the browser's own window has a minimum.
FRAME = """<body style="margin: 0"><iframe src="{page}" style="width: {width}px; height: 900px; border: 0"></iframe>
<script>
window.addEventListener('message', (e) => {{
  const out = document.createElement('pre');
  out.id = 'found';
  out.textContent = JSON.stringify(e.data);
  document.body.append(out);
}});
</script></body>"""


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


def opened(browser, page, width, folder):
    text = pathlib.Path(page).read_text()
    copy = pathlib.Path(folder) / f"opened_{width}.html"
    copy.write_text(text.replace("<head>", "<head>" + BEFORE, 1).replace("</body>", AFTER + "</body>"))
    frame = pathlib.Path(folder) / "frame.html"
    frame.write_text(FRAME.format(page=copy.name, width=width))
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-dev-shm-usage",
            f"--user-data-dir={folder}/profile",
            "--window-size=1400,900",
            "--virtual-time-budget=5000",
            "--dump-dom",
            frame.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    assert found, f"the page did not finish: {done.stdout[-400:]} {done.stderr[-400:]}"
    return json.loads(html.unescape(found.group(1)))


def seconds(s):
    scale, unit = (1, "s") if s >= 1 else (1e3, "ms") if s >= 1e-3 else (1e6, "us")
    return float(f"{s * scale:.3g}"), unit


def check(found, figures, width, canvases, what):
    where = f"{what} at {width}: {found}"
    assert found["wrong"] == [], where
    assert found["drawn"] == found["canvases"] == canvases, where
    assert found["arrays"] == found["options"] > 0, where
    assert found["width"] == width and found["sideways"] <= 0, where
    assert found["outside"] == 0, where
    number, unit = found["figures"]["step"].split()
    assert (float(number), unit) == seconds(figures["seconds"]["overlapped"]), where
    number = found["figures"]["mfu"].split()[0]
    wanted = figures["utilization"]["model"]
    assert number == f"{100 * (figures['utilization']['hardware'] if wanted is None else wanted):.1f}", where
    peak, unit = found["figures"]["peak"].split()
    power = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[unit]
    assert abs(float(peak) * power / figures["memory"]["peak"] - 1) < 0.006, where


def main():
    partir, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    corpus = pathlib.Path(sys.argv[3]) / "corpus" if len(sys.argv) > 3 else None
    browser = chromium()
    if browser is None:
        print("skipped: no chromium")
        sys.exit(77)
    cases = [
        ("transformer_train", examples / "transformer_train.mlir", examples / "schedules" / "transformer_bp_mp.json")
    ]
    with tempfile.TemporaryDirectory() as folder:
        if corpus and (corpus / "t32_train.mlir").exists():
            schedule = json.loads((corpus / "schedules" / "t_bp_mp_z2.json").read_text())
            schedule["tactics"].append({"name": "EMB", "axis": "model", "inputs": {"params/embed": 1}})
            four = pathlib.Path(folder) / "four.json"
            four.write_text(json.dumps(schedule))
            cases.append(("t32_train", corpus / "t32_train.mlir", four))
        for name, program, schedule in cases:
            report, out, figures = (f"{folder}/{name}{end}" for end in (".html", "_spmd.mlir", ".figures"))
            subprocess.run(
                [
                    partir,
                    "partition",
                    program,
                    "--mesh",
                    "batch=4,model=2",
                    "--schedule",
                    schedule,
                    "--device",
                    "a100",
                    "--report",
                    report,
                    "--json",
                    figures,
                    "-o",
                    out,
                    "--no-check",
                ],
                check=True,
                capture_output=True,
            )
            assert os.path.getsize(report) < 5e6, os.path.getsize(report)
            wanted = json.loads(pathlib.Path(figures).read_text())["tactics"][-1]["simulation"]
            for width in (390, 1280):
                check(opened(browser, report, width, folder), wanted, width, 6, name)
        both = f"{folder}/both.html"
        subprocess.run(
            [
                partir,
                "simulate",
                out,
                f"{folder}/transformer_train_spmd.mlir",
                "--device",
                "h100",
                "--report",
                both,
                "--json",
                figures,
            ],
            check=True,
            capture_output=True,
        )
        wanted = json.loads(pathlib.Path(figures).read_text())["programs"][-1]
        check(opened(browser, both, 1280, folder), wanted, 1280, 5, "two programs")
    print(f"{len(cases) + 1} reports hold")


if __name__ == "__main__":
    main()
