import {
  encodeTransaction,
  formatHex,
  formatReversedHex,
  type Outpoint,
  parseHex,
  parseTxid,
  sha256d,
  type Transaction,
  txid,
} from './library.ts';

/** A test block, without proof of work. */
export interface MadeBlock {
  readonly height: number;
  /** In RPC byte order (reversed hex). */
  readonly hash: string;
  readonly previous: string;
  readonly hex: string;
  readonly txs: readonly Transaction[];
}

const GENESIS_HASHES = {
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  'litecoin-regtest': '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
};

/** The networks for which tests make blocks. */
export type TestNetwork = keyof typeof GENESIS_HASHES;

/** Returns the genesis block of a network. */
export const genesisOf = (network: TestNetwork): MadeBlock => ({
  height: 0,
  hash: GENESIS_HASHES[network],
  previous: '00'.repeat(32),
  hex: '',
  txs: [],
});

/** The genesis block of regtest. */
export const GENESIS: MadeBlock = genesisOf('regtest');

const START_TIME = 1_700_000_000;
const SUBSIDY = 5_000_000_000n;

/** Makes an unsigned transaction that spends coins and pays `value` to a script (hex). */
export function spend(outpoints: readonly Outpoint[], script = '51', value = 1000n): Transaction {
  const inputs = outpoints.map((outpoint) => ({
    outpoint,
    scriptSig: new Uint8Array(0),
    sequence: 0xffff_ffff,
    witness: [],
  }));
  return { version: 2, inputs, outputs: [{ value, scriptPubKey: parseHex(script) }], locktime: 0 };
}

/**
 * Makes a block with a coinbase after `parent`.
 *
 * - `salt`: hex in the coinbase that makes blocks of the same height differ
 * - `script`: the scriptPubKey that gets the subsidy; hex
 * - `bits`: the target in its compact form; by default none, which counts as the easiest
 */
export function blockAfter(
  parent: MadeBlock,
  {
    salt = '',
    script = '51',
    txs = [],
    bits = 0,
  }: { salt?: string; script?: string; txs?: readonly Transaction[]; bits?: number } = {},
): MadeBlock {
  const height = parent.height + 1;
  const mark = new Uint8Array(4);
  new DataView(mark.buffer).setUint32(0, height, true);
  const first: Transaction = {
    version: 2,
    inputs: [
      {
        outpoint: { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff },
        scriptSig: Uint8Array.of(4, ...mark, ...parseHex(salt), 0),
        sequence: 0xffff_ffff,
        witness: [],
      },
    ],
    outputs: [{ value: SUBSIDY, scriptPubKey: parseHex(script) }],
    locktime: 0,
  };
  return blockOf(parent, [first, ...txs], { bits });
}

/**
 * Makes a block from all its transactions, including the coinbase, if any.
 *
 * - `header`: hex that replaces the first bytes of the header
 */
export function blockOf(
  parent: MadeBlock,
  all: readonly Transaction[],
  { header: given, bits = 0 }: { readonly header?: string; readonly bits?: number } = {},
): MadeBlock {
  const height = parent.height + 1;
  const header = new Uint8Array(80);
  const view = new DataView(header.buffer);
  view.setUint32(0, 0x2000_0000, true);
  header.set(parseHex(parent.hash).reverse(), 4);
  header.set(merkleRoot(all.map(txid)), 36);
  view.setUint32(68, START_TIME + 600 * height, true);
  view.setUint32(72, bits, true);
  if (given !== undefined) header.set(parseHex(given));
  const body = all.map((tx) => formatHex(encodeTransaction(tx))).join('');
  const count = all.length < 0xfd ? formatHex(Uint8Array.of(all.length)) : undefined;
  if (count === undefined) throw new Error('too many transactions');
  return {
    height,
    hash: formatReversedHex(sha256d(header)),
    previous: parent.hash,
    hex: `${formatHex(header)}${count}${body}`,
    txs: all,
  };
}

/** Returns the coinbase of a block. */
export function coinbaseOf({ txs: [first] }: MadeBlock): Transaction {
  if (!first) throw new Error('an empty block');
  return first;
}

function merkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length <= 1) return hashes[0] ?? new Uint8Array(32);
  const next: Uint8Array[] = [];
  for (let i = 0; i < hashes.length; i += 2) {
    const left = hashes[i] ?? new Uint8Array(32);
    next.push(sha256d(Uint8Array.of(...left, ...(hashes[i + 1] ?? left))));
  }
  return merkleRoot(next);
}

/** Makes `count` blocks after `parent`, lowest first. */
export function blocksAfter(parent: MadeBlock, count: number, salt = ''): readonly MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (let at = parent; blocks.length < count; blocks.push(at)) at = blockAfter(at, { salt });
  return blocks;
}
