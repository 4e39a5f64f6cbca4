/** Each dialect, with the one whose rules it keeps unless it changes them. */
export const BASES = {
  documented: 'core-31',
  'core-0.21': undefined,
  'litecoin-0.21': 'core-0.21',
  'core-31': 'core-0.21',
} as const;

/** The name of a dialect. */
export type DialectName = keyof typeof BASES;
