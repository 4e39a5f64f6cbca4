import { bytesKey } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { claimedKeys } from '../holder/claims.ts';
import type { HeldPsbt } from '../holder/owner.ts';
import { verifiedOrigins } from '../holder/verifiedOrigins.ts';
import { isFinal } from '../psbt/format/nodeOrder.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { type InputSignatures, inputSignatures, isValidSignature } from '../psbt/heldSignatures.ts';
import { type FinalizedPsbt, finalizePsbt } from '../psbt/roles/finalizer.ts';
import type { SignedInput } from '../psbt/roles/signer.ts';
import { type EcdsaScript, ecdsaScript } from '../psbt/scriptCodes.ts';
import { beginSession, type PsbtSession, type SessionInput } from '../psbt/session.ts';
import { type CauseFinder, createCauseFinder } from '../psbt/signatureCause.ts';
import type { SignatureCause, UnverifiableReason } from '../psbt/signatureVerifier.ts';
import { type SolvedInput, usualType } from '../psbt/solveInput.ts';
import { causeText } from '../report/causeText.ts';
import { keyText, quorumTexts, unverifiableText } from '../report/quorumText.ts';
import { hashTypeName } from '../review/hashTypes.ts';
import type { QuorumProgress, SignerReview } from '../review/inputReview.ts';
import { signerFinder } from '../review/inputs.ts';
import { countQuorums, type FindSigner, isHiddenLeaf } from '../review/quorums.ts';
import { type UnreadScripts, unreadScripts, unwrapRecords } from '../review/scripts.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import type { SessionOptions } from '../signing/sessionOptions.ts';
import type { Missing } from '../signing/signatureData.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { findOpenReason, type OpenReason } from './openReason.ts';

/** Progress of signing an input. */
export interface InputProgress {
  readonly inputIndex: number;
  /** True if all its signatures spend the coin. */
  readonly isComplete: boolean;
  /** True if the finalizer made it final. */
  readonly isFinalized: boolean;
  /** True if it is complete, but was left without final fields. */
  readonly isUnfinalized?: boolean;
  /** True if no miniscript reads its leaf, and the leaf's signatures alone spend the coin. */
  readonly isTried?: boolean;
  /** The type that the input asks for, if that prevented signing. */
  readonly askedType?: number;
  /**
   * As in `SignedInput`; `unsigned` if nothing was to be signed, and nothing is final; `silent-payment` until the scripts
   * of all silent payments are computed.
   */
  readonly status: SignedInput['status'] | 'unsigned' | 'silent-payment';
  readonly added: number;
  /** Empty once complete or final. */
  readonly quorums: readonly QuorumProgress[];
  /** Timelocks that the transaction does not meet, such as `older(144)`. */
  readonly unmetLocks: readonly string[];
  /** One for each signature that cannot be verified; empty once complete. */
  readonly unverified: readonly UnverifiableReason[];
  /** One for each signature that is invalid, if there are any: its cause, if that is known. Absent once complete. */
  readonly invalid?: readonly (SignatureCause | undefined)[];
  /** The hash types that keep the finalizer from using the signatures. */
  readonly mixedTypes?: MixedTypes;
  /** Hashes of keys that scripts name and the PSBT does not show. */
  readonly unknownKeys: readonly Uint8Array[];
  /** The script without which no one can sign or finalize. */
  readonly missingScript?: MissingScript;
  /** True if its script, or a leaf with signatures, is not a miniscript: only the wallet that knows it finalizes it. */
  readonly isUnread: boolean;
}

type MissingScript = Extract<EcdsaScript, { readonly missing: unknown }>['missing'];

/** The finalizer takes signatures of one hash type only: that of the input's record, else the usual one. */
export interface MixedTypes {
  readonly taken: number;
  /** True if the input's record names that type. */
  readonly isAsked: boolean;
  /** The valid signatures, of which one at least has another type. */
  readonly signed: readonly (SignerReview & { readonly sighashType: number })[];
}

type Remaining = Pick<
  InputProgress,
  'quorums' | 'unverified' | 'isUnread' | 'missingScript' | 'invalid' | 'mixedTypes'
>;

interface ProgressOptions extends SessionOptions {
  readonly held?: Pick<HeldPsbt, 'findPlaces'>;
}

const NO_PLACES: Pick<HeldPsbt, 'findPlaces'> = { findPlaces: () => [] };

export function measureProgress(
  signed: {
    readonly psbt: Psbt;
    readonly inputs: readonly { readonly status: InputProgress['status']; readonly signed: readonly Uint8Array[] }[];
  },
  finalized: Pick<FinalizedPsbt, 'inputs'>,
  { held = NO_PLACES, ...options }: ProgressOptions = {},
): readonly InputProgress[] {
  // Opened only for an incomplete input.
  let session: PsbtSession | undefined;
  const causesIn = createCauseFinder();
  const findRemaining = (index: number): Remaining => {
    session ??= beginSession(signed.psbt, options);
    const isMixed = finalized.inputs[index]?.status === 'sighash-mismatch';
    return measureRemaining({ session, input: signed.psbt.inputs[index] ?? {}, index }, { held, causesIn, isMixed });
  };
  return signed.inputs.map(({ status, signed: keys }, inputIndex) => {
    const isComplete = finalized.inputs[inputIndex]?.status === 'complete';
    const isFinalInput = isFinal(signed.psbt.inputs[inputIndex] ?? {});
    const isFinalized = isComplete && !isFinalInput;
    const outcome = finalized.inputs[inputIndex];
    const reason = standingStatus(status, outcome, isFinalInput);
    const askedType = status === 'sighash-mismatch' ? signed.psbt.inputs[inputIndex]?.sighashType : undefined;
    return {
      inputIndex,
      isComplete,
      isFinalized,
      ...(outcome?.triedLeaf && { isTried: true }),
      status: reason,
      ...(askedType !== undefined && { askedType }),
      added: keys.length,
      ...(isComplete || reason === 'final'
        ? NOTHING_LEFT
        : {
            unmetLocks: listUnmetLocks(outcome?.missing ?? []),
            unknownKeys: unknownKeyHashes(outcome?.missing ?? []),
            ...findRemaining(inputIndex),
          }),
    };
  });
}

/** The progress of an input that cannot be signed before the scripts of all silent payments are computed. */
export const waitingForShares = (_: unknown, inputIndex: number): InputProgress => ({
  inputIndex,
  isComplete: false,
  isFinalized: false,
  status: 'silent-payment',
  added: 0,
  ...NOTHING_LEFT,
});

/** Says why an input that no signer was asked about is not complete. */
function standingStatus(
  status: InputProgress['status'],
  outcome: Pick<SolvedInput, 'status'> | undefined,
  isFinalInput: boolean,
): InputProgress['status'] {
  if (status !== 'unsigned') return status;
  return outcome?.status === 'no-coin' ? 'no-coin' : isFinalInput ? 'final' : status;
}

function unknownKeyHashes(missing: readonly Missing[]): readonly Uint8Array[] {
  const hashes = missing.flatMap((item) => (item.kind === 'key' ? [item.hash] : []));
  return [...new Map(hashes.map((hash) => [bytesKey(hash), hash])).values()];
}

const NOTHING_LEFT = { quorums: [], unmetLocks: [], unknownKeys: [], unverified: [], isUnread: false } as const;

function listUnmetLocks(missing: readonly Missing[]): readonly string[] {
  return [...new Set(missing.flatMap((item) => (item.kind === 'lock' ? [`${item.of}(${item.lock})`] : [])))];
}

export interface Standing {
  readonly inputs: readonly InputProgress[];
  readonly finalized: FinalizedPsbt;
  readonly openReason?: OpenReason;
}

export function psbtProgress(psbt: Psbt, options: ProgressOptions = {}): Standing {
  const { held: _, ...shared } = options;
  const finalized = finalizePsbt(psbt, shared);
  const unsigned = psbt.inputs.map(() => ({ status: 'unsigned', signed: [] }) as const);
  const inputs = measureProgress({ psbt, inputs: unsigned }, finalized, options);
  const openReason = finalized.isComplete
    ? findOpenReason(finalized.psbt, beginSession(finalized.psbt, shared))
    : undefined;
  return { inputs, finalized, ...(openReason && { openReason }) };
}

interface RemainingOptions {
  readonly held: Pick<HeldPsbt, 'findPlaces'>;
  readonly causesIn: CauseFinder;
  /** True if the finalizer found hash types that differ. */
  readonly isMixed: boolean;
}

function measureRemaining(sessionInput: SessionInput, { held, causesIn, isMixed }: RemainingOptions): Remaining {
  const { session, input, index } = sessionInput;
  const coin = session.coins[index]?.coin;
  const sighashType = input.sighashType ?? (coin ? usualType(coin, CURRENT_RULES) : SIGHASH.ALL);
  const signatures = inputSignatures(sessionInput, { sighashType, findCause: causesIn(sessionInput) });
  const unverified = signatures.recorded.flatMap(({ verdict }) =>
    verdict.state === 'unverifiable' ? [verdict.reason] : [],
  );
  if (!coin) return { quorums: [], unverified, isUnread: false };
  const invalid = signatures.recorded.flatMap(({ verdict }) => (verdict.state === 'invalid' ? [verdict.cause] : []));
  // Without leaf scripts, which each quorum has once.
  const findSigner = signerFinder({}, claimedKeys(input), verifiedOrigins(held, coin.scriptPubKey));
  const unwrapped = unwrapRecords(coin.scriptPubKey, input);
  const quorums = countQuorums(sessionInput, { unwrapped, signatures, findSigner });
  const script = ecdsaScript(coin.scriptPubKey, input);
  const missingScript = script && 'missing' in script ? script.missing : undefined;
  const mixedTypes = isMixed ? findMixedTypes(input, { sighashType, signatures, findSigner }) : undefined;
  return {
    quorums,
    unverified,
    ...(invalid.length > 0 && { invalid }),
    ...(mixedTypes && { mixedTypes }),
    ...(missingScript && { missingScript }),
    isUnread: isSignedUnread(unreadScripts(unwrapped, input), quorums),
  };
}

/** Invalid signatures may have other types, too, but then these are not what is wrong. */
function findMixedTypes(
  input: Psbt['inputs'][number],
  {
    sighashType: taken,
    signatures,
    findSigner,
  }: { readonly sighashType: number; readonly signatures: InputSignatures; readonly findSigner: FindSigner },
): MixedTypes | undefined {
  const signed = signatures.recorded
    .filter(isValidSignature)
    .map((signature) => ({ ...findSigner(signature.request ?? signature), sighashType: signature.sighashType }));
  const isOther = signed.some(({ sighashType }) => sighashType !== taken);
  return isOther ? { taken, isAsked: input.sighashType !== undefined, signed } : undefined;
}

function isSignedUnread({ script, leaves }: UnreadScripts, quorums: readonly QuorumProgress[]): boolean {
  return (
    script !== undefined ||
    quorums.some(({ have, leafScript }) => have > 0 && leafScript && leaves.includes(leafScript))
  );
}

const UNSIGNED: Readonly<Record<InputProgress['status'], string>> = {
  unsigned: '',
  asked: 'not signed: none of the keys that it still needs is available',
  'no-coin': 'not signed: the PSBT lacks the UTXO record (amount and script) of its coin, or of one that it commits to',
  'sighash-mismatch': 'not signed: its signatures have a different sighash type',
  'sighash-undefined': 'not signed: its sighash type is undefined',
  'single-without-output': 'not signed: SINGLE needs an output with the index of the input',
  'unproven-legacy-coin': 'not signed: its previous transaction is missing',
  final: 'final, but not a valid spend of its coin',
  'silent-payment': 'not signed: a silent payment waits for shares, of which the keys at hand can give no more',
};

/** Describes an input's progress: `input 0: have 1 of 2 signatures, still needed: ...`. */
export function progressText(progress: InputProgress): string {
  const { inputIndex, isComplete, isUnfinalized, isTried } = progress;
  if (isComplete) {
    const state = isUnfinalized ? 'signed, not finalized' : 'complete';
    return `input ${inputIndex}: ${state}${isTried ? `, ${TRIED}` : ''}`;
  }
  const { quorums, unmetLocks, unverified, unknownKeys, isUnread, invalid = [], mixedTypes } = progress;
  const parts = [
    unsignedText(progress),
    ...unverifiedTexts(unverified),
    ...countedTexts(invalid.map((cause) => `, which cannot count: ${cause ? causeText(cause) : INVALID}`)),
    ...quorumTexts(quorums),
    mixedTypes ? mixedTypesText(mixedTypes) : '',
    quorums.some(isHiddenLeaf) ? unverifiableText('leaf-script') : '',
    ...lockTexts(unmetLocks),
    ...hiddenTexts(unknownKeys),
    isUnread ? UNREAD : '',
  ].filter(Boolean);
  return `input ${inputIndex}: ${parts.join('; ') || 'have no signatures, and no key that could give them is named'}`;
}

const SCRIPT_NAMES: Readonly<Record<MissingScript, string>> = {
  'redeem-script': 'redeemScript',
  'witness-script': 'witnessScript',
};

function unsignedText({ status, askedType, added, quorums, unverified, missingScript }: InputProgress): string {
  if (added > 0 || unverified.length > 0) return '';
  if (missingScript) {
    const isUnproven = status === 'unproven-legacy-coin';
    return `not signed: its ${SCRIPT_NAMES[missingScript]}${isUnproven ? ' and its previous transaction are' : ' is'} missing`;
  }
  if (askedType !== undefined) return `not signed: it asks for the sighash type ${hashTypeName(askedType)}`;
  const isSigned = quorums.length > 0 && quorums.every(({ wanted }) => wanted.length === 0);
  return status === 'asked' && isSigned ? '' : UNSIGNED[status];
}

function unverifiedTexts(reasons: readonly UnverifiableReason[]): readonly string[] {
  return countedTexts(reasons.map((reason) => `, which cannot be verified: ${unverifiableText(reason)}`));
}

/** Counts the signatures about which there is the same to say. */
function countedTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].map((text) => {
    const count = texts.filter((other) => other === text).length;
    return `${count} ${count === 1 ? 'signature' : 'signatures'}${text}`;
  });
}

const SHOWN_SIGNERS = 10;

function mixedTypesText({ taken, isAsked, signed }: MixedTypes): string {
  const signers = signed
    .slice(0, SHOWN_SIGNERS)
    .map((signer) => `${keyText(signer)} has signed with ${hashTypeName(signer.sighashType)}`);
  const listed = [...signers, ...(signed.length > SHOWN_SIGNERS ? ['...'] : [])].join(', ');
  const asked = isAsked ? 'for which its sighash record asks' : 'as it has no sighash record that asks for another';
  return `it takes only signatures with the hash type ${hashTypeName(taken)}, ${asked}: ${listed}`;
}

const SHOWN_HASHES = 3;

function hiddenTexts(hashes: readonly Uint8Array[]): readonly string[] {
  if (hashes.length === 0) return [];
  const listed = hashes.slice(0, SHOWN_HASHES).map(formatHex).join(', ');
  return [`keys are named by hash only: ${listed}${hashes.length > SHOWN_HASHES ? ', ...' : ''}`];
}

const INVALID = 'it does not verify for its key and its coin';
const TRIED = 'its script is not a miniscript, but its signatures alone spend the coin';
const UNREAD = 'its script is not a miniscript: the wallet that knows it has to finalize it';

const SHOWN_LOCKS = 5;

function lockTexts(locks: readonly string[]): readonly string[] {
  if (locks.length === 0) return [];
  const listed = `${locks.slice(0, SHOWN_LOCKS).join(', ')}${locks.length > SHOWN_LOCKS ? ', ...' : ''}`;
  return [`ways to spend that need ${listed} are closed: only a new PSBT with that sequence or lock time opens them`];
}
