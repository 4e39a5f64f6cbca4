import { equalBytes } from '../bytes/compare.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { formatAmount } from '../encoding/amount.ts';
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
import { commitmentText, hashTypeName } from './hashTypes.ts';
import type { InputReview, UnmetLock } from './inputReview.ts';
import { type Observation, when } from './policy.ts';
import { isLockedOut } from './quorums.ts';
import { isTaprootConsistent, leafOddity, type UnwrappedRecords, unreadScripts } from './scripts.ts';
import { causeText } from './text/causeText.ts';
import { lockText } from './text/quorumText.ts';

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

type Found = Pick<Observation, 'check' | 'text'>;
type InputCheck = (facts: InputFacts) => readonly Found[];

const checkCoin: InputCheck = ({ input, review, unwrapped }) => {
  const { coin, outpoint, inputIndex } = review;
  const { nonWitnessUtxo } = input;
  const claimed = readWitnessUtxo(input);
  const named = `Input ${inputIndex}`;
  const isOther = nonWitnessUtxo !== undefined && outpoint !== undefined && coin === undefined;
  const isLie =
    coin !== undefined &&
    claimed !== undefined &&
    (claimed.value !== coin.value || !equalBytes(claimed.scriptPubKey, coin.scriptPubKey));
  const isClaimed = review.amountTrust === 'claimed';
  return [
    ...when(
      isOther,
      'previous-transaction-mismatch',
      () => `${named} comes with a previous transaction other than the one it spends.`,
    ),
    ...when(isLie, 'amount-mismatch', () => {
      const [claimedAmount, coinAmount] = [formatAmount(claimed?.value ?? 0n), formatAmount(coin?.value ?? 0n)];
      return `${named} claims a coin of ${claimedAmount}, but its previous transaction shows another${claimedAmount === coinAmount ? ' script' : `: ${coinAmount}`}.`;
    }),
    ...when(!coin && !isOther, 'coin-unknown', () => {
      return `The amount and script of the coin that input ${inputIndex} spends are not shown: add its previous transaction.`;
    }),
    ...when(isClaimed && unwrapped?.isWitness === false && takesSignature(review), 'legacy-unproven', () => {
      if (unwrapped?.template.type === 'scripthash') {
        return `${named} shows neither the redeemScript nor the previous transaction of its P2SH coin: if the coin is not segwit, the signature does not commit to the amount.`;
      }
      return `${named} spends a legacy coin without showing its previous transaction: the signature does not commit to the amount.`;
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
  const name = hashTypeName(sighashType);
  const others = otherTypes(review);
  return [
    ...when(!isDefined, 'sighash-undefined', () => `Input ${inputIndex} asks for the undefined hash type ${name}.`),
    ...when(
      isUnnamed,
      'sighash-unnamed',
      () =>
        `Input ${inputIndex} asks for signatures of type ${name}, which ${commitmentText(sighashType, inputIndex)}. You have not named that type.`,
    ),
    ...when(isDefined && isOpen && !isUnnamed, 'sighash-unusual', () => openText(inputIndex, sighashType)),
    ...when(isDefined && isLoneSingle, 'single-without-output', () => {
      return `SINGLE signs the output with the index of its input, but there is no output ${inputIndex}.`;
    }),
    ...when(others.length > 0, 'signature-sighash', () => {
      const open = others.filter(leavesOpen).map((type) => openText(inputIndex, type));
      return [`Input ${inputIndex} holds a signature with a hash type other than ${name}.`, ...open].join(' ');
    }),
  ];
};

/** Of a final input, lists only types that leave something open. */
function otherTypes({ isFinal, sighashType, sighashTypes }: InputReview): readonly number[] {
  const types = isFinal ? sighashTypes.filter(leavesOpen) : sighashTypes;
  return types.filter((type) => (type || SIGHASH.ALL) !== (sighashType || SIGHASH.ALL));
}

const isSigned = ({ signatures, missingSignatures }: InputReview): boolean =>
  signatures.length > 0 && missingSignatures.length === 0 && signatures.every(({ state }) => state === 'valid');

const openText = (inputIndex: number, sighashType: number): string =>
  `Signatures of input ${inputIndex} (${hashTypeName(sighashType)}) ${commitmentText(sighashType, inputIndex)}.`;

const checkScripts: InputCheck = ({ input, review, unwrapped, session }) => {
  const { inputIndex } = review;
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
    ...when(unwrapped.isMismatch, 'script-mismatch', () => {
      return `Input ${inputIndex} comes with a script that its coin does not commit to.`;
    }),
    ...when(unwrapped.isWitness && isLong, 'key-uncompressed', () => {
      return `Input ${inputIndex} uses an uncompressed or invalid key in segwit, which can never sign there.`;
    }),
    ...when(isInconsistent, 'taproot-mismatch', () => {
      return `Input ${inputIndex} comes with a key or leaf that its coin does not commit to.`;
    }),
    ...oddities.map((oddity): Found => ({ check: 'leaf-unusual', text: `A leaf of input ${inputIndex} ${oddity}.` })),
  ];
};

const takesSignature = ({ sighashTypes }: InputReview): boolean => sighashTypes.length > 0;

const checkUnread: InputCheck = ({ input, review, unwrapped }) => {
  const { inputIndex, isFinal } = review;
  if (!unwrapped || isFinal || !takesSignature(review)) return [];
  const { script, leaves } = unreadScripts(unwrapped, input);
  const signable = unwrapped.template.type === 'witness_v1_taproot' ? leafKeysIn : ecdsaKeysIn;
  const named = (kind: 'script' | 'leaf', unreadScript: Uint8Array): string => {
    const signed =
      kind === 'leaf'
        ? 'countersign can sign it but not read it, and finalizes it only if signatures are all that it takes'
        : 'countersign can sign it but not read it, and its wallet has to finalize it';
    const advice =
      signable(unreadScript).length > 0 ? signed : 'countersign can neither read nor sign it, only its wallet can';
    return `Input ${inputIndex} shows a ${kind} of ${unreadScript.length} bytes that is not a miniscript: ${advice}`;
  };
  const hasKeyPath = !isUnspendableKey(input.tapInternalKey ?? new Uint8Array(0));
  return [
    ...(script ? [{ check: 'script-unread', text: `${named('script', script)}.` } as const] : []),
    ...leaves.map((leaf): Found => {
      const keyPath = hasKeyPath ? ' A signature for the key path spends the coin without it.' : '';
      return { check: 'script-unread', text: `${named('leaf', leaf)}.${keyPath}` };
    }),
  ];
};

const checkSignatures: InputCheck = ({ review }) => {
  const { inputIndex } = review;
  const faults = review.signatures.flatMap((signature) => {
    if (signature.state !== 'invalid') return [];
    const { cause } = signature;
    return cause ? `a signature that cannot count: ${causeText(cause)}` : 'an invalid signature';
  });
  const isForeign = review.signatures.some(
    (signature) => signature.state === 'unverifiable' && signature.reason === 'key-foreign',
  );
  return [
    ...when(isForeign, 'signature-foreign', () => {
      return `Input ${inputIndex} holds a signature by a key that its coin does not take.`;
    }),
    ...[...new Set(faults)].map((fault): Found => {
      return { check: 'signature-invalid', text: `Input ${inputIndex} holds ${fault}.` };
    }),
    ...when(review.isFinal && !review.isFinalValid && review.coin !== undefined, 'signature-invalid', () => {
      return `The final scriptSig and witness of input ${inputIndex} do not spend its coin.`;
    }),
  ];
};

const checkUnmetLocks: InputCheck = ({ review, session: { tx } }) => {
  const { inputIndex, quorums } = review;
  const locks = quorums.find(({ closedBy }) => closedBy)?.closedBy ?? [];
  const txIn = tx.inputs[inputIndex];
  return when(isLockedOut(review) && txIn !== undefined, 'lock-unmet', () => {
    const needs = new Set(locks.flatMap((lock) => (txIn ? lockNeeds(tx, txIn, lock) : [])));
    return `No signature completes input ${inputIndex}: its coin can be spent only ${locks.map(lockText).join(' and ')}, and the transaction does not say that it waits. Create it again with ${[...needs].join(' and ')}.`;
  });
};

/** @see BIP65, BIP112 */
function lockNeeds(tx: Transaction, txIn: TxIn, { kind, lock }: UnmetLock): readonly string[] {
  if (kind === 'older') return [...(tx.version < 2 ? ['version 2'] : []), `a sequence of ${lock} in this input`];
  const isFinal = txIn.sequence === SEQUENCE_FINAL;
  const isReached = meetsLock(tx, { ...txIn, sequence: 0 }, { kind, lock });
  return [
    ...(isReached ? [] : [`a locktime of at least ${lock}`]),
    ...(isFinal ? [`a sequence below ${SEQUENCE_FINAL} in this input`] : []),
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
