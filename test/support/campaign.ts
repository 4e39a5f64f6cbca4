/** Whether campaigns run whole: in `npm run test:all`, or where `COUNTERSIGN_WHOLE` is set. */
export const isWhole = Boolean(process.env['COUNTERSIGN_ALL'] ?? process.env['COUNTERSIGN_WHOLE']);

/**
 * The step from one place to the next that a campaign tries. Whole campaigns try every place, `npm test` every sixteenth.
 */
export const stride = isWhole ? 1 : 16;

/**
 * Returns how often a campaign of random cases repeats: a whole one as often as given, `npm test` a sixteenth of that.
 * Both use the same seed, so `npm test` plays the first cases of the whole campaign.
 */
export const rounds = (whole: number): number => Math.ceil(whole / stride);
