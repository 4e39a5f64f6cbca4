import { bytesKey, equalBytes } from '../../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import type { Ecc } from '../../crypto/ecc.ts';
import {
  aggregateNonces,
  generateNonce,
  type Musig2Session,
  musig2Session,
  partialSign,
  type SecretNonce,
  verifyPartialSignature,
} from '../../crypto/musig2/index.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { collectKeys, decodeMiniscript } from '../../descriptors/miniscript/index.ts';
import { BtcError, unlessRefused } from '../../errors.ts';
import type { KeyOrigin } from '../../keys/path.ts';
import { TAPSCRIPT_LEAF_VERSION, tapLeafHash } from '../../script/tapTree.ts';
import {
  collectNonces,
  findAggregates,
  type SchnorrKey,
  type SigningAggregate,
  toMusig2Signer,
} from '../../signing/musig2Signing.ts';
import { type SignatureData, signerName } from '../../signing/signatureData.ts';
import { keyPathKeys } from '../../signing/solveTaproot.ts';
import { commitsToLeaf } from '../../signing/taprootCommitment.ts';
import { isFinal } from '../format/nodeOrder.ts';
import { type AnyPsbt, readOutline, readPsbt } from '../format/parsePsbt.ts';
import type { Musig2Signer, Psbt, PsbtInput } from '../format/types.ts';
import { afterSigning } from '../format/version.ts';
import { inputSignatureData } from '../inputSignatureData.ts';
import { beginSession, computeDigests, type PsbtSession, type SessionInput } from '../session.ts';
import { silentSigningOptions } from '../silentPayments/verify.ts';
import { agreesOnType, typeToSign } from '../solveInput.ts';
import { SIGN_OPTIONS, type SignOptions } from './signer.ts';

/** A participant's share in one aggregate signature of a PSBT, and its state. @see BIP373 */
export interface Musig2Share {
  readonly inputIndex: number;
  /** 33 bytes. */
  readonly participantPubkey: Uint8Array;
  readonly origin?: KeyOrigin;
  /** The aggregate key after all tweaks, and its participants. */
  readonly signing: SigningAggregate;
  readonly digest: Uint8Array;
  readonly sighashType: number;
  readonly hasNonce: boolean;
  /** True if the PSBT holds a valid nonce of the participant. */
  readonly isNonceValid: boolean;
  readonly hasSigned: boolean;
  /** Present once the PSBT holds valid nonces of all participants. */
  readonly session?: Musig2Session;
}

/**
 * Lists the participants' shares in aggregate signatures. Each participant adds a nonce (`addNonce`) and, once all
 * have, a partial signature (`addPartialSignature`); the finalizer aggregates. Applies no policy: call `reviewPsbt` and
 * `assertAccepted` first.
 * @throws `psbt/locktime-conflict`, `psbt/field-required`, `psbt/silent-payment`
 * @see BIP373 "Roles"
 */
export function musig2Shares(given: AnyPsbt, options: SignOptions = {}): readonly Musig2Share[] {
  const psbt = readPsbt(given);
  assertKnownOptions(options, SIGN_OPTIONS);
  if (psbt.inputs.every(({ musig2Participants }) => !musig2Participants?.length)) return [];
  const session = beginSession(psbt, options);
  const signing = silentSigningOptions(options, psbt, session);
  return psbt.inputs.flatMap((input, index) => inputShares({ session, input, index }, signing));
}

function inputShares({ session, input, index }: SessionInput, options: SignOptions): readonly Musig2Share[] {
  const coin = session.coins[index]?.coin;
  if (!coin || isFinal(input)) return [];
  const sighashType = typeToSign(input, coin, options.sighashType);
  const digests = agreesOnType(input, sighashType) ? computeDigests(session, index, sighashType) : undefined;
  if (!digests?.outputKey) return [];
  const data = inputSignatureData(input);
  return signingKeys(data, digests.outputKey, session).flatMap((key) => {
    const digest = digests.schnorrDigest(key.kind === 'leaf' ? key.leafHash : undefined);
    if (!digest) return [];
    return findAggregates(data.taproot, key, session).flatMap((signing) =>
      sharesIn(data, { inputIndex: index, signing, digest, sighashType }),
    );
  });
}

/** Lists the keys that may be aggregates, those of decodable leaves that the coin commits to included. */
function signingKeys({ taproot }: SignatureData, outputKey: Uint8Array, { ecc }: PsbtSession): readonly SchnorrKey[] {
  const isCommitted = commitsToLeaf(taproot, outputKey, ecc);
  const ofLeaves = [...taproot.leafScripts.values()]
    .filter(({ leafVersion }) => leafVersion === TAPSCRIPT_LEAF_VERSION)
    .flatMap(({ script }): readonly SchnorrKey[] => {
      const leafHash = tapLeafHash(script);
      if (!isCommitted(leafHash)) return [];
      const root = decodeMiniscript(script, () => undefined, 'tapscript');
      const keys = new Map((root ? collectKeys(root) : []).map((publicKey) => [bytesKey(publicKey), publicKey]));
      return [...keys.values()].map((publicKey) => ({ kind: 'leaf', publicKey, leafHash }));
    });
  return [...keyPathKeys(taproot, outputKey).slice(0, 1), ...ofLeaves];
}

function sharesIn(
  { taproot }: SignatureData,
  shared: Pick<Musig2Share, 'inputIndex' | 'signing' | 'digest' | 'sighashType'>,
): readonly Musig2Share[] {
  const { signing, digest } = shared;
  const nonces = collectNonces(signing, taproot);
  const session = nonces && unlessRefused(() => openMusig2Session(nonces, signing, digest));
  const participants = new Map(signing.participants.map((publicKey) => [bytesKey(publicKey), publicKey]));
  return [...participants.values()].map((participantPubkey) => {
    const name = signerName(toMusig2Signer(signing, participantPubkey));
    const nonce = taproot.pubNonces.get(name);
    const origin = taproot.keys.get(bytesKey(participantPubkey.slice(1)))?.origin;
    return {
      ...shared,
      participantPubkey,
      ...(origin && { origin }),
      hasNonce: nonce !== undefined,
      isNonceValid: nonce !== undefined && unlessRefused(() => aggregateNonces([nonce.pubNonce])) !== undefined,
      hasSigned: taproot.partialSigs.has(name),
      ...(session && { session }),
    };
  });
}

function openMusig2Session(
  nonces: readonly Uint8Array[],
  { aggregate }: SigningAggregate,
  message: Uint8Array,
): Musig2Session {
  return musig2Session({ aggregateNonce: aggregateNonces(nonces), aggregate, message });
}

/** Finds the record of a participant among those of an input. */
export function findContribution<T extends Musig2Signer>(
  { signing, participantPubkey }: Musig2Share,
  records: readonly T[] = [],
): T | undefined {
  const name = signerName(toMusig2Signer(signing, participantPubkey));
  return records.find((record) => signerName(record) === name);
}

function withInput(psbt: Psbt, inputIndex: number, change: (input: PsbtInput) => PsbtInput): Psbt {
  return { ...psbt, inputs: psbt.inputs.map((input, index) => (index === inputIndex ? change(input) : input)) };
}

/** Options for adding a public nonce. */
export interface NonceOptions {
  readonly secretKey: Uint8Array;
  readonly rand: Uint8Array;
  readonly ecc?: Ecc;
}

const NONCE_OPTIONS: OptionNames<NonceOptions> = { secretKey: 'needed', rand: 'needed', ecc: true };

/**
 * Adds a participant's nonce, and returns its secret part: keep it in memory only, for one signature.
 *
 * - `rand`: 32 fresh random bytes; never the same twice
 * - `ecc`: checks the secret key; default `nobleEcc`
 *
 * @throws `musig2/nonce-used` if the PSBT has the participant's nonce; `musig2/not-participant` for another's secret
 * key; `ecc/size`, `musig2/rand`
 * @see BIP327 "Nonce Generation"
 */
export function addNonce(
  given: AnyPsbt,
  share: Musig2Share,
  options: NonceOptions,
): { readonly psbt: Psbt; readonly secretNonce: SecretNonce } {
  const psbt = readOutline(given);
  assertKnownOptions(options, NONCE_OPTIONS);
  const { secretKey, rand, ecc = nobleEcc } = options;
  const nonces = psbt.inputs[share.inputIndex]?.musig2PubNonces;
  if (findContribution(share, nonces)) {
    throw new BtcError('musig2/nonce-used', {}, 'The PSBT already has a nonce of this participant');
  }
  if (!equalBytes(ecc.publicKey(secretKey), share.participantPubkey)) {
    throw new BtcError('musig2/not-participant', {}, 'The private key is not that of the participant');
  }
  const { publicKey } = share.signing.aggregate;
  const { secretNonce, publicNonce } = generateNonce({
    rand,
    secretKey,
    publicKey: share.participantPubkey,
    aggregateKey: publicKey.slice(1),
    message: share.digest,
  });
  const record = { ...toMusig2Signer(share.signing, share.participantPubkey), pubNonce: publicNonce };
  const next = withInput(psbt, share.inputIndex, (input) => ({
    ...input,
    musig2PubNonces: [...(input.musig2PubNonces ?? []), record],
  }));
  return { psbt: next, secretNonce };
}

/**
 * Adds a participant's partial signature, for a `share` of a PSBT with all nonces.
 * @throws `musig2/count` without all nonces; `musig2/signed` for a second signature; as `partialSign`
 * @see BIP327 "Signing"
 */
export function addPartialSignature(
  given: AnyPsbt,
  share: Musig2Share,
  { secretKey, secretNonce }: { readonly secretKey: Uint8Array; readonly secretNonce: SecretNonce },
): Psbt {
  const psbt = readOutline(given);
  const session = assertCanSign(psbt, share);
  const record = {
    ...toMusig2Signer(share.signing, share.participantPubkey),
    partialSig: partialSign(secretNonce, secretKey, session),
  };
  const signed = withInput(psbt, share.inputIndex, (input) => ({
    ...input,
    musig2PartialSigs: [...(input.musig2PartialSigs ?? []), record],
  }));
  return afterSigning(signed, share.sighashType);
}

/** Refuses what can be refused without the secret nonce. @throws `musig2/count`, `musig2/signed` */
export function assertCanSign(psbt: Psbt, share: Musig2Share): Musig2Session {
  const { session, signing } = share;
  if (!session) {
    const expected = `${signing.participants.length}`;
    const message = `The PSBT needs the public nonces of all ${expected} participants before they sign`;
    throw new BtcError('musig2/count', { what: 'public nonces', expected, found: 0 }, message);
  }
  if (findContribution(share, psbt.inputs[share.inputIndex]?.musig2PartialSigs)) {
    throw new BtcError('musig2/signed', {}, 'The PSBT already has the partial signature of this participant');
  }
  return session;
}

/** Tells whether the participant's partial signature is valid, to find who broke an aggregate. */
export function isPartialSignatureValid(given: AnyPsbt, share: Musig2Share): boolean {
  const psbt = readOutline(given);
  const input = psbt.inputs[share.inputIndex];
  const nonce = findContribution(share, input?.musig2PubNonces);
  const partial = findContribution(share, input?.musig2PartialSigs);
  if (!nonce || !partial || !share.session) return false;
  return verifyPartialSignature({
    partialSignature: partial.partialSig,
    publicNonce: nonce.pubNonce,
    publicKey: share.participantPubkey,
    session: share.session,
  });
}
