import { bytesKey, parseBytesKey } from '../../../core/bytes/compare.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import type { Network } from '../../../core/network/networks.ts';
import type { ScriptKey } from '../../../core/script/scriptKey.ts';
import type { OutpointKey, TxKey } from '../../../core/tx/types.ts';
import { bytesCodec, flagCodec, plainCodec } from '../../store/codecs.ts';
import { KINDS } from '../../store/kinds.ts';
import type { OpenTable, RecordCodec, Table, Tables } from '../../store/tables.ts';
import { createDescriptorStore } from '../keys/descriptorStore.ts';
import { seedCodec } from '../keys/hdSeeds.ts';
import { pooledKeyCodec } from '../keys/keypool.ts';
import { createLegacyStore, type LegacyTables, legacyKeyCodec, watchedScriptCodec } from '../keys/legacyStore.ts';
import { createVault, secretCodec } from '../keys/vault.ts';
import type { NodeRules } from '../rules.ts';
import { bookEntryCodec } from './addressBook.ts';
import { touchPayers } from './recordIndex.ts';
import { heightSumsCodec } from './settledAmounts.ts';
import type { WalletRow, WalletSettings } from './walletRow.ts';
import type { BookEntry, LockedCoin, Wallet } from './walletState.ts';
import type { WalletTx } from './walletTx.ts';
import { walletTxCodec } from './walletTxCodec.ts';

export interface WalletParts {
  readonly rules: NodeRules;
  readonly network: Network;
  readonly ecc: Ecc;
  readonly tables: Tables;
  readonly rows: Table<string, WalletRow>;
  readonly recorded?: Wallet['recorded'];
}

/** The most values kept decoded. */
const KEPT = { records: 20_000, spenders: 50_000, keys: 50_000 };
const ALL = Number.POSITIVE_INFINITY;

const TX_KEY_SIZE = 32;

/** The keys of transactions, one after the other. */
const txKeysCodec: RecordCodec<readonly TxKey[]> = {
  encode: (keys) => parseBytesKey(keys.join('')),
  decode: (bytes) =>
    Array.from(
      { length: bytes.length / TX_KEY_SIZE },
      (_, i) => bytesKey(bytes, TX_KEY_SIZE * i, TX_KEY_SIZE * (i + 1)) as TxKey,
    ),
};

const txKeyCodec: RecordCodec<TxKey> = {
  encode: (key) => parseBytesKey(key),
  decode: (bytes) => bytesKey(bytes) as TxKey,
};

/** Opens the wallet of a row. `number`: the key of the row, which follows the kind in the keys of its records. */
export function openWallet(number: string, { tables, rows, ...parts }: WalletParts): Wallet {
  const { rules, network, recorded = new Set() } = parts;
  const byKind = new Map<string, Table<string, unknown>>();
  const table: OpenTable = <K extends string, T>(kind: string, codec: RecordCodec<T>, capacity: number) => {
    const opened = tables.table<K, T>(kind + number, codec, capacity);
    byKind.set(kind, opened as unknown as Table<string, unknown>);
    return opened;
  };
  const settings = openSettings(rows, number);
  const vault = createVault(settings, table(KINDS['private key'], secretCodec, KEPT.keys));
  const shared = {
    ...parts,
    settings,
    onAdded: (scripts: readonly ScriptKey[]): void => touchPayers(wallet, scripts),
  };
  const isLegacy = rules.keyStore === 'legacy';
  const wallet: Wallet = {
    get row() {
      return settings.row;
    },
    change: settings.change,
    rules,
    tables: byKind,
    vault,
    legacy: isLegacy ? createLegacyStore({ ...shared, tables: legacyTables(table) }, vault) : undefined,
    descriptors: isLegacy ? undefined : createDescriptorStore({ ...shared, table }, vault),
    book: table<ScriptKey, BookEntry>(KINDS.address, bookEntryCodec, ALL),
    locked: table<OutpointKey, LockedCoin>(KINDS['locked coin'], plainCodec<LockedCoin>(), ALL),
    records: table<TxKey, WalletTx>(KINDS.transaction, walletTxCodec(network), KEPT.records),
    spenders: table<OutpointKey, readonly TxKey[]>(KINDS['spent coin'], txKeysCodec, KEPT.spenders),
    index: {
      arrivals: table(KINDS.arrival, txKeyCodec, KEPT.keys),
      byHeight: table(KINDS['transaction by height'], flagCodec, 1),
      payments: table(KINDS.payment, txKeyCodec, 1),
      open: table<TxKey, true>(KINDS['transaction with coins'], flagCodec, KEPT.keys),
      unsettled: table<TxKey, true>(KINDS['unsettled transaction'], flagCodec, KEPT.keys),
      sums: table(KINDS['settled amounts'], heightSumsCodec, KEPT.keys),
    },
    touched: new Set(),
    recorded,
    deadlines: { wall: 0, steady: 0 },
    relockTime: 0,
  };
  return wallet;
}

function openSettings(rows: Table<string, WalletRow>, number: string): WalletSettings {
  const settings: WalletSettings = {
    get row() {
      const row = rows.get(number);
      if (!row) throw new TypeError('the wallet has no row');
      return row;
    },
    change: (members) => rows.set(number, { ...settings.row, ...members }),
  };
  return settings;
}

const legacyTables = (table: OpenTable): LegacyTables => ({
  keys: table(KINDS['legacy key'], legacyKeyCodec, ALL),
  scripts: table(KINDS['legacy script'], bytesCodec, ALL),
  watched: table(KINDS['watched script'], watchedScriptCodec, ALL),
  seeds: table(KINDS.seed, seedCodec, ALL),
  pool: table(KINDS['keypool key'], pooledKeyCodec, KEPT.keys),
});
