// What changes on a page while a crawl runs: the figures, the charts, the rows of tables. Without this script every page
// still works: it shows the moment at which it was loaded.
"use strict";

const CHART_SECONDS = 5;
const ROWS_SECONDS = 5;

const charts = [];

async function textOf(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.text();
}

/** Put a piece of a page, which the server has made, into an element, unless the reader is at work inside of it. */
async function renew(holder, address) {
  if (holder.contains(document.activeElement) && document.activeElement !== holder) return;
  const html = await textOf(address);
  if (html !== holder.dataset.shown) {
    holder.innerHTML = html;
    holder.dataset.shown = html;
  }
}

async function drawOrRenew(holder) {
  const chart = JSON.parse(await textOf(holder.dataset.chartAddress));
  const known = charts.find((one) => one.holder === holder);
  if (known) known.drawn.update(chart);
  else charts.push({ holder, drawn: globalThis.drawChart(holder, chart) });
}

function everyCharts() {
  return Promise.allSettled([...document.querySelectorAll("[data-chart-address]")].map(drawOrRenew));
}

function watch(live) {
  const state = document.getElementById("state");
  let chartsAt = Date.now();
  let isBusy = false;
  let source = null;

  async function show(event) {
    const progress = JSON.parse(event.data);
    if (state.dataset.state !== progress.state) {
      location.reload(); // the buttons change with the state
      return;
    }
    if (isBusy || !live.dataset.fragment) return;
    isBusy = true;
    try {
      await renew(live, live.dataset.fragment);
      if (Date.now() - chartsAt >= 1000 * CHART_SECONDS) {
        chartsAt = Date.now();
        await everyCharts();
      }
    } catch {
      // The dashboard has ended or is busy: the next event tries again.
    } finally {
      isBusy = false;
    }
  }

  // A browser opens only a few connections to one host: a page that nobody sees holds none.
  function listenWhileVisible() {
    source?.close();
    source = null;
    if (document.hidden) return;
    source = new EventSource(live.dataset.events);
    source.addEventListener("progress", show);
  }

  document.addEventListener("visibilitychange", listenWhileVisible);
  addEventListener("pagehide", () => source?.close());
  listenWhileVisible();
}

function watchRows(rows) {
  const address = new URL(location.href);
  address.searchParams.set("alone", "1");
  setInterval(() => {
    const isRunning = document.getElementById("state")?.dataset.state === "running";
    if (isRunning && !document.hidden) renew(rows, address).catch(() => {});
  }, 1000 * ROWS_SECONDS);
}

everyCharts();
const live = document.getElementById("live");
if (live) watch(live);
const rows = document.querySelector("#rows[data-live]");
if (rows) watchRows(rows);
