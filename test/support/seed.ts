/** The seed of random tests unless `COUNTERSIGN_SEED` names another, so that a run can be repeated. */
const DEFAULT_SEED = 20_261_122;

/** The seed of this run: a number from `COUNTERSIGN_SEED`, or a new one where that says `random`. */
export const seed = parseSeed(process.env['COUNTERSIGN_SEED']);

function parseSeed(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SEED;
  if (text === 'random') return Date.now() % 1_000_000_007;
  const parsed = Number(text);
  if (!Number.isSafeInteger(parsed)) throw new Error(`COUNTERSIGN_SEED must be an integer or "random", not "${text}"`);
  return parsed;
}
