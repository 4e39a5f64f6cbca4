import { formatPath } from '../../core/keys/path.ts';
import { proprietaryKey } from '../../core/psbt/format/nodeOrder.ts';
import type {
  KeyOrigin,
  Musig2Participants,
  ProprietaryRecord,
  PsbtInput,
  PsbtOutput,
  TapKeyOrigin,
  UnknownRecord,
} from '../../core/psbt/format/types.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Draft, Json, JsonForm, Members } from '../json/jsonForm.ts';
import type {
  DerivationJson,
  HexMap,
  Musig2ParticipantsJson,
  ProprietaryJson,
  PsbtInputJson,
  PsbtOutputJson,
  TapDerivationJson,
} from './psbtResults.ts';
import { scriptJson } from './scriptJson.ts';

/** Counts all zeros as absent. */
export function isSet(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes?.some((byte) => byte !== 0) === true;
}

/** Takes the dialect's hardened mark, and `h` for records that 0.21 lacks. */
export function originMembers(
  { fingerprint, path }: KeyOrigin,
  hardenedMark: string,
  json: JsonForm,
): Members<Pick<DerivationJson, 'master_fingerprint' | 'path'>> {
  return { master_fingerprint: json.hex(fingerprint), path: json.plain(`m${formatPath(path, hardenedMark)}`) };
}

/** Counts an empty script as absent. */
export function setScripts(
  members: Draft<Members<PsbtInputJson | PsbtOutputJson>>,
  { redeemScript, witnessScript }: PsbtInput | PsbtOutput,
  context: RpcContext,
): void {
  if (redeemScript?.length) members.redeem_script = scriptJson(redeemScript, context);
  if (witnessScript?.length) members.witness_script = scriptJson(witnessScript, context);
}

type Derivation = NonNullable<PsbtInput['bip32Derivations']>[number];

export function derivationsJson(
  derivations: readonly Derivation[],
  { dialect, json }: RpcContext,
): Json<readonly DerivationJson[]> {
  return json.list(derivations, (entry) => {
    const { master_fingerprint, path } = originMembers(entry, dialect.hardenedMark, json);
    return json.object<DerivationJson>({ pubkey: json.hex(entry.pubkey), master_fingerprint, path });
  });
}

export function tapDerivationsJson(
  derivations: readonly TapKeyOrigin[],
  json: JsonForm,
): Json<readonly TapDerivationJson[]> {
  return json.list(derivations, (entry) => {
    const { master_fingerprint, path } = originMembers(entry, 'h', json);
    const leaf_hashes = json.list(entry.leafHashes, json.hex);
    return json.object<TapDerivationJson>({ pubkey: json.hex(entry.pubkey), master_fingerprint, path, leaf_hashes });
  });
}

export function musig2ParticipantsJson(
  records: readonly Musig2Participants[],
  json: JsonForm,
): Json<readonly Musig2ParticipantsJson[]> {
  return json.list(records, ({ aggregatePubkey, participants }) =>
    json.object<Musig2ParticipantsJson>({
      aggregate_pubkey: json.hex(aggregatePubkey),
      participant_pubkeys: json.list(participants, json.hex),
    }),
  );
}

export function setRest(
  members: Draft<Members<PsbtInputJson | PsbtOutputJson>>,
  { proprietary, unknown }: PsbtInput | PsbtOutput,
  { dialect, json }: RpcContext,
): void {
  if (proprietary) members.proprietary = proprietaryJson(proprietary, json);
  if (unknown || dialect.showsEmptyRecords) members.unknown = unknownJson(unknown ?? [], json);
}

export function unknownJson(records: readonly UnknownRecord[], json: JsonForm): Json<HexMap> {
  return json.hexMap(
    records,
    ({ key }) => key,
    ({ value }) => value,
  );
}

export function proprietaryJson(
  records: readonly ProprietaryRecord[],
  json: JsonForm,
): Json<readonly ProprietaryJson[]> {
  return json.list(records, (record) =>
    json.object<ProprietaryJson>({
      identifier: json.hex(record.identifier),
      subtype: record.subtype,
      key: json.hex(proprietaryKey(record)),
      value: json.hex(record.value),
    }),
  );
}
