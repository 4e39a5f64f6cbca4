import type { RpcContext } from '../../answers/dialect/dialect.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { OPEN_TEXTS, type OpenReason } from '../../core/review/openReason.ts';
import { missingRecordsAdvice, progressText } from '../../core/review/progress.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { findOtherNetwork, otherMastersText } from '../../core/review/text/openingHints.ts';
import { sighashTypeNamed } from '../../core/script/signatureEncoding.ts';
import { SIGHASH } from '../../core/sighash/sighashType.ts';
import {
  type FinishedPsbt,
  isProgress,
  reviewUpdated,
  type UpdatedPsbt,
  updateWithAccount,
} from '../../kit/account/accountPsbt.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError, withUsageErrors } from '../terminal/usageError.ts';
import { parsePolicyRules, sighashOption } from './approval.ts';
import { type OwnWallet, readOwnWallet } from './input/descriptorFiles.ts';
import type { GivenPsbt } from './input/givenFiles.ts';
import { paidText, readPayment, readReceiver } from './input/paymentUris.ts';
import { type KeyValues, wantsKeys } from './input/secretFiles.ts';
import { readSigningKeys } from './input/signingKeys.ts';
import type { CommandContext } from './openContext.ts';

export interface Job {
  readonly updated: UpdatedPsbt;
  readonly context: RpcContext;
  readonly review: PsbtReview;
}

/** Exit code if no signature was added and the transaction is not complete. */
export const NOT_COMPLETE = 2;

export interface JobValues extends KeyValues {
  readonly policy: readonly string[];
  readonly sighash: string | undefined;
  readonly descriptorsFile: string | undefined;
  readonly pays?: string | undefined;
  readonly sameReceiver: readonly string[];
}

export async function openJob(
  input: GivenPsbt,
  {
    line,
    context,
    takesKeys,
  }: { readonly line: JobValues; readonly context: CommandContext; readonly takesKeys: boolean },
  io: Io,
): Promise<Job> {
  const { network, ecc } = context;
  const policy = parsePolicyRules(line.policy);
  const payment = line.pays === undefined ? undefined : readPayment(line.pays, network);
  const sighashType = line.sighash === undefined ? undefined : parseSighashType(line.sighash);
  const wallet: OwnWallet =
    line.descriptorsFile === undefined
      ? { descriptors: [], hasPrivateKeys: false }
      : await readOwnWallet(line.descriptorsFile, context, io);
  const { descriptors } = wallet;
  if (takesKeys && wantsKeys(line) && wallet.hasPrivateKeys) {
    throw new UsageError(
      '--descriptors-file holds a private key, which its author has, too: put all keys into it, or use public descriptors',
    );
  }
  const asksForKeys = takesKeys && (wantsKeys(line) || !wallet.hasPrivateKeys);
  const keys = asksForKeys ? await readSigningKeys(line, context, io) : { descriptors: [], sources: [], masters: [] };
  const sameReceiver = line.sameReceiver.map((address) => readReceiver(address, network));
  const options = { policy, sameReceiver, addsShares: takesKeys, ...(sighashType !== undefined && { sighashType }) };
  const warn = (warning: string): void => io.writeError(`warning: ${warning}\n`);
  networkWarnings(input.psbt, context).forEach(warn);
  return withUsageErrors(() => {
    const all = {
      // A stranger may have made a file of silent payments, whose addresses keys at hand judge better.
      ...(asksForKeys ? keys : { ...wallet, masters: [] }),
      network,
      ecc,
      descriptors: [...descriptors, ...keys.descriptors],
      sources: [...(wallet.sources ?? descriptors.map(() => ({}))), ...(keys.sources ?? [])],
    };
    const updated = updateWithAccount(input.psbt, all, options);
    const review = reviewUpdated(updated, network, options);
    const others = otherMastersText(review, keys.masters);
    if (others !== undefined) warn(others);
    if (payment) io.writeError(`${paidText(review, payment)}\n`);
    return { updated, context, review };
  });
}

/** Parses a name such as `ALL|ANYONECANPAY`. */
export const findSighashType = (text: string): number | undefined =>
  text === 'DEFAULT' ? SIGHASH.DEFAULT : sighashTypeNamed(text);

/** Does not quote the text in errors: it may be a key. */
function parseSighashType(text: string): number {
  const sighashType = findSighashType(text);
  if (sighashType !== undefined) return sighashType;
  throw new UsageError('the sighash type must be one such as ALL or "ALL|ANYONECANPAY"');
}

function networkWarnings(psbt: Psbt, { network }: RpcContext): readonly string[] {
  const theirs = findOtherNetwork(psbt, network);
  if (theirs === undefined) return [];
  return [
    `this PSBT's key paths are for ${theirs}, but addresses are shown for ${withoutSecrets(network.name)}. Pass --network`,
  ];
}

/** Lists the progress of each input, and the next step. `name` is that of the result's file. */
export function signingSummary(result: FinishedPsbt, review: PsbtReview, name?: string): readonly string[] {
  const next = isProgress(result) || isSigned(result) ? nextText(result, name) : unsignedText(result, review);
  return [...result.inputs.map(progressText), next];
}

const isSigned = ({ inputs }: FinishedPsbt): boolean => inputs.every(({ isComplete }) => isComplete);

function nextText(result: FinishedPsbt, name: string | undefined): string {
  if (result.isComplete) return completeText(result.txid, name);
  if (isSigned(result)) return presentText(result.openReason, name);
  const advice = missingRecordsAdvice(result.inputs);
  return `not complete yet. Next: ${advice ?? `pass ${name ?? 'the PSBT'} on to the next signer, or combine it with theirs (countersign combine)`}`;
}

export const presentText = (reason: OpenReason | undefined, name: string | undefined): string =>
  reason
    ? openText(reason, name)
    : `all signatures are present. Next: ${name === undefined ? 'finalize the result' : `countersign finalize ${name}`}`;

function unsignedText({ inputs }: FinishedPsbt, review: PsbtReview): string {
  const advice = missingRecordsAdvice(inputs);
  if (advice !== undefined) return `nothing was signed. Next: ${advice}`;
  const own = inputs.filter(({ inputIndex }) => review.inputs[inputIndex]?.hasOwnKey);
  const sighashType = own.find(({ askedType }) => askedType !== undefined)?.askedType;
  return sighashType === undefined
    ? 'nothing was signed. Next: provide the keys of these inputs, or pass the PSBT on to their owners'
    : `nothing was signed. Next: pass ${sighashOption(sighashType)} if you accept what this sighash type leaves open`;
}

export function openText(reason: OpenReason, name = 'the PSBT'): string {
  if (reason === 'no-inputs') return 'the PSBT has no inputs. Next: create it again with the coins that it is to spend';
  const next =
    reason === 'overspends'
      ? 'create the PSBT again with other amounts'
      : reason === 'inputs-missing'
        ? `pass ${name} on to whoever adds inputs`
        : `pass ${name} on to whoever completes it, or finalize it as it is (countersign finalize)`;
  return `all signatures are present, but the transaction is not ready to broadcast: ${OPEN_TEXTS[reason]}. Next: ${next}`;
}

export const finalOpenText = (reason: OpenReason, txid: string): string =>
  `final: transaction ${txid}, but ${OPEN_TEXTS[reason]}: broadcast it only if you intend that`;

export const completeText = (txid: string, name = 'its hex'): string =>
  `complete: transaction ${txid}. Next: broadcast ${name} with a node (sendrawtransaction), an online wallet or an explorer`;
