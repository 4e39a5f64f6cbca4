import { assertBytes, isBytes } from '../../bytes/assertBytes.ts';
import { concatBytes, equalBytes } from '../../bytes/compare.ts';
import { assertKnownOptions, assertShape, isObject, type OptionNames } from '../../bytes/knownOptions.ts';
import type { Ecc } from '../../crypto/ecc.ts';
import { chosenArithmetic, type EccOption } from '../../crypto/eccOption.ts';
import { consensusVerifier, encodeDer, hasHighS } from '../../crypto/ecdsa.ts';
import { BtcError, type ErrorData } from '../../errors.ts';
import { isStrictSignature } from '../../script/signatureEncoding.ts';
import { assertSighashType, isTaprootSighashType } from '../../sighash/sighashType.ts';
import type { SignatureRequest } from '../../signing/keySigner.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../../signing/sessionOptions.ts';
import type { Missing } from '../../signing/signatureData.ts';
import { claimedCoin } from '../format/inputCoin.ts';
import { isFinal } from '../format/nodeOrder.ts';
import { type AnyPsbt, readOutline, readPsbt } from '../format/parsePsbt.ts';
import type { Psbt, PsbtInput } from '../format/types.ts';
import { afterSigning } from '../format/version.ts';
import { validSignatures, withoutInvalidKeySignature } from '../heldSignatures.ts';
import { recordedRequests, taprootOutputKey } from '../requests.ts';
import { beginSession, computeDigests, type PsbtSession, type SessionInput } from '../session.ts';
import { silentSigningOptions } from '../silentPayments/verify.ts';
import { agreesOnType, typeToSign } from '../solveInput.ts';

/** Options for signing a PSBT. */
export interface SignOptions extends SessionOptions {
  /**
   * Default: DEFAULT for taproot, else ALL; beside silent payments, and where taproot asks for it, ALL. An input that asks
   * for another type is not signed: a signer must not commit to less than the caller has named.
   */
  readonly sighashType?: number;
  /** Finds a public key by its 20-byte hash, for scripts that hold only that. Default: only keys in the PSBT. */
  readonly publicKey?: (hash: Uint8Array) => Uint8Array | undefined;
}

export const SIGN_OPTIONS: OptionNames<SignOptions> = { ...SESSION_OPTIONS, sighashType: true, publicKey: true };

/** The outcome of an input. `asked`: the signer got requests; `signed` lists the keys that answered. */
export interface SignedInput {
  readonly status:
    | 'final'
    | 'asked'
    | 'no-coin'
    | 'sighash-mismatch'
    | 'sighash-undefined'
    | 'single-without-output'
    /** A coin that is or may be legacy, without its previous transaction. */
    | 'unproven-legacy-coin';
  readonly signed: readonly Uint8Array[];
  /** Data other than signatures, such as scripts. */
  readonly missing: readonly Missing[];
}

/** A PSBT with its new signatures. */
export interface SignedPsbt {
  readonly psbt: Psbt;
  readonly inputs: readonly SignedInput[];
}

export type SigningRequests = Generator<SignatureRequest, SignedPsbt, Uint8Array | undefined>;

/**
 * Signs a PSBT without touching a key: yields requests, takes a signature or `undefined` for each, now or later,
 * verifies and adds it. After a signature for an input's key path, requests none for its leaves.
 * @throws when resumed: `psbt/silent-payment` unless each provably pays its address; with an invalid signature
 * `signature/invalid`
 * @see BIP174 "Signer"
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, signingRequests } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const step = signingRequests(psbt).next();
 * if (!step.done) step.value.algorithm; // ecdsa
 * ```
 */
export function signingRequests(given: AnyPsbt, options: SignOptions = {}): SigningRequests {
  const psbt = readPsbt(given);
  assertKnownOptions(options, SIGN_OPTIONS);
  return requestsInSession(beginSession(psbt, options), psbt, options);
}

/** Like `signingRequests`, in the session of a review, whose results it reuses. */
export function* requestsInSession(session: PsbtSession, psbt: Psbt, options: SignOptions): SigningRequests {
  assertSighashType(options.sighashType);
  const signing = silentSigningOptions(options, psbt, session);
  let current = psbt;
  const inputs: SignedInput[] = [];
  for (const [index, input] of psbt.inputs.entries()) {
    const { status, requests, missing } = inputRequests({ session, input, index }, signing);
    const signed: Uint8Array[] = [];
    for (const request of requests) {
      const signature = yield request;
      if (!signature) continue;
      current = applySignature(current, request, signature, { ecc: session.ecc });
      signed.push(request.publicKey);
      if (request.algorithm === 'schnorr' && request.path === 'key') break;
    }
    inputs.push({ status, signed, missing });
  }
  return { psbt: current, inputs };
}

interface Requests extends Pick<SignedInput, 'status' | 'missing'> {
  readonly requests: readonly SignatureRequest[];
}

function inputRequests(sessionInput: SessionInput, options: SignOptions): Requests {
  const { session, input, index } = sessionInput;
  const none = (status: SignedInput['status']): Requests => ({ status, requests: [], missing: [] });
  const spent = session.coins[index];
  if (isFinal(input)) return none('final');
  if (!spent) return none('no-coin');
  const { coin, trust } = spent;
  const sighashType = typeToSign(input, coin, options.sighashType);
  if (!isTaprootSighashType(sighashType)) return none('sighash-undefined');
  const cleaned = withoutInvalidKeySignature(sessionInput);
  if (!agreesOnType(cleaned, sighashType)) return none('sighash-mismatch');
  const digests = computeDigests(session, index, sighashType);
  if (!digests) return none('no-coin');
  if (digests.isLoneSingle) return none('single-without-output');
  // An invalid signature counts as missing.
  const { requests, missing, isWitness } = recordedRequests(cleaned, digests, {
    scriptPubKey: coin.scriptPubKey,
    counts: validSignatures({ session, input: cleaned, index }),
    publicKey: options.publicKey,
  });
  const isSegwit = isWitness || missing.some(({ kind }) => kind === 'witness-script');
  if (trust === 'claimed' && !isSegwit) return { ...none('unproven-legacy-coin'), missing };
  return { status: 'asked', requests, missing };
}

/**
 * Adds a valid signature to the PSBT of its request, and clears the modifiable flags for the parts that it commits to.
 * Trusts the request's digest: with a request from another PSBT, the signature does not spend the coin.
 *
 * - `signature`: 64 bytes (r and s, or BIP340), or as scripts hold it, with the request's hash type
 *
 * @throws `signature/invalid`
 *
 * @example
 * ```ts
 * import {
 *   accountFromDescriptors,
 *   applySignature,
 *   buildPsbt,
 *   createDescriptorProvider,
 *   deriveForPsbt,
 *   keySigner,
 *   networks,
 *   signingRequests,
 * } from 'countersign';
 * import { formatXprv, masterKey } from 'countersign/keys';
 *
 * const xprv = formatXprv(masterKey(new Uint8Array(32).fill(7)), networks.regtest);
 * const me = accountFromDescriptors(`wpkh(${xprv}/<0;1>/*)`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const signer = keySigner(createDescriptorProvider(deriveForPsbt(psbt, me.descriptors)));
 * const step = signingRequests(psbt).next();
 * const signature = step.done ? undefined : signer(step.value);
 * if (!step.done && signature) applySignature(psbt, step.value, signature).inputs[0]?.partialSigs?.length; // 1
 * ```
 */
export function applySignature(
  given: AnyPsbt,
  request: SignatureRequest,
  signature: Uint8Array,
  options: EccOption = {},
): Psbt {
  const psbt = readOutline(given);
  const ecc = chosenArithmetic(options);
  const isRequest =
    isObject(request) &&
    isBytes(request.publicKey) &&
    isBytes(request.digest) &&
    typeof request.sighashType === 'number';
  assertShape('request', isRequest, 'a request of signingRequests');
  assertBytes('signature', signature);
  const { inputIndex } = request;
  const input = psbt.inputs[inputIndex];
  if (!input) throw refusal(inputIndex, 'input');
  const item = encodeSignature(request, signature);
  assertValid(request, item, ecc);
  assertOutputKey(psbt, request);
  const next = withSighashType(withSignature(input, request, item), request);
  const inputs = psbt.inputs.map((other, index) => (index === inputIndex ? next : other));
  return afterSigning({ ...psbt, inputs }, request.sighashType);
}

type SignatureFault = ErrorData['signature/invalid']['reason'];

function refusal(inputIndex: number, reason: SignatureFault): BtcError {
  const message = `The signature for input ${inputIndex} was not added: ${FAULTS[reason]}`;
  return new BtcError('signature/invalid', { inputIndex, reason }, message);
}

const FAULTS: Readonly<Record<SignatureFault, string>> = {
  input: 'the PSBT does not have that input',
  encoding: 'it is not strict DER',
  'sighash-type': 'it does not end with the sighash type of the request',
  'high-s': 'its s is in the upper half of the order, which nodes do not relay',
  'not-valid': 'it does not verify for the key and the coin',
};

function assertValid({ algorithm, inputIndex, digest, publicKey }: SignatureRequest, item: Uint8Array, ecc: Ecc): void {
  if (algorithm === 'schnorr') {
    if (!ecc.verifySchnorr(item.slice(0, 64), digest, publicKey)) throw refusal(inputIndex, 'not-valid');
    return;
  }
  const der = item.subarray(0, -1);
  if (!isStrictSignature(item)) throw refusal(inputIndex, 'encoding');
  if (hasHighS(der)) throw refusal(inputIndex, 'high-s');
  if (!consensusVerifier(ecc)(der, digest, publicKey)) throw refusal(inputIndex, 'not-valid');
}

/** Refuses a key path request for a key other than the coin's output key. */
function assertOutputKey(psbt: Psbt, request: SignatureRequest): void {
  if (request.algorithm !== 'schnorr' || request.path !== 'key') return;
  const { inputIndex, publicKey } = request;
  const outputKey = taprootOutputKey(claimedCoin(psbt, inputIndex)?.scriptPubKey);
  if (outputKey && equalBytes(outputKey, publicKey)) return;
  throw refusal(inputIndex, 'not-valid');
}

function withSignature(input: PsbtInput, request: SignatureRequest, signature: Uint8Array): PsbtInput {
  const { publicKey: pubkey } = request;
  if (request.algorithm === 'ecdsa') {
    const others = input.partialSigs?.filter((other) => !equalBytes(other.pubkey, pubkey)) ?? [];
    return { ...input, partialSigs: [...others, { pubkey, signature }] };
  }
  if (request.path === 'key') return { ...input, tapKeySig: signature };
  const { leafHash } = request;
  const others = input.tapScriptSigs?.filter(
    (other) => !equalBytes(other.pubkey, pubkey) || !equalBytes(other.leafHash, leafHash),
  );
  return { ...input, tapScriptSigs: [...(others ?? []), { pubkey, leafHash, signature }] };
}

/** Encodes a signature as scripts hold it. */
function encodeSignature({ inputIndex, algorithm, sighashType }: SignatureRequest, signature: Uint8Array): Uint8Array {
  const type = sighashType === 0 ? new Uint8Array(0) : Uint8Array.of(sighashType);
  if (signature.length === 64) return concatBytes(algorithm === 'ecdsa' ? encodeDer(signature) : signature, type);
  const isWhole = algorithm === 'ecdsa' || signature.length === 65;
  if (isWhole && type.length > 0 && signature.at(-1) === sighashType) return signature;
  throw refusal(inputIndex, 'sighash-type');
}

/** Leaves out the default: ALL for ECDSA, DEFAULT for Schnorr. */
function withSighashType(input: PsbtInput, { algorithm, sighashType }: SignatureRequest): PsbtInput {
  const isUsual = sighashType === (algorithm === 'ecdsa' ? 1 : 0);
  return isUsual ? input : { ...input, sighashType };
}
