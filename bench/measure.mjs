/** Measures a single call in milliseconds. */
export function timeOnce(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Measures a call in milliseconds: the median of many, after a warm-up and a garbage collection. */
export function median(work, { budgetMs = 1500 } = {}) {
  const warm = (until) => {
    let runs = 0;
    for (const start = performance.now(); performance.now() - start < until || runs < 3; runs += 1) work();
    return runs;
  };
  warm(budgetMs / 2);
  globalThis.gc?.();
  const times = [];
  for (const start = performance.now(); performance.now() - start < budgetMs || times.length < 5; )
    times.push(timeOnce(work));
  times.sort((a, b) => a - b);
  return times[times.length >> 1];
}

export const cell = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(1) : ms.toFixed(3));

/** Formats a row of a Markdown table: a name, our time, then each other library's with its ratio to ours. */
export function row(what, ours, ...peers) {
  return line(what, cell(ours), ...peers.map((ms) => beside(ms, ours)));
}

/** Formats another library's time with its ratio to ours. */
export const beside = (ms, ours) => (ms === undefined ? '–' : `${cell(ms)} (${(ms / ours).toFixed(1)}×)`);

/** Formats a row of a Markdown table. */
export const line = (...cells) => `| ${cells.join(' | ')} |`;

/** Stops a benchmark whose results are wrong. */
export function assert(condition, what) {
  if (!condition) throw new Error(`not what was to be measured: ${what}`);
}
