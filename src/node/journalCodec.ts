import { formatHex, isHex, parseHex } from '../bytes/hex.ts';
import { decodeBlock } from '../chain/block.ts';
import { concealed } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { formatDescriptor } from '../descriptors/formatDescriptor.ts';
import { withKeys } from '../descriptors/keyExpressions.ts';
import { parseDescriptor } from '../descriptors/parseDescriptor.ts';
import type { Descriptor } from '../descriptors/types.ts';
import type { Network } from '../network/networks.ts';
import { decodeTransaction, encodeTransaction } from '../tx/codec.ts';
import { formatTxid, parseTxid } from '../tx/txid.ts';
import type { Outpoint } from '../tx/types.ts';
import type { StoredKey, WalletEvent } from '../wallet/events.ts';
import type { NodeRules } from '../wallet/rules.ts';
import type { SealedMasterKey, SealedSecret } from '../wallet/sealedSecrets.ts';
import type { NodeEvent, TimedEvent } from './events.ts';

/** A {@link StoredKey} in an entry; `secret` is in hex, or sealed. */
interface StoredKeyJson {
  readonly publicKey: string;
  readonly secret: string | SealedSecret;
}

interface OutpointJson {
  /** In display order. */
  readonly txid: string;
  readonly vout: number;
}

type Timed<T> = T & { readonly timestamp: number };

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
  | { readonly type: 'label'; readonly script: string; readonly label: string }
  | (Omit<EventOf<'descriptor'>, 'descriptor' | 'normalized' | 'secrets'> & {
      readonly descriptor: string;
      readonly normalized: string;
      readonly secrets: readonly StoredKeyJson[];
    })
  | { readonly type: 'top-up' }
  | { readonly type: 'rescan'; readonly from: number }
  | { readonly type: 'abandon'; readonly txid: string }
  | { readonly type: 'lock'; readonly outpoints: readonly OutpointJson[]; readonly isPersistent?: true }
  | { readonly type: 'unlock'; readonly outpoints: readonly OutpointJson[] }
  | {
      readonly type: 'encrypt';
      readonly master: SealedMasterKey;
      /** By public key. */
      readonly secrets: Readonly<Record<string, SealedSecret>>;
    };

/** A {@link NodeEvent} in an entry. */
type NodeEventJson =
  | Exclude<NodeEvent, { type: 'block' | 'invalidate' | 'reconsider' | 'transaction' | 'drop' | 'wallet' }>
  | { readonly type: 'block'; readonly block: string }
  | { readonly type: 'invalidate' | 'reconsider'; readonly hash: string }
  | { readonly type: 'transaction'; readonly transaction: string }
  | { readonly type: 'drop'; readonly txid: string }
  | { readonly type: 'wallet'; readonly name: string; readonly event: WalletEventJson };

/** A {@link TimedEvent} as an entry holds it. */
export interface EntryJson {
  readonly at: number;
  readonly event: NodeEventJson;
}

type EventOf<T extends WalletEvent['type']> = Extract<WalletEvent, { type: T }>;

/** Converts events to the entries of a journal, and back. */
export interface JournalCodec {
  readonly format: (timed: TimedEvent) => string;
  /** Parses an entry made by {@link JournalCodec.format}. */
  readonly parse: (entry: string) => TimedEvent;
}

/** How the events of a journal are parsed. */
interface EventReading {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly ecc: Ecc;
}

/** Makes the codec of a node's journal. */
export function journalCodec(network: Network, rules: NodeRules, ecc: Ecc): JournalCodec {
  return {
    format: ({ at, event }) => JSON.stringify({ at, event: nodeEventJson(event, network) } satisfies EntryJson),
    parse: (entry) => {
      const { at, event } = JSON.parse(entry) as EntryJson;
      return { at, event: parseNodeEvent(event, { network, rules, ecc }) };
    },
  };
}

function nodeEventJson(event: NodeEvent, network: Network): NodeEventJson {
  switch (event.type) {
    case 'block':
      return { type: 'block', block: formatHex(event.bytes) };
    case 'invalidate':
    case 'reconsider':
      return { type: event.type, hash: formatHex(event.hash) };
    case 'transaction':
      return { type: 'transaction', transaction: formatHex(encodeTransaction(event.tx)) };
    case 'drop':
      return { type: 'drop', txid: formatTxid(event.txid) };
    case 'wallet':
      return { ...event, event: walletEventJson(event.event, network) };
    default:
      return event;
  }
}

function parseNodeEvent(event: NodeEventJson, reading: EventReading): NodeEvent {
  const { network } = reading;
  switch (event.type) {
    case 'block': {
      const bytes = parseHex(event.block);
      return { type: 'block', block: decodeBlock(bytes, network), bytes };
    }
    case 'invalidate':
    case 'reconsider':
      return { type: event.type, hash: parseHex(event.hash) };
    case 'transaction':
      return { type: 'transaction', tx: decodeTransaction(parseHex(event.transaction), { mweb: network.mweb }) };
    case 'drop':
      return { type: 'drop', txid: parseTxid(event.txid) };
    case 'wallet':
      return { ...event, event: parseWalletEvent(event.event, reading) };
    default:
      return event;
  }
}

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

function walletEventJson(event: WalletEvent, network: Network): WalletEventJson {
  switch (event.type) {
    case 'key':
      return { ...event, ...storedKeyJson(event) };
    case 'script':
    case 'watch':
    case 'label':
      return { ...event, script: formatHex(event.script) };
    case 'public-key':
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
    case 'top-up':
    case 'rescan':
      return event;
    case 'abandon':
      return { type: 'abandon', txid: formatTxid(event.txid) };
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
      return { ...event, publicKey: parseHex(event.publicKey) };
    case 'origin': {
      const { fingerprint, path } = event;
      const origin = { fingerprint: parseHex(fingerprint), path };
      return { type: 'origin', publicKey: parseHex(event.publicKey), origin };
    }
    case 'descriptor':
      return parseDescriptorEvent(event, reading);
    case 'top-up':
    case 'rescan':
      return event;
    case 'abandon':
      return { type: 'abandon', txid: parseTxid(event.txid) };
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
