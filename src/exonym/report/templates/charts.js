// Charts of pages, drawn by uPlot: pointing shows values, a click on a label hides its line, dragging zooms, a double
// click shows all again. Arrow keys move the pointer, Escape shows all. Nothing is loaded.
//
// drawChart(holder, chart) draws a document of `LineChart` into an element and returns { update(chart), destroy() }.
// Pages that hold their charts as data (see parts.html) need no further script: they are drawn at the end of this file.
globalThis.drawChart = (() => {
  "use strict";

  const HEIGHT = 320; // pixels
  const MOST_ROWS = 100; // of the table
  const DARK = matchMedia("screen and (prefers-color-scheme: dark)"); // paper is white
  const SVG = "http://www.w3.org/2000/svg";

  // Numbers as text

  const rounded = (number, digits = 4) => String(+number.toPrecision(digits));
  const percent = (share, digits) => `${(100 * share).toFixed(digits)}%`;

  function shortNumber(number) {
    if (Math.abs(number) >= 1e12) return `${rounded(number / 1e12)} T`;
    if (Math.abs(number) >= 1e9) return `${rounded(number / 1e9)} G`;
    if (Math.abs(number) >= 1e6) return `${rounded(number / 1e6)} M`;
    if (Math.abs(number) >= 1e3) return `${rounded(number / 1e3)} k`;
    return rounded(number);
  }

  function valueText(kind, value) {
    if (value == null) return "–";
    if (kind === "share") return percent(value, 1);
    const digits = kind === "count" ? 0 : 1;
    return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 3 : digits });
  }

  function placeText(kind, x) {
    if (kind !== "time") return x.toLocaleString("en", { maximumFractionDigits: 3 });
    return new Date(1000 * x).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
  }

  /** Labels of a time axis whose ticks are `step` seconds apart: dates, or times with the date where it changes. */
  function timeLabels(ticks, step) {
    let last = "";
    return ticks.map((tick) => {
      const moment = new Date(1000 * tick);
      const day = moment.toLocaleDateString("en-GB", step < 365 * 86400 ? { day: "numeric", month: "short" } : {});
      if (step >= 86400) return day;
      const time = moment.toLocaleTimeString("en-GB", step < 60 ? {} : { hour: "2-digit", minute: "2-digit" });
      const isNew = day !== last;
      last = day;
      return isNew ? `${time}\n${day}` : time;
    });
  }

  function shareLabels(ticks) {
    const step = ticks.length > 1 ? ticks[1] - ticks[0] : 1;
    const digits = Math.min(6, Math.max(0, Math.ceil(-Math.log10(100 * step) - 1e-9)));
    return ticks.map((tick) => percent(tick, digits));
  }

  // Values of lines

  /** The x of all lines, and for each line its y there: null is a gap, undefined a place where the line has no point. */
  function joined(lines) {
    const points = lines.map((line) => new Map(line.x.map((x, at) => [x, line.y[at]])));
    const places = new Set();
    for (const line of points) for (const x of line.keys()) if (x !== null) places.add(x);
    const xs = [...places].sort((one, other) => one - other);
    return [xs, ...points.map((line) => xs.map((x) => line.get(x)))];
  }

  /** The y of a line at a place, between its points on a straight line; null before, after and in gaps. */
  function valueAt(xs, ys, at) {
    if (ys[at] !== undefined) return ys[at];
    let before = at;
    let after = at;
    while (before >= 0 && ys[before] === undefined) before -= 1;
    while (after < ys.length && ys[after] === undefined) after += 1;
    if (ys[before] == null || ys[after] == null) return null;
    return ys[before] + ((ys[after] - ys[before]) * (xs[at] - xs[before])) / (xs[after] - xs[before]);
  }

  function yRange(kind, low, high) {
    if (low == null) return [0, 1];
    const bottom = Math.min(0, low);
    const top = high > bottom ? high + 0.04 * (high - bottom) : bottom + 1;
    return [bottom, kind === "share" && high <= 1 ? Math.min(1, top) : top];
  }

  /** An axis of numbers that begins near 0, as one of pages does, begins at 0. */
  function xRange(kind, low, high) {
    if (low == null) return [0, 1];
    if (low === high) return [low - 0.5, high + 0.5];
    return [kind === "number" && low > 0 && low < 0.02 * high ? 0 : low, high];
  }

  function element(name, parent, text = "", className = "") {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    parent.append(made);
    return made;
  }

  class DrawnChart {
    constructor(holder, chart) {
      this.holder = holder;
      this.hidden = new Set();
      this.body = element("div", holder, "", "chart");
      this.plot = element("div", this.body, "", "chart-plot");
      this.plot.tabIndex = 0;
      this.plot.setAttribute("role", "img");
      this.plot.addEventListener("keydown", (event) => this.key(event));
      this.legend = element("div", this.body, "", "chart-legend");
      this.rows = element("details", this.body);
      element("summary", this.rows, "Show as table");
      this.rows.addEventListener("toggle", () => this.fillTable());
      this.recolour = () => {
        this.draw();
        this.showValues(null);
      };
      DARK.addEventListener("change", this.recolour);
      this.observer = new ResizeObserver(() => this.resize());
      this.observer.observe(this.plot);
      this.update(chart);
    }

    update(chart) {
      const looks = (one) => JSON.stringify({ ...one, lines: one.lines.map(({ x, y, ...look }) => look) });
      const isSame = this.chart && looks(this.chart) === looks(chart);
      this.chart = chart;
      this.data = joined(chart.lines);
      this.plot.setAttribute("aria-label", `${chart.caption}: ${chart.lines.map((line) => line.label).join(", ")}`);
      if (isSame && this.uplot) this.uplot.setData(this.data, !this.isZoomed);
      else this.draw();
      this.showValues(null);
      this.fillTable();
    }

    destroy() {
      DARK.removeEventListener("change", this.recolour);
      this.observer.disconnect();
      this.uplot?.destroy();
      this.body.remove();
    }

    draw() {
      this.uplot?.destroy();
      this.isZoomed = false;
      this.uplot = new uPlot(this.options(), this.data, this.plot);
      const [xs] = this.data;
      if (this.chart.x_end && this.chart.x_end < xs.at(-1)) this.limit({ min: xs[0], max: this.chart.x_end });
      this.makeLegend();
    }

    limit(x) {
      this.isZoomed = true;
      this.uplot.setScale("x", x);
    }

    options() {
      const { chart } = this;
      const ink = DARK.matches ? "#c9ced6" : "#444";
      const grid = { stroke: DARK.matches ? "#363b43" : "#e5e5e5", width: 1 };
      const axis = { stroke: ink, grid, ticks: grid, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif" };
      const label = (text) => (text ? { label: text, labelSize: 20 } : {});
      const isTime = chart.x_kind === "time";
      const across = (u, ticks, number, space, step) => (isTime ? timeLabels(ticks, step) : ticks.map(shortNumber));
      const upward = (u, ticks) => (chart.y_kind === "share" ? shareLabels(ticks) : ticks.map(shortNumber));
      return {
        width: this.plot.clientWidth || 300,
        height: HEIGHT,
        legend: { show: false },
        padding: [10, isTime ? 30 : 14, 0, 0],
        cursor: {
          y: false,
          drag: { x: true, y: true, uni: 24, setScale: false },
          bind: { dblclick: () => () => this.showAll() },
          points: { size: 7 },
        },
        scales: {
          x: { time: isTime, range: (u, low, high) => xRange(chart.x_kind, low, high) },
          y: { range: (u, low, high) => yRange(chart.y_kind, low, high) },
        },
        axes: [
          { ...axis, ...label(chart.x_label), values: across, space: isTime ? 80 : 60, size: isTime ? 48 : 30 },
          { ...axis, ...label(chart.y_label), values: upward, size: 58 },
        ],
        series: [{}, ...chart.lines.map((line) => this.series(line))],
        hooks: { setCursor: [(u) => this.showValues(u.cursor.idx)], setSelect: [(u) => this.zoom(u)] },
      };
    }

    series(line) {
      const stroke = DARK.matches ? line.dark_colour : line.colour;
      const isDot = line.x.length === 1;
      return { label: line.label, stroke, dash: line.dash, width: 2, show: !this.hidden.has(line.label), points: { show: isDot } };
    }

    resize() {
      const width = this.plot.clientWidth;
      if (width && this.uplot && width !== this.uplot.width) this.uplot.setSize({ width, height: HEIGHT });
    }

    // Zoom

    zoom(u) {
      const { left, top, width, height } = u.select;
      if (width <= 0 || height <= 0) return;
      const x = { min: u.posToVal(left, "x"), max: u.posToVal(left + width, "x") };
      const y = { min: u.posToVal(top + height, "y"), max: u.posToVal(top, "y") };
      u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      u.batch(() => {
        this.limit(x);
        if (height < u.over.clientHeight) u.setScale("y", y);
      });
    }

    showAll() {
      this.isZoomed = false;
      this.uplot.setData(this.data, true);
    }

    key(event) {
      const last = this.data[0].length - 1;
      const at = this.uplot.cursor.idx ?? 0;
      const step = Math.max(1, Math.round(last / 100));
      const goals = { ArrowLeft: at - step, ArrowRight: at + step, Home: 0, End: last };
      if (event.key === "Escape") this.showAll();
      if (!(event.key in goals) || last < 0) return;
      event.preventDefault();
      const goal = Math.min(last, Math.max(0, goals[event.key]));
      this.uplot.setCursor({ left: this.uplot.valToPos(this.data[0][goal], "x"), top: 0 });
    }

    // Legend

    makeLegend() {
      this.legend.replaceChildren();
      this.place = element("span", this.legend, "", "chart-place");
      this.values = this.chart.lines.map((line, number) => {
        const entry = element("button", this.legend);
        entry.type = "button";
        entry.title = "hide or show";
        entry.append(this.swatch(line));
        element("span", entry, line.label);
        entry.setAttribute("aria-pressed", String(!this.hidden.has(line.label)));
        entry.addEventListener("click", () => {
          const isShown = this.hidden.delete(line.label) || !this.hidden.add(line.label);
          entry.setAttribute("aria-pressed", String(isShown));
          this.uplot.setSeries(number + 1, { show: isShown });
        });
        return element("output", entry);
      });
    }

    swatch(line) {
      const svg = document.createElementNS(SVG, "svg");
      const stroke = document.createElementNS(SVG, "line");
      const looks = { x1: 0, x2: 30, y1: 5, y2: 5, "stroke-width": 2.5, stroke: DARK.matches ? line.dark_colour : line.colour };
      for (const [key, value] of Object.entries(looks)) stroke.setAttribute(key, value);
      if (line.dash.length) stroke.setAttribute("stroke-dasharray", line.dash.join(" "));
      svg.setAttribute("width", 30);
      svg.setAttribute("height", 10);
      svg.setAttribute("aria-hidden", "true");
      svg.append(stroke);
      return svg;
    }

    /** The values at a place; without a place, each line's last one. */
    showValues(at) {
      const [xs, ...lines] = this.data;
      const isHere = at != null && at < xs.length;
      if (!this.values) return;
      this.place.textContent = isHere ? `${this.chart.x_label} ${placeText(this.chart.x_kind, xs[at])}`.trim() : "last";
      lines.forEach((ys, number) => {
        const value = isHere ? valueAt(xs, ys, at) : ys.findLast((y) => y != null);
        this.values[number].textContent = valueText(this.chart.y_kind, value);
      });
    }

    // Table

    fillTable() {
      this.rows.querySelector("table")?.remove();
      if (!this.rows.open) return;
      const table = element("table", this.rows);
      const head = element("tr", element("thead", table));
      for (const name of [this.chart.x_label || "x", ...this.chart.lines.map((line) => line.label)]) element("th", head, name);
      const [xs, ...lines] = this.data;
      const count = Math.min(MOST_ROWS, xs.length);
      const body = element("tbody", table);
      for (let row = 0; row < count; row += 1) {
        const at = count > 1 ? Math.floor((row * (xs.length - 1)) / (count - 1)) : 0;
        const cells = element("tr", body);
        element("td", cells, placeText(this.chart.x_kind, xs[at]));
        for (const ys of lines) element("td", cells, valueText(this.chart.y_kind, valueAt(xs, ys, at)));
      }
    }
  }

  return (holder, chart) => new DrawnChart(holder, chart);
})();

// A page's own charts: a holder contains one document as JSON, or several of which the reader chooses one.
for (const holder of document.querySelectorAll("[data-chart]")) {
  const charts = JSON.parse(holder.querySelector("script").textContent);
  const choices = document.createElement("div");
  choices.className = "chart-choice";
  holder.append(choices);
  const drawn = drawChart(holder, charts[0]);
  const buttons = (charts.length > 1 ? charts : []).map((chart) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = chart.choice;
    button.setAttribute("aria-pressed", String(chart === charts[0]));
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      drawn.update(chart);
    });
    choices.append(button);
    return button;
  });
}
