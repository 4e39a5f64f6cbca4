import { formatBase64, parseBase64 } from '../../core/bytes/base64.ts';
import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { formatHex, parseHex } from '../../core/bytes/hex.ts';
import { txid, txKey } from '../../core/tx/txid.ts';
import { KINDS } from '../store/kinds.ts';
import { createMemoryStore } from '../store/memoryStore.ts';
import { orderKey } from '../store/orderKey.ts';
import type { RecordChange } from '../store/recordStore.ts';
import { openTables } from '../store/tables.ts';
import { type OwnedDescriptor, watchingRecord } from '../wallet/keys/ownedDescriptor.ts';
import { openWallet, type WalletParts } from '../wallet/records/openWallet.ts';
import { reindexRecords } from '../wallet/records/records.ts';
import { newWalletRow, walletRowCodec } from '../wallet/records/walletRow.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import { decodeBackup, encodeBackup, type RefusedBackup } from './backupFile.ts';
import type { Owner } from './owner.ts';

/** The kinds of a backup besides the row of the wallet: all that do not follow from others. */
const BACKED_UP = [
  KINDS['private key'],
  KINDS.descriptor,
  KINDS['hardened keys'],
  KINDS.seed,
  KINDS['legacy key'],
  KINDS['legacy script'],
  KINDS['watched script'],
  KINDS['keypool key'],
  KINDS.address,
  KINDS['locked coin'],
  KINDS.transaction,
];

/** The whole wallet, or one without private keys that watches the same scripts. */
export type BackupContent = 'whole' | 'watching';

/** Writes the records of a wallet, without its number. */
export function backUpWallet(owner: Owner, wallet: Wallet, content: BackupContent = 'whole'): Uint8Array {
  const isWhole = content === 'whole';
  const row = isWhole ? wallet.row : { ...wallet.row, disablesPrivateKeys: true, master: undefined };
  function* entries(): Generator<string> {
    yield formatEntry(KINDS.wallet, '', walletRowCodec.encode(row));
    for (const kind of BACKED_UP) {
      if (!isWhole && SECRET.has(kind)) continue;
      for (const [key, value] of wallet.tables.get(kind)?.encoded() ?? []) {
        yield formatEntry(kind, key, isWhole || kind !== KINDS.descriptor ? value : watchingRecord(value));
      }
    }
  }
  return encodeBackup(owner, entries());
}

const SECRET: ReadonlySet<string> = new Set([KINDS['private key'], KINDS.seed, KINDS['legacy key']]);

const formatEntry = (kind: string, key: string, value: Uint8Array): string =>
  [kind, formatHex(parseBytesKey(key)), formatBase64(value)].join(' ');

function parseEntry(entry: string): RecordChange {
  const [kind = '', key = '', text = ''] = entry.split(' ');
  const value = parseBase64(text);
  if (value[0] === BRACE) JSON.parse(bytesKey(value).split('\n', 1)[0] ?? '', assertCount);
  return [kind + NUMBER + bytesKey(parseHex(key)), value];
}

const BRACE = 0x7b;

/** All numbers in records are counts, indexes, heights and times. */
function assertCount(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0)) throw new RangeError('not a count');
  return value;
}

/** Of the only wallet in a store. */
const NUMBER = orderKey(0);

export type WalletBackup = { readonly kind: 'wallet'; readonly wallet: Wallet } | RefusedBackup;

/** Opens the wallet in a backup, in a store of its own. */
export function readWalletBackup(
  bytes: Uint8Array,
  owner: Owner,
  parts: Omit<WalletParts, 'tables' | 'rows'>,
): WalletBackup {
  const read = decodeBackup(bytes, owner);
  if (read.kind === 'refused') return read;
  const store = createMemoryStore();
  const tables = openTables(store);
  const rows = tables.table(KINDS.wallet, walletRowCodec, 1);
  const wallet = openWallet(NUMBER, { ...parts, tables, rows });
  let line = 1;
  try {
    for (const entry of read.entries) {
      line += 1;
      store.write([parseEntry(entry)]);
    }
    readAll(wallet);
    assertPlausible(wallet);
  } catch {
    return { kind: 'refused', reason: `holds a record that cannot be read, up to line ${line}` };
  }
  return { kind: 'wallet', wallet };
}

/** Refuses what no wallet writes, since a forged backup could hide a transaction or keep calls busy. @throws RangeError */
function assertPlausible(wallet: Wallet): void {
  const { descriptors, records } = wallet;
  const all = descriptors?.descriptors() ?? [];
  const hardened = all.filter(({ isHardened }) => isHardened).map(({ watched }) => watched.high - watched.low);
  const isSound =
    hasShapeOf(wallet.row, newWalletRow(wallet.row, wallet.row.tip)) &&
    all.every((owned, i) => owned.number === i && isPlausible(owned)) &&
    hardened.reduce((sum, size) => sum + size, 0) <= countRecords(wallet, KINDS['hardened keys']) &&
    hasPlausibleKeys(wallet);
  if (!isSound) throw new RangeError('a forged backup');
  for (const [key, wtx] of records.entries()) if (txKey(txid(wtx.tx)) !== key) throw new RangeError('a forged backup');
}

/** More than an import of the greatest range and its lookahead give. */
const MOST_INDEXES = 1_100_000;

function isPlausible({ source, watched, counted }: OwnedDescriptor): boolean {
  const { first, end, next } = source;
  const isShort = (low: number, high: number): boolean => low <= high && high - low <= MOST_INDEXES;
  const areCounts = [first, end, next, counted, watched.low, watched.high].every(Number.isSafeInteger);
  const isInRange = isShort(first, end) && isShort(watched.low, watched.high) && next <= end && counted <= watched.high;
  return areCounts && isInRange;
}

/** Tells whether a value has all members of a model, with their types. */
function hasShapeOf(value: unknown, model: unknown): boolean {
  if (typeof value !== typeof model || typeof value !== 'object' || value === null)
    return typeof value === typeof model;
  return Object.entries(model ?? {}).every(([name, member]) => hasShapeOf((value as never)[name], member));
}

/** Compares what 0.21 counts with the records. */
function hasPlausibleKeys(wallet: Wallet): boolean {
  const { legacy } = wallet;
  if (!legacy) return true;
  const keys = countRecords(wallet, KINDS['legacy key']);
  const isDerived = Array.from(legacy.hd.seeds()).every(
    ({ counts }) => Math.max(counts.external, counts.internal) <= keys,
  );
  const { size } = legacy.hd.pool;
  return isDerived && size('external') + size('internal') === countRecords(wallet, KINDS['keypool key']);
}

const countRecords = ({ tables }: Wallet, kind: string): number => Array.from(tables.get(kind)?.keys() ?? []).length;

/** Decodes every record of a wallet. @throws BtcError `store/corrupt` */
export function readAll(wallet: Wallet): void {
  for (const table of wallet.tables.values()) for (const _ of table.entries());
  for (const [, { tx }] of wallet.records.entries()) void tx;
}

/** Copies the records of a wallet but for its row, and makes what follows from them. */
export function copyWallet(from: Wallet, to: Wallet): void {
  for (const kind of BACKED_UP) {
    const target = to.tables.get(kind);
    for (const [key, value] of from.tables.get(kind)?.entries() ?? []) target?.set(key, value);
  }
  to.descriptors?.reindex();
  reindexRecords(to);
}
