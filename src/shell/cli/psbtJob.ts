import type { RpcContext } from '../../answers/dialect/dialect.ts';
import { bytesKey } from '../../core/bytes/compare.ts';
import { createHolder } from '../../core/holder/holder.ts';
import { type FinishedPsbt, isProgress, type Job, openJob, reviewJob } from '../../core/job/job.ts';
import { OPEN_WORDS } from '../../core/job/jobWords.ts';
import type { OpenReason } from '../../core/job/openReason.ts';
import { type InputProgress, progressText } from '../../core/job/progress.ts';
import { lockText } from '../../core/report/ageText.ts';
import { otherMastersText } from '../../core/report/openingHints.ts';
import type { QuorumProgress, UnmetLock } from '../../core/review/inputReview.ts';
import type { Policy } from '../../core/review/policy.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { sighashTypeNamed } from '../../core/script/signatureEncoding.ts';
import { SIGHASH } from '../../core/sighash/sighashType.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError, withUsageErrors } from '../terminal/usageError.ts';
import { parsePolicyRules, sighashOption } from './approval.ts';
import { readOwnWallets } from './input/descriptorFiles.ts';
import type { GivenPsbt } from './input/givenFiles.ts';
import { nameProver } from './input/nameProofs.ts';
import { paidTexts, readPayee, readReceiver } from './input/paymentUris.ts';
import { readPreimages, withPlaces } from './input/preimageFiles.ts';
import { type KeyValues, wantsKeys } from './input/secretFiles.ts';
import { readSigningKeys, type SigningKeys } from './input/signingKeys.ts';
import { messageText } from './messageText.ts';
import { musig2Text } from './musig2Text.ts';
import { nextStepAdvice, withTool } from './nextSteps.ts';
import type { CommandContext } from './openContext.ts';
import { writeNote } from './output/writeNote.ts';

/** A PSBT on the command line, with the review that the person sees. */
export interface ReviewedJob {
  readonly job: Job;
  readonly context: RpcContext;
  readonly review: PsbtReview;
}

/** Exit code if no signature was added and the transaction is not complete. */
export const NOT_COMPLETE = 2;

export interface JobValues extends KeyValues {
  readonly policy: readonly string[];
  readonly sighash: string | undefined;
  readonly descriptorsFile: readonly string[];
  readonly requireRegistered?: boolean;
  readonly pays: readonly string[];
  readonly sameReceiver: readonly string[];
  readonly preimageFile: readonly string[];
  /** Of commands that sign. */
  readonly yes?: boolean;
}

export async function openReviewed(
  input: GivenPsbt,
  { line, context, signs }: { readonly line: JobValues; readonly context: CommandContext; readonly signs: boolean },
  io: Io,
): Promise<ReviewedJob> {
  const { network, ecc } = context;
  const policy = policyOf(line);
  const payees = line.pays.map((given) => readPayee(given, network));
  const sighashType = line.sighash === undefined ? undefined : parseSighashType(line.sighash);
  const preimages = await readPreimages(line.preimageFile, io);
  const own = await readOwnWallets(line.descriptorsFile, context, io);
  if (wantsKeys(line) && own.keys.length > 0) {
    throw new UsageError(
      '--descriptors-file holds a private key, which its author has, too: put all keys into it, or use public descriptors',
    );
  }
  const asksForKeys = wantsKeys(line) || (signs && own.keys.length === 0);
  if (line.requireRegistered && !asksForKeys && own.keys.length === 0) {
    throw new UsageError(
      '--require-registered needs the key that registered the wallet, since no other can verify it: pass it as for sign, such as --seed-file',
    );
  }
  const given = asksForKeys ? await readSigningKeys(line, context, io) : NO_KEYS;
  const options = {
    policy,
    ...(sighashType !== undefined && { sighashType }),
    sameReceiver: line.sameReceiver.map((address) => readReceiver(address, network)),
    ...(payees.length > 0 && { pays: payees.flatMap((payee) => payee.payees) }),
    ...(await nameProver(input.psbt, io)),
    ...(preimages.length > 0 && { preimages: preimages.map(({ preimage }) => preimage) }),
  };
  const isAttended = io.isInteractive && line.yes !== true;
  return withUsageErrors(() => {
    const holder = createHolder({
      network,
      ecc,
      wallets: [...own.wallets, ...given.wallets],
      keys: [...own.keys, ...given.keys],
      // A stranger may have made a file of silent payments, whose addresses keys at hand judge better.
      ...(!asksForKeys && own.silent && { silent: own.silent }),
      ...(signs && !isAttended && { unregistered: 'refuse' as const }),
    });
    const job = withPlaces(preimages, () => openJob(input.psbt, holder, { ...options, addsShares: signs }));
    const review = reviewJob(job, options);
    const others = otherMastersText(review, holder);
    if (others !== undefined) writeNote(`warning: ${others}`, io);
    for (const text of paidTexts(review, payees)) writeNote(text, io);
    return { job, context, review };
  });
}

const NO_KEYS: SigningKeys = { wallets: [], keys: [] };

/** `--require-registered` wins over `--policy`. */
const policyOf = ({ policy, requireRegistered }: Pick<JobValues, 'policy' | 'requireRegistered'>): Policy => ({
  ...parsePolicyRules(policy),
  ...(requireRegistered && { 'wallet-unregistered': 'refuse' as const }),
});

/** Parses a name such as `ALL|ANYONECANPAY`. */
export const findSighashType = (text: string): number | undefined =>
  text === 'DEFAULT' ? SIGHASH.DEFAULT : sighashTypeNamed(text);

/** Does not quote the text in errors: it may be a key. */
function parseSighashType(text: string): number {
  const sighashType = findSighashType(text);
  if (sighashType !== undefined) return sighashType;
  throw new UsageError('the sighash type must be one such as ALL or "ALL|ANYONECANPAY"');
}

/** Lists the progress of each input, and the next step. `name` is that of the result's file. */
export function signingSummary(result: FinishedPsbt, review: PsbtReview, name?: string): readonly string[] {
  const { musig2, isComplete } = result;
  if (!isComplete && typeof musig2 === 'object' && musig2.nonces + musig2.partialSignatures + musig2.waiting > 0) {
    return musig2Text(musig2);
  }
  const next = messageText(result, review, name) ?? nextStep(result, review, name);
  return [...result.inputs.map(progressText), next];
}

function nextStep(result: FinishedPsbt, review: PsbtReview, name: string | undefined): string {
  if (isUseful(result, review) || isSigned(result)) return nextText(result, name);
  return idleText(result, review) ?? unsignedText(result, review);
}

/** Tells whether signing brought the transaction nearer: a signature of a way that locks close completes nothing. */
export function isUseful(result: FinishedPsbt, review: PsbtReview): boolean {
  const idle = result.inputs.filter((progress) => closingLocks(progress, review).length > 0);
  return isProgress({
    ...result,
    inputs: result.inputs.map((progress) => (idle.includes(progress) ? { ...progress, added: 0 } : progress)),
  });
}

/** Returns the locks that close every way to which the signatures just added belong; none if one of them counts. */
function closingLocks(
  { inputIndex, added, isComplete, quorums }: InputProgress,
  { inputs }: PsbtReview,
): readonly UnmetLock[] {
  if (added === 0 || isComplete) return [];
  const counted = (ways: readonly QuorumProgress[]): number =>
    ways.reduce((sum, { have, isClosed }) => sum + (isClosed ? 0 : have), 0);
  if (counted(quorums) > counted(inputs[inputIndex]?.quorums ?? [])) return [];
  return quorums.flatMap(({ isClosed, closedBy = [], later = [], signed }) => {
    const keys = new Set(signed.map(({ publicKey }) => bytesKey(publicKey)));
    if (isClosed) return signed.length > 0 ? closedBy : [];
    return later.filter(({ signers }) => signers.some(({ publicKey }) => keys.has(bytesKey(publicKey))));
  });
}

/** Says how the keys at hand could spend the coins, if their signatures complete nothing as it is. */
function idleText({ inputs }: FinishedPsbt, review: PsbtReview): string | undefined {
  const locks = inputs.flatMap((progress) => closingLocks(progress, review).slice(0, 1));
  const ages = locks.filter(({ kind }) => kind === 'older').map(({ lock }) => lock);
  const times = locks.filter(({ kind }) => kind === 'after').map(({ lock }) => lock);
  if (locks.length === 0) return undefined;
  const when = [...new Set(locks.map(lockText))].join(' and ');
  const remedies = [
    ...(ages.length > 0 ? [`whose inputs have the sequence ${[...new Set(ages)].join(' and ')}`] : []),
    ...(times.length > 0 ? [`with the lock time ${Math.max(...times)}`] : []),
  ];
  return `nothing was written: your signatures count only ${when}, and this transaction does not wait for that. Next: create a PSBT ${remedies.join(' and ')}, or sign with the keys that it needs now`;
}

const isSigned = ({ inputs }: FinishedPsbt): boolean => inputs.every(({ isComplete }) => isComplete);

function nextText(result: FinishedPsbt, name: string | undefined): string {
  if (result.isComplete) return completeText(result.txid, name);
  if (isSigned(result)) return presentText(result.openReason, name);
  const advice = nextStepAdvice(result.inputs);
  return `not complete yet. Next: ${advice ?? `pass ${name ?? 'the PSBT'} on to the next signer, or combine it with theirs (countersign combine)`}`;
}

export const presentText = (reason: OpenReason | undefined, name: string | undefined): string =>
  reason
    ? openText(reason, name)
    : `all signatures are present. Next: ${name === undefined ? 'finalize the result' : `countersign finalize ${name}`}`;

function unsignedText({ inputs }: FinishedPsbt, review: PsbtReview): string {
  const advice = nextStepAdvice(inputs);
  if (advice !== undefined) return `nothing was signed. Next: ${advice}`;
  const own = inputs.filter(({ inputIndex }) => review.inputs[inputIndex]?.canSign);
  const sighashType = own.find(({ askedType }) => askedType !== undefined)?.askedType;
  return sighashType === undefined
    ? 'nothing was signed. Next: provide the keys of these inputs, or pass the PSBT on to their owners'
    : `nothing was signed. Next: pass ${sighashOption(sighashType)} if you accept what this sighash type leaves open`;
}

export function openText(reason: OpenReason, name = 'the PSBT'): string {
  const { what, next, tool } = OPEN_WORDS[reason];
  const advice = withTool(next(name), tool);
  if (reason === 'no-inputs') return `the PSBT has no inputs. Next: ${advice}`;
  return `all signatures are present, but the transaction is not ready to broadcast: ${what}. Next: ${advice}`;
}

export const finalOpenText = (reason: OpenReason, txid: string): string =>
  `final: transaction ${txid}, but ${OPEN_WORDS[reason].what}: broadcast it only if you intend that`;

export const completeText = (txid: string, name = 'its hex'): string =>
  `complete: transaction ${txid}. Next: broadcast ${name} with a node (sendrawtransaction), an online wallet or an explorer`;
