/** Every character but those that Core keeps, by where a text goes. @see Bitcoin Core `SAFE_CHARS` */
const UNSAFE = {
  default: /[^A-Za-z0-9 .,;\-_/:?@()]/g,
  comment: /[^A-Za-z0-9 .,;\-_?@]/g,
  uri: /[^A-Za-z0-9!*'();:@&=+$,/?#[\]\-_.~%]/g,
} as const;

/** Where a text that others wrote goes: a log or a shell, the name that a node gives itself, or a URI. */
export type SafeFor = keyof typeof UNSAFE;

/** Leaves out characters. @see Bitcoin Core `SanitizeString` */
export const sanitizeString = (text: string, use: SafeFor = 'default'): string => text.replace(UNSAFE[use], '');
