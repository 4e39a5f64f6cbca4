import { compactSize, encode, varBytes } from '../bytes/codec.ts';
import { compareBytes, concatBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import type {
  KeyOrigin,
  Musig2Participants,
  ProprietaryRecord,
  PsbtInput,
  PsbtOutput,
  TapKeyOrigin,
  UnknownRecord,
} from '../psbt/types.ts';
import type {
  DerivationJson,
  Draft,
  HexMap,
  Musig2ParticipantsJson,
  ProprietaryJson,
  PsbtInputJson,
  PsbtOutputJson,
  TapDerivationJson,
} from './answers.ts';
import type { RpcContext } from './dialect.ts';
import { orderedObject } from './exact.ts';
import { scriptJson } from './scriptJson.ts';

/** Orders items by bytes of theirs, as the node's maps do. */
export const byBytes =
  <T>(bytesOf: (item: T) => Uint8Array) =>
  (a: T, b: T): number =>
    compareBytes(bytesOf(a), bytesOf(b));

/** A sorted copy. */
export function sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  return items.length > 1 ? [...items].sort(compare) : items;
}

/** A copy ordered by bytes of each item, as the node's maps are. */
export function sortedBy<T>(items: readonly T[], bytesOf: (item: T) => Uint8Array): readonly T[] {
  return sorted(items, byBytes(bytesOf));
}

/** The first of every run of items that compare as equal. */
export function distinct<T>(ordered: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  return ordered.filter((item, i) => {
    const previous = ordered[i - 1];
    return previous === undefined || compare(previous, item) !== 0;
  });
}

/** A map from hex to hex in the order of the entries. */
export function hexMap<T>(
  entries: readonly T[],
  key: (entry: T) => Uint8Array,
  value: (entry: T) => Uint8Array,
): HexMap {
  const map: Record<string, string> = {};
  for (const entry of entries) map[formatHex(key(entry))] = formatHex(value(entry));
  return map;
}

/** Whether a 32-byte value is set at all: all zeros counts as absent. */
export function isSet(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes?.some((byte) => byte !== 0) === true;
}

/** Hardened steps are written as the dialect does; newer records, which 0.21 does not know, always come with `h`. */
export function originJson(
  { fingerprint, path }: KeyOrigin,
  hardenedMark: string,
): { master_fingerprint: string; path: string } {
  let text = 'm';
  for (const child of path) text += child > 0x7fffffff ? `/${child - 0x80000000}${hardenedMark}` : `/${child}`;
  return { master_fingerprint: formatHex(fingerprint), path: text };
}

/** Redeem and witness scripts; an empty one counts as absent. */
export function setScripts(
  json: Draft<PsbtInputJson | PsbtOutputJson>,
  { redeemScript, witnessScript }: PsbtInput | PsbtOutput,
  context: RpcContext,
): void {
  if (redeemScript?.length) json.redeem_script = scriptJson(redeemScript, context);
  if (witnessScript?.length) json.witness_script = scriptJson(witnessScript, context);
}

type Derivation = NonNullable<PsbtInput['bip32Derivations']>[number];

export function derivationsJson(derivations: readonly Derivation[], hardenedMark: string): readonly DerivationJson[] {
  const ordered = sortedBy(derivations, ({ pubkey }) => pubkey);
  return ordered.map((entry) => {
    const { master_fingerprint, path } = originJson(entry, hardenedMark);
    return { pubkey: formatHex(entry.pubkey), master_fingerprint, path };
  });
}

export function tapDerivationsJson(derivations: readonly TapKeyOrigin[]): readonly TapDerivationJson[] {
  const ordered = sortedBy(derivations, ({ pubkey }) => pubkey);
  return ordered.map((entry) => {
    const { master_fingerprint, path } = originJson(entry, 'h');
    const leaf_hashes = [...new Set(entry.leafHashes.map(formatHex))].sort();
    return { pubkey: formatHex(entry.pubkey), master_fingerprint, path, leaf_hashes };
  });
}

export function musig2ParticipantsJson(records: readonly Musig2Participants[]): readonly Musig2ParticipantsJson[] {
  const ordered = sortedBy(records, ({ aggregatePubkey }) => aggregatePubkey);
  return ordered.map(({ aggregatePubkey, participants }) => ({
    aggregate_pubkey: formatHex(aggregatePubkey),
    participant_pubkeys: participants.map(formatHex),
  }));
}

/** What stands last in inputs and outputs: proprietary and unknown records. The contract shows `unknown` always. */
export function setRest(
  json: Draft<PsbtInputJson | PsbtOutputJson>,
  { proprietary, unknown }: PsbtInput | PsbtOutput,
  { dialect }: RpcContext,
): void {
  if (proprietary) json.proprietary = proprietaryJson(proprietary);
  if (unknown || dialect.followsContract) json.unknown = unknownJson(unknown ?? []);
}

export function unknownJson(records: readonly UnknownRecord[]): HexMap {
  const ordered = sortedBy(records, ({ key }) => key);
  return orderedObject(ordered.map(({ key, value }) => [formatHex(key), formatHex(value)] as const));
}

const PROPRIETARY_TYPE = Uint8Array.of(0xfc);

export function proprietaryJson(records: readonly ProprietaryRecord[]): readonly ProprietaryJson[] {
  const keyed = records.map((record) => {
    const { identifier, subtype, keyData } = record;
    const key = concatBytes(PROPRIETARY_TYPE, encode(varBytes, identifier), encode(compactSize, subtype), keyData);
    return { record, key };
  });
  return sortedBy(keyed, ({ key }) => key).map(({ record, key }) => ({
    identifier: formatHex(record.identifier),
    subtype: record.subtype,
    key: formatHex(key),
    value: formatHex(record.value),
  }));
}
