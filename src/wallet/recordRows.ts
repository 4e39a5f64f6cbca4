import { bytesKey, bytesOfKey } from '../bytes/compare.ts';
import { formatHex, parseHex } from '../bytes/hex.ts';
import type { Network } from '../network/networks.ts';
import { decodeTransaction, encodeTransaction } from '../tx/codec.ts';
import { txidOfKey } from '../tx/txid.ts';
import type { Transaction, Txid } from '../tx/types.ts';
import { settleIndex } from './balances.ts';
import { endRestoring, restoreRecord } from './restoreRecord.ts';
import { noAmounts } from './settledAmounts.ts';
import type { Amounts, BlockPlace, TxNotes, TxState, Wallet, WalletTx } from './walletState.ts';

/**
 * Writes the records of a wallet as rows, and reads them back without decoding their transactions. A row is a string
 * with one character for each byte:
 *
 *     txid 32 | flags u8 | state | received u32 | smart u32 | spends | sums | size u32 | transaction
 *
 * Numbers are big-endian. The state is `block u32 | index u32 | time u32`, of which a conflict has the block only, and an
 * unconfirmed or abandoned record nothing. `block` is an index of the blocks that come with the rows. The outpoints are
 * `count u32` and for each `size u8` and its key. The sums of a settled record are `which u8`, a bit for each amount that
 * is not zero, and these, u64 each.
 */
export interface RecordRows {
  readonly blocks: readonly BlockPlace[];
  readonly count: number;
  readonly rows: string;
  /** Of the records that have any, by their order. */
  readonly extras: readonly (readonly [order: number, extras: Extras])[];
}

const KINDS = ['unconfirmed', 'confirmed', 'conflicted', 'abandoned'] as const satisfies readonly TxState['kind'][];
const [COINBASE, IN_MEMPOOL, OPEN, SETTLED] = [4, 8, 16, 32] as const;
const AMOUNTS = ['own', 'watched', 'usedOwn', 'usedWatched'] as const satisfies readonly (keyof Amounts)[];
const TXID_SIZE = 32;

/** The rare parts of a record; bytes are hex. */
interface Extras {
  readonly alternates: readonly string[];
  readonly conflicts: readonly string[];
  readonly notes?: Omit<TxNotes, 'replaces' | 'replacedBy'> & {
    readonly replaces?: string;
    readonly replacedBy?: string;
  };
}

/** A record whose transaction is decoded when it is first asked for. */
class StoredRecord implements WalletTx {
  readonly key: string;
  readonly isCoinbase: boolean;
  readonly spends: readonly string[];
  readonly order: number;
  readonly timeReceived: number;
  timeSmart: number;
  state: TxState;
  isInMempool: boolean;
  alternates: readonly Transaction[] = NO_COPIES;
  notes: TxNotes | undefined = undefined;
  private readonly encoded: string;
  private readonly network: Network;
  private decoded: Transaction | undefined = undefined;
  private hash: Txid | undefined = undefined;
  private rivals: Map<string, Txid> | undefined = undefined;

  constructor(
    { key, isCoinbase, isInMempool, state, timeReceived, timeSmart, spends, encoded }: Row,
    order: number,
    network: Network,
  ) {
    this.key = key;
    this.isCoinbase = isCoinbase;
    this.spends = spends;
    this.order = order;
    this.timeReceived = timeReceived;
    this.timeSmart = timeSmart;
    this.state = state;
    this.isInMempool = isInMempool;
    this.encoded = encoded;
    this.network = network;
  }

  get tx(): Transaction {
    this.decoded ??= decodeTransaction(bytesOfKey(this.encoded), this.network);
    return this.decoded;
  }

  set tx(tx: Transaction) {
    this.decoded = tx;
  }

  get id(): Txid {
    this.hash ??= txidOfKey(this.key);
    return this.hash;
  }

  get mempoolConflicts(): Map<string, Txid> {
    this.rivals ??= new Map();
    return this.rivals;
  }
}

const NO_COPIES: WalletTx['alternates'] = [];

/** A row after reading it. */
interface Row extends Pick<WalletTx, 'key' | 'isCoinbase' | 'isInMempool' | 'state' | 'timeReceived' | 'timeSmart'> {
  readonly spends: readonly string[];
  /** The transaction, one character for each byte. */
  readonly encoded: string;
  readonly isOpen: boolean;
  readonly sums: Amounts | undefined;
}

/** Writes the records of a wallet. @throws RangeError for a number that a row cannot hold */
export function writeRows(wallet: Wallet): RecordRows {
  settleIndex(wallet);
  const blocks = new Map<string, number>();
  const places: BlockPlace[] = [];
  const numberOf = (place: BlockPlace): number => {
    const known = blocks.get(place.key);
    if (known !== undefined) return known;
    blocks.set(place.key, places.length);
    return places.push(place) - 1;
  };
  const rows = wallet.ordered.map((record) => rowOf(wallet, record, numberOf));
  const extras = wallet.ordered.flatMap((record): RecordRows['extras'] => {
    const own = extrasOf(record);
    return own ? [[record.order, own]] : [];
  });
  return { blocks: places, count: rows.length, rows: rows.join(''), extras };
}

function rowOf({ index }: Wallet, record: WalletTx, numberOf: (place: BlockPlace) => number): string {
  const { key, state, spends, timeReceived, timeSmart } = record;
  const isSettled = !index.settled.others.has(record);
  const flags =
    KINDS.indexOf(state.kind) |
    (record.isCoinbase ? COINBASE : 0) |
    (record.isInMempool ? IN_MEMPOOL : 0) |
    (index.open.has(key) ? OPEN : 0) |
    (isSettled ? SETTLED : 0);
  const encoded = bytesKey(encodeTransaction(record.tx));
  return [
    key,
    String.fromCharCode(flags),
    'block' in state ? u32(numberOf(state.block)) : '',
    state.kind === 'confirmed' ? u32(state.index) + u32(state.time) : '',
    u32(timeReceived) + u32(timeSmart) + u32(spends.length),
    ...spends.map((outpoint) => String.fromCharCode(outpoint.length) + outpoint),
    isSettled ? sumsText(index.settled.byRecord.get(key)?.amounts) : '',
    u32(encoded.length) + encoded,
  ].join('');
}

function u32(value: number): string {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) throw new RangeError(`${value} is no u32`);
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

function sumsText(amounts: Amounts | undefined): string {
  let which = 0;
  let values = '';
  for (const [bit, name] of AMOUNTS.entries()) {
    const value = amounts?.[name] ?? 0n;
    if (value === 0n) continue;
    which |= 1 << bit;
    values += u32(Number(value >> 32n)) + u32(Number(value & 0xffff_ffffn));
  }
  return String.fromCharCode(which) + values;
}

function extrasOf({ alternates, mempoolConflicts, notes }: WalletTx): Extras | undefined {
  if (alternates.length === 0 && mempoolConflicts.size === 0 && !notes) return undefined;
  const { replaces, replacedBy, ...texts } = notes ?? {};
  return {
    alternates: alternates.map((copy) => formatHex(encodeTransaction(copy))),
    conflicts: [...mempoolConflicts.values()].map(formatHex),
    ...(notes && {
      notes: {
        ...texts,
        ...(replaces && { replaces: formatHex(replaces) }),
        ...(replacedBy && { replacedBy: formatHex(replacedBy) }),
      },
    }),
  };
}

/** Adds the records of rows to a wallet that has none yet. @throws Error for rows that {@link writeRows} did not write */
export function readRows(wallet: Wallet, { blocks, count, rows, extras }: RecordRows, network: Network): void {
  const { next, isAtEnd } = rowReader(rows, blocks);
  const known = new Map(extras);
  for (let order = 0; order < count; order += 1) {
    const row = next();
    const record = new StoredRecord(row, order, network);
    const own = known.get(order);
    if (own) addExtras(record, own, network);
    restoreRecord(wallet, record, row);
  }
  if (!isAtEnd()) throw new Error('the rows have another size');
  endRestoring(wallet);
}

function addExtras(record: StoredRecord, { alternates, conflicts, notes }: Extras, network: Network): void {
  record.alternates = alternates.map((hex) => decodeTransaction(parseHex(hex), network));
  for (const hex of conflicts) {
    const id = txidOfHex(hex);
    record.mempoolConflicts.set(bytesKey(id), id);
  }
  if (!notes) return;
  const { replaces, replacedBy, ...texts } = notes;
  record.notes = {
    ...texts,
    ...(replaces !== undefined && { replaces: txidOfHex(replaces) }),
    ...(replacedBy !== undefined && { replacedBy: txidOfHex(replacedBy) }),
  };
}

const txidOfHex = (hex: string): Txid => txidOfKey(bytesKey(parseHex(hex)));

interface RowReader {
  readonly next: () => Row;
  readonly isAtEnd: () => boolean;
}

function rowReader(rows: string, blocks: readonly BlockPlace[]): RowReader {
  let at = 0;
  const byte = (): number => rows.charCodeAt(at++);
  const number = (): number => {
    at += 4;
    const high = (rows.charCodeAt(at - 4) << 8) | rows.charCodeAt(at - 3);
    return high * 0x1_0000 + ((rows.charCodeAt(at - 2) << 8) | rows.charCodeAt(at - 1));
  };
  const text = (size: number): string => {
    at += size;
    return rows.slice(at - size, at);
  };
  const stateOf = (flags: number): TxState => {
    const kind = KINDS[flags & 3] ?? 'unconfirmed';
    if (kind === 'unconfirmed') return UNCONFIRMED;
    if (kind === 'abandoned') return ABANDONED;
    const block = blocks[number()];
    if (!block) throw new Error('a row names an unknown block');
    return kind === 'conflicted' ? { kind, block } : { kind, block, index: number(), time: number() };
  };
  const sums = (): Amounts => {
    const which = byte();
    if (which === 0) return NOTHING;
    const amount = (bit: number): bigint => (which & bit ? (BigInt(number()) << 32n) | BigInt(number()) : 0n);
    return { own: amount(1), watched: amount(2), usedOwn: amount(4), usedWatched: amount(8) };
  };
  const next = (): Row => {
    const key = text(TXID_SIZE);
    const flags = byte();
    const state = stateOf(flags);
    const [timeReceived, timeSmart] = [number(), number()];
    const spends: string[] = [];
    for (let left = number(); left > 0; left -= 1) spends.push(text(byte()));
    return {
      ...{ key, state, timeReceived, timeSmart, spends },
      isCoinbase: (flags & COINBASE) !== 0,
      isInMempool: (flags & IN_MEMPOOL) !== 0,
      isOpen: (flags & OPEN) !== 0,
      sums: flags & SETTLED ? sums() : undefined,
      encoded: text(number()),
    };
  };
  return { next, isAtEnd: () => at === rows.length };
}

const UNCONFIRMED: TxState = { kind: 'unconfirmed' };
const ABANDONED: TxState = { kind: 'abandoned' };
const NOTHING: Amounts = noAmounts();
