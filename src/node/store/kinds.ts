/**
 * The kinds of records, by the first byte of their keys. In keys of the kinds in capitals, the number of the wallet
 * follows. @see src/shell/store/FORMAT.md
 */
export const KINDS = {
  owner: 'o',
  'purge mark': 'x',
  counts: 'n',
  block: 'b',
  'block body': 't',
  'invalid mark': 'i',
  'mark of a header': 'h',
  'branch end': 'l',
  height: 'a',
  coin: 'c',
  'undo data': 'u',
  'first block': 's',
  'mark of missing blocks': 'm',
  'mempool transaction': 'p',
  'filter header': 'f',
  'fee delta': 'd',
  'waived script': 'v',
  'fee estimates': 'e',
  wallet: 'W',
  'private key': 'K',
  descriptor: 'D',
  'descriptor by text': 'I',
  'own script': 'P',
  'hardened keys': 'H',
  seed: 'S',
  'legacy key': 'L',
  'legacy script': 'R',
  'watched script': 'O',
  'keypool key': 'Q',
  address: 'A',
  'locked coin': 'C',
  transaction: 'T',
  arrival: 'N',
  'spent coin': 'G',
  'transaction by height': 'B',
  payment: 'Y',
  'unsettled transaction': 'U',
  'transaction with coins': 'F',
  'settled amounts': 'E',
} as const;

/** Returns the name of a kind, or a kind without a name as it is. */
export const kindName = (kind: string): string =>
  Object.entries(KINDS).find(([, letter]) => letter === kind)?.[0] ?? kind;
