import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { decodeUtf8WithoutMark, encodeUtf8 } from '../bytes/utf8.ts';
import { sha256 } from '../crypto/hash.ts';
import type { Psbt } from '../psbt/format/types.ts';
import type { PsbtSession } from '../psbt/session.ts';
import { isToSpend, messageOutpoint, messageToSpend, paysNothing } from '../tx/message.ts';
import { outpointKey } from '../tx/txid.ts';
import type { Transaction } from '../tx/types.ts';
import { fixesAll } from './commitment.ts';
import { type FindingData, type MessageMismatch, type Observation, when } from './finding.ts';
import type { InputReview } from './inputReview.ts';

/**
 * What the signatures of a PSBT are for. A message and a proof of reserves move nothing, since input 0 spends a coin that cannot
 * exist, or since nothing but a coin of 0 is spent. `text` is absent if the PSBT does not show it in UTF-8.
 * @see BIP322, BIP127
 */
export type Purpose =
  | { readonly kind: 'payment' }
  | { readonly kind: 'message'; readonly scriptPubKey: Uint8Array; readonly text?: string }
  | { readonly kind: 'proof-of-reserves'; readonly text?: string };

interface JudgedPurpose {
  readonly purpose: Purpose;
  readonly observations: readonly Observation[];
}

/** Tells a message from a payment by the transaction: a record that does not fit it makes no message of it. */
export function judgePurpose(psbt: Psbt, session: PsbtSession, inputs: readonly InputReview[]): JudgedPurpose {
  const judged = recognizePurpose(psbt, session, inputs);
  const isWhole = inputs.every(({ sighashTypes }) => sighashTypes.every(fixesAll));
  return judged.purpose.kind === 'payment' || isWhole ? judged : mismatch('open-signatures');
}

/** Tells whether an input only commits to the text of a proof of reserves, and is not signed. */
export const isCommitment = ({ kind }: Purpose, inputIndex: number): boolean =>
  kind === 'proof-of-reserves' && inputIndex === 0;

const PAYMENT: JudgedPurpose = { purpose: { kind: 'payment' }, observations: [] };

function recognizePurpose(psbt: Psbt, session: PsbtSession, reviews: readonly InputReview[]): JudgedPurpose {
  const { signedMessage } = psbt.global;
  const commitments = psbt.inputs.map(({ porCommitment }) => porCommitment);
  const [commitment, ...others] = commitments;
  const texts = [signedMessage, ...commitments].filter((text) => text !== undefined);
  if (texts.length > 1) return mismatch('two-texts');
  if (others.some((text) => text !== undefined)) return mismatch('other-input');
  if (signedMessage) return recognizeMessage(signedMessage, session);
  return commitment ? recognizeProof(commitment, session) : recognizeShape(psbt, session, reviews);
}

function recognizeMessage(message: Uint8Array, { tx, coins }: PsbtSession): JudgedPurpose {
  const coin = coins[0]?.coin;
  const [first] = tx.inputs;
  if (!coin || !first) return mismatch('no-script');
  const { scriptPubKey } = coin;
  const signed = messageOutpoint(messageToSpend(message, scriptPubKey));
  if (outpointKey(first.outpoint) !== outpointKey(signed) || coin.value !== 0n) {
    return mismatch('other-transaction');
  }
  if (!signsMessages(tx)) return mismatch('not-a-message');
  const { text, observations } = judgeText(message);
  const purpose: Purpose = { kind: 'message', scriptPubKey, ...(text !== undefined && { text }) };
  return { purpose, observations: [...observations, ...messageLocks(tx)] };
}

/** @see BIP322 "Upgradeable rules" */
const signsMessages = (tx: Transaction): boolean => paysNothing(tx) && (tx.version === 0 || tx.version === 2);

/** @see BIP322 "Verification Process", "valid at time T and age S" */
const messageLocks = ({ locktime, inputs: [first] }: Transaction): readonly Observation[] =>
  when(locktime > 0 || (first?.sequence ?? 0) > 0, 'locktime-unusual', {
    reason: 'message',
    locktime,
    sequence: first?.sequence ?? 0,
  });

const COMMITMENT_START = /* @__PURE__ */ encodeUtf8('Proof-of-Reserves: ');

function recognizeProof(commitment: Uint8Array, { tx, coins }: PsbtSession): JudgedPurpose {
  const [first] = tx.inputs;
  const [challenge, ...spent] = coins;
  const [output, ...others] = tx.outputs;
  const hash = sha256(concatBytes(COMMITMENT_START, commitment));
  // BIP127 does not say in which order the txid has the bytes of the hash, and implementations differ.
  const isCommitted =
    first?.outpoint.vout === 0 && [hash, hash.slice().reverse()].some((id) => equalBytes(id, first.outpoint.txid));
  if (!isCommitted || (challenge?.coin.value ?? 0n) !== 0n) {
    return mismatch('other-commitment');
  }
  const sum = spent.reduce((total, coin) => total + (coin?.coin.value ?? 0n), 0n);
  const isSum = output?.value === sum || spent.includes(undefined);
  if (others.length > 0 || !isSum) return mismatch('not-all-coins');
  const { text, observations } = judgeText(commitment);
  return { purpose: { kind: 'proof-of-reserves', ...(text !== undefined && { text }) }, observations };
}

/**
 * Finds messages whose text the PSBT does not show. A coin of 0 that is only claimed may be a real one: where other coins are spent
 * beside it, the transaction counts as the payment that it may be.
 */
function recognizeShape({ inputs }: Psbt, { tx, coins }: PsbtSession, [review]: readonly InputReview[]): JudgedPurpose {
  const { nonWitnessUtxo } = inputs[0] ?? {};
  const coin = coins[0]?.coin;
  const isShaped = tx.inputs[0]?.outpoint.vout === 0 && coin?.value === 0n;
  if (!isShaped || !coin || (nonWitnessUtxo && !isToSpend(nonWitnessUtxo))) return PAYMENT;
  const isSigned = review !== undefined && review.sighashTypes.length > 0;
  if (isSigned && signsMessages(tx)) {
    const movesNothing = nonWitnessUtxo !== undefined || tx.inputs.length === 1;
    const purpose: Purpose = movesNothing ? { kind: 'message', scriptPubKey: coin.scriptPubKey } : PAYMENT.purpose;
    return { purpose, observations: hidden({ reason: 'message' }) };
  }
  const spent = coins.reduce((total, one) => total + (one?.coin.value ?? 0n), 0n);
  const isSum = tx.outputs.length === 1 && tx.outputs[0]?.value === spent && !coins.includes(undefined);
  return isSigned || !isSum || tx.inputs.length === 1
    ? PAYMENT
    : {
        ...PAYMENT,
        observations: hidden({ reason: 'proof' }),
      };
}

/** In characters: more cannot be read before signing. */
const LONGEST_TEXT = 4000;

function judgeText(bytes: Uint8Array): { readonly text?: string; readonly observations: readonly Observation[] } {
  const text = decodeUtf8WithoutMark(bytes);
  if (text === undefined || !equalBytes(encodeUtf8(text), bytes)) {
    return { observations: hidden({ reason: 'not-text' }) };
  }
  const isLong = text.length > LONGEST_TEXT;
  return { text, observations: isLong ? hidden({ reason: 'long', length: text.length }) : [] };
}

const hidden = (data: FindingData['message-hidden']): readonly Observation[] => [{ check: 'message-hidden', data }];

const mismatch = (reason: MessageMismatch): JudgedPurpose => ({
  ...PAYMENT,
  observations: [{ check: 'message-mismatch', data: { reason } }],
});
