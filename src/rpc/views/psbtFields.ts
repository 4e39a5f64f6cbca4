import { formatHex } from '../../bytes/hex.ts';
import { formatPath } from '../../keys/path.ts';
import { proprietaryKey } from '../../psbt/format/nodeOrder.ts';
import type {
  KeyOrigin,
  Musig2Participants,
  ProprietaryRecord,
  PsbtInput,
  PsbtOutput,
  TapKeyOrigin,
  UnknownRecord,
} from '../../psbt/format/types.ts';
import type { RpcContext } from '../dialect.ts';
import { orderedObject } from '../json/exactAmounts.ts';
import type {
  DerivationJson,
  Draft,
  HexMap,
  Musig2ParticipantsJson,
  ProprietaryJson,
  PsbtInputJson,
  PsbtOutputJson,
  TapDerivationJson,
} from './jsonTypes.ts';
import { scriptJson } from './scriptJson.ts';

/** Builds a map from hex to hex, in the order of the entries. */
export function hexMap<T>(
  entries: readonly T[],
  key: (entry: T) => Uint8Array,
  value: (entry: T) => Uint8Array,
): HexMap {
  const map: Record<string, string> = {};
  for (const entry of entries) map[formatHex(key(entry))] = formatHex(value(entry));
  return map;
}

/** Tells whether a 32-byte value is set: all zeros counts as absent. */
export function isSet(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes?.some((byte) => byte !== 0) === true;
}

/** Returns a key's origin. Callers pass the dialect's hardened mark, and `h` for records that 0.21 does not know. */
export function originJson(
  { fingerprint, path }: KeyOrigin,
  hardenedMark: string,
): { master_fingerprint: string; path: string } {
  return { master_fingerprint: formatHex(fingerprint), path: `m${formatPath(path, hardenedMark)}` };
}

/** Sets the redeem and witness scripts; an empty one counts as absent. */
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
  return derivations.map((entry) => {
    const { master_fingerprint, path } = originJson(entry, hardenedMark);
    return { pubkey: formatHex(entry.pubkey), master_fingerprint, path };
  });
}

export function tapDerivationsJson(derivations: readonly TapKeyOrigin[]): readonly TapDerivationJson[] {
  return derivations.map((entry) => {
    const { master_fingerprint, path } = originJson(entry, 'h');
    return { pubkey: formatHex(entry.pubkey), master_fingerprint, path, leaf_hashes: entry.leafHashes.map(formatHex) };
  });
}

export function musig2ParticipantsJson(records: readonly Musig2Participants[]): readonly Musig2ParticipantsJson[] {
  return records.map(({ aggregatePubkey, participants }) => ({
    aggregate_pubkey: formatHex(aggregatePubkey),
    participant_pubkeys: participants.map(formatHex),
  }));
}

/** Sets the last members of inputs and outputs, `proprietary` and `unknown`. */
export function setRest(
  json: Draft<PsbtInputJson | PsbtOutputJson>,
  { proprietary, unknown }: PsbtInput | PsbtOutput,
  { dialect }: RpcContext,
): void {
  if (proprietary) json.proprietary = proprietaryJson(proprietary);
  if (unknown || dialect.showsEmptyRecords) json.unknown = unknownJson(unknown ?? []);
}

export function unknownJson(records: readonly UnknownRecord[]): HexMap {
  return orderedObject(records.map(({ key, value }) => [formatHex(key), formatHex(value)] as const));
}

export function proprietaryJson(records: readonly ProprietaryRecord[]): readonly ProprietaryJson[] {
  return records.map((record) => ({
    identifier: formatHex(record.identifier),
    subtype: record.subtype,
    key: formatHex(proprietaryKey(record)),
    value: formatHex(record.value),
  }));
}
