import { append } from '../bytes/groups.ts';
import { formatHex } from '../bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { isHolders } from '../holder/owner.ts';
import type { Network } from '../network/networks.ts';
import { isOwn } from '../review/commitment.ts';
import type { Finding } from '../review/finding.ts';
import type { InputReview } from '../review/inputReview.ts';
import type { OutputReview } from '../review/outputs.ts';
import { refusalsIn } from '../review/policy.ts';
import { isCommitment } from '../review/purpose.ts';
import { isFull, isLockedOut } from '../review/quorums.ts';
import type { PsbtReview } from '../review/reviewPsbt.ts';
import { formatTxid } from '../tx/txid.ts';
import { assertReview } from './assertReview.ts';
import { worstFirst } from './findingText.ts';
import {
  type FindingLine,
  type LineData,
  type LineRole,
  ownerData,
  type PayeeData,
  type QuestionData,
  type ReportLine,
  type SignedData,
  type Tone,
} from './lines.ts';
import { outputPayee, payeeOf } from './payee.ts';

/** How much of a review a report says. */
export interface ReportOptions {
  /** Lists each input, also where all are the signer's and proven. Default: more than one is folded there. */
  readonly listsInputs?: boolean;
}

export const REPORT_OPTIONS: OptionNames<ReportOptions> = { listsInputs: true };

/**
 * Turns a review into the lines of a report, in the order in which a person reads them: findings, the worst first, or the
 * verdict that there are none; what leaves, payments, fee and change; then coins, and what proves them. Each line has its
 * words as a key with data: `ENGLISH`, or a table of your own, makes sentences of them.
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, reviewWith } from 'countersign';
 * import { reportReview } from 'countersign/review';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(3) };
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [me.receive(4).address]: 60_000n }, change: me.change(0), feeRate: 2 });
 * const [verdict] = reportReview(reviewWith(me, psbt));
 * verdict?.key; // clean
 * verdict?.tone; // good
 * ```
 */
export function reportReview(review: PsbtReview, options: ReportOptions = {}): readonly ReportLine[] {
  assertReview(review);
  assertKnownOptions(options, REPORT_OPTIONS);
  const { listsInputs = false } = options;
  return review.purpose.kind === 'payment' ? paymentReport(review, listsInputs) : messageReport(review);
}

function paymentReport(review: PsbtReview, listsInputs: boolean): readonly ReportLine[] {
  const payments = paymentLines(review);
  const areMany = payments.length > MANY_LINES;
  const isFolded = !listsInputs && isPlain(review);
  return [
    ...verdictLines(review),
    ...balanceLines(review),
    ...payments.slice(0, areMany ? 1 : undefined),
    feeLine(review),
    ...changeLines(review),
    line('signed', { groups: signedGroups(review.inputs) }),
    minedLine(review),
    ...(areMany ? payments : []),
    spendsLine('spends', review),
    ...(isFolded ? [ownCoinsLine(review)] : inputsLines(review)),
    ...proofLines(review),
  ];
}

/** Leaves out what a transaction would move: this one moves nothing. */
function messageReport(review: PsbtReview): readonly ReportLine[] {
  const { purpose, network } = review;
  const inputs = review.inputs.filter(({ inputIndex }) => !isCommitment(purpose, inputIndex));
  if (purpose.kind === 'payment') return [];
  return [
    ...verdictLines(review),
    line('signs', signedMessage(purpose, network)),
    line('moves-nothing', {}, { role: 'moves' }),
    line('signed', { groups: signedGroups(inputs) }),
    spendsLine('proves', { ...review, inputs }),
    ...inputsLines({ inputs, network }),
  ];
}

function signedMessage(
  purpose: Exclude<PsbtReview['purpose'], { readonly kind: 'payment' }>,
  network: Network,
): LineData['signs'] {
  const payee = purpose.kind === 'message' ? { payee: payeeOf(purpose.scriptPubKey, network) } : {};
  return { kind: purpose.kind, ...payee, ...(purpose.text !== undefined && { text: purpose.text }) };
}

/** More would push the fee off the screen: then they follow what is short. */
const MANY_LINES = 24;

interface Place {
  readonly role?: Exclude<LineRole, 'finding'>;
  readonly tone?: Tone;
  readonly inputIndex?: number;
  readonly outputIndex?: number;
}

/** A line stands after the label of its key, unless a role says otherwise. */
const line = <Key extends keyof LineData>(
  key: Key,
  data: LineData[Key],
  { role = key as Exclude<LineRole, 'finding'>, tone = 'plain', ...place }: Place = {},
): ReportLine => ({ role, tone, key, data, ...place }) as ReportLine;

function verdictLines(review: PsbtReview): readonly ReportLine[] {
  if (review.findings.length > 0) return findingLines(review);
  // Coins may be the signer's only because their wallet is listed.
  const isListed = review.inputs.some(({ owner }) => owner.root === 'listed');
  return [
    isListed
      ? line('clean-listed', {}, { role: 'verdict', tone: 'warn' })
      : line('clean', {}, { role: 'verdict', tone: 'good' }),
  ];
}

/** Folds findings that say the same but for the input or output, the worst first: refusals, then by check and amount. */
function findingLines({ findings, outputs }: Pick<PsbtReview, 'findings' | 'outputs'>): readonly FindingLine[] {
  const alike = new Map<string, Finding[]>();
  for (const finding of worstFirst(findings, outputs)) {
    const name = `${finding.action} ${finding.check} ${nameOf(finding.data)} ${finding.inputIndex === undefined} ${finding.outputIndex === undefined}`;
    append(alike, name, finding);
  }
  return [...alike.values()].flatMap(([first, ...more]) => (first ? [findingLine(first, more)] : []));
}

const nameOf = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));

function findingLine({ action, ...finding }: Finding, more: readonly Finding[]): FindingLine {
  const also = {
    inputs: more.flatMap(({ inputIndex }) => inputIndex ?? []),
    outputs: more.flatMap(({ outputIndex }) => outputIndex ?? []),
    count: more.length,
  };
  const { check, ...place } = finding;
  return { role: 'finding', tone: action === 'refuse' ? 'stop' : 'warn', key: check, ...place, also } as FindingLine;
}

const sum = (outputs: readonly OutputReview[]): bigint => outputs.reduce((total, { value }) => total + value, 0n);

function paymentLines(review: PsbtReview): readonly ReportLine[] {
  const payments = review.outputs.filter(({ stays }) => !stays);
  const shown = outputsLines(payments, review);
  if (payments.every(isBareData)) return [line('pays-nothing', {}, { role: 'pays' }), ...shown];
  const payees = payments.filter((output) => !isBareData(output)).map((output) => outputPayee(output, review.network));
  const haveAddresses = payees.every(({ kind }) => kind === 'address' || kind === 'silent-payment');
  return [line('pays', { amount: sum(payments), payees: new Set(payees.map(nameOf)).size, haveAddresses }), ...shown];
}

/** Tells whether an output only carries data, and pays nothing. */
const isBareData = ({ role, value }: OutputReview): boolean => role === 'data' && value === 0n;

function changeLines(review: PsbtReview): readonly ReportLine[] {
  const change = review.outputs.filter(({ stays }) => stays);
  return change.length === 0 ? [] : [line('change', { amount: sum(change) }), ...outputsLines(change, review)];
}

function outputsLines(outputs: readonly OutputReview[], { network, findings }: PsbtReview): readonly ReportLine[] {
  const found = new Map<number, Finding[]>();
  for (const finding of findings) {
    const { outputIndex } = finding;
    if (outputIndex !== undefined) append(found, outputIndex, finding);
  }
  return outputs.flatMap((output) => outputLines(output, found.get(output.outputIndex) ?? [], network));
}

function outputLines(output: OutputReview, found: readonly Finding[], network: Network): readonly ReportLine[] {
  const { outputIndex, value, role, isOpen, silentPayment } = output;
  const payee = outputPayee(output, network);
  const hasFinding = found.length > 0;
  const refused = [...new Set(refusalsIn(found).map(({ check }) => check))];
  const note = <Key extends keyof LineData>(key: Key, data: LineData[Key], tone: Tone): ReportLine =>
    line(key, data, { role: 'note', tone: tone === 'good' && hasFinding ? 'warn' : tone, outputIndex });
  return [
    line('output', { value, payee, role }, { outputIndex }),
    ...nameLines(output, payee, note),
    ...roleLines(output, note),
    ...(silentPayment ? silentLines(silentPayment, note) : []),
    ...(payee.kind === 'silent-payment' && !payee.name && !output.stays ? [note('compare-all', {}, 'plain')] : []),
    ...(isOpen ? [note('output-open', {}, 'stop')] : []),
    ...(refused.length > 0 ? [note('output-refused', { checks: refused }, 'stop')] : []),
  ];
}

type Note = <Key extends keyof LineData>(key: Key, data: LineData[Key], tone: Tone) => ReportLine;

function nameLines({ name }: OutputReview, payee: PayeeData, note: Note): readonly ReportLine[] {
  if (!name || !('address' in payee)) return [];
  const { until, isWildcard, isPunycode } = name;
  return [
    note('name-proven', { address: payee.address, until, isWildcard }, 'good'),
    ...(isPunycode ? [note('name-punycode', {}, 'warn')] : []),
  ];
}

/** Says what an output is to the signer; nothing of a payment to a stranger, and of data. */
function roleLines({ role, stays, owner }: OutputReview, note: Note): readonly ReportLine[] {
  const isNamed = role === 'change' || role === 'own' || role === 'wallet' || owner.kind === 'wallet';
  const isProven = owner.root === 'key' || owner.root === 'registered';
  const tone = !stays || owner.root === 'none' ? 'warn' : isProven ? 'good' : 'plain';
  return isNamed ? [note('role', { role, stays, owner: ownerData(owner) }, tone)] : [];
}

function silentLines(
  { address, status }: NonNullable<OutputReview['silentPayment']>,
  note: Note,
): readonly ReportLine[] {
  if (status === 'proven') return [note('silent-proven', {}, 'good')];
  if (status === 'conditional') return [note('silent-conditional', {}, 'warn')];
  if (status === 'open') return [note('silent-open', {}, 'plain')];
  return [note('silent-claimed', address === undefined ? {} : { address }, 'warn')];
}

/** Says what leaves the wallet, of it the fee if no one else pays it, and what stays. */
function balanceLines({ leaves, stays, fee, feeShare, feeTrust }: PsbtReview): readonly ReportLine[] {
  if (leaves === undefined) return [];
  const isClaimed = feeTrust === 'claimed';
  if (leaves < 0n) return [line('comes', { amount: -leaves, isClaimed })];
  return [line('leaves', { amount: leaves, ...(fee !== undefined && feeShare && { fee }), stays, isClaimed })];
}

function feeLine({ fee, feeTrust, feeShare, feeRate }: PsbtReview): ReportLine {
  const tone = feeTrust === 'proven' ? 'plain' : 'warn';
  if (fee === undefined) return line('fee-unknown', {}, { role: 'fee', tone });
  const rate = feeRate === undefined ? {} : { rate: feeRate };
  return line('fee', { fee, ...rate, ...(feeShare && { share: feeShare }), trust: feeTrust }, { tone });
}

function signedGroups(inputs: readonly InputReview[]): LineData['signed']['groups'] {
  const alike = new Map<string, { readonly inputs: number[]; readonly signed: SignedData }>();
  for (const input of inputs) {
    const signed = signedData(input);
    const group = alike.get(nameOf(signed)) ?? { inputs: [], signed };
    group.inputs.push(input.inputIndex);
    alike.set(nameOf(signed), group);
  }
  return [...alike.values()];
}

function signedData({ isFinal, isFinalValid, quorums }: InputReview): SignedData {
  if (isFinal) return { kind: isFinalValid ? 'final' : 'not-valid' };
  if (quorums.length === 0) return { kind: 'unknown' };
  const open = quorums.filter(({ isClosed }) => !isClosed);
  const ways = open.length > 0 ? open : quorums;
  const full = ways.filter(isFull);
  const counts = (full.length > 0 ? full.slice(0, 1) : ways).map(({ have, required }) => ({
    have: required === undefined ? have : Math.min(have, required),
    ...(required !== undefined && { required }),
  }));
  const different = new Map(counts.map((count) => [nameOf(count), count]));
  return { kind: 'counts', counts: [...different.values()], isClosed: open.length === 0 };
}

function minedLine({ lockedUntil, isReplaceable, inputs }: PsbtReview): ReportLine {
  const isWaiting = inputs.some(({ relativeLock }) => relativeLock);
  return line('mined', { lock: lockedUntil, isNever: inputs.some(isLockedOut), isWaiting, isReplaceable });
}

function spendsLine(role: 'spends' | 'proves', { inputs }: PsbtReview): ReportLine {
  const values = inputs.flatMap(({ coin }) => coin?.value ?? []);
  const amount = values.length === inputs.length ? { amount: values.reduce((total, value) => total + value, 0n) } : {};
  return line('spends', { ...amount, inputs: inputs.length }, { role });
}

/**
 * Tells whether nothing about any of several inputs asks for attention: all are the signer's, proven, signed by the same keys, and
 * may be mined, and nothing was found but about outputs.
 */
function isPlain({ inputs, findings }: PsbtReview): boolean {
  return (
    inputs.length > 1 &&
    findings.every(({ outputIndex }) => outputIndex !== undefined) &&
    new Set(inputs.map(({ signatures }) => nameOf(signersOf(signatures)))).size === 1 &&
    inputs.every(
      ({ owner, amountTrust, isFinal, isFinalValid, signatures, relativeLock }) =>
        (owner.root === 'key' || owner.root === 'registered') &&
        owner.kind !== 'key' &&
        amountTrust === 'proven' &&
        (!isFinal || isFinalValid) &&
        signatures.every(({ state }) => state === 'valid') &&
        !relativeLock,
    )
  );
}

function ownCoinsLine({ inputs }: PsbtReview): ReportLine {
  const owners = new Map<string, { readonly owner: LineData['owner']['owner']; readonly indexes: number[] }>();
  for (const { owner } of inputs) {
    const data = ownerData(owner);
    const { index } = 'place' in owner ? owner.place : { index: 0 };
    const place = data.kind === 'account' ? { ...data, path: data.path.replace(/\/[^/]*$/, '') } : data;
    const whose = owner.kind === 'account' ? owner.place.seed : owner.kind === 'wallet' ? owner.wallet.positions : '';
    const name = nameOf([{ ...place, index: 0 }, whose]);
    const group = owners.get(name) ?? { owner: place, indexes: [] };
    group.indexes.push(index);
    owners.set(name, group);
  }
  const sorted = [...owners.values()].map(({ owner, indexes }) => ({
    owner,
    indexes: [...new Set(indexes)].sort((a, b) => a - b),
  }));
  const signers = signersOf(inputs[0]?.signatures ?? []);
  return line('own-coins', { owners: sorted, signers }, { role: 'note', tone: 'good' });
}

/** The fingerprints of the master keys that have signed, in hex. */
const signersOf = (signatures: InputReview['signatures']): readonly string[] =>
  [
    ...new Set(
      signatures.flatMap(({ verifiedOrigin }) => (verifiedOrigin ? formatHex(verifiedOrigin.fingerprint) : [])),
    ),
  ].sort();

function inputsLines({ inputs, network }: Pick<PsbtReview, 'inputs' | 'network'>): readonly ReportLine[] {
  const hasOwn = inputs.some(({ owner }) => isHolders(owner));
  return inputs.flatMap((input) => inputLines(input, { network, hasOwn }));
}

function inputLines(
  input: InputReview,
  { network, hasOwn }: { readonly network: Network; readonly hasOwn: boolean },
): readonly ReportLine[] {
  const { inputIndex, coin, scriptPubKey, outpoint, owner, amountTrust, relativeLock } = input;
  const isOwn = isHolders(owner);
  const payee = scriptPubKey && { payee: payeeOf(scriptPubKey, network) };
  const note: Note = (key, data, tone) => line(key, data, { role: 'note', tone, inputIndex });
  const tone = amountTrust !== 'proven' ? 'warn' : isOwn ? 'good' : 'plain';
  return [
    line('input', { ...(coin && { value: coin.value }), ...payee }, { tone: coin ? 'plain' : 'warn', inputIndex }),
    ...(coin ? [note('owner', { owner: ownerData(owner), ...(hasOwn && { isOwn }), trust: amountTrust }, tone)] : []),
    ...(relativeLock ? [note('age', { age: relativeLock }, 'warn')] : []),
    ...(outpoint ? [note('outpoint', { txid: formatTxid(outpoint.txid), vout: outpoint.vout }, 'plain')] : []),
    ...signatureLines(input, note),
  ];
}

function signatureLines(
  { isFinal, isFinalValid, signatures, quorums }: InputReview,
  note: Note,
): readonly ReportLine[] {
  if (isFinal) return [isFinalValid ? note('final', {}, 'plain') : note('final-invalid', {}, 'stop')];
  const signers = signatures.flatMap(({ state, publicKey, ...signer }) =>
    state === 'valid' && publicKey ? [{ publicKey, ...signer }] : [],
  );
  const doubts = signatures.filter(({ state }) => state !== 'valid');
  return [
    ...(signers.length > 0 ? [note('signers', { signers }, 'plain')] : []),
    ...doubts.map((signature) => note('doubt', { signature }, signature.state === 'invalid' ? 'stop' : 'warn')),
    ...quorums.map((quorum, i) => note('quorum', { quorum, isAlternative: i > 0 }, 'plain')),
  ];
}

function proofLines(review: PsbtReview): readonly ReportLine[] {
  const { inputs, feeReason } = review;
  const proofs = [...new Set(inputs.flatMap(({ amountProof }) => amountProof ?? []))];
  const areClaimed = inputs.some(({ amountTrust }) => amountTrust === 'claimed');
  return [
    ...(proofs.length > 0 ? [line('amounts-proven', { proofs }, { role: 'proof' })] : []),
    ...(areClaimed ? [line('amounts-claimed', {}, { role: 'proof' })] : []),
    ...(feeReason === 'unknown-coins' ? [] : [line('fee-trust', { reason: feeReason }, { role: 'proof' })]),
  ];
}

/** What a person is asked who has read the report: what leaves, the fee, and how many warnings stand above. */
export function questionData(review: PsbtReview): QuestionData {
  const { outputs, inputs, fee, feeTrust, leaves, network, purpose } = review;
  const payments = outputs
    .filter((output) => !output.stays && !isBareData(output))
    .map((output) => ({ value: output.value, payee: outputPayee(output, network) }))
    .sort((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0));
  return {
    ...(purpose.kind === 'payment' ? { payments } : { signs: signedMessage(purpose, network) }),
    ...(fee !== undefined && { fee }),
    feeTrust,
    ...(purpose.kind === 'payment' && leaves !== undefined && !inputs.every(isOwn) && { leaves }),
    warnings: findingLines(review).filter(({ tone }) => tone === 'warn').length,
  };
}
