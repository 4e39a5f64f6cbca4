/** The kinds of records, by the first byte of their keys. @see src/shell/store/FORMAT.md */
export const KINDS = {
  counts: 'n',
  block: 'b',
  'block body': 't',
  'invalid mark': 'i',
  'branch end': 'l',
  height: 'a',
  coin: 'c',
  'undo data': 'u',
  'first block': 's',
  'mark of missing blocks': 'm',
  'mempool transaction': 'p',
  'filter header': 'f',
  'journal entry': 'j',
  'journal length': 'e',
  'derived scripts': 'd',
  snapshot: 'z',
  'purge mark': 'x',
} as const;

/** Returns the name of a kind, or a kind without a name as it is. */
export const kindName = (kind: string): string =>
  Object.entries(KINDS).find(([, letter]) => letter === kind)?.[0] ?? kind;
