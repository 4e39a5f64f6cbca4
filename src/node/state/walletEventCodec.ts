import { formatHex, isHex, parseHex } from '../../core/bytes/hex.ts';
import { concealed } from '../../core/crypto/concealed.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { withKeys } from '../../core/descriptors/keyExpressions.ts';
import { parseDescriptor } from '../../core/descriptors/parseDescriptor.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import type { Network } from '../../core/network/networks.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { formatTxid, parseTxid } from '../../core/tx/txid.ts';
import type { Outpoint } from '../../core/tx/types.ts';
import type { SeedKeys } from '../wallet/keys/hdSeeds.ts';
import type { SealedMasterKey, SealedSecret } from '../wallet/keys/sealedSecrets.ts';
import type { ScanRange } from '../wallet/records/chainSync.ts';
import type { StoredKey, WalletEvent } from '../wallet/records/events.ts';
import type { TxNotes } from '../wallet/records/walletState.ts';
import type { NodeRules } from '../wallet/rules.ts';
import {
  type FindingsJson,
  findingsJson,
  type PlaceJson,
  parseFindings,
  parsePlace,
  parseTransaction,
  placeJson,
} from './findingsCodec.ts';

/** `secret` is in hex, or sealed. */
interface StoredKeyJson {
  readonly publicKey: string;
  readonly secret: string | SealedSecret;
}

/** `publicKeys`: the hex of all keys in a row. */
interface SeedKeysJson extends Omit<SeedKeys, 'publicKeys'> {
  readonly publicKeys: string;
}

interface OutpointJson {
  /** In display order. */
  readonly txid: string;
  readonly vout: number;
}

type Timed<T> = T & { readonly timestamp: number };

type NoteJson = {
  readonly type: 'note';
  readonly txid: string;
  readonly replaces?: string;
  readonly replacedBy?: string;
} & Pick<TxNotes, 'comment' | 'to'>;

/** Bytes are hex; members are in written order. */
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

type EventOf<T extends WalletEvent['type']> = Extract<WalletEvent, { type: T }>;

export interface EventReading {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly ecc: Ecc;
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

export const seedKeysJson = ({ side, first, publicKeys }: SeedKeys): SeedKeysJson => ({
  side,
  first,
  publicKeys: publicKeys.map(formatHex).join(''),
});

function parseSeedKeys({ side, first, publicKeys }: SeedKeysJson): SeedKeys {
  return { side, first, publicKeys: parseKeys(publicKeys) };
}

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

export function walletEventJson(event: WalletEvent, network: Network): WalletEventJson {
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

export function parseWalletEvent(event: WalletEventJson, reading: EventReading): WalletEvent {
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
      return { ...event, secrets: parseSealedKeys(event.secrets) };
  }
}

/**
 * Lists the private keys of an encryption record. A forged one may hold any JSON; a malformed entry keeps its place
 * under an empty public key, so that unlocking the wallet fails, but not opening the journal.
 */
function parseSealedKeys(secrets: Readonly<Record<string, SealedSecret>>): EventOf<'encrypt'>['secrets'] {
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
