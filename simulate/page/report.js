'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  // Compared programs are in the order of their ranking everywhere.
  const rank = (p) => (data.ranking && !data.partition ? data.ranking.indexOf(p.name) : 0);
  const programs = (data.programs || []).slice().sort((a, b) => rank(a) - rank(b));
  const partition = data.partition || null;
  // The program that the figures at the top describe: after the last tactic, or the best of those compared.
  const shown = partition || !data.ranking ? programs.length - 1 : 0;
  const last = programs[shown] || null;
  const colours = ['#2457c5', '#e07b00', '#2a9d57', '#b5307c', '#7a5cd0', '#00898f', '#8a6d3b', '#c23b32', '#58708a', '#9bb000'];
  const axisColours = ['#00898f', '#8a6d3b', '#6b8e23', '#a0522d', '#5f9ea0'];  // none of them has another meaning
  const kinds = ['parameters', 'optimizer_state', 'gradients', 'activations', 'inputs'];
  // A colour represents the same thing in every chart and report.
  const meanings = {
    parameters: 0, optimizer_state: 1, gradients: 2, activations: 3, inputs: 4,
    arithmetic: 0, 'memory traffic': 1, 'kernel launches': 8, communication: 7,
    all_gather: 0, all_reduce: 7, reduce_scatter: 1, all_to_all: 2, collective_permute: 4,
  };
  const axisNames = [...new Set((partition ? partition.mesh.map((a) => a[0]) : []).concat(programs.flatMap((p) => p.mesh.map((a) => a.axis))))];
  // The colour of a series such as "all_gather batch": that of the kind, lighter for later axes of the mesh.
  function colourOf(name) {
    if (axisNames.includes(name)) return axisColours[axisNames.indexOf(name) % axisColours.length];
    const kind = Object.keys(meanings).find((k) => name === k || name.startsWith(k + ' '));
    if (kind === undefined) return colours[9];
    const axis = axisNames.findIndex((a) => name.endsWith(' ' + a));
    const several = name.slice(kind.length).trim().split(' ').length > 1;
    return colours[meanings[kind]] + ['ff', 'b0', '78', '50'][several ? 3 : Math.min(Math.max(axis, 0), 2)];
  }
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  Chart.defaults.color = css('--soft');
  Chart.defaults.borderColor = css('--line');
  const plain = (text) => text.replace(/_/g, ' ');

  // --- Words and numbers ---------------------------------------------------------------------------------------------
  function significant(value) {
    if (value === 0) return '0';
    const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
    return value.toFixed(Math.min(digits, 6)).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  }
  function seconds(s) {
    if (s >= 1) return significant(s) + ' s';
    if (s >= 1e-3) return significant(s * 1e3) + ' ms';
    return significant(s * 1e6) + ' us';
  }
  function scaled(value, unit) {
    const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
    let p = 0;
    while (value >= 999.5 && p + 1 < prefixes.length) { value /= 1000; p++; }
    return significant(value) + ' ' + prefixes[p] + unit;
  }
  const bytes = (b) => scaled(b, 'B');
  const percent = (x) => (x === null || x === undefined ? 'unknown' : (100 * x).toFixed(1) + ' %');

  // --- Elements ------------------------------------------------------------------------------------------------------
  function element(tag, attributes, ...children) {
    const out = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === 'text') out.textContent = value; else out.setAttribute(key, value);
    }
    for (const child of children) out.append(child);
    return out;
  }
  function section(id, title, hint) {
    const out = element('section', { id: id }, element('h2', { text: title }));
    if (hint) out.append(element('p', { class: 'hint', text: hint }));
    page.append(out);
    return out;
  }
  // Returns the sort key of a cell: "12.5 ms" in seconds, "3 GB" in bytes; other text as it is.
  function sortKey(text) {
    const found = /^(-?[\d.]+) ?(us|ms|s|%|(?:[kMGTPE])?(?:B|FLOP|FLOPs)?)$/.exec(text.trim());
    if (!found) return text;
    const unit = found[2];
    const factor = unit === 'us' ? 1e-6 : unit === 'ms' ? 1e-3 : 1000 ** ['', 'k', 'M', 'G', 'T', 'P', 'E'].indexOf(/^[kMGTPE]/.test(unit) ? unit[0] : '');
    return Number(found[1]) * factor;
  }
  function sortable(cell, title, column, body) {
    const button = element('button', { type: 'button', text: title });
    button.addEventListener('click', () => {
      const down = cell.getAttribute('aria-sort') === 'ascending';
      for (const other of cell.parentNode.children) other.removeAttribute('aria-sort');
      cell.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...body.children].map((row) => [sortKey(row.children[column].textContent), row]);
      rows.sort(([a], [b]) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))) * (down ? -1 : 1));
      body.append(...rows.map(([, row]) => row));
    });
    cell.append(button);
    return cell;
  }
  // columns: [title, function from row to text or element, class]
  function table(columns, rows) {
    const body = element('tbody', {});
    const head = element('tr', {}, ...columns.map((c, i) => sortable(element('th', { class: c[2] || '' }), c[0], i, body)));
    for (const row of rows) {
      const line = element('tr', {});
      for (const c of columns) {
        const value = c[1](row);
        const cell = element('td', { class: [c[2] || '', c[3] && c[3](row) ? 'over' : ''].join(' ').trim() });
        if (value instanceof Node) cell.append(value); else cell.textContent = value;
        line.append(cell);
      }
      body.append(line);
    }
    return element('div', { class: 'scroll', tabindex: '0' }, element('table', {}, element('thead', {}, head), body));
  }
  function chart(parent, label, config) {
    const canvas = element('canvas', { role: 'img', 'aria-label': label });
    parent.append(element('div', { class: 'chart' }, canvas));
    config.options = Object.assign({ responsive: true, maintainAspectRatio: false, animation: false }, config.options);
    config.options.plugins = Object.assign({ title: { display: true, text: label }, legend: { position: 'bottom', labels: { boxWidth: 12 } } }, config.options.plugins);
    return new Chart(canvas, config);
  }
  // limit: for each name the value of a dashed line, red if the bar exceeds it.
  function stacked(parent, label, names, series, format, limit) {
    const datasets = series.filter((s) => s.values.some((v) => v > 0))
      .map((s) => ({ label: plain(s.name), data: s.values, backgroundColor: colourOf(s.name) }));
    const over = names.map((_, i) => limit && series.reduce((n, s) => n + s.values[i], 0) > limit[i]);
    if (limit) datasets.push(Object.assign(limitLine(limit, over), { showLine: false }));
    return chart(parent, label, {
      type: 'bar',
      plugins: limit ? [acrossBars(limit, over)] : [],
      data: { labels: names, datasets: datasets },
      options: {
        scales: { x: { stacked: true }, y: { stacked: true, ticks: { callback: (v) => format(v) } } },
        plugins: { tooltip: { callbacks: { label: (item) => item.dataset.label + ': ' + format(item.raw) } } },
      },
    });
  }

  // Draws the limit of each bar over all of the bar's share of the width.
  function acrossBars(values, over) {
    return { id: 'limit', afterDatasetsDraw: (drawn) => {
      const c = drawn.ctx, x = drawn.scales.x, y = drawn.scales.y, half = x.width / values.length / 2;
      c.save();
      c.strokeStyle = css('--over');
      c.setLineDash([6, 4]);
      values.forEach((v, i) => {
        c.lineWidth = over[i] ? 2 : 1;
        c.beginPath();
        c.moveTo(x.getPixelForValue(i) - half, y.getPixelForValue(v));
        c.lineTo(x.getPixelForValue(i) + half, y.getPixelForValue(v));
        c.stroke();
      });
      c.restore();
    } };
  }

  // Drawn in front of the bars. Callers pass it only if it is near the data: far above, it would flatten the bars.
  function limitLine(values, over) {
    return { type: 'line', label: 'capacity', data: values, borderColor: css('--over'), borderDash: [6, 4], borderWidth: over.some((o) => o) ? 2 : 1,
      pointRadius: 0, fill: false, stack: 'capacity', order: -1, backgroundColor: 'transparent' };
  }

  // --- Head ----------------------------------------------------------------------------------------------------------
  function head() {
    const mesh = last ? last.mesh.map((a) => a.axis + '=' + a.size + (a.link ? ' on ' + a.link : '')).join(', ')
      : partition.mesh.map((a) => a[0] + '=' + a[1]).join(', ');
    const count = last ? last.mesh.reduce((n, a) => n * a.size, 1) : partition.devices;
    page.append(element('h1', { text: document.title }));
    page.append(element('p', { class: 'lead', text: count + (data.device ? ' x ' + data.device : ' devices') + ', mesh ' + mesh }));
    if (partition) {
      const verdict = partition.check.verdict;
      const tone = verdict === 'proved' || verdict === 'passed' ? 'good' : verdict === 'refuted' ? 'bad' : 'mid';
      const line = element('p', { id: 'verdict' }, 'Check: ', element('span', { class: 'badge ' + tone, text: verdict }),
        ' for ' + partition.check.scope + (partition.check.reason ? ' (' + partition.check.reason + ')' : ''));
      page.append(line);
    }
    if (!last) return;
    const tiles = element('div', { class: 'tiles', id: 'figures' });
    const tile = (figure, value, text, over) => tiles.append(element('div', { class: 'tile' }, element('b', { class: over ? 'over' : '', 'data-figure': figure, text: value }), element('span', { text: text })));
    tile('step', seconds(last.seconds.overlapped), 'a step' + (programs.length > 1 ? ' of ' + last.name : '') + ', ' + seconds(last.seconds.sequential) + ' without overlap');
    tile('mfu', percent(last.utilization.model === null ? last.utilization.hardware : last.utilization.model), last.utilization.model === null ? 'of the matrix peak used' : 'model-FLOPs utilisation');
    tile('exposed', seconds(last.seconds.exposed_communication), 'of ' + seconds(last.seconds.communication) + ' communication not hidden');
    tile('peak', bytes(last.memory.peak), 'peak memory of ' + bytes(last.memory.device) + (last.memory.fits ? '' : ': does not fit'), !last.memory.fits);
    page.append(tiles);
  }

  function schedule() {
    if (!data.schedule) return;
    const s = section('schedule', 'Schedule', 'Tactics in their order; a later one never undoes an earlier one.');
    const requests = (t) => {
      const list = element('div', {});
      for (const side of ['inputs', 'values', 'results']) {
        for (const [pattern, value] of Object.entries(t[side] || {}))
          list.append(element('div', {}, element('code', { text: (side === 'inputs' ? '' : side === 'results' ? 'result ' : 'value ') + pattern + ': ' + value })));
      }
      return list;
    };
    s.append(table([['tactic', (t) => t.name], ['axis', (t) => t.axis], ['asks for', requests]], data.schedule.tactics || []));
  }

  // --- Costs ---------------------------------------------------------------------------------------------------------
  function costs() {
    if (!last) return;
    const s = section('costs', partition ? 'What each tactic buys' : 'Programs side by side',
      'Of one device and one step. Communication is what kernels wait for; hidden communication runs beside them.');
    const charts = element('div', { class: 'charts' });
    s.append(charts);
    const names = programs.map((p) => p.name);
    stacked(charts, 'Time of a step', names, [
      { name: 'arithmetic', values: programs.map((p) => p.seconds.compute) },
      { name: 'memory traffic', values: programs.map((p) => p.seconds.memory) },
      { name: 'kernel launches', values: programs.map((p) => p.seconds.launch) },
      { name: 'communication', values: programs.map((p) => p.seconds.exposed_communication) }], seconds);
    stacked(charts, 'Peak memory', names, kinds.map((k) => ({ name: k, values: programs.map((p) => p.memory.by_kind[k]) })), bytes,
      programs.some((p) => p.memory.peak > p.memory.device / 3) ? programs.map((p) => p.memory.device) : null);
    const pairs = [...new Set(programs.flatMap((p) => Object.keys(p.collective_seconds)))];
    if (pairs.length > 0) {
      stacked(charts, 'Collectives by kind and axis, seconds without overlap', names,
        pairs.map((k) => ({ name: k, values: programs.map((p) => p.collective_seconds[k] || 0) })), seconds);
      const axes = [...new Set(programs.flatMap((p) => Object.keys(p.axis_bytes)))];
      stacked(charts, 'Bytes that a device sends along each axis', names,
        axes.map((a) => ({ name: a, values: programs.map((p) => p.axis_bytes[a] || 0) })), bytes);
    }
    s.append(table([
      [partition ? 'after' : 'program', (p) => p.name],
      ['step', (p) => seconds(p.seconds.overlapped), 'n'], ['no overlap', (p) => seconds(p.seconds.sequential), 'n'],
      ['arithmetic', (p) => seconds(p.seconds.compute), 'n'], ['memory', (p) => seconds(p.seconds.memory), 'n'],
      ['communication', (p) => seconds(p.seconds.communication), 'n'], ['exposed', (p) => seconds(p.seconds.exposed_communication), 'n'],
      ['peak memory', (p) => bytes(p.memory.peak), 'n', (p) => !p.memory.fits], ['fits', (p) => (p.memory.fits ? 'yes' : 'no'), '', (p) => !p.memory.fits],
      ['MFU', (p) => percent(p.utilization.model === null ? p.utilization.hardware : p.utilization.model), 'n']], programs));
    if (data.ranking && data.ranking.length > 1) s.append(element('p', { class: 'hint', id: 'ranking', text: 'Fastest first, what fits before what does not: ' + data.ranking.join(', ') }));
  }

  function counts() {
    if (!partition || partition.tactics.length === 0) return;
    const s = section('counts', 'Collectives after each tactic', 'Operations of the whole program, lowered and optimised after the tactic.');
    const names = Object.keys(partition.tactics[0].collectives);
    const charts = element('div', { class: 'charts' });
    s.append(charts);
    stacked(charts, 'Collectives by kind', partition.tactics.map((t) => t.name),
      names.map((k) => ({ name: k, values: partition.tactics.map((t) => t.collectives[k]) })), (v) => String(v));
    s.append(table([['after', (t) => t.name], ...names.map((k) => [plain(k), (t) => String(t.collectives[k]), 'n'])], partition.tactics));
  }

  // --- Memory --------------------------------------------------------------------------------------------------------
  function memory() {
    if (!last) return;
    const s = section('memory', 'Memory over the step', 'In the order of the operations; at the right, what is live at the peak.');
    const select = element('select', { 'aria-label': 'program' }, ...programs.map((p, i) => element('option', { value: i, text: p.name })));
    select.value = String(shown);
    if (programs.length > 1) s.append(element('label', {}, (partition ? 'After ' : 'Program '), select));
    const charts = element('div', { class: 'charts' });
    s.append(charts);
    let drawn = null;
    function draw() {
      if (drawn) drawn.destroy();
      charts.textContent = '';
      const p = programs[Number(select.value)];
      drawn = chart(charts, 'Live bytes', {
        type: 'line',
        data: {
          datasets: kinds.map((k, i) => ({
            label: plain(k), data: p.timeline.map((m) => ({ x: m[0], y: m[i + 1] })), pointRadius: 0, borderWidth: 1,
            backgroundColor: colours[i], borderColor: colours[i], stepped: true,
          })).filter((d) => d.data.some((m) => m.y > 0)).map((d, i) => Object.assign(d, { fill: i === 0 ? 'origin' : '-1' })).concat(p.memory.peak > p.memory.device / 3 && p.timeline.length > 0
            ? [limitLine([p.timeline[0][0], p.timeline[p.timeline.length - 1][0]].map((x) => ({ x: x, y: p.memory.device })), [!p.memory.fits])] : []),
        },
        options: {
          parsing: false, interaction: { mode: 'index', intersect: false },
          // The last tick is that of the data's end, which may stand on the one before it.
          scales: { x: { type: 'linear', bounds: 'data', afterBuildTicks: (axis) => {
            const t = axis.ticks.map((tick) => tick.value);
            if (t.length > 2 && t[t.length - 1] - t[t.length - 2] < (t[1] - t[0]) / 2) axis.ticks.pop();
          }, ticks: { includeBounds: false, callback: (v) => seconds(v), maxTicksLimit: 5 } }, y: { stacked: true, beginAtZero: true, ticks: { callback: (v) => bytes(v) } } },
          plugins: { tooltip: { callbacks: { title: (items) => seconds(items[0].raw.x), label: (item) => item.dataset.label + ': ' + bytes(item.raw.y) } } },
        },
      });
      const live = table([['live at the peak', (b) => b.name], ['kind', (b) => plain(b.kind)], ['type', (b) => element('code', { text: b.type }), 't'], ['size', (b) => bytes(b.bytes), 'n']], p.memory.live.slice(0, 12));
      live.prepend(element('p', { class: 'hint', text: 'Peak ' + bytes(p.memory.peak) + ' at ' + seconds(p.memory.peak_at_seconds) + '; ' + p.memory.live_buffers + ' buffers, the largest:' }));
      charts.append(live);
    }
    select.addEventListener('change', draw);
    draw();
  }

  // Device ids in short form: "0-7", "0,8,16…504", "3".
  function ranges(ids) {
    if (ids.length < 3) return ids.join(',');
    const step = ids[1] - ids[0];
    const even = ids.every((id, i) => id === ids[0] + i * step);
    if (even && step === 1) return ids[0] + '-' + ids[ids.length - 1];
    if (ids.length <= 4) return ids.join(',');
    return ids.slice(0, even ? 2 : 3).join(',') + '…' + ids[ids.length - 1];
  }

  // --- Arrays as tiles -----------------------------------------------------------------------------------------------
  function arrays() {
    const withArrays = data.arrays ? [{ name: '', arrays: data.arrays, mesh: partition.mesh.map((a) => ({ axis: a[0], size: a[1] })) }]
      : programs.filter((p) => p.arrays);
    if (withArrays.length === 0) return;
    const s = section('arrays', 'Arrays on the mesh', 'Each tile with the devices that hold it; colours tell tiles apart.');
    const filter = element('input', { type: 'search', placeholder: 'filter names', 'aria-label': 'filter names' });
    const select = element('select', { 'aria-label': 'array' });
    const picture = element('div', { id: 'tiles' });
    s.append(element('p', {}, filter, ' ', select), picture);
    const all = withArrays.flatMap((p) => p.arrays.map((a) => ({ array: a, mesh: p.mesh, program: p.name })));
    function fill() {
      select.textContent = '';
      all.forEach((entry, i) => {
        const name = (entry.program && withArrays.length > 1 ? entry.program + ': ' : '') + entry.array.role + ' ' + entry.array.name;
        if (name.includes(filter.value)) select.append(element('option', { value: i, text: name }));
      });
    }
    function draw() {
      picture.textContent = '';
      const entry = all[Number(select.value)];
      if (!entry) return;
      const { array, mesh } = entry;
      const size = Object.fromEntries(mesh.map((a) => [a.axis, a.size]));
      const devices = mesh.reduce((n, a) => n * a.size, 1);
      const parts = array.axes.map((axes) => axes.reduce((n, a) => n * size[a], 1));
      const local = array.shape.map((d, i) => d / parts[i]);
      picture.append(element('p', {}, element('code', { text: array.element + '[' + array.shape.join(', ') + ']  ' + array.type }),
        ', each device holds ', element('code', { text: '[' + local.join(', ') + ']' })));
      // The last tiled dimension makes the columns (a single one only if it is the array's last), the others the rows.
      const tiled = parts.map((n, i) => i).filter((i) => parts[i] > 1);
      const across = tiled.length > 1 || (tiled.length === 1 && tiled[0] === parts.length - 1);
      const column = across ? tiled[tiled.length - 1] : null;
      const rows = tiled.filter((i) => i !== column);
      const columns = column === null ? 1 : parts[column];
      const rowCount = rows.reduce((n, i) => n * parts[i], 1);
      const holders = new Map();
      for (let d = 0; d < devices; d++) {
        let rest = d;
        const coordinate = {};
        for (let k = mesh.length - 1; k >= 0; k--) { coordinate[mesh[k].axis] = rest % mesh[k].size; rest = Math.floor(rest / mesh[k].size); }
        const position = (i) => array.axes[i].reduce((p, a) => p * size[a] + coordinate[a], 0);
        const row = rows.reduce((p, i) => p * parts[i] + position(i), 0);
        const key = row * columns + (column === null ? 0 : position(column));
        if (!holders.has(key)) holders.set(key, []);
        holders.get(key).push(d);
      }
      const shownRows = Math.min(rowCount, 32);
      const shownColumns = Math.min(columns, 32);
      const grid = element('div', { class: 'grid', style: 'grid-template-columns: repeat(' + shownColumns + ', minmax(' + (shownColumns > 8 ? '62px' : '0') + ', 1fr))' });
      for (let r = 0; r < shownRows; r++) {
        for (let c = 0; c < shownColumns; c++) {
          const key = r * columns + c;
          const who = holders.get(key) || [];
          const text = ranges(who);
          const hue = Math.round(360 * key / Math.max(1, rowCount * columns));
          grid.append(element('div', { class: 'cell', style: 'background: hsl(' + hue + ' 70% 82%)', title: 'devices ' + who.join(', '), text: text }));
        }
      }
      picture.append(element('div', { class: 'scroll', tabindex: '0' }, grid));
      const along = (list) => list.map((i) => 'dimension ' + i + ' along ' + array.axes[i].join(', ')).join(' and ');
      const words = [];
      if (column !== null) words.push('columns: ' + along([column]));
      if (rows.length > 0) words.push('rows: ' + along(rows));
      if (shownRows < rowCount || shownColumns < columns) words.push('the first ' + shownRows + ' x ' + shownColumns + ' of ' + rowCount + ' x ' + columns + ' tiles');
      words.push(devices / (rowCount * columns) > 1 ? 'each tile on ' + devices / (rowCount * columns) + ' devices' : 'each tile on one device');
      picture.append(element('p', { class: 'hint', text: words.join('; ') }));
    }
    filter.addEventListener('input', () => { fill(); draw(); });
    select.addEventListener('change', draw);
    fill();
    // Show a tiled array first: it is more informative than a replicated one.
    select.value = String(Math.max(0, all.findIndex((entry) => entry.array.axes.some((axes) => axes.length > 0))));
    draw();
  }

  // --- Collectives, conflicts ----------------------------------------------------------------------------------------
  function collectives() {
    if (!last || last.collectives.length === 0) return;
    const s = section('collectives', 'Largest collectives', 'Equal ones together, most time first; where the first of them comes from and why it is there.');
    s.append(table([
      ['kind', (c) => plain(c.kind), 't'], ['axes', (c) => c.axes.join(', ') || 'irregular'], ['type', (c) => element('code', { text: c.type }), 't'],
      ['times', (c) => String(c.executed), 'n'], ['one', (c) => seconds(c.seconds), 'n'], ['in all', (c) => seconds(c.seconds * c.executed), 'n'],
      ['sent', (c) => bytes(c.sent * c.executed), 'n'], ['why', (c) => c.why, 'why']], last.collectives.slice(0, 20)));
  }
  function conflicts() {
    if (!partition) return;
    const all = partition.tactics.flatMap((t) => t.conflicts.map((c) => Object.assign({ tactic: t.name }, c)));
    const s = section('conflicts', 'Conflicts', all.length === 0 ? 'None: every operation that a tactic reached joined it.' : all.length + ' operations were left alone; a conflict is recorded, never resolved by a guess.');
    if (all.length > 0) {
      s.append(table([['after', (c) => c.tactic], ['axis', (c) => c.axis], ['operation', (c) => element('code', { text: c.operation })], ['reason', (c) => c.reason, 'why']], all.slice(0, 100)));
      if (all.length > 100) s.append(element('p', { class: 'hint', text: 'and ' + (all.length - 100) + ' more' }));
    }
  }
  function foot() {
    const notes = last ? last.notes : [];
    if (notes.length > 0) section('notes', 'Notes').append(element('ul', { class: 'plain' }, ...notes.map((n) => element('li', { text: n }))));
    page.append(element('footer', {}, 'Written by OpenPartIR' + (data.version ? ' ' + data.version : '') + '. Times are simulated, not measured.',
      data.command ? element('p', {}, element('code', { text: data.command })) : ''));
  }

  head();
  schedule();
  costs();
  counts();
  memory();
  arrays();
  collectives();
  conflicts();
  foot();
})();
