import { bytesKey } from '../bytes/compare.ts';
import { formatHex, formatReversedHex, isHex, parseHex } from '../bytes/hex.ts';
import { decodeBlock } from '../chain/block.ts';
import { chainTx } from '../chain/chainTx.ts';
import type { RemovalReason } from '../chain/types.ts';
import { concealed } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { formatDescriptor } from '../descriptors/formatDescriptor.ts';
import { withKeys } from '../descriptors/keyExpressions.ts';
import { parseDescriptor } from '../descriptors/parseDescriptor.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { decodeTransaction, encodeTransaction } from '../tx/codec.ts';
import { formatTxid, parseTxid, txidOfBytes } from '../tx/txid.ts';
import type { Outpoint, Transaction } from '../tx/types.ts';
import type { ScanRange } from '../wallet/chainSync.ts';
import type { Findings, FoundBlock, FoundTx, StoredKey, WalletEvent } from '../wallet/events.ts';
import type { SeedKeys } from '../wallet/hdSeeds.ts';
import type { NodeRules } from '../wallet/rules.ts';
import type { SealedMasterKey, SealedSecret } from '../wallet/sealedSecrets.ts';
import type { BlockPlace, TxNotes } from '../wallet/walletState.ts';
import {
  type ChainCommand,
  type ChainNews,
  isCommand,
  type LoggedEvent,
  type Missed,
  type TimedEvent,
} from './events.ts';

/** A {@link StoredKey} in an entry; `secret` is in hex, or sealed. */
interface StoredKeyJson {
  readonly publicKey: string;
  readonly secret: string | SealedSecret;
}

/** {@link SeedKeys} in an entry; `publicKeys` is the hex of all keys in a row. */
interface SeedKeysJson extends Omit<SeedKeys, 'publicKeys'> {
  readonly publicKeys: string;
}

interface OutpointJson {
  /** In display order. */
  readonly txid: string;
  readonly vout: number;
}

type Timed<T> = T & { readonly timestamp: number };

/** Notes of a transaction in an entry. */
type NoteJson = {
  readonly type: 'note';
  readonly txid: string;
  readonly replaces?: string;
  readonly replacedBy?: string;
} & Pick<TxNotes, 'comment' | 'to'>;

/** A {@link WalletEvent} in an entry. Bytes are hex; members are in the order in which they are written. */
export type WalletEventJson =
  | Timed<{ readonly type: 'key' } & StoredKeyJson>
  | { readonly type: 'script'; readonly script: string; readonly timestamp?: number }
  | Timed<{ readonly type: 'public-key'; readonly publicKey: string }>
  | {
      readonly type: 'origin';
      readonly publicKey: string;
      readonly fingerprint: string;
      readonly path: readonly number[];
    }
  | Timed<{ readonly type: 'watch'; readonly script: string }>
  | { readonly type: 'label'; readonly script: string; readonly label: string; readonly purpose?: 'send' }
  | (Omit<EventOf<'descriptor'>, 'descriptor' | 'normalized' | 'secrets'> & {
      readonly descriptor: string;
      readonly normalized: string;
      readonly secrets: readonly StoredKeyJson[];
    })
  | (Omit<EventOf<'seed'>, 'publicKey' | 'fingerprint' | 'keys'> & {
      readonly publicKey: string;
      readonly fingerprint: string;
      readonly keys?: readonly SeedKeysJson[];
    })
  | ({ readonly type: 'seed-keys'; readonly seed: string } & SeedKeysJson)
  /** The public keys at an index are joined. */
  | (Omit<EventOf<'descriptor-keys'>, 'publicKeys'> & { readonly publicKeys: readonly string[] })
  | EventOf<'top-up' | 'address' | 'flag' | 'pay-tx-fee'>
  | (Omit<EventOf<'pool-key'>, 'publicKey'> & { readonly publicKey: string })
  | (ScanRange & { readonly type: 'rescan'; readonly found?: FindingsJson })
  | { readonly type: 'abandon' | 'remove'; readonly txid: string }
  | {
      readonly type: 'pruned-funds';
      readonly transaction: string;
      readonly block: PlaceJson;
      readonly time: number;
      readonly index: number;
    }
  | { readonly type: 'payment'; readonly transaction: string }
  | NoteJson
  | { readonly type: 'lock'; readonly outpoints: readonly OutpointJson[]; readonly isPersistent?: true }
  | { readonly type: 'unlock'; readonly outpoints: readonly OutpointJson[] }
  | {
      readonly type: 'encrypt';
      readonly master: SealedMasterKey;
      /** By public key. */
      readonly secrets: Readonly<Record<string, SealedSecret>>;
    };

/** A block in an entry; the hash is in display order. */
interface PlaceJson {
  readonly hash: string;
  readonly height: number;
}

interface SeenBlockJson extends PlaceJson {
  readonly time: number;
  readonly maxTime: number;
}

interface FoundBlockJson {
  readonly block: SeenBlockJson;
  /** The position of each transaction, and the transaction or its txid. */
  readonly txs: readonly (readonly [index: number, tx: string])[];
}

interface FindingsJson {
  readonly blocks: readonly FoundBlockJson[];
  readonly mempool: readonly string[];
}

interface MissedJson extends FindingsJson {
  readonly left: readonly string[];
  readonly tip: PlaceJson;
}

/** A {@link LoggedEvent} in an entry, or a command in one of a journal that held all blocks. */
type NodeEventJson =
  | Exclude<LoggedEvent, { type: 'load' | 'restore' | 'wallet' } | ChainNews>
  | {
      readonly type: 'restore';
      readonly name: string;
      readonly history: readonly EntryJson[];
      readonly missed?: MissedJson;
    }
  | { readonly type: 'load'; readonly name: string; readonly missed?: MissedJson }
  | { readonly type: 'wallet'; readonly name: string; readonly event: WalletEventJson }
  | ({ readonly type: 'connected' } & FoundBlockJson)
  | ({ readonly type: 'disconnected'; readonly before: PlaceJson } & FoundBlockJson)
  | { readonly type: 'added'; readonly tx: string }
  | { readonly type: 'removed'; readonly tx: string; readonly reason: RemovalReason }
  | ChainCommandJson;

/** A {@link ChainCommand} in an entry of an old journal; hashes are in wire order. */
type ChainCommandJson =
  | { readonly type: 'block'; readonly block: string }
  | { readonly type: 'invalidate' | 'reconsider'; readonly hash: string }
  | { readonly type: 'transaction'; readonly transaction: string }
  | { readonly type: 'drop'; readonly txid: string };

/** A {@link TimedEvent} as an entry holds it. */
export interface EntryJson {
  /**
   * The number of the commit of the chain that the entry belongs to, if it came from one. It is written first, so that
   * an entry whose commit never happened shows.
   */
  readonly commit?: number;
  readonly at: number;
  readonly tip?: PlaceJson;
  readonly event: NodeEventJson;
}

type EventOf<T extends WalletEvent['type']> = Extract<WalletEvent, { type: T }>;

/** An entry of a journal as parsed: an event, or a command of a journal that held all blocks. */
export type ParsedEntry = TimedEvent<LoggedEvent | ChainCommand> & { readonly commit?: number | undefined };

/** Converts events to the entries of a journal, and back. */
export interface JournalCodec {
  readonly format: (timed: TimedEvent) => string;
  /** Parses an entry made by {@link JournalCodec.format}, or by an older version. */
  readonly parse: (entry: string) => ParsedEntry;
}

/** Adds the number of the commit of the chain that an entry belongs to. */
export const withCommit = (entry: string, commit: number): string => `{"commit":${commit},${entry.slice(1)}`;

/** How the events of a journal are parsed. */
interface EventReading {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly ecc: Ecc;
}

/** Makes the codec of a node's journal. */
export function journalCodec(network: Network, rules: NodeRules, ecc: Ecc): JournalCodec {
  return {
    format: (timed) => JSON.stringify(entryJson(timed, network)),
    parse: (entry) => parseEntry(JSON.parse(entry) as EntryJson, { network, rules, ecc }),
  };
}

const entryJson = ({ at, tip, event }: TimedEvent, network: Network): EntryJson => ({
  at,
  ...(tip && { tip: placeJson(tip) }),
  event: nodeEventJson(event, network),
});

const parseEntry = ({ at, commit, tip, event }: EntryJson, reading: EventReading): ParsedEntry => ({
  at,
  commit,
  tip: tip && parsePlace(tip),
  event: parseNodeEvent(event, reading),
});

/** Parses an entry of a wallet's history. @throws BtcError `store/failed` for a command, which none has */
function parsePast(entry: EntryJson, reading: EventReading): TimedEvent {
  const { at, tip, event } = parseEntry(entry, reading);
  if (!isCommand(event)) return { at, tip, event };
  const reason = `the command "${event.type}" in the history of a wallet`;
  throw new BtcError('store/failed', { path: '', reason }, `The journal holds ${reason}`);
}

function nodeEventJson(event: LoggedEvent, network: Network): NodeEventJson {
  switch (event.type) {
    case 'connected':
      return { type: event.type, ...foundBlockJson(event) };
    case 'disconnected':
      return { type: event.type, before: placeJson(event.before), ...foundBlockJson(event) };
    case 'added':
    case 'removed':
      return { ...event, tx: foundTxJson(event.tx) };
    case 'load': {
      const { name, missed } = event;
      return { type: 'load', name, ...(missed && { missed: missedJson(missed) }) };
    }
    case 'restore': {
      const { missed, history, ...rest } = event;
      const past = history.map((timed) => entryJson(timed, network));
      return { ...rest, history: past, ...(missed && { missed: missedJson(missed) }) };
    }
    case 'wallet':
      return { ...event, event: walletEventJson(event.event, network) };
    default:
      return event;
  }
}

function parseNodeEvent(event: NodeEventJson, reading: EventReading): LoggedEvent | ChainCommand {
  const { network } = reading;
  switch (event.type) {
    case 'connected':
      return { type: event.type, ...parseFoundBlock(event, network) };
    case 'disconnected':
      return { type: event.type, before: parsePlace(event.before), ...parseFoundBlock(event, network) };
    case 'added':
      return { type: event.type, tx: parseFoundTx(event.tx, network) };
    case 'removed':
      return { ...event, tx: parseFoundTx(event.tx, network) };
    case 'load': {
      const { name, missed } = event;
      return { type: 'load', name, ...(missed && { missed: parseMissed(missed, network) }) };
    }
    case 'restore': {
      const { missed, history, ...rest } = event;
      const past = history.map((entry) => parsePast(entry, reading));
      return { ...rest, history: past, ...(missed && { missed: parseMissed(missed, network) }) };
    }
    case 'wallet':
      return { ...event, event: parseWalletEvent(event.event, reading) };
    case 'block':
    case 'invalidate':
    case 'reconsider':
    case 'transaction':
    case 'drop':
      return parseCommand(event, network);
    default:
      return event;
  }
}

function parseCommand(event: ChainCommandJson, network: Network): ChainCommand {
  switch (event.type) {
    case 'block': {
      const bytes = parseHex(event.block);
      return { type: 'block', block: decodeBlock(bytes, network), bytes };
    }
    case 'transaction':
      return { type: 'transaction', tx: parseTransaction(event.transaction, network) };
    case 'drop':
      return { type: 'drop', txid: parseTxid(event.txid) };
    default:
      return { type: event.type, hash: parseHex(event.hash) };
  }
}

const placeJson = ({ hash, height }: BlockPlace): PlaceJson => ({ hash: formatReversedHex(hash), height });

function parsePlace({ hash: text, height }: PlaceJson): BlockPlace {
  const hash = parseHex(text).reverse();
  return { hash, key: bytesKey(hash), height };
}

const TXID_LENGTH = 64;

const foundTxJson = (tx: FoundTx): string =>
  tx instanceof Uint8Array ? formatTxid(tx) : formatHex(encodeTransaction(tx.tx));

function parseFoundTx(text: string, { mweb }: Network): FoundTx {
  if (text.length === TXID_LENGTH) return parseTxid(text);
  const bytes = parseHex(text);
  const tx = decodeTransaction(bytes, { mweb });
  return chainTx(tx, txidOfBytes(tx, bytes));
}

const parseTransaction = (hex: string, { mweb }: Network): Transaction => decodeTransaction(parseHex(hex), { mweb });

function foundBlockJson({ block, txs }: FoundBlock): FoundBlockJson {
  const { time, maxTime } = block;
  return {
    block: { ...placeJson(block), time, maxTime },
    txs: txs.map(({ index, tx }) => [index, foundTxJson(tx)] as const),
  };
}

function parseFoundBlock({ block, txs }: FoundBlockJson, network: Network): FoundBlock {
  const { time, maxTime } = block;
  return {
    block: { ...parsePlace(block), time, maxTime },
    txs: txs.map(([index, tx]) => ({ index, tx: parseFoundTx(tx, network) })),
  };
}

const findingsJson = ({ blocks, mempool }: Findings): FindingsJson => ({
  blocks: blocks.map(foundBlockJson),
  mempool: mempool.map(foundTxJson),
});
const parseFindings = ({ blocks, mempool }: FindingsJson, network: Network): Findings => ({
  blocks: blocks.map((block) => parseFoundBlock(block, network)),
  mempool: mempool.map((tx) => parseFoundTx(tx, network)),
});

const missedJson = ({ left, tip, ...findings }: Missed): MissedJson => ({
  left: left.map(formatReversedHex),
  tip: placeJson(tip),
  ...findingsJson(findings),
});
const parseMissed = ({ left, tip, ...findings }: MissedJson, network: Network): Missed => ({
  left: left.map((hash) => parseHex(hash).reverse()),
  tip: parsePlace(tip),
  ...parseFindings(findings, network),
});

const storedKeyJson = ({ publicKey, secret }: StoredKey): StoredKeyJson => ({
  publicKey: formatHex(publicKey),
  secret: secret instanceof Uint8Array ? formatHex(secret) : secret,
});
const parseStoredKey = ({ publicKey, secret }: StoredKeyJson): StoredKey => ({
  publicKey: parseHex(publicKey),
  secret: typeof secret === 'string' ? concealed(parseHex(secret)) : secret,
});

const outpointJson = ({ txid, vout }: Outpoint): OutpointJson => ({ txid: formatTxid(txid), vout });
const parseOutpoint = ({ txid, vout }: OutpointJson): Outpoint => ({ txid: parseTxid(txid), vout });

const noteJson = ({ txid, replaces, replacedBy, ...texts }: EventOf<'note'>): NoteJson => ({
  ...texts,
  txid: formatTxid(txid),
  ...(replaces && { replaces: formatTxid(replaces) }),
  ...(replacedBy && { replacedBy: formatTxid(replacedBy) }),
});
const parseNote = ({ txid, replaces, replacedBy, ...texts }: NoteJson): EventOf<'note'> => ({
  ...texts,
  txid: parseTxid(txid),
  ...(replaces !== undefined && { replaces: parseTxid(replaces) }),
  ...(replacedBy !== undefined && { replacedBy: parseTxid(replacedBy) }),
});

type PrunedFundsJson = Extract<WalletEventJson, { type: 'pruned-funds' }>;

function prunedFundsJson({ type, tx, block, time, index }: EventOf<'pruned-funds'>): PrunedFundsJson {
  return { type, transaction: formatHex(encodeTransaction(tx)), block: placeJson(block), time, index };
}

function parsePrunedFunds({ transaction, block, ...rest }: PrunedFundsJson, network: Network): EventOf<'pruned-funds'> {
  return { ...rest, tx: parseTransaction(transaction, network), block: parsePlace(block) };
}

type SeedJson = Extract<WalletEventJson, { type: 'seed' | 'seed-keys' }>;

/** Converts public keys of a seed to their form in an entry. */
export const seedKeysJson = ({ side, first, publicKeys }: SeedKeys): SeedKeysJson => ({
  side,
  first,
  publicKeys: publicKeys.map(formatHex).join(''),
});

function parseSeedKeys({ side, first, publicKeys }: SeedKeysJson): SeedKeys {
  return { side, first, publicKeys: parseKeys(publicKeys) };
}

/** Parses public keys that are joined. */
function parseKeys(text: string): readonly Uint8Array[] {
  const bytes = parseHex(text);
  const count = bytes.length / KEY_SIZE;
  return Array.from({ length: count }, (_, i) => bytes.slice(KEY_SIZE * i, KEY_SIZE * (i + 1)));
}

const KEY_SIZE = 33;

function seedJson(event: EventOf<'seed' | 'seed-keys'>): SeedJson {
  if (event.type === 'seed-keys') return { type: event.type, seed: formatHex(event.seed), ...seedKeysJson(event) };
  const { publicKey, fingerprint, keys, ...terms } = event;
  const texts = { publicKey: formatHex(publicKey), fingerprint: formatHex(fingerprint) };
  return { ...terms, ...texts, ...(keys && { keys: keys.map(seedKeysJson) }) };
}

function parseSeed(event: SeedJson): EventOf<'seed' | 'seed-keys'> {
  if (event.type === 'seed-keys') return { type: event.type, seed: parseHex(event.seed), ...parseSeedKeys(event) };
  const { publicKey, fingerprint, keys, ...terms } = event;
  const bytes = { publicKey: parseHex(publicKey), fingerprint: parseHex(fingerprint) };
  return { ...terms, ...bytes, ...(keys && { keys: keys.map(parseSeedKeys) }) };
}

function walletEventJson(event: WalletEvent, network: Network): WalletEventJson {
  switch (event.type) {
    case 'key':
      return { ...event, ...storedKeyJson(event) };
    case 'script':
    case 'watch':
    case 'label':
      return { ...event, script: formatHex(event.script) };
    case 'public-key':
    case 'pool-key':
      return { ...event, publicKey: formatHex(event.publicKey) };
    case 'origin': {
      const { fingerprint, path } = event.origin;
      return { type: 'origin', publicKey: formatHex(event.publicKey), fingerprint: formatHex(fingerprint), path };
    }
    case 'descriptor':
      return {
        ...event,
        descriptor: formatDescriptor(event.descriptor, network),
        normalized: formatDescriptor(event.normalized, network),
        secrets: event.secrets.map(storedKeyJson),
      };
    case 'seed':
    case 'seed-keys':
      return seedJson(event);
    case 'descriptor-keys':
      return { ...event, publicKeys: event.publicKeys.map((keys) => keys.map(formatHex).join('')) };
    case 'top-up':
    case 'address':
    case 'flag':
    case 'pay-tx-fee':
      return event;
    case 'rescan': {
      const { found, ...range } = event;
      return { ...range, ...(found && { found: findingsJson(found) }) };
    }
    case 'abandon':
    case 'remove':
      return { ...event, txid: formatTxid(event.txid) };
    case 'pruned-funds':
      return prunedFundsJson(event);
    case 'payment':
      return { type: 'payment', transaction: formatHex(encodeTransaction(event.tx)) };
    case 'note':
      return noteJson(event);
    case 'lock':
    case 'unlock':
      return { ...event, outpoints: event.outpoints.map(outpointJson) };
    case 'encrypt': {
      const secrets = event.secrets.map(({ publicKey, secret }) => [formatHex(publicKey), secret] as const);
      return { ...event, secrets: Object.fromEntries(secrets) };
    }
  }
}

function parseWalletEvent(event: WalletEventJson, reading: EventReading): WalletEvent {
  switch (event.type) {
    case 'key':
      return { ...event, ...parseStoredKey(event) };
    case 'script':
    case 'watch':
    case 'label':
      return { ...event, script: parseHex(event.script) };
    case 'public-key':
    case 'pool-key':
      return { ...event, publicKey: parseHex(event.publicKey) };
    case 'origin': {
      const { fingerprint, path } = event;
      const origin = { fingerprint: parseHex(fingerprint), path };
      return { type: 'origin', publicKey: parseHex(event.publicKey), origin };
    }
    case 'descriptor':
      return parseDescriptorEvent(event, reading);
    case 'seed':
    case 'seed-keys':
      return parseSeed(event);
    case 'descriptor-keys':
      return { ...event, publicKeys: event.publicKeys.map(parseKeys) };
    case 'top-up':
    case 'address':
    case 'flag':
    case 'pay-tx-fee':
      return event;
    case 'rescan': {
      const { found, ...range } = event;
      return { ...range, ...(found && { found: parseFindings(found, reading.network) }) };
    }
    case 'abandon':
    case 'remove':
      return { ...event, txid: parseTxid(event.txid) };
    case 'pruned-funds':
      return parsePrunedFunds(event, reading.network);
    case 'payment':
      return { type: 'payment', tx: parseTransaction(event.transaction, reading.network) };
    case 'note':
      return parseNote(event);
    case 'lock':
    case 'unlock':
      return { ...event, outpoints: event.outpoints.map(parseOutpoint) };
    case 'encrypt':
      return { ...event, secrets: sealedKeysOf(event.secrets) };
  }
}

/**
 * Lists the private keys of an encryption record. A forged record may hold any JSON value; a malformed entry stays in
 * the list under an empty public key, so that unlocking the wallet fails, but not opening the journal.
 */
function sealedKeysOf(secrets: Readonly<Record<string, SealedSecret>>): EventOf<'encrypt'>['secrets'] {
  const isRecord = typeof secrets === 'object' && secrets !== null && !Array.isArray(secrets);
  return Object.entries(isRecord ? secrets : { '': secrets }).map(([name, secret]) =>
    isHex(name) ? { publicKey: parseHex(name), secret } : { publicKey: NO_KEY, secret: MALFORMED },
  );
}

const NO_KEY = new Uint8Array(0);
const MALFORMED: SealedSecret = { nonce: '', box: '' };

function parseDescriptorEvent(
  event: Extract<WalletEventJson, { type: 'descriptor' }>,
  { network, rules, ecc }: EventReading,
): EventOf<'descriptor'> {
  const secrets = event.secrets.map(parseStoredKey);
  const full = new Map(secrets.map(({ publicKey }) => [formatHex(publicKey.subarray(1)), publicKey]));
  // A taproot key's text omits the parity byte, but Core reports the origin of the full key.
  const parse = (text: string): Descriptor =>
    withKeys(parseDescriptor(text, network, { rules: rules.descriptors, wasAccepted: true, ecc }), (key) => {
      if (key.kind !== 'fixed' || !key.isXOnly) return key;
      return { ...key, publicKey: full.get(formatHex(key.publicKey.subarray(1))) ?? key.publicKey };
    });
  return { ...event, descriptor: parse(event.descriptor), normalized: parse(event.normalized), secrets };
}
