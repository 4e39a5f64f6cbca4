import { bytesKey } from '../bytes/compare.ts';
import { isFinal } from '../psbt/format/nodeOrder.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import { type HeldSignature, type InputSignatures, inputSignatures, isValidSignature } from '../psbt/heldSignatures.ts';
import { taprootOutputKey } from '../psbt/requests.ts';
import type { PsbtSession, SessionInput } from '../psbt/session.ts';
import { possibleSigners } from '../psbt/signers.ts';
import { findSilentSpend } from '../psbt/silentPayments/spends.ts';
import { finalSignatures, usualType } from '../psbt/solveInput.ts';
import { listPushes } from '../script/instructions.ts';
import { isStrictSignature } from '../script/signatureEncoding.ts';
import { tapLeafHash } from '../script/tapTree.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { getRelativeLock, type RelativeLock } from '../tx/relativeLock.ts';
import { type ClaimedKey, claimedKeys } from './claimedPlaces.ts';
import { decidingTypes } from './commitment.ts';
import { checkInput } from './inputChecks.ts';
import type { InputReview } from './inputReview.ts';
import type { FindOwner } from './ownership.ts';
import type { Observation } from './policy.ts';
import { countQuorums, type FindSigner } from './quorums.ts';
import { type UnwrappedRecords, unwrapRecords } from './scripts.ts';
import { isUnspendableKey } from './unspendable.ts';
import type { FindOrigins, VerifiedKey } from './verifiedOrigins.ts';

export interface ReviewedInput {
  readonly input: PsbtInput;
  readonly review: InputReview;
  readonly unwrapped: UnwrappedRecords | undefined;
  /** Of valid signatures, and of those in final fields. */
  readonly nonces: readonly UsedNonce[];
  readonly observations: readonly Observation[];
}

interface InputContext {
  readonly findOwner: FindOwner;
  readonly findOrigins: FindOrigins;
  readonly named: number | undefined;
  /** Takes keys of 33 or 65 bytes, or x-only. */
  readonly holdsKey: ((publicKey: Uint8Array) => boolean) | undefined;
  readonly publicKey: ((hash: Uint8Array) => Uint8Array | undefined) | undefined;
  readonly hasDescriptors: boolean;
  /** Tells whether an x-only spend key of silent payments is the signer's. */
  readonly ownsSpendKey: ((spendKey: Uint8Array) => boolean) | undefined;
}

export function reviewInput(
  sessionInput: SessionInput,
  { findOwner, findOrigins, named, holdsKey, publicKey: keyOfHash, hasDescriptors, ownsSpendKey }: InputContext,
): ReviewedInput {
  const { session, input, index } = sessionInput;
  const spent = session.coins[index];
  const coin = spent?.coin;
  const claimed = claimedKeys(input);
  const sighashType = input.sighashType ?? named ?? (coin ? usualType(coin, CURRENT_RULES) : SIGHASH.ALL);
  const owner = coin && findOwner(coin.scriptPubKey);
  const relativeLock = findRelativeLock(session, index);
  const unwrapped = coin && unwrapRecords(coin.scriptPubKey, input);
  const none: InputSignatures = { recorded: [], requests: [] };
  const signatures = isFinal(input) ? none : inputSignatures(sessionInput, sighashType, keyOfHash);
  const final = isFinal(input) ? finalSignatures(sessionInput) : undefined;
  const verified = coin && findOrigins(coin.scriptPubKey);
  const findSigner = signerFinder(input, claimed, verified);
  const review: InputReview = {
    inputIndex: index,
    outpoint: session.tx.inputs[index]?.outpoint,
    coin,
    scriptPubKey: coin?.scriptPubKey,
    amountTrust: spent?.trust ?? 'unknown',
    ...(spent?.trust === 'proven' && { amountProof: 'previous-transaction' }),
    isAmountSigned: unwrapped?.isWitness === true,
    ...(owner && { verifiedOwner: owner }),
    hasOwnKey: holdsKey !== undefined && possibleSigners(sessionInput, keyOfHash).some(holdsKey),
    ...(paysSpendKey(sessionInput, ownsSpendKey) && { isOwnSilent: true as const }),
    claimedKeys: claimed,
    ...(relativeLock && { relativeLock }),
    sighashType,
    sighashTypes: decidingTypes(input, unwrapped?.template, {
      sighashType,
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
  const observations = checkInput({ session, input, review, unwrapped, named, hasDescriptors });
  const nonces = usedNonces(input, signatures.recorded, unwrapped?.template.type === 'witness_v1_taproot');
  return { input, review, unwrapped, nonces, observations };
}

/** Tells whether the coin is a silent payment to a spend key, by the tweak of the records. @see BIP376 */
function paysSpendKey({ session, input, index }: SessionInput, owns: InputContext['ownsSpendKey']): boolean {
  const outputKey = taprootOutputKey(session.coins[index]?.coin.scriptPubKey);
  const spend = outputKey && findSilentSpend(input, outputKey, session.ecc);
  return spend !== undefined && owns?.(spend.internalKey) === true;
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
