import { isBytes } from '../../bytes/assertBytes.ts';
import { compactSize, encode, varBytes } from '../../bytes/codec.ts';
import { compareBytes, concatBytes } from '../../bytes/compare.ts';
import { hash160 } from '../../crypto/hash.ts';
import { isZero } from '../../crypto/scalar.ts';
import { compareLeaves } from '../../descriptors/taprootSpend.ts';
import type { PsbtMapKind } from '../../errors.ts';
import { NO_LEAF } from '../../signing/signatureData.ts';
import type { Transaction } from '../../tx/types.ts';
import { encodePart, MAP_ROWS, withoutPurposes } from './fields.ts';
import { readWitnessUtxo } from './inputCoin.ts';
import type {
  KeyOrigin,
  Musig2Signer,
  ProprietaryRecord,
  Psbt,
  PsbtGlobal,
  PsbtInput,
  PsbtOutput,
  TapKeyOrigin,
  UnknownRecord,
} from './types.ts';

type Compare<T> = (a: T, b: T) => number;

const by =
  <T>(toBytes: (item: T) => Uint8Array): Compare<T> =>
  (a, b) =>
    compareBytes(toBytes(a), toBytes(b));

const byPubkey = by<{ readonly pubkey: Uint8Array }>(({ pubkey }) => pubkey);
const byKey = by<{ readonly key: Uint8Array }>(({ key }) => key);

function ordered<T>(items: readonly T[], compare: Compare<T>): readonly T[] {
  return items.length > 1 ? [...items].sort(compare) : items;
}

/** Drops repetitions from a sorted list. */
function distinct<T>(items: readonly T[], compare: Compare<T>): readonly T[] {
  return items.filter((item, i) => {
    const before = items[i - 1];
    return before === undefined || compare(before, item) !== 0;
  });
}

/** Like `ordered`, but computes the bytes once per item. */
function orderedBy<T>(items: readonly T[], toBytes: (item: T) => Uint8Array): readonly T[] {
  if (items.length < 2) return items;
  const keyed = items.map((item) => ({ item, key: toBytes(item) }));
  return keyed.sort(byKey).map(({ item }) => item);
}

const PROPRIETARY_TYPE = Uint8Array.of(0xfc);

export function proprietaryKey({ identifier, subtype, keyData }: ProprietaryRecord): Uint8Array {
  return concatBytes(PROPRIETARY_TYPE, encode(varBytes, identifier), encode(compactSize, subtype), keyData);
}

type Xpub = NonNullable<PsbtGlobal['xpubs']>[number];

/** Ignores version bytes, as Core does. */
function compareXpubs(a: Xpub, b: Xpub): number {
  const pubkey = ({ xpub }: Xpub): Uint8Array => xpub.subarray(45);
  const chainCode = ({ xpub }: Xpub): Uint8Array => xpub.subarray(13, 45);
  return compareOrigins(a, b) || compareBytes(pubkey(a), pubkey(b)) || compareBytes(chainCode(a), chainCode(b));
}

/** @see Bitcoin Core `KeyOriginInfo::operator<` */
function compareOrigins(a: KeyOrigin, b: KeyOrigin): number {
  const difference = compareBytes(a.fingerprint, b.fingerprint) || a.path.length - b.path.length;
  if (difference !== 0) return difference;
  const step = a.path.findIndex((child, i) => child !== b.path[i]);
  return step < 0 ? 0 : (a.path[step] ?? 0) - (b.path[step] ?? 0);
}

const bySigner = by<Musig2Signer>(({ aggregatePubkey, leafHash = NO_LEAF, participantPubkey }) =>
  concatBytes(sortableKey(aggregatePubkey), leafHash, sortableKey(participantPubkey)),
);

/** An invalid key, which is empty, comes last. @see Bitcoin Core `CPubKey::Invalidate` */
const sortableKey = (pubkey: Uint8Array): Uint8Array => (pubkey.length === 0 ? INVALID_KEY : pubkey);
const INVALID_KEY = Uint8Array.of(0xff);

/** Core reads a leaf hash of zeros as absent, so that two records may become one. */
function orderedShares<T extends Musig2Signer>(shares: readonly T[]): readonly T[] {
  return distinct(ordered(shares, bySigner), bySigner).map(({ leafHash, ...share }) =>
    leafHash && !isZero(leafHash) ? { ...share, leafHash } : share,
  ) as readonly unknown[] as readonly T[];
}

function orderedTapKeys(keys: readonly TapKeyOrigin[]): readonly TapKeyOrigin[] {
  return ordered(keys, byPubkey).map((key) => ({
    ...key,
    leafHashes: distinct(ordered(key.leafHashes, compareBytes), compareBytes),
  }));
}

/** Orders other than that of the records' keys. */
type Orders<M> = { readonly [N in keyof M]?: (records: NonNullable<M[N]>) => NonNullable<M[N]> };

const ORDERS: {
  readonly global: Orders<PsbtGlobal>;
  readonly input: Orders<PsbtInput>;
  readonly output: Orders<PsbtOutput>;
} = {
  global: { xpubs: (xpubs) => distinct(ordered(xpubs, compareXpubs), compareXpubs) },
  input: {
    partialSigs: (sigs) => orderedBy(sigs, ({ pubkey }) => hash160(pubkey)),
    tapLeafScripts: (leaves) => ordered(leaves, compareLeaves),
    tapBip32Derivations: orderedTapKeys,
    musig2PubNonces: orderedShares,
    musig2PartialSigs: orderedShares,
  },
  output: { tapBip32Derivations: orderedTapKeys },
};

/** Core keeps records in maps, by their keys. */
function withOrder<M extends { readonly unknown?: readonly UnknownRecord[] }>(kind: PsbtMapKind, map: M): M {
  const orders: Readonly<Record<string, ((records: never) => unknown) | undefined>> = ORDERS[kind];
  const inOrder: Record<string, unknown> = { ...map };
  for (const { name, key } of MAP_ROWS[kind].rows) {
    const records = inOrder[name];
    if (!key || records === undefined) continue;
    const byOwnKey = (items: readonly unknown[]) => orderedBy(items, (item) => encodePart(key, item));
    inOrder[name] = (orders[name] ?? byOwnKey)(records as never);
  }
  return { ...(inOrder as M), ...(map.unknown && { unknown: ordered(map.unknown, byKey) }) };
}

/**
 * Puts records into a node's order. Drops only what a node takes for a duplicate: an xpub that differs in its version
 * bytes alone, a leaf hash named twice.
 * @see Bitcoin Core `PartiallySignedTransaction`
 */
export function inNodeOrder({ global, inputs, outputs }: Psbt): Psbt {
  return {
    global: withOrder('global', global),
    inputs: inputs.map((input) => withOrder('input', input)),
    outputs: outputs.map((output) => withOrder('output', output)),
  };
}

export function isFinal({ finalScriptSig, finalScriptWitness }: PsbtInput): boolean {
  return (finalScriptSig?.length ?? 0) > 0 || (finalScriptWitness?.length ?? 0) > 0;
}

export const withoutProducerRecords = (input: PsbtInput): PsbtInput =>
  withoutPurposes(input, ['signing', 'ecdsa-signature', 'taproot-signature']);

const isEmpty = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) || (isBytes(value) && value.length === 0);
const isZeros = (value: unknown): boolean => isBytes(value) && isZero(value);

function withoutNothing<M extends object>(map: M, zeros: readonly string[]): M {
  const entries = Object.entries(map).filter(
    ([name, value]) => !isEmpty(value) && !(zeros.includes(name) && isZeros(value)),
  );
  return Object.fromEntries(entries) as M;
}

/**
 * Returns a PSBT as Core writes it: in node order, without empty records, producer's records of final inputs, or
 * witnesses of previous transactions.
 * @see Bitcoin Core `PSBTInput::Serialize`
 */
export function asNodeWrites(psbt: Psbt): Psbt {
  const { global, inputs, outputs } = inNodeOrder(psbt);
  const { version, ...header } = global;
  return {
    global: { ...header, ...(version ? { version } : {}) },
    inputs: inputs.map((input) => {
      const { witnessUtxo: _coin, nonWitnessUtxo, ...others } = isFinal(input) ? withoutProducerRecords(input) : input;
      const witnessUtxo = readWitnessUtxo(input);
      const utxos = {
        ...(nonWitnessUtxo && { nonWitnessUtxo: withoutWitnesses(nonWitnessUtxo) }),
        ...(witnessUtxo && { witnessUtxo }),
      };
      return withoutNothing({ ...others, ...utxos }, ['tapInternalKey', 'tapMerkleRoot']);
    }),
    outputs: outputs.map((output) => withScript(output, withoutNothing(output, ['tapInternalKey']))),
  };
}

function withoutWitnesses(tx: Transaction): Transaction {
  return { ...tx, inputs: tx.inputs.map((input) => ({ ...input, witness: [] })) };
}

/** Restores an empty script, which has a meaning. */
function withScript({ script }: PsbtOutput, output: PsbtOutput): PsbtOutput {
  return script ? { ...output, script } : output;
}
