import { formatAddress } from '../../address/address.ts';
import { formatHex } from '../../bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { formatAmount } from '../../encoding/amount.ts';
import { quotedLine } from '../../encoding/printable.ts';
import { isHolders } from '../../holder/owner.ts';
import type { Network } from '../../network/networks.ts';
import { formatAsm } from '../../script/asm.ts';
import { untilText } from '../../tx/absoluteLock.ts';
import { formatTxid } from '../../tx/txid.ts';
import {
  type AmountProof,
  type AmountTrust,
  type InputReview,
  indexesText,
  type SignatureReview,
} from '../inputReview.ts';
import type { OutputReview } from '../outputs.ts';
import { type Finding, refusalsIn } from '../policy.ts';
import { isCommitment } from '../purpose.ts';
import { isFull, isLockedOut } from '../quorums.ts';
import type { FeeReason, PsbtReview } from '../reviewPsbt.ts';
import { assertReview } from './assertReview.ts';
import { ownerText, roleText } from './ownerText.ts';
import { countText, keyText, leafText, quorumTexts, unverifiableText } from './quorumText.ts';
import { formatParagraphs, grouped, type Paragraph, type TextStyle } from './textLines.ts';

/** How a review is written. */
export interface ReviewTextOptions {
  readonly hasColours?: boolean;
}

const TEXT_OPTIONS: OptionNames<ReviewTextOptions> = { hasColours: true };

/**
 * Formats a review for the user who decides whether to sign, in lines of at most 80 columns: verdict, payments, fee,
 * balance and signatures, then coins and further findings. Groups addresses by four characters, to compare by eye.
 *
 * - `hasColours`: marks warnings and refusals with ANSI colours. Default false.
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, formatReview, reviewWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(3) };
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [me.receive(4).address]: 60_000n }, change: me.change(0), feeRate: 2 });
 * formatReview(reviewWith(me, psbt)).includes('change, verified'); // true
 * ```
 */
export function formatReview(review: PsbtReview, options: ReviewTextOptions = {}): string {
  assertReview(review);
  assertKnownOptions(options, TEXT_OPTIONS);
  const { hasColours = false } = options;
  const paragraphs = review.purpose.kind === 'payment' ? paymentReview(review) : messageReview(review);
  return `${formatParagraphs(paragraphs, hasColours).join('\n')}\n`;
}

function paymentReview(review: PsbtReview): readonly Paragraph[] {
  const payments = paymentParagraphs(review);
  const areMany = payments.length > MANY_PARAGRAPHS;
  return [
    ...verdictParagraphs(review),
    ...balanceParagraphs(review),
    ...payments.slice(0, areMany ? 1 : undefined),
    ...labelled('Fee', feeText(review), review.feeTrust === 'proven' ? undefined : 'yellow'),
    ...changeParagraphs(review),
    ...labelled('Signed', signedText(review.inputs)),
    ...labelled('Mined', lockText(review)),
    ...(areMany ? payments : []),
    ...inputParagraphs(review),
    ...trustTexts(review).map((text) => ({ start: '  ', text })),
  ];
}

/** Leaves out what a transaction would move: this one moves nothing. */
function messageReview(review: PsbtReview): readonly Paragraph[] {
  const { purpose, inputs } = review;
  const signing = { ...review, inputs: inputs.filter(({ inputIndex }) => !isCommitment(purpose, inputIndex)) };
  return [
    ...verdictParagraphs(review),
    ...labelled('Signs', purposeText(review) ?? ''),
    ...labelled('Moves', 'nothing: this is not a payment'),
    ...labelled('Signed', signedText(signing.inputs)),
    ...inputParagraphs(signing, 'Proves'),
  ];
}

/** Says what the signatures are for, with the address and the text: `a message for bc1q...: "hello"`; `undefined` for a payment. */
export function purposeText({ purpose, network }: Pick<PsbtReview, 'purpose' | 'network'>): string | undefined {
  if (purpose.kind === 'payment') return undefined;
  const what =
    purpose.kind === 'message'
      ? `a message for ${payee(purpose.scriptPubKey, network)}`
      : 'a proof of reserves (BIP127)';
  return purpose.text === undefined ? `${what}, whose text is not shown` : `${what}: ${quotedLine(purpose.text)}`;
}

/** More would push the fee off the screen: then they follow what is short. */
const MANY_PARAGRAPHS = 24;

const LABEL_WIDTH = 9;

const labelled = (label: string, text: string, style?: TextStyle): readonly Paragraph[] => [
  { start: label.padEnd(LABEL_WIDTH), startStyle: 'bold', text, style },
];

/** Folds findings whose text is the same but for the input or output that it names, refusals first. */
function verdictParagraphs({ findings, inputs }: PsbtReview): readonly Paragraph[] {
  if (findings.length === 0) return [{ start: '', ...(isListed(inputs) ? UNPROVEN : CLEAN) }];
  const alike = new Map<string, Finding[]>();
  for (const finding of [...refusalsIn(findings), ...findings.filter(({ action }) => action === 'warn')]) {
    const name = `${finding.action} ${finding.check} ${unnumbered(finding)}`;
    alike.set(name, [...(alike.get(name) ?? []), finding]);
  }
  return [...alike.values()].flatMap(([first, ...more]) => (first ? [findingParagraph(first, more)] : []));
}

const CLEAN = { text: 'Nothing suspicious was found.', style: 'green' } as const;
const UNPROVEN = {
  text: 'Nothing suspicious was found, as far as the wallet file is true: no key at hand proves it.',
  style: 'yellow',
} as const;

/** Tells whether coins are the signer's only because their wallet is listed. */
const isListed = (inputs: readonly InputReview[]): boolean => inputs.some(({ owner }) => owner.root === 'listed');

/** Leaves out the index of the input or output that the finding is about: all else in its text counts. */
function unnumbered({ text, inputIndex, outputIndex }: Finding): string {
  const index = inputIndex ?? outputIndex;
  return text.replace(/\b(input|output) (\d{1,10})\b/gi, (whole, word: string, number: string) =>
    number === `${index}` ? word : whole,
  );
}

function findingParagraph({ action, check, text }: Finding, alike: readonly Finding[]): Paragraph {
  const name = alike.length > 0 ? `${check}, also ${placesText(alike)}` : check;
  return action === 'refuse'
    ? { start: '', text: `REFUSED: ${text} [${name}]`, style: 'red' }
    : { start: '', text: `Warning: ${text} [${name}]`, style: 'yellow' };
}

function placesText(findings: readonly Finding[]): string {
  const inputs = findings.flatMap(({ inputIndex }) => inputIndex ?? []);
  const outputs = findings.flatMap(({ outputIndex }) => outputIndex ?? []);
  return (
    [
      ...(inputs.length > 0 ? [indexesText(inputs)] : []),
      ...(outputs.length > 0 ? [indexesText(outputs, 'output')] : []),
    ].join(' and ') || `${findings.length} more`
  );
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function paymentParagraphs(review: PsbtReview): readonly Paragraph[] {
  const payments = review.outputs.filter(({ stays }) => !stays);
  if (payments.length === 0) return labelled('Pays', 'nothing to others');
  const payees = new Set(payments.map(({ scriptPubKey }) => formatHex(scriptPubKey))).size;
  const haveAddresses = payments.every(({ scriptPubKey }) => formatAddress(scriptPubKey, review.network) !== undefined);
  const to = haveAddresses
    ? counted(payees, 'address', 'addresses')
    : counted(payees, 'output script', 'output scripts');
  return [...labelled('Pays', `${totalText(payments, review)} to ${to}`), ...outputParagraphs(payments, review)];
}

function changeParagraphs(review: PsbtReview): readonly Paragraph[] {
  const change = review.outputs.filter(({ stays }) => stays);
  return change.length === 0
    ? []
    : [...labelled('Change', totalText(change, review)), ...outputParagraphs(change, review)];
}

const totalText = (outputs: readonly OutputReview[], { network }: PsbtReview): string =>
  `${formatAmount(sum(outputs.map(({ value }) => value)))} ${network.ticker}`;

function outputParagraphs(outputs: readonly OutputReview[], { network, findings }: PsbtReview): readonly Paragraph[] {
  const money = alignAmounts(
    outputs.map(({ value }) => value),
    network,
  );
  return outputs.flatMap((output) => {
    const { outputIndex, value, scriptPubKey } = output;
    const start = `  ${outputIndex}: `;
    const hasFinding = findings.some((finding) => finding.outputIndex === outputIndex);
    const note = outputNote(output);
    return [
      { start: `${start}${money(value)}  `, text: silentAddress(output) ?? payee(scriptPubKey, network) },
      ...(note ? [{ start: ' '.repeat(start.length), ...note, ...(hasFinding && { style: 'yellow' as const }) }] : []),
    ];
  });
}

function outputNote(output: OutputReview): Pick<Paragraph, 'text' | 'style'> | undefined {
  const { silentPayment, stays, owner } = output;
  const text = roleText(output);
  if (text !== undefined) return { text, style: stays && owner.root !== 'none' ? 'green' : 'yellow' };
  return silentPayment && silentPaymentNote(silentPayment);
}

/** Returns the address that the script of a silent payment follows from, or will. */
function silentAddress({ silentPayment }: OutputReview): string | undefined {
  const { address, status } = silentPayment ?? {};
  return address !== undefined && (status === 'proven' || status === 'conditional' || status === 'open')
    ? grouped(address)
    : undefined;
}

function silentPaymentNote({ address, status }: NonNullable<OutputReview['silentPayment']>) {
  if (status === 'proven') return { text: 'silent payment, proven', style: 'green' as const };
  if (status === 'conditional') {
    return {
      text: 'silent payment, not proven: its receiver finds it only under a condition',
      style: 'yellow' as const,
    };
  }
  if (status === 'open') return { text: 'silent payment, its script is not computed yet', style: 'yellow' as const };
  return { text: `claims to pay the silent payment address ${address ?? ''}`.trimEnd(), style: 'yellow' as const };
}

/** Says what leaves the wallet, of it the fee if no one else pays it, and what stays. */
function balanceParagraphs({ leaves, stays, fee, feeShare, feeTrust, network }: PsbtReview): readonly Paragraph[] {
  if (leaves === undefined) return [];
  const money = (sats: bigint): string => `${formatAmount(sats)} ${network.ticker}`;
  const trust = feeTrust === 'claimed' ? `, ${TRUST.claimed}` : '';
  if (leaves < 0n) return labelled('Comes', `${money(-leaves)} into your wallet${trust}`);
  const ofIt = fee !== undefined && feeShare ? `, of it the fee of ${money(fee)}` : '';
  const staying = stays > 0n ? `; ${money(stays)} stay` : '';
  return labelled('Leaves', `${money(leaves)}${ofIt}${trust}${staying}`);
}

function signedText(inputs: readonly InputReview[]): string {
  if (inputs.length === 0) return 'nothing, as it has no inputs';
  const alike = new Map<string, number[]>();
  for (const input of inputs) {
    const text = signedInputText(input);
    alike.set(text, [...(alike.get(text) ?? []), input.inputIndex]);
  }
  return [...alike].map(([text, indexes]) => `${indexesText(indexes)}: ${text}`).join('; ');
}

function signedInputText({ isFinal, isFinalValid, quorums }: InputReview): string {
  if (isFinal) return isFinalValid ? FINAL : NOT_VALID;
  if (quorums.length === 0) return 'unknown';
  const open = quorums.filter(({ isClosed }) => !isClosed);
  const ways = open.length > 0 ? open : quorums;
  const full = ways.filter(isFull);
  const counts = new Set((full.length > 0 ? full.slice(0, 1) : ways).map(countText));
  return `${[...counts].join(' or ')}${open.length > 0 ? '' : ', but the transaction does not meet the locks'}`;
}

const FINAL = 'final';
const NOT_VALID = 'final, but not valid';

function inputParagraphs({ inputs, network }: PsbtReview, label = 'Spends'): readonly Paragraph[] {
  const coins = inputs.flatMap(({ coin }) => coin?.value ?? []);
  const money = alignAmounts(coins, network);
  const total = coins.length === inputs.length ? `${formatAmount(sum(coins))} ${network.ticker} in ` : '';
  return [
    ...labelled(label, `${total}${counted(inputs.length, 'input', 'inputs')}`),
    ...inputs.flatMap((input) => {
      const { inputIndex, coin, scriptPubKey, outpoint } = input;
      const start = `  ${inputIndex}: `;
      const from = scriptPubKey && payee(scriptPubKey, network);
      const first: Paragraph =
        coin && from !== undefined
          ? { start: `${start}${money(coin.value)}  `, text: from }
          : { start, text: from === undefined ? 'unknown coin' : `unknown amount  ${from}`, style: 'yellow' };
      const notes = [
        ...(coin ? [ownerNote(input)] : []),
        ...(outpoint ? [{ text: `${formatTxid(outpoint.txid)}:${outpoint.vout}` }] : []),
        ...signatureNotes(input),
      ];
      return [first, ...notes.map((note) => ({ start: ' '.repeat(start.length), ...note }))];
    }),
  ];
}

type Note = Pick<Paragraph, 'text' | 'style'>;

function ownerNote({ owner, amountTrust }: InputReview): Note {
  const isOwn = isHolders(owner);
  const whose = isOwn ? `yours (${ownerText(owner)}), ` : '';
  return {
    text: `${whose}amount ${TRUST[amountTrust]}`,
    style: amountTrust !== 'proven' ? 'yellow' : isOwn ? 'green' : undefined,
  };
}

function signatureNotes({ isFinal, isFinalValid, signatures, quorums }: InputReview): readonly Note[] {
  if (isFinal) return [isFinalValid ? { text: FINAL } : { text: NOT_VALID, style: 'red' }];
  const valid = new Set(
    signatures.flatMap(({ state, publicKey, ...signer }) =>
      state === 'valid' && publicKey ? keyText({ publicKey, ...signer }) : [],
    ),
  );
  return [
    ...(valid.size > 0 ? [{ text: `signed by ${[...valid].join(' and ')}` }] : []),
    ...signatures.flatMap((signature) => doubtNote(signature) ?? []),
    ...quorumTexts(quorums).map((text) => ({ text })),
  ];
}

function doubtNote(signature: SignatureReview): Note | undefined {
  const signer = signerText(signature);
  if (signature.state === 'unverifiable') {
    return {
      text: `signature ${signer}, which cannot be verified: ${unverifiableText(signature.reason)}`,
      style: 'yellow',
    };
  }
  return signature.state === 'invalid' ? { text: `invalid signature ${signer}`, style: 'red' } : undefined;
}

/** Only a signature for the key path is without a key. */
function signerText({ publicKey, leafHash, leafScript, ...signer }: SignatureReview): string {
  if (!publicKey) return 'for the key path';
  return `of ${keyText({ publicKey, ...signer })}${leafHash ? ` for the leaf ${leafText(leafHash, leafScript)}` : ''}`;
}

const SHOWN_SCRIPT = 520;

function payee(scriptPubKey: Uint8Array, network: Network): string {
  const address = formatAddress(scriptPubKey, network);
  if (address !== undefined) return grouped(address);
  const prefix = scriptPubKey.slice(0, SHOWN_SCRIPT);
  const { length } = scriptPubKey;
  return length > SHOWN_SCRIPT ? `script of ${length} bytes ${formatHex(prefix)}...` : `script "${formatAsm(prefix)}"`;
}

function alignAmounts(values: readonly bigint[], { ticker }: Network): (value: bigint) => string {
  const width = values.reduce((most, value) => Math.max(most, formatAmount(value).length), 0);
  return (value) => `${formatAmount(value).padStart(width)} ${ticker}`;
}

const TRUST: Readonly<Record<AmountTrust, string>> = { proven: 'proven', claimed: 'only claimed', unknown: 'unknown' };

function feeText({ fee, feeTrust, feeShare, vsize, network }: PsbtReview): string {
  if (fee === undefined) return 'unknown: not all coins and amounts are known';
  const rate = feeRate({ fee, vsize });
  const perSize = rate === undefined ? '' : `, about ${rate.toFixed(1)} sat/vB`;
  const share = feeShare ? `, ${feeShare.percent.toFixed(2)} % of the ${feeShare.of}` : '';
  return `${formatAmount(fee)} ${network.ticker}${perSize}${share}, ${TRUST[feeTrust]}`;
}

/** In satoshi per virtual byte, if both are known. */
export const feeRate = ({ fee, vsize }: Pick<PsbtReview, 'fee' | 'vsize'>): number | undefined =>
  fee === undefined || vsize === undefined ? undefined : Number(fee) / vsize;

function trustTexts({ inputs, feeReason }: PsbtReview): readonly string[] {
  const proofs = new Set(inputs.flatMap(({ amountProof }) => amountProof ?? []));
  const proof = [...proofs].map((name) => AMOUNT_PROOF[name]).join(', or ');
  const isClaimed = inputs.some(({ amountTrust }) => amountTrust === 'claimed');
  return [
    ...(proof ? [`amount proven: ${proof}`] : []),
    ...(isClaimed ? ['amount only claimed: its previous transaction is missing'] : []),
    ...FEE_REASON[feeReason],
  ];
}

const AMOUNT_PROOF: Readonly<Record<AmountProof, string>> = {
  'previous-transaction': 'its previous transaction shows it',
  signatures: 'if it were false, the signatures would be invalid',
};

const ALL_PROVEN = ['fee proven: all amounts are, and no signature lets others change outputs or add inputs'];

const FEE_REASON: Readonly<Record<FeeReason, readonly string[]>> = {
  'previous-transactions': ALL_PROVEN,
  signatures: ALL_PROVEN,
  claims: ['fee only claimed: not all amounts are proven'],
  'open-signatures': ['fee only claimed: the signatures let others change outputs or add inputs'],
  'unknown-coins': [],
};

function lockText({ lockedUntil, isReplaceable, inputs }: PsbtReview): string {
  const replaceable = isReplaceable
    ? 'signals that it may be replaced (BIP125)'
    : 'does not signal that it may be replaced (BIP125)';
  if (inputs.some(isLockedOut)) return `never: the transaction does not meet the locks of its coins; ${replaceable}`;
  if (lockedUntil.kind === 'none') {
    const isHeldBack = inputs.some(({ relativeLock }) => relativeLock);
    return `${isHeldBack ? 'once its coins are old enough' : 'at once'}; ${replaceable}`;
  }
  return `not before ${untilText(lockedUntil)}; ${replaceable}`;
}
