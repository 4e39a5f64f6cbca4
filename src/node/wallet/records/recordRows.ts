import { bytesKey } from '../../../core/bytes/compare.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import type { Network } from '../../../core/network/networks.ts';
import { decodeTransaction, encodeTransaction } from '../../../core/tx/codec.ts';
import { parseTxKey, txKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, Transaction, Txid, TxKey } from '../../../core/tx/types.ts';
import type { BlockKey } from '../../chain/blockHeader.ts';
import { settleIndex } from '../queries/balances.ts';
import { closeSpent } from './recordIndex.ts';
import { NO_COPIES, recordsById } from './records.ts';
import { endEmpty, endRestoring, forgetScripts, restoreRecord } from './restoreRecord.ts';
import { AMOUNTS, bytesIn, damaged, FLAGS, KINDS, type Row, rowReader, sumsIn } from './rowReader.ts';
import { addSettled, createSums, isNothing, noAmounts, settledRecord } from './settledAmounts.ts';
import type {
  Amounts,
  BlockPlace,
  SettledRecord,
  SettledSums,
  TxNotes,
  TxState,
  Wallet,
  WalletTx,
} from './walletState.ts';

/**
 * Writes records as rows, and reads them back without decoding their transactions. The rows are a string with one
 * character per byte: each record's order, u32, by txid bytes, then in the order of arrival
 *
 *     txid 32 | flags u8 | state | received u32 | smart u32 | spends | sums | size u32 | transaction
 *
 * - numbers: big-endian
 * - state: `block u32 | index u32 | time u32`; of a conflict the block only, and nothing of an unconfirmed or abandoned
 *   record; `block` is an index of `blocks`
 * - spends: `count u32`, then `size u8` and the outpoint key of each
 * - sums: of settled records, `which u8`, a bit for each amount that is not zero, and these, u64 each
 */
export interface RecordRows {
  readonly blocks: readonly BlockPlace[];
  readonly count: number;
  /** The number of records that are not settled. */
  readonly others: number;
  readonly heights: readonly HeightSums[];
  readonly rows: string;
  /** Of records that have any. */
  readonly extras: readonly (readonly [order: number, extras: Extras])[];
}

/** `which` has a bit for each amount except zero: four of coinbases, four of payments. Unsafe integers are text. */
type HeightSums = readonly [height: number, which: number, ...amounts: readonly (number | string)[]];

/** Bytes are hex. */
interface Extras {
  readonly alternates: readonly string[];
  readonly conflicts: readonly string[];
  readonly notes?: Omit<TxNotes, 'replaces' | 'replacedBy'> & {
    readonly replaces?: string;
    readonly replacedBy?: string;
  };
}

/** Decodes its transaction when it is first read. */
class StoredRecord implements WalletTx {
  readonly key: TxKey;
  readonly isCoinbase: boolean;
  readonly spends: readonly OutpointKey[];
  readonly order: number;
  readonly timeReceived: number;
  timeSmart: number;
  state: TxState;
  isInMempool: boolean;
  alternates: readonly Transaction[] = NO_COPIES;
  notes: TxNotes | undefined = undefined;
  private readonly source: RowSource;
  private readonly txAt: number;
  private readonly sumsAt: number | undefined;
  private readonly first: TxState;
  private decoded: Transaction | undefined = undefined;
  private hash: Txid | undefined = undefined;
  private rivals: Map<TxKey, Txid> | undefined = undefined;

  constructor(row: Row, order: number, source: RowSource) {
    const { key, isCoinbase, isInMempool, state, timeReceived, timeSmart, spends } = row;
    this.key = key;
    this.isCoinbase = isCoinbase;
    this.spends = spends;
    this.order = order;
    this.timeReceived = timeReceived;
    this.timeSmart = timeSmart;
    this.state = state;
    this.isInMempool = isInMempool;
    this.source = source;
    this.txAt = row.txAt;
    this.sumsAt = row.sumsAt;
    this.first = state;
  }

  get tx(): Transaction {
    this.decoded ??= decodeTransaction(bytesIn(this.source.rows, this.txAt), { mweb: this.source.network.mweb });
    return this.decoded;
  }

  set tx(tx: Transaction) {
    this.decoded = tx;
  }

  get id(): Txid {
    this.hash ??= parseTxKey(this.key);
    return this.hash;
  }

  get settled(): SettledRecord | undefined {
    const { sumsAt, first, isCoinbase } = this;
    if (sumsAt === undefined || first.kind !== 'confirmed') return undefined;
    const amounts = sumsIn(this.source.rows, sumsAt);
    return amounts && { kind: isCoinbase ? 'coinbase' : 'payment', height: first.block.height, amounts };
  }

  get mempoolConflicts(): Map<TxKey, Txid> {
    this.rivals ??= new Map();
    return this.rivals;
  }
}

interface RowSource {
  readonly rows: string;
  readonly network: Network;
}

/** @throws RangeError for a number that a row cannot hold */
export function writeRows(wallet: Wallet): RecordRows {
  settleIndex(wallet);
  // Otherwise the first list of coins after each opening would look at all transactions.
  for (const record of wallet.ordered) if (wallet.index.open.has(record.key)) closeSpent(wallet, record);
  const blocks = new Map<BlockKey, number>();
  const places: BlockPlace[] = [];
  const blockNumber = (place: BlockPlace): number => {
    const existing = blocks.get(place.key);
    if (existing !== undefined) return existing;
    blocks.set(place.key, places.length);
    return places.push(place) - 1;
  };
  const rows = wallet.ordered.map((record) => writeRow(wallet, record, blockNumber));
  const extras = wallet.ordered.flatMap((record): RecordRows['extras'] => {
    const own = collectExtras(record);
    return own ? [[record.order, own]] : [];
  });
  const { settled } = wallet.index;
  return {
    blocks: places,
    count: rows.length,
    others: settled.others.size,
    heights: [...settled.sums.byHeight].flatMap(heightSums),
    rows: recordsById(wallet)
      .map(({ order }) => u32(order))
      .concat(rows)
      .join(''),
    extras,
  };
}

function heightSums([height, { coinbase, payment }]: [number, Record<SettledRecord['kind'], Amounts>]): HeightSums[] {
  const amounts: (number | string)[] = [];
  let which = 0;
  for (const [kind, sums] of [coinbase, payment].entries()) {
    for (const [bit, name] of AMOUNTS.entries()) {
      const value = sums[name];
      if (value === 0n) continue;
      which |= 1 << (AMOUNTS.length * kind + bit);
      amounts.push(Number.isSafeInteger(Number(value)) ? Number(value) : String(value));
    }
  }
  return which === 0 ? [] : [[height, which, ...amounts]];
}

function readSums(heights: readonly HeightSums[]): SettledSums {
  const sums = createSums();
  for (const [height, which, ...values] of heights) {
    let next = 0;
    for (const [kind, name] of (['coinbase', 'payment'] as const).entries()) {
      const amounts = noAmounts();
      for (const [bit, member] of AMOUNTS.entries()) {
        if (which & (1 << (AMOUNTS.length * kind + bit))) amounts[member] = BigInt(values[next++] ?? 0);
      }
      if (!isNothing(amounts)) addSettled(sums, { kind: name, height, amounts });
    }
  }
  return sums;
}

function writeRow({ index }: Wallet, record: WalletTx, blockNumber: (place: BlockPlace) => number): string {
  const { key, state, spends, timeReceived, timeSmart } = record;
  const isSettled = !index.settled.others.has(record);
  const flags =
    KINDS.indexOf(state.kind) |
    (record.isCoinbase ? FLAGS.coinbase : 0) |
    (record.isInMempool ? FLAGS.inMempool : 0) |
    (index.open.has(key) ? FLAGS.open : 0) |
    (isSettled ? FLAGS.settled : 0);
  const encoded = bytesKey(encodeTransaction(record.tx));
  return [
    key,
    String.fromCharCode(flags),
    'block' in state ? u32(blockNumber(state.block)) : '',
    state.kind === 'confirmed' ? u32(state.index) + u32(state.time) : '',
    u32(timeReceived) + u32(timeSmart) + u32(spends.length),
    ...spends.map((outpoint) => String.fromCharCode(outpoint.length) + outpoint),
    isSettled ? sumsText(settledRecord(index.settled, record)?.amounts) : '',
    u32(encoded.length) + encoded,
  ].join('');
}

function u32(value: number): string {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) throw new RangeError(`${value} is not a u32`);
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

function collectExtras({ alternates, mempoolConflicts, notes }: WalletTx): Extras | undefined {
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

/** Defers reading the records until a call needs one. @see WaitingRecords */
export function readRows(wallet: Wallet, kept: RecordRows, network: Network): void {
  const { count, others, heights } = kept;
  if (count === 0) {
    endEmpty(wallet);
    return;
  }
  forgetScripts(wallet);
  let sums: SettledSums | undefined;
  wallet.waiting = {
    count,
    others,
    sums: () => {
      sums ??= readSums(heights);
      return sums;
    },
    restore: () => restoreRows(wallet, kept, network),
  };
}

/** @throws BtcError `store/corrupt` for rows that {@link writeRows} did not write */
function restoreRows(wallet: Wallet, { blocks, count, heights, rows, extras }: RecordRows, network: Network): void {
  const { next, order: nextOrder, isAtEnd } = rowReader(rows, blocks);
  const source: RowSource = { rows, network };
  const extrasByOrder = new Map(extras);
  const orders = Array.from({ length: count }, nextOrder);
  const isOpen: boolean[] = [];
  for (let order = 0; order < count; order += 1) {
    const row = next();
    const record = new StoredRecord(row, order, source);
    const own = extrasByOrder.get(order);
    if (own) addExtras(record, own, network);
    restoreRecord(wallet, record, { isSettled: row.sumsAt !== undefined });
    isOpen.push(row.isOpen);
  }
  if (!isAtEnd()) throw damaged();
  const { ordered } = wallet;
  const byId = orders.flatMap((order) => ordered[order] ?? []);
  endRestoring(wallet, { byId, isOpen: ({ order }) => isOpen[order] === true, sums: readSums(heights) });
}

function addExtras(record: StoredRecord, { alternates, conflicts, notes }: Extras, { mweb }: Network): void {
  record.alternates = alternates.map((hex) => decodeTransaction(parseHex(hex), { mweb }));
  for (const hex of conflicts) {
    const id = txidOfHex(hex);
    record.mempoolConflicts.set(txKey(id), id);
  }
  if (!notes) return;
  const { replaces, replacedBy, ...texts } = notes;
  record.notes = {
    ...texts,
    ...(replaces !== undefined && { replaces: txidOfHex(replaces) }),
    ...(replacedBy !== undefined && { replacedBy: txidOfHex(replacedBy) }),
  };
}

const txidOfHex = (hex: string): Txid => parseHex(hex) as Txid;
