// Curves of a report: hover shows values, a click on a legend entry hides its curve, dragging zooms, a double click
// shows all again. Data lie in the page; nothing is loaded.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const SIZE = { width: 900, height: 420, left: 62, right: 14, top: 12, bottom: 46 };
const LEAST_DRAG = 6; // less is a click
const hidden = new Set();
const charts = [];
let axis = "pages";

// Values of a curve

function heightOf(kind, pages, relevant) {
  if (kind === "coverage") return data.relevant_pages ? relevant / data.relevant_pages : 1;
  return pages ? relevant / pages : 0;
}

function placesOf(curve) {
  return axis === "hours" ? curve.hours : curve.pages;
}

/** The number of the last point at or before x, or -1. */
function pointBefore(places, x) {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A curve at x, between its points on a straight line; null where it has no value. */
function valueAt(kind, curve, x) {
  const places = placesOf(curve);
  const at = pointBefore(places, x);
  if (at < 0) return null;
  if (at === places.length - 1) {
    const isAtEnd = x <= places[at];
    if (kind !== "coverage" && !isAtEnd) return null;
    return { height: heightOf(kind, curve.pages[at], curve.relevant[at]), ended: !isAtEnd };
  }
  const share = (x - places[at]) / (places[at + 1] - places[at] || 1);
  const between = (numbers) => numbers[at] + share * (numbers[at + 1] - numbers[at]);
  return { height: heightOf(kind, between(curve.pages), between(curve.relevant)), ended: false };
}

function lastPlace() {
  return Math.max(...data.curves.map((curve) => placesOf(curve).at(-1) ?? 0), axis === "pages" ? 1 : 1e-9);
}

// Drawing

function element(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

function shortNumber(number) {
  const round = (value) => String(+value.toPrecision(4));
  if (Math.abs(number) >= 1e6) return `${round(number / 1e6)} M`;
  if (Math.abs(number) >= 1e3) return `${round(number / 1e3)} k`;
  return round(number);
}

/** Some five to ten round numbers from low to high. */
function ticks(low, high) {
  const rough = (high - low) / 6;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * [1, 2, 5, 10].find((factor) => size * factor >= rough);
  const found = [];
  for (let number = Math.ceil(low / step); number * step <= high * (1 + 1e-12); number += 1) found.push(number * step);
  return found;
}

class Chart {
  constructor(holder) {
    this.kind = holder.dataset.chart;
    this.svg = element("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img" }, holder);
    this.svg.setAttribute("aria-label", holder.dataset.label);
    this.values = document.createElement("div");
    this.values.className = "values";
    holder.append(this.values);
    this.showAll();
    this.svg.addEventListener("pointerdown", (event) => this.beginDrag(event));
    this.svg.addEventListener("pointermove", (event) => this.move(event));
    this.svg.addEventListener("pointerup", (event) => this.endDrag(event));
    this.svg.addEventListener("pointerleave", () => this.leave());
    this.svg.addEventListener("dblclick", () => this.showAll());
  }

  showAll() {
    this.view = { x: [0, lastPlace()], y: [0, 1] };
    this.draw();
  }

  right(x) {
    const [low, high] = this.view.x;
    return SIZE.left + ((x - low) / (high - low)) * (SIZE.width - SIZE.left - SIZE.right);
  }

  down(y) {
    const [low, high] = this.view.y;
    return SIZE.height - SIZE.bottom - ((y - low) / (high - low)) * (SIZE.height - SIZE.top - SIZE.bottom);
  }

  /** Where in the data a pointer is. */
  place(event) {
    const box = this.svg.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * SIZE.width;
    const below = ((event.clientY - box.top) / box.height) * SIZE.height;
    const width = SIZE.width - SIZE.left - SIZE.right;
    const height = SIZE.height - SIZE.top - SIZE.bottom;
    const shareX = Math.min(1, Math.max(0, (across - SIZE.left) / width));
    const shareY = Math.min(1, Math.max(0, (SIZE.height - SIZE.bottom - below) / height));
    const { x, y } = this.view;
    return { x: x[0] + shareX * (x[1] - x[0]), y: y[0] + shareY * (y[1] - y[0]), across, below };
  }

  draw() {
    this.svg.replaceChildren();
    this.drawAxes();
    const clip = `clip-${this.kind}`;
    const inside = element("clipPath", { id: clip }, element("defs", {}, this.svg));
    const box = { width: SIZE.width - SIZE.left - SIZE.right, height: SIZE.height - SIZE.top - SIZE.bottom };
    element("rect", { x: SIZE.left, y: SIZE.top, ...box }, inside);
    this.curves = element("g", { "clip-path": `url(#${clip})` }, this.svg);
    for (const curve of data.curves) if (!hidden.has(curve.name)) this.drawCurve(curve);
    this.marks = element("g", {}, this.svg);
  }

  drawAxes() {
    const bottom = SIZE.height - SIZE.bottom;
    for (const x of ticks(...this.view.x)) {
      element("line", { x1: this.right(x), x2: this.right(x), y1: SIZE.top, y2: bottom, class: "grid" }, this.svg);
      const label = element("text", { x: this.right(x), y: bottom + 18, "text-anchor": "middle" }, this.svg);
      label.textContent = shortNumber(x);
    }
    for (const y of ticks(...this.view.y)) {
      const ends = { x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: this.down(y), y2: this.down(y) };
      element("line", { ...ends, class: "grid" }, this.svg);
      const label = element("text", { x: SIZE.left - 8, y: this.down(y) + 4, "text-anchor": "end" }, this.svg);
      label.textContent = `${+(100 * y).toPrecision(4)} %`;
    }
    const middle = (SIZE.left + SIZE.width - SIZE.right) / 2;
    const name = element("text", { x: middle, y: SIZE.height - 8, "text-anchor": "middle" }, this.svg);
    name.textContent = axis === "hours" ? "hours of simulated time" : "pages crawled";
  }

  drawCurve(curve) {
    const places = placesOf(curve);
    if (!places.length) return;
    const points = places.map((x, at) => [x, heightOf(this.kind, curve.pages[at], curve.relevant[at])]);
    const line = (some) => some.map(([x, y]) => `${this.right(x).toFixed(1)},${this.down(y).toFixed(1)}`).join(" ");
    const style = { stroke: curve.colour, fill: "none", "stroke-width": 2 };
    if (curve.is_oracle) style["stroke-dasharray"] = "7 4";
    element("polyline", { ...style, points: line(points) }, this.curves);
    const [x, y] = points.at(-1);
    if (x >= lastPlace()) return;
    element("circle", { cx: this.right(x), cy: this.down(y), r: 4, fill: curve.colour }, this.curves);
    const rest = line([[x, y], [lastPlace(), y]]);
    if (this.kind === "coverage") element("polyline", { ...style, opacity: 0.4, points: rest }, this.curves);
  }

  // Pointer

  move(event) {
    const here = this.place(event);
    this.marks.replaceChildren();
    if (this.begun) this.markDrag(here);
    else this.showValues(here);
  }

  showValues(here) {
    const across = this.right(here.x);
    element("line", { x1: across, x2: across, y1: SIZE.top, y2: SIZE.height - SIZE.bottom, class: "cross" }, this.marks);
    const rows = [];
    for (const curve of data.curves) {
      const value = hidden.has(curve.name) ? null : valueAt(this.kind, curve, here.x);
      if (!value) continue;
      const spot = { cx: across, cy: this.down(value.height), r: 3.5, fill: curve.colour };
      if (value.height >= this.view.y[0] && value.height <= this.view.y[1]) element("circle", spot, this.marks);
      rows.push([curve, value]);
    }
    rows.sort((one, other) => other[1].height - one[1].height);
    this.write(here, rows);
  }

  write(here, rows) {
    const unit = axis === "hours" ? "hours" : "pages";
    const number = axis === "hours" ? +here.x.toPrecision(4) : Math.round(here.x);
    const head = document.createElement("strong");
    head.textContent = `${number.toLocaleString("en")} ${unit}`;
    this.values.replaceChildren(head);
    for (const [curve, value] of rows) {
      const row = document.createElement("div");
      const colour = document.createElement("i");
      colour.style.background = curve.colour;
      row.append(colour, `${(100 * value.height).toFixed(1)} %  ${curve.label}${value.ended ? ", ended" : ""}`);
      this.values.append(row);
    }
    this.values.style.display = "block";
    const isLeft = here.across < SIZE.width / 2;
    this.values.style.left = isLeft ? `${(100 * (here.across + 14)) / SIZE.width}%` : "auto";
    this.values.style.right = isLeft ? "auto" : `${100 - (100 * (here.across - 14)) / SIZE.width}%`;
  }

  leave() {
    if (this.begun) return;
    this.marks.replaceChildren();
    this.values.style.display = "none";
  }

  beginDrag(event) {
    if (event.button) return;
    this.begun = this.place(event);
    this.values.style.display = "none";
    this.svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  /** The part that is dragged over; all of the height if the pointer went nearly straight. */
  dragged(here) {
    const x = [this.begun.x, here.x].sort((one, other) => one - other);
    const isFlat = Math.abs(here.below - this.begun.below) < 4 * LEAST_DRAG;
    const y = isFlat ? this.view.y : [this.begun.y, here.y].sort((one, other) => one - other);
    return { x, y };
  }

  markDrag(here) {
    const { x, y } = this.dragged(here);
    const place = { x: this.right(x[0]), y: this.down(y[1]), class: "dragged" };
    const size = { width: this.right(x[1]) - this.right(x[0]), height: this.down(y[0]) - this.down(y[1]) };
    element("rect", { ...place, ...size }, this.marks);
  }

  endDrag(event) {
    if (!this.begun) return;
    const here = this.place(event);
    const part = this.dragged(here);
    const isDrag = Math.abs(here.across - this.begun.across) >= LEAST_DRAG && part.x[1] > part.x[0];
    this.begun = null;
    if (isDrag) this.view = part;
    this.draw();
  }
}

// Around the charts

function makeLegend(holder) {
  for (const curve of data.curves) {
    const entry = document.createElement("button");
    const colour = document.createElement("i");
    colour.style.background = curve.colour;
    entry.append(colour, curve.label);
    entry.title = "hide or show";
    entry.setAttribute("aria-pressed", "true");
    entry.addEventListener("click", () => {
      if (!hidden.delete(curve.name)) hidden.add(curve.name);
      entry.setAttribute("aria-pressed", String(!hidden.has(curve.name)));
      for (const chart of charts) chart.draw();
    });
    holder.append(entry);
  }
}

function makeAxisChoice(holder) {
  if (!data.curves.every((curve) => curve.hours)) return;
  const choice = document.createElement("button");
  const name = () => (choice.textContent = axis === "pages" ? "against simulated hours" : "against pages");
  choice.addEventListener("click", () => {
    axis = axis === "pages" ? "hours" : "pages";
    name();
    for (const chart of charts) chart.showAll();
  });
  name();
  holder.append(choice);
}

makeLegend(document.getElementById("legend"));
makeAxisChoice(document.getElementById("axis"));
for (const holder of document.querySelectorAll("[data-chart]")) charts.push(new Chart(holder));
