import { bytesKey } from '../bytes/compare.ts';
import { type ClaimedKey, claimedKeys } from '../holder/claims.ts';
import { coinOwner, type HeldPsbt } from '../holder/owner.ts';
import { type VerifiedKey, verifiedOrigins } from '../holder/verifiedOrigins.ts';
import { isFinal } from '../psbt/format/nodeOrder.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import { type HeldSignature, type InputSignatures, inputSignatures, isValidSignature } from '../psbt/heldSignatures.ts';
import type { PsbtSession, SessionInput } from '../psbt/session.ts';
import type { CauseFinder } from '../psbt/signatureCause.ts';
import { possibleSigners } from '../psbt/signers.ts';
import { finalSignatures, typeToSign } from '../psbt/solveInput.ts';
import { listPushes } from '../script/instructions.ts';
import { isStrictSignature } from '../script/signatureEncoding.ts';
import { isUnspendableKey, tapLeafHash } from '../script/tapTree.ts';
import { classifyScript } from '../script/template.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import { getRelativeLock, type RelativeLock } from '../tx/relativeLock.ts';
import { decidingTypes } from './commitment.ts';
import { judgeFate } from './fate.ts';
import type { Observation } from './finding.ts';
import { checkInput } from './inputChecks.ts';
import type { InputReview } from './inputReview.ts';
import { countQuorums, type FindSigner } from './quorums.ts';
import { type UnwrappedRecords, unwrapRecords } from './scripts.ts';

export interface ReviewedInput {
  readonly input: PsbtInput;
  readonly review: InputReview;
  readonly unwrapped: UnwrappedRecords | undefined;
  /** Of valid signatures, and of those in final fields. */
  readonly nonces: readonly UsedNonce[];
  readonly observations: readonly Observation[];
}

interface InputContext {
  readonly held: HeldPsbt;
  readonly named: number | undefined;
  /** As in `SignOptions`. */
  readonly publicKey: (hash: Uint8Array) => Uint8Array | undefined;
  readonly causesIn: CauseFinder;
}

export function reviewInput(
  sessionInput: SessionInput,
  { held, named, publicKey: keyOfHash, causesIn }: InputContext,
): ReviewedInput {
  const { session, input, index } = sessionInput;
  const spent = session.coins[index];
  const coin = spent?.coin;
  const claimed = claimedKeys(input);
  const sighashType = input.sighashType ?? (coin ? typeToSign(input, coin, named) : (named ?? SIGHASH.ALL));
  const relativeLock = findRelativeLock(session, index);
  const unwrapped = coin && unwrapRecords(coin.scriptPubKey, input);
  const none: InputSignatures = { recorded: [], requests: [] };
  const signatures = isFinal(input)
    ? none
    : inputSignatures(sessionInput, { sighashType, findCause: causesIn(sessionInput), publicKey: keyOfHash });
  const final = isFinal(input) ? finalSignatures(sessionInput) : undefined;
  const verified = coin && verifiedOrigins(held, coin.scriptPubKey);
  const findSigner = signerFinder(input, claimed, verified);
  const signers = possibleSigners(sessionInput, (hash) => keyOfHash(hash) ?? held.provider.publicKey(hash));
  const review: InputReview = {
    inputIndex: index,
    outpoint: session.tx.inputs[index]?.outpoint,
    coin,
    scriptPubKey: coin?.scriptPubKey,
    amountTrust: spent?.trust ?? 'unknown',
    ...(spent?.trust === 'proven' && { amountProof: 'previous-transaction' }),
    isAmountSigned: unwrapped?.isAmountSigned === true,
    owner: coinOwner(held, sessionInput, signers),
    canSign: signers.some(held.canSign),
    claimedKeys: claimed,
    ...(relativeLock && { relativeLock }),
    sighashType,
    sighashTypes: decidingTypes(input, {
      sighashType: takesSignature(sessionInput, signatures) ? sighashType : undefined,
      ofSpend: final?.sighashTypes,
      ofHeld: signatures.recorded.filter(isValidSignature).map((signature) => signature.sighashType),
    }),
    isFinal: final !== undefined,
    isFinalValid: final?.isValid === true,
    signatures: signatures.recorded.map(({ request, publicKey, leafHash, sighashType: type, verdict }) => ({
      ...(publicKey && findSigner(request ?? { publicKey, ...(leafHash && { leafHash }) })),
      sighashType: type,
      ...verdict,
    })),
    missingSignatures: signatures.requests.map(findSigner).filter(({ isUnspendable }) => !isUnspendable),
    quorums: unwrapped
      ? countQuorums(sessionInput, { unwrapped, signatures, findSigner: signerFinder({}, claimed, verified) })
      : [],
  };
  const observations = checkInput({ session, input, review, unwrapped, named });
  const nonces = usedNonces(input, signatures.recorded, unwrapped?.template.type === 'witness_v1_taproot');
  return { input, review, unwrapped, nonces, observations };
}

/** A coin takes no signature if its own script lets anyone spend it, and no key could sign for it all the same. */
function takesSignature({ session, input, index }: SessionInput, { recorded, requests }: InputSignatures): boolean {
  const scriptPubKey = session.coins[index]?.coin.scriptPubKey;
  if (!scriptPubKey || isFinal(input) || recorded.length + requests.length > 0) return true;
  return judgeFate({ scriptPubKey, template: classifyScript(scriptPubKey) }, {}, session.ecc) !== 'open';
}

function findRelativeLock({ tx }: PsbtSession, index: number): RelativeLock | undefined {
  const input = tx.inputs[index];
  const lock = input && getRelativeLock(tx, input);
  return lock && lock.value > 0 ? lock : undefined;
}

/** On the key path, names the internal key, if known. */
export function signerFinder(
  { tapLeafScripts = [] }: PsbtInput,
  claimed: readonly ClaimedKey[],
  verified: ReadonlyMap<string, VerifiedKey> = new Map(),
): FindSigner {
  const origins = new Map(claimed.map(({ publicKey, origin }) => [bytesKey(publicKey), origin]));
  let leaves: ReadonlyMap<string, Uint8Array> | undefined;
  const findLeafScript = (leafHash: Uint8Array): Uint8Array | undefined => {
    leaves ??= new Map(
      tapLeafScripts.map(({ script, leafVersion }) => [bytesKey(tapLeafHash(script, leafVersion)), script]),
    );
    return leaves.get(bytesKey(leafHash));
  };
  return (request) => {
    const publicKey = ('internalKey' in request ? request.internalKey : undefined) ?? request.publicKey;
    const leafHash = 'leafHash' in request ? request.leafHash : undefined;
    const claimedOrigin = origins.get(bytesKey(publicKey));
    const key = verified.get(bytesKey(publicKey));
    const leafScript = leafHash && findLeafScript(leafHash);
    return {
      publicKey,
      ...(claimedOrigin && { claimedOrigin }),
      ...(key && { verifiedOrigin: key.origin }),
      ...((key?.isUnspendable || isUnspendableKey(publicKey)) && { isUnspendable: true }),
      ...(leafHash && { leafHash }),
      ...(leafScript && { leafScript }),
    };
  };
}

/** The r of a signature, and the signature. Two signatures with one nonce reveal the private key. */
interface UsedNonce {
  readonly nonce: string;
  readonly signature: string;
}

/** Takes anything in final fields that looks like a signature. */
function usedNonces(input: PsbtInput, recorded: readonly HeldSignature[], isTaproot: boolean): readonly UsedNonce[] {
  const signatures = recorded.filter(isValidSignature).map(({ signature }) => signature);
  const final = [...listPushes(input.finalScriptSig ?? new Uint8Array(0)), ...(input.finalScriptWitness ?? [])];
  return [...signatures, ...final].flatMap((item) => extractNonce(item, isTaproot) ?? []);
}

/** Returns r in 32 bytes: DER drops leading zeros, or adds one. */
function extractNonce(item: Uint8Array, isTaproot: boolean): UsedNonce | undefined {
  if (isTaproot) {
    const isSignature = item.length === 64 || item.length === 65;
    return isSignature ? { nonce: bytesKey(item, 0, 32), signature: bytesKey(item, 0, 64) } : undefined;
  }
  if (!isStrictSignature(item)) return undefined;
  const r = item.subarray(4, 4 + (item[3] ?? 0));
  const padded = new Uint8Array(32);
  const significant = r.subarray(Math.max(0, r.length - 32));
  padded.set(significant, 32 - significant.length);
  return { nonce: bytesKey(padded), signature: bytesKey(item.subarray(0, -1)) };
}
