/** A flow network over the nodes 0 to `size` - 1. */
export interface FlowNetwork {
  readonly size: number;
  /** Residual capacities from each node to others; `undefined` is unlimited. */
  readonly arcs: readonly Map<number, bigint | undefined>[];
}

export const createNetwork = (size: number): FlowNetwork => ({
  size,
  arcs: Array.from({ length: size }, () => new Map()),
});

type Arc = readonly [from: number, to: number];

/** Adds an arc; its reverse takes back what flows through it. */
export function addArc({ arcs }: FlowNetwork, [from, to]: Arc, capacity: bigint | undefined): void {
  arcs[from]?.set(to, capacity);
  if (!arcs[to]?.has(from)) arcs[to]?.set(from, 0n);
}

const isOpen = (capacity: bigint | undefined): boolean => capacity !== 0n;

/** Maps each node reachable from `start` over open arcs to its predecessor. */
export function reachedFrom({ arcs }: FlowNetwork, start: number): ReadonlyMap<number, number> {
  const before = new Map([[start, start]]);
  // The loop visits the nodes that it adds.
  for (const at of before.keys()) {
    for (const [next, capacity] of arcs[at] ?? []) if (isOpen(capacity) && !before.has(next)) before.set(next, at);
  }
  return before;
}

/** Sends as much as possible, in place. @returns the amount */
export function maximizeFlow(network: FlowNetwork, source: number, sink: number): bigint {
  let total = 0n;
  for (;;) {
    const before = reachedFrom(network, source);
    if (!before.has(sink)) return total;
    const path: Arc[] = [];
    for (let at = sink; at !== source; at = path.at(-1)?.[0] ?? source) path.push([before.get(at) ?? source, at]);
    const amount = narrowest(network, path);
    for (const arc of path) push(network, arc, amount);
    total += amount;
  }
}

function narrowest({ arcs }: FlowNetwork, path: readonly Arc[]): bigint {
  const limits = path.flatMap(([from, to]) => arcs[from]?.get(to) ?? []);
  return limits.reduce((least, limit) => (limit < least ? limit : least), limits[0] ?? 0n);
}

function push({ arcs }: FlowNetwork, [from, to]: Arc, amount: bigint): void {
  const [remaining, back] = [arcs[from]?.get(to), arcs[to]?.get(from)];
  if (remaining !== undefined) arcs[from]?.set(to, remaining - amount);
  if (back !== undefined) arcs[to]?.set(from, back + amount);
}
