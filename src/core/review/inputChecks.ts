import { equalBytes } from '../bytes/compare.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { meetsLock } from '../interpreter/transactionChecker.ts';
import { readWitnessUtxo } from '../psbt/format/inputCoin.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import type { PsbtSession } from '../psbt/session.ts';
import { typeToSign } from '../psbt/solveInput.ts';
import { ecdsaKeysIn, leafKeysIn } from '../script/keysIn.ts';
import { isUnspendableKey } from '../script/tapTree.ts';
import { isAnyoneCanPay, isTaprootSighashType, leavesOpen, outputMode, SIGHASH } from '../sighash/sighashType.ts';
import { SEQUENCE_FINAL } from '../tx/absoluteLock.ts';
import type { Transaction, TxIn } from '../tx/types.ts';
import { type LockNeed, type Observation, when } from './finding.ts';
import type { InputReview, UnmetLock } from './inputReview.ts';
import { isLockedOut } from './quorums.ts';
import { isTaprootConsistent, leafOddity, type UnwrappedRecords, unreadScripts } from './scripts.ts';

export interface InputFacts {
  readonly session: PsbtSession;
  readonly input: PsbtInput;
  readonly review: InputReview;
  readonly unwrapped: UnwrappedRecords | undefined;
  /** The hash type that the caller has named. */
  readonly named: number | undefined;
}

export function checkInput(facts: InputFacts): readonly Observation[] {
  const { inputIndex } = facts.review;
  return CHECKS.flatMap((check) => check(facts)).map((observation) => ({ ...observation, inputIndex }));
}

/** Tells whether an input's signatures, if it takes any, commit to the amounts of all inputs. @see BIP143, BIP341 */
export function commitsToAmounts(
  { unwrapped, review }: Pick<InputFacts, 'unwrapped' | 'review'>,
  inputCount: number,
): boolean {
  if (review.sighashTypes.length === 0 && unwrapped?.isWitness) return true;
  if (review.sighashTypes.some(isAnyoneCanPay) || !unwrapped?.isAmountSigned) return false;
  return unwrapped.template.type === 'witness_v1_taproot' || inputCount === 1;
}

type InputCheck = (facts: InputFacts) => readonly Observation[];

const checkCoin: InputCheck = ({ input, review, unwrapped }) => {
  const { coin, outpoint } = review;
  const { nonWitnessUtxo } = input;
  const claimed = readWitnessUtxo(input);
  const isOther = nonWitnessUtxo !== undefined && outpoint !== undefined && coin === undefined;
  const isLie =
    coin !== undefined &&
    claimed !== undefined &&
    (claimed.value !== coin.value || !equalBytes(claimed.scriptPubKey, coin.scriptPubKey));
  const isClaimed = review.amountTrust === 'claimed';
  return [
    ...when(isOther, 'previous-transaction-mismatch', {}),
    ...when(isLie, 'amount-mismatch', { claimed: claimed?.value ?? 0n, shown: coin?.value ?? 0n }),
    ...when(!coin && !isOther, 'coin-unknown', {}),
    ...when(isClaimed && unwrapped?.isWitness === false && takesSignature(review), 'legacy-unproven', {
      isHidden: unwrapped?.template.type === 'scripthash',
    }),
  ];
};

const checkSighash: InputCheck = ({ input, review, named, session }) => {
  const { inputIndex, sighashType, coin } = review;
  // DEFAULT is ALL to an ECDSA signer.
  const isDefined = isTaprootSighashType(sighashType);
  const isAsked =
    input.sighashType !== undefined && input.sighashType !== (coin ? typeToSign(input, coin, named) : named);
  const isUnnamed = isAsked && isDefined && !isSigned(review);
  const isOpen = leavesOpen(sighashType) && (!review.isFinal || review.sighashTypes.includes(sighashType));
  const isLoneSingle = outputMode(sighashType) === 'single' && inputIndex >= session.tx.outputs.length;
  const others = otherTypes(review);
  return [
    ...when(!isDefined, 'sighash-undefined', { sighashType }),
    ...when(isUnnamed, 'sighash-unnamed', { sighashType }),
    ...when(isDefined && isOpen && !isUnnamed, 'sighash-unusual', { sighashType }),
    ...when(isDefined && isLoneSingle, 'single-without-output', {}),
    ...when(others.length > 0, 'signature-sighash', { sighashType, others }),
  ];
};

/** Of a final input, lists only types that leave something open. */
function otherTypes({ isFinal, sighashType, sighashTypes }: InputReview): readonly number[] {
  const types = isFinal ? sighashTypes.filter(leavesOpen) : sighashTypes;
  return types.filter((type) => (type || SIGHASH.ALL) !== (sighashType || SIGHASH.ALL));
}

const isSigned = ({ signatures, missingSignatures }: InputReview): boolean =>
  signatures.length > 0 && missingSignatures.length === 0 && signatures.every(({ state }) => state === 'valid');

const checkScripts: InputCheck = ({ input, review, unwrapped, session }) => {
  if (!unwrapped) return [];
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
    ...when(unwrapped.isMismatch, 'script-mismatch', {}),
    ...when(unwrapped.isWitness && isLong, 'key-uncompressed', {}),
    ...when(isInconsistent, 'taproot-mismatch', {}),
    ...oddities.map((oddity): Observation => ({ check: 'leaf-unusual', data: { oddity } })),
  ];
};

const takesSignature = ({ sighashTypes }: InputReview): boolean => sighashTypes.length > 0;

const checkUnread: InputCheck = ({ input, review, unwrapped }) => {
  if (!unwrapped || review.isFinal || !takesSignature(review)) return [];
  const { script, leaves } = unreadScripts(unwrapped, input);
  const signable = unwrapped.template.type === 'witness_v1_taproot' ? leafKeysIn : ecdsaKeysIn;
  const hasKeyPath = !isUnspendableKey(input.tapInternalKey ?? new Uint8Array(0));
  const unread = (of: 'script' | 'leaf', bytes: Uint8Array): Observation => {
    const isSigned = signable(bytes).length > 0;
    const data = { of, bytes: bytes.length, isSigned, hasKeyPath: of === 'leaf' && hasKeyPath };
    return { check: 'script-unread', data };
  };
  return [...(script ? [unread('script', script)] : []), ...leaves.map((leaf) => unread('leaf', leaf))];
};

const checkSignatures: InputCheck = ({ review: { signatures, isFinal, isFinalValid, coin } }) => {
  const causes = signatures.flatMap((signature) => (signature.state === 'invalid' ? [signature.cause] : []));
  const isForeign = signatures.some(
    (signature) => signature.state === 'unverifiable' && signature.reason === 'key-foreign',
  );
  const different = new Map(causes.map((cause) => [JSON.stringify(cause), cause]));
  return [
    ...when(isForeign, 'signature-foreign', {}),
    ...[...different.values()].map((cause): Observation => {
      return { check: 'signature-invalid', data: { of: 'signature', ...(cause && { cause }) } };
    }),
    ...when(isFinal && !isFinalValid && coin !== undefined, 'signature-invalid', { of: 'final-fields' }),
  ];
};

const checkUnmetLocks: InputCheck = ({ review, session: { tx } }) => {
  const { inputIndex, quorums } = review;
  const locks = quorums.find(({ closedBy }) => closedBy)?.closedBy ?? [];
  const txIn = tx.inputs[inputIndex];
  if (!isLockedOut(review) || !txIn) return [];
  const needs = new Map(
    locks.flatMap((lock) => lockNeeds(tx, txIn, lock)).map((need) => [`${need.kind} ${need.value}`, need]),
  );
  return [{ check: 'lock-unmet', data: { reason: 'all-ways', locks, needs: [...needs.values()] } }];
};

/** @see BIP65, BIP112 */
function lockNeeds(tx: Transaction, txIn: TxIn, { kind, lock }: UnmetLock): readonly LockNeed[] {
  if (kind === 'older') {
    const version: readonly LockNeed[] = tx.version < 2 ? [{ kind: 'version', value: 2 }] : [];
    return [...version, { kind: 'sequence', value: lock }];
  }
  const isFinal = txIn.sequence === SEQUENCE_FINAL;
  const isReached = meetsLock(tx, { ...txIn, sequence: 0 }, { kind, lock });
  return [
    ...(isReached ? [] : [{ kind: 'locktime', value: lock } as const]),
    ...(isFinal ? [{ kind: 'sequence-below', value: SEQUENCE_FINAL } as const] : []),
  ];
}

const CHECKS: readonly InputCheck[] = [
  checkUnmetLocks,
  checkCoin,
  checkSighash,
  checkScripts,
  checkUnread,
  checkSignatures,
];
