/** The parts of a campaign, of which a run plays one unless it plays the whole. */
const SHARES = 16;

function parseShare(text: string): number {
  if (!/^[0-9a-f]$/.test(text)) throw new Error(`COUNTERSIGN_SHARE must be a hexadecimal digit, not "${text}"`);
  return Number.parseInt(text, SHARES);
}

/** Returns what a run with an environment plays of a campaign. */
export function playing(env: Readonly<Record<string, string | undefined>>) {
  const isWhole = env['COUNTERSIGN_WHOLE'] !== undefined;
  const share = isWhole ? 0 : parseShare(env['COUNTERSIGN_SHARE'] ?? '0');
  const stride = isWhole ? 1 : SHARES;
  const rounds = (whole: number): number => Math.ceil(whole / stride);
  return {
    /** Whether campaigns are played whole, as in `npm run test:all`, which sets COUNTERSIGN_WHOLE. */
    isWhole,
    /** The part that this run plays: `.ci/run` takes COUNTERSIGN_SHARE from the commit's hash, so that commits take turns. */
    share,
    /** The step from one place to the next that a campaign tries, from the place `share` on. */
    stride,
    /** Returns how many cases of a campaign this run plays: all, or a sixteenth. */
    rounds,
    /**
     * Returns the settings of fast-check for a campaign of that many cases: of the cases that the seed gives to the whole,
     * this run plays the share in its turn.
     */
    campaign: (whole: number): { readonly numRuns: number; readonly path?: string } => ({
      numRuns: rounds(whole),
      ...(share > 0 && { path: String(Math.floor((share * whole) / SHARES)) }),
    }),
    /** Returns the items that this run takes of a list that commits take in turn: all, or one. */
    inTurn: <T>(items: readonly T[]): readonly T[] =>
      isWhole ? items : items.filter((_, i) => i === share % items.length),
    /** Tells whether the row at an index is in the sample of this run: every sixteenth, or all. */
    isSampled: (index: number): boolean => index % stride === share,
  };
}

export const { isWhole, share, stride, rounds, campaign, inTurn, isSampled } = playing(process.env);

/** Whether `npm test` runs, which leaves out what repeats other tests by slower means. */
export const isShort = process.env['COUNTERSIGN_SHORT'] !== undefined;
