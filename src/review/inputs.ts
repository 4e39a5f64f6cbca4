import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { formatAmount } from '../encoding/amount.ts';
import type { KeyOrigin } from '../keys/origin.ts';
import { outpointOf, witnessUtxoOf } from '../psbt/format/inputCoin.ts';
import { isFinal } from '../psbt/format/nodeOrder.ts';
import type { Psbt, PsbtInput } from '../psbt/format/types.ts';
import { type InputSignatures, inputSignatures } from '../psbt/heldSignatures.ts';
import type { SignatureRequest } from '../psbt/requests.ts';
import type { PsbtSession } from '../psbt/session.ts';
import { signersOf } from '../psbt/signers.ts';
import { finalSignatures, usualType } from '../psbt/solveInput.ts';
import { isEcdsaSighashType, sighashName } from '../script/signatureEncoding.ts';
import { tapLeafHash } from '../script/tapTree.ts';
import { isAnyoneCanPay, isTaprootSighashType, leavesOpen, outputModeOf, SIGHASH } from '../sighash/sighashType.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { type RelativeLock, relativeLockOf, secondsOf } from '../tx/relativeLock.ts';
import type { Outpoint, TxOut } from '../tx/types.ts';
import { typesOf } from './commitment.ts';
import { type ClaimedKey, claimedKeys, type FindOwner, manyIndexes, type VerifiedOwner } from './ownership.ts';
import { type Observation, when } from './policy.ts';
import { noncesOf, type UsedNonce } from './reusedNonces.ts';
import { isTaprootConsistent, leafOddity, type UnwrappedRecords, unwrapRecords } from './scripts.ts';

/** How far an amount can be trusted: read from the previous transaction, from the PSBT's word, or not at all. */
export type AmountTrust = 'proven' | 'claimed' | 'unknown';

/** A signature, by whom. */
export interface SignerReview {
  /** 33 or 65 bytes, or x-only. */
  readonly publicKey: Uint8Array;
  /** As the PSBT claims. */
  readonly claimedOrigin?: KeyOrigin;
  /** For a script path, which leaf it is, and its script where the input shows it. */
  readonly leafHash?: Uint8Array;
  readonly leafScript?: Uint8Array;
}

/** What a PSBT says of one input, and what of it is so. */
export interface InputReview {
  readonly inputIndex: number;
  readonly outpoint: Outpoint | undefined;
  /** The coin, its amount only as good as `amountTrust`. */
  readonly coin: TxOut | undefined;
  readonly amountTrust: AmountTrust;
  /** Whether a signature of this input is invalid if the amount of its own coin is false: segwit and taproot. */
  readonly isAmountSigned: boolean;
  /** The place in the given descriptors that makes the coin's script. */
  readonly verifiedOwner?: VerifiedOwner;
  /** Whether a key at hand can sign for it, so that its coin counts as own whatever made it. */
  readonly hasOwnKey: boolean;
  readonly claimedKeys: readonly ClaimedKey[];
  /** How old the coin must be before this input can be mined. */
  readonly relativeLock?: RelativeLock;
  /** The type that it asks for, or else the one that was named, or else the usual one. */
  readonly sighashType: number;
  /**
   * The types of the valid signatures that it holds, in final fields, too, and of those that it is to get. Of all other
   * signatures that it holds, the types other than ALL and DEFAULT.
   */
  readonly sighashTypes: readonly number[];
  readonly isFinal: boolean;
  /** Whether what it holds as final spends the coin. */
  readonly isFinalValid: boolean;
  readonly signatures: readonly (SignerReview & { readonly sighashType: number; readonly isValid: boolean })[];
  /** Keys that could sign and have not. Not all of them may be needed. */
  readonly missingSignatures: readonly SignerReview[];
}

/** What is known of an input while it is checked. */
interface InputFacts {
  readonly psbt: Psbt;
  readonly session: PsbtSession;
  readonly input: PsbtInput;
  readonly review: InputReview;
  readonly unwrapped: UnwrappedRecords | undefined;
  readonly signatures: InputSignatures;
  /** The type that the caller has named. */
  readonly named: number | undefined;
  readonly hasDescriptors: boolean;
}

/** An input's review, and what its checks have found. */
export interface ReviewedInput {
  readonly review: InputReview;
  readonly unwrapped: UnwrappedRecords | undefined;
  /** Valid signatures, and those in final fields. */
  readonly nonces: readonly UsedNonce[];
  readonly observations: readonly Observation[];
}

/** Facts for the review of an input that the PSBT does not hold. */
interface InputContext {
  readonly findOwner: FindOwner;
  readonly named: number | undefined;
  /** Whether a key is at hand: of 33 or 65 bytes, or x-only. */
  readonly holdsKey: ((publicKey: Uint8Array) => boolean) | undefined;
  /** Shows the keys that scripts name by their hash only. */
  readonly publicKey: ((hash: Uint8Array) => Uint8Array | undefined) | undefined;
  readonly hasDescriptors: boolean;
}

/** Reviews one input. */
export function reviewInput(
  psbt: Psbt,
  session: PsbtSession,
  index: number,
  { findOwner, named, holdsKey, publicKey: keyOfHash, hasDescriptors }: InputContext,
): ReviewedInput {
  const input = psbt.inputs[index] ?? {};
  const found = session.coins[index];
  const coin = found?.coin;
  const claimed = claimedKeys(input);
  const sighashType = input.sighashType ?? named ?? (coin ? usualType(coin, CURRENT_RULES) : SIGHASH.ALL);
  const owner = coin && findOwner(coin.scriptPubKey);
  const relativeLock = lockOf(session, index);
  const unwrapped = coin && unwrapRecords(coin.scriptPubKey, input);
  const none: InputSignatures = { held: [], wanted: [] };
  const signatures = isFinal(input) || !coin ? none : inputSignatures(session, input, index, sighashType, keyOfHash);
  const final = isFinal(input) ? finalSignatures(session, input, index) : undefined;
  const signerOf = signerFinder(input, claimed);
  const review: InputReview = {
    inputIndex: index,
    outpoint: outpointOf(psbt, index),
    coin,
    amountTrust: found?.trust ?? 'unknown',
    isAmountSigned: unwrapped?.isWitness === true,
    ...(owner && { verifiedOwner: owner }),
    hasOwnKey: holdsKey !== undefined && signersOf(session, input, index, keyOfHash).some(holdsKey),
    claimedKeys: claimed,
    ...(relativeLock && { relativeLock }),
    sighashType,
    sighashTypes: typesOf(input, unwrapped?.template, {
      sighashType,
      ofSpend: final?.sighashTypes,
      ofHeld: signatures.held.filter(({ isValid }) => isValid).map((one) => one.sighashType),
    }),
    isFinal: final !== undefined,
    isFinalValid: final?.isValid === true,
    signatures: signatures.held.map(({ request, publicKey, isValid, sighashType: type }) => ({
      ...signerOf(request ?? { publicKey }),
      sighashType: type,
      isValid,
    })),
    missingSignatures: signatures.wanted.map(signerOf),
  };
  const facts = { psbt, session, input, review, unwrapped, signatures, named, hasDescriptors };
  const observations = CHECKS.flatMap((check) => check(facts)).map((observation) => ({
    ...observation,
    inputIndex: index,
  }));
  const nonces = noncesOf(input, signatures.held, unwrapped?.template.type === 'witness_v1_taproot');
  return { review, unwrapped, nonces, observations };
}

function lockOf({ tx }: PsbtSession, index: number): RelativeLock | undefined {
  const input = tx.inputs[index];
  const lock = input && relativeLockOf(tx, input);
  return lock && lock.value > 0 ? lock : undefined;
}

/** Whether signatures of an input commit to what all inputs spend. @see BIP143, BIP341 "Common signature message" */
export function commitsToAmounts(
  { unwrapped, review }: Pick<ReviewedInput, 'unwrapped' | 'review'>,
  inputCount: number,
): boolean {
  if (review.sighashTypes.some(isAnyoneCanPay) || !unwrapped?.isWitness) return false;
  return unwrapped.template.type === 'witness_v1_taproot' || inputCount === 1;
}

/** Names the key that answers a request, on the key path the internal key, with the claims of the input about it. */
function signerFinder(
  { tapLeafScripts = [] }: PsbtInput,
  claimed: readonly ClaimedKey[],
): (request: SignatureRequest | { readonly publicKey: Uint8Array }) => SignerReview {
  const origins = new Map(claimed.map(({ publicKey, origin }) => [bytesKey(publicKey), origin]));
  let leaves: ReadonlyMap<string, Uint8Array> | undefined;
  const scriptOf = (leafHash: Uint8Array): Uint8Array | undefined => {
    leaves ??= new Map(
      tapLeafScripts.map(({ script, leafVersion }) => [bytesKey(tapLeafHash(script, leafVersion)), script]),
    );
    return leaves.get(bytesKey(leafHash));
  };
  return (request) => {
    const publicKey = ('internalKey' in request ? request.internalKey : undefined) ?? request.publicKey;
    const leafHash = 'leafHash' in request ? request.leafHash : undefined;
    const claimedOrigin = origins.get(bytesKey(publicKey));
    const leafScript = leafHash && scriptOf(leafHash);
    return {
      publicKey,
      ...(claimedOrigin && { claimedOrigin }),
      ...(leafHash && { leafHash }),
      ...(leafScript && { leafScript }),
    };
  };
}

type Found = Pick<Observation, 'check' | 'text'>;
type InputCheck = (facts: InputFacts) => readonly Found[];

const checkCoin: InputCheck = ({ psbt, input, review, unwrapped }) => {
  const { coin, outpoint, inputIndex } = review;
  const { nonWitnessUtxo } = input;
  const claimed = witnessUtxoOf(input);
  const named = `Input ${inputIndex}`;
  const isOther = nonWitnessUtxo !== undefined && outpoint !== undefined && coin === undefined;
  const isLie =
    coin !== undefined &&
    nonWitnessUtxo !== undefined &&
    claimed !== undefined &&
    (claimed.value !== coin.value || !equalBytes(claimed.scriptPubKey, coin.scriptPubKey));
  const isClaimed = coin !== undefined && review.amountTrust === 'claimed';
  const isUnproven = unwrapped?.isWitness === true && !commitsToAmounts({ unwrapped, review }, psbt.inputs.length);
  return [
    ...when(
      isOther,
      'previous-transaction-mismatch',
      () => `${named} comes with a transaction that is not the one it spends.`,
    ),
    ...when(isLie, 'amount-mismatch', () => {
      return `${named} claims a coin of ${formatAmount(claimed?.value ?? 0n)}, but its previous transaction says ${formatAmount(coin?.value ?? 0n)}.`;
    }),
    ...when(!coin && !isOther, 'coin-unknown', () => `${named} does not say which coin it spends.`),
    ...when(isClaimed && unwrapped?.isWitness === false, 'legacy-unproven', () => {
      return `${named} spends a legacy coin, but its previous transaction is missing: its signature would not commit to the amount.`;
    }),
    ...when(isClaimed && isUnproven, 'amount-unproven', () => {
      return `The amount of input ${inputIndex} is only claimed: without its previous transaction, the fee is not proven.`;
    }),
  ];
};

const checkSighash: InputCheck = ({ input, review, unwrapped, named, session }) => {
  const { inputIndex, sighashType, coin } = review;
  const isTaproot = unwrapped?.template.type === 'witness_v1_taproot';
  const isDefined = isTaproot
    ? isTaprootSighashType(sighashType)
    : sighashType === 0 || isEcdsaSighashType(sighashType);
  const usual = coin && usualType(coin, CURRENT_RULES);
  const isUnnamed = input.sighashType !== undefined && input.sighashType !== (named ?? usual) && isDefined;
  const isOpen = leavesOpen(sighashType) && (!review.isFinal || review.sighashTypes.includes(sighashType));
  const isLoneSingle = outputModeOf(sighashType) === 'single' && inputIndex >= session.tx.outputs.length;
  const name = isDefined ? sighashName(sighashType) || 'DEFAULT' : `0x${sighashType.toString(16)}`;
  const others = otherTypes(review);
  return [
    ...when(
      !isDefined,
      'sighash-undefined',
      () => `Input ${inputIndex} asks for the hash type ${name}, which has no meaning.`,
    ),
    ...when(
      isUnnamed,
      'sighash-unnamed',
      () => `Input ${inputIndex} asks for the hash type ${name}, which was not asked for.`,
    ),
    ...when(isDefined && isOpen && !isUnnamed, 'sighash-unusual', () => openText(inputIndex, sighashType, name)),
    ...when(isDefined && isLoneSingle, 'single-without-output', () => {
      return `Input ${inputIndex} is to be signed for the output of its number, and there is none.`;
    }),
    ...when(others.length > 0, 'signature-sighash', () => {
      const open = others.filter(leavesOpen).map((type) => openText(inputIndex, type, sighashName(type)));
      return [`Input ${inputIndex} holds a signature with another hash type than ${name}.`, ...open].join(' ');
    }),
  ];
};

/** The types of signatures that are not the one asked for; of final ones, those that leave something open. */
function otherTypes({ isFinal, sighashType, sighashTypes }: InputReview): readonly number[] {
  const types = isFinal ? sighashTypes.filter(leavesOpen) : sighashTypes;
  return types.filter((type) => (type || SIGHASH.ALL) !== (sighashType || SIGHASH.ALL));
}

function openText(inputIndex: number, sighashType: number, name: string): string {
  const mode = outputModeOf(sighashType);
  const outputs =
    mode === 'none'
      ? 'commit to no output: whoever gets them can send the coins anywhere'
      : mode === 'single'
        ? 'commit to one output only: the others can be changed'
        : 'commit to all outputs';
  const inputs = isAnyoneCanPay(sighashType) ? '; others can add inputs' : '';
  return `Signatures of input ${inputIndex} (${name}) ${outputs}${inputs}.`;
}

const checkScripts: InputCheck = ({ input, review, unwrapped, session }) => {
  const { coin, inputIndex } = review;
  if (!coin || !unwrapped) return [];
  const { template } = unwrapped;
  const keys = template.type === 'multisig' ? template.pubkeys : template.type === 'pubkey' ? [template.pubkey] : [];
  const isLong =
    keys.some((key) => key.length !== 33 || !isValidPublicKey(key)) ||
    review.claimedKeys.some(({ publicKey }) => publicKey.length === 65);
  const isInconsistent =
    template.type === 'witness_v1_taproot' && !isTaprootConsistent(template.program, input, session.ecc);
  const oddities = (input.tapLeafScripts ?? []).flatMap(
    ({ script, leafVersion }) => leafOddity(script, leafVersion) ?? [],
  );
  return [
    ...when(unwrapped.isMismatch, 'script-mismatch', () => {
      return `Input ${inputIndex} comes with a script that is not the one its coin commits to.`;
    }),
    ...when(unwrapped.isWitness && isLong, 'key-uncompressed', () => {
      return `Input ${inputIndex} has a key in its witness script that can never sign there.`;
    }),
    ...when(isInconsistent, 'taproot-mismatch', () => {
      return `Input ${inputIndex} comes with a key or leaf that its coin does not commit to.`;
    }),
    ...oddities.map((oddity): Found => ({ check: 'leaf-unusual', text: `A leaf of input ${inputIndex} ${oddity}.` })),
  ];
};

const checkSignatures: InputCheck = ({ review, signatures }) => {
  const { inputIndex } = review;
  const isBad = signatures.held.some(({ isValid }) => !isValid);
  return [
    ...when(isBad, 'signature-invalid', () => `Input ${inputIndex} holds a signature that is not valid.`),
    ...when(review.isFinal && !review.isFinalValid && review.coin !== undefined, 'signature-invalid', () => {
      return `Input ${inputIndex} is final, but does not spend its coin.`;
    }),
  ];
};

const checkLock: InputCheck = ({ review: { relativeLock, inputIndex } }) =>
  when(relativeLock !== undefined, 'locktime-unusual', () => {
    return `Input ${inputIndex} cannot be mined before its coin is ${relativeLock ? ageText(relativeLock) : ''} old.`;
  });

const SECONDS_PER_DAY = 86_400;

const ageText = (lock: RelativeLock): string =>
  lock.kind === 'blocks' ? `${lock.value} blocks` : `${(secondsOf(lock) / SECONDS_PER_DAY).toFixed(1)} days`;

const checkOwner: InputCheck = ({ input, review, hasDescriptors }) => {
  const { inputIndex, hasOwnKey, verifiedOwner } = review;
  return [
    ...manyIndexes(input, `Input ${inputIndex}`),
    ...when(hasDescriptors && hasOwnKey && !verifiedOwner, 'owner-unknown', () => {
      return `Input ${inputIndex} is of no descriptor that was given, but a key at hand can sign it: its coin counts as yours.`;
    }),
  ];
};

const CHECKS: readonly InputCheck[] = [checkOwner, checkLock, checkCoin, checkSighash, checkScripts, checkSignatures];
