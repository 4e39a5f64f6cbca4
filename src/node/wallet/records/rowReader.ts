import { BtcError } from '../../../core/errors.ts';
import type { OutpointKey, TxKey } from '../../../core/tx/types.ts';
import { noAmounts } from './settledAmounts.ts';
import type { Amounts, BlockPlace, TxState, WalletTx } from './walletState.ts';

/** By the lowest two bits of the flags. */
export const KINDS: readonly ['unconfirmed', 'confirmed', 'conflicted', 'abandoned'] = [
  'unconfirmed',
  'confirmed',
  'conflicted',
  'abandoned',
];
export const FLAGS: Readonly<Record<'coinbase' | 'inMempool' | 'open' | 'settled', number>> = {
  coinbase: 4,
  inMempool: 8,
  open: 16,
  settled: 32,
};
/** By the bits that announce them. */
export const AMOUNTS: readonly (keyof Amounts)[] = ['own', 'watched', 'usedOwn', 'usedWatched'];
const TXID_SIZE = 32;

export interface Row
  extends Pick<WalletTx, 'key' | 'isCoinbase' | 'isInMempool' | 'state' | 'timeReceived' | 'timeSmart'> {
  readonly spends: readonly OutpointKey[];
  readonly isOpen: boolean;
  /** Offset of its sums, if it is settled. */
  readonly sumsAt: number | undefined;
  /** Offset of its transaction's size. */
  readonly txAt: number;
}

export const damaged = (): BtcError =>
  new BtcError(
    'store/corrupt',
    { path: 'snapshot', reason: 'record' },
    'The snapshot in the store does not fit the journal: remove it (sqlite3 wallet.sqlite "DELETE FROM records WHERE kind = \'z\'"), nothing is lost without it',
  );

interface RowReader {
  readonly next: () => Row;
  readonly order: () => number;
  readonly isAtEnd: () => boolean;
}

function numberAt(rows: string, at: number): number {
  const high = (rows.charCodeAt(at) << 8) | rows.charCodeAt(at + 1);
  return high * 0x1_0000 + ((rows.charCodeAt(at + 2) << 8) | rows.charCodeAt(at + 3));
}

/** Reads a u32 size and the bytes after it. */
export function bytesIn(rows: string, at: number): Uint8Array {
  const bytes = new Uint8Array(numberAt(rows, at));
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = rows.charCodeAt(at + 4 + i);
  return bytes;
}

export function sumsIn(rows: string, from: number): Amounts | undefined {
  const which = rows.charCodeAt(from);
  if (which === 0) return undefined;
  let at = from + 1;
  const sums = noAmounts();
  for (const [bit, name] of AMOUNTS.entries()) {
    if (!(which & (1 << bit))) continue;
    sums[name] = (BigInt(numberAt(rows, at)) << 32n) | BigInt(numberAt(rows, at + 4));
    at += AMOUNT_SIZE;
  }
  return sums;
}

const AMOUNT_SIZE = 8;
const amountsIn = (which: number): number => (which & 1) + ((which >> 1) & 1) + ((which >> 2) & 1) + ((which >> 3) & 1);

/** Reads all orders, then all records. */
export function rowReader(rows: string, blocks: readonly BlockPlace[]): RowReader {
  let at = 0;
  const byte = (): number => rows.charCodeAt(at++);
  const number = (): number => {
    at += 4;
    return numberAt(rows, at - 4);
  };
  const text = (size: number): string => {
    at += size;
    return rows.slice(at - size, at);
  };
  const readState = (flags: number): TxState => {
    const kind = KINDS[flags & 3] ?? 'unconfirmed';
    if (kind === 'unconfirmed') return UNCONFIRMED;
    if (kind === 'abandoned') return ABANDONED;
    const block = blocks[number()];
    if (!block) throw damaged();
    return kind === 'conflicted' ? { kind, block } : { kind, block, index: number(), time: number() };
  };
  const next = (): Row => {
    const key = text(TXID_SIZE) as TxKey;
    const flags = byte();
    const state = readState(flags);
    const [timeReceived, timeSmart] = [number(), number()];
    const spends: OutpointKey[] = [];
    for (let remaining = number(); remaining > 0; remaining -= 1) {
      if (at >= rows.length) throw damaged();
      spends.push(text(byte()) as OutpointKey);
    }
    const sumsAt = flags & FLAGS.settled ? at : undefined;
    if (sumsAt !== undefined) {
      const which = byte();
      at += AMOUNT_SIZE * amountsIn(which);
    }
    const txAt = at;
    const size = number();
    at += size;
    return {
      key,
      state,
      timeReceived,
      timeSmart,
      spends,
      isCoinbase: (flags & FLAGS.coinbase) !== 0,
      isInMempool: (flags & FLAGS.inMempool) !== 0,
      isOpen: (flags & FLAGS.open) !== 0,
      sumsAt,
      txAt,
    };
  };
  return { next, order: number, isAtEnd: () => at === rows.length };
}

const UNCONFIRMED: TxState = { kind: 'unconfirmed' };
const ABANDONED: TxState = { kind: 'abandoned' };
