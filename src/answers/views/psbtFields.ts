import { formatHex } from '../../core/bytes/hex.ts';
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
import { type Draft, Entries } from '../method/results.ts';
import type {
  derivationResult,
  musig2ParticipantsResult,
  participantMembers,
  proprietaryResult,
  restMembers,
  scriptMembers,
  tapDerivationResult,
} from './psbtResults.ts';
import { scriptDraft } from './scriptJson.ts';

/** Counts all zeros as absent. */
export function isSet(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes?.some((byte) => byte !== 0) === true;
}

/** Takes the dialect's hardened mark, and `h` for records that 0.21 lacks. */
export const originDraft = (
  { fingerprint, path }: KeyOrigin,
  hardenedMark: string,
): Pick<Draft<typeof derivationResult>, 'master_fingerprint' | 'path'> => ({
  master_fingerprint: fingerprint,
  path: `m${formatPath(path, hardenedMark)}`,
});

type ScriptsDraft = Draft<{ readonly members: typeof scriptMembers }>;
type RestDraft = Draft<{ readonly members: typeof participantMembers & typeof restMembers }>;

/** Counts an empty script as absent. */
export const scriptsDraft = (
  { redeemScript, witnessScript, bip32Derivations }: PsbtInput | PsbtOutput,
  context: RpcContext,
): ScriptsDraft => ({
  redeem_script: redeemScript?.length ? scriptDraft(redeemScript, context) : undefined,
  witness_script: witnessScript?.length ? scriptDraft(witnessScript, context) : undefined,
  bip32_derivs: bip32Derivations?.map((entry) => ({
    pubkey: entry.pubkey,
    ...originDraft(entry, context.dialect.hardenedMark),
  })),
});

export const tapDerivationDraft = (entry: TapKeyOrigin): Draft<typeof tapDerivationResult> => ({
  pubkey: entry.pubkey,
  ...originDraft(entry, 'h'),
  leaf_hashes: entry.leafHashes,
});

const participantsDraft = ({
  aggregatePubkey,
  participants,
}: Musig2Participants): Draft<typeof musig2ParticipantsResult> => ({
  aggregate_pubkey: aggregatePubkey,
  participant_pubkeys: participants,
});

export const restDraft = (
  { musig2Participants, proprietary, unknown }: PsbtInput | PsbtOutput,
  { dialect }: RpcContext,
): RestDraft => ({
  musig2_participant_pubkeys: musig2Participants?.map(participantsDraft),
  proprietary: proprietary?.map(proprietaryDraft),
  unknown: unknown || dialect.showsEmptyRecords ? unknownDraft(unknown ?? []) : undefined,
});

/** Names values by their keys in hex. */
export const byHex = <T>(
  records: readonly T[],
  key: (record: T) => Uint8Array,
  value: (record: T) => Uint8Array,
): Entries<Uint8Array> => new Entries(records.map((record) => [formatHex(key(record)), value(record)] as const));

export const unknownDraft = (records: readonly UnknownRecord[]): Entries<Uint8Array> =>
  byHex(
    records,
    ({ key }) => key,
    ({ value }) => value,
  );

export const proprietaryDraft = (record: ProprietaryRecord): Draft<typeof proprietaryResult> => ({
  identifier: record.identifier,
  subtype: record.subtype,
  key: proprietaryKey(record),
  value: record.value,
});
