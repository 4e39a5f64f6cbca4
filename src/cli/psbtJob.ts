import {
  type FinishedPsbt,
  isProgress,
  reviewUpdated,
  type UpdatedPsbt,
  updateWithAccount,
} from '../account/accountPsbt.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { hasPrivateKeys } from '../descriptors/derive.ts';
import { withoutSecrets } from '../encoding/redaction.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { otherMastersText, otherNetworkOf } from '../review/openingHints.ts';
import { missingRecordsAdvice, progressText } from '../review/progress.ts';
import type { PsbtReview } from '../review/reviewPsbt.ts';
import type { RpcContext } from '../rpc/dialect.ts';
import { sighashTypeNamed } from '../script/signatureEncoding.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError, withUsageErrors } from '../terminal/usageError.ts';
import { policyOf } from './approval.ts';
import { readDescriptors } from './descriptorFiles.ts';
import type { GivenPsbt } from './givenFiles.ts';
import type { CommandLine } from './options.ts';
import { wantsKeys } from './secretFiles.ts';
import { readSigningKeys } from './signingKeys.ts';

/** A PSBT that is reviewed and perhaps signed. Updated from descriptors and keys, it is what is shown and signed. */
export interface Job {
  readonly updated: UpdatedPsbt;
  readonly context: RpcContext;
  readonly review: PsbtReview;
}

/** Exit code if the transaction is not complete, and no signature was added. */
export const NOT_COMPLETE = 2;

/** Updates a PSBT from the descriptors and keys that the options name, and reviews it. @throws UsageError */
export async function openJob(
  given: GivenPsbt,
  {
    line,
    context,
    takesKeys,
  }: { readonly line: CommandLine; readonly context: RpcContext; readonly takesKeys: boolean },
  io: Io,
): Promise<Job> {
  const { network, ecc = nobleEcc } = context;
  const policy = policyOf(line.policy);
  const sighashType = line.sighash === undefined ? undefined : parseSighashType(line.sighash);
  const descriptors =
    line.descriptorsFile === undefined ? [] : await readDescriptors(line.descriptorsFile, context, io);
  const asksForKeys = takesKeys && (wantsKeys(line) || !descriptors.some(hasPrivateKeys));
  const keys = asksForKeys ? await readSigningKeys(line, context, io) : { descriptors: [], masters: [] };
  const options = { policy, ...(sighashType !== undefined && { sighashType }) };
  const warn = (warning: string): void => io.writeError(`warning: ${warning}\n`);
  networkWarnings(given.psbt, context).forEach(warn);
  return withUsageErrors(() => {
    const known = { ...keys, network, ecc, descriptors: [...descriptors, ...keys.descriptors] };
    const updated = updateWithAccount(given.psbt, known, options);
    const review = reviewUpdated(updated, network, options);
    const others = otherMastersText(review, keys.masters);
    if (others !== undefined) warn(others);
    return { updated, context, review };
  });
}

/** Finds the sighash type of a name such as `ALL|ANYONECANPAY`; `undefined` for any other text. */
export const findSighashType = (text: string): number | undefined =>
  text === 'DEFAULT' ? SIGHASH.DEFAULT : sighashTypeNamed(text);

/** Parses a sighash type. @throws UsageError, which does not quote the text: it may be a key */
function parseSighashType(text: string): number {
  const known = findSighashType(text);
  if (known !== undefined) return known;
  throw new UsageError('the sighash type must be one such as ALL or "ALL|ANYONECANPAY"');
}

/** Warns if the key paths of a PSBT are for other networks than that of `--network`. */
function networkWarnings(psbt: Psbt, { network }: RpcContext): readonly string[] {
  const theirs = otherNetworkOf(psbt, network);
  if (theirs === undefined) return [];
  return [
    `the key paths of this PSBT are for ${theirs}, and the addresses below are those of ${withoutSecrets(network.name)}: name its network with --network`,
  ];
}

/**
 * Describes the result of signing to the user: a line for each input, and the next step.
 *
 * - `name`: of the file that holds the result
 */
export function signingSummary(result: FinishedPsbt, name?: string): readonly string[] {
  return [...result.inputs.map(progressText), nextText(result, name)];
}

function nextText(result: FinishedPsbt, name: string | undefined): string {
  if (result.isComplete) return completeText(result.txid, name);
  const advice = missingRecordsAdvice(result.inputs);
  if (advice !== undefined) return `${isProgress(result) ? 'not complete yet' : 'nothing was signed'}. Next: ${advice}`;
  return isProgress(result)
    ? `not complete yet. Next: pass ${name ?? 'the PSBT'} on to the next signer, or combine it with theirs (countersign combine)`
    : 'nothing was signed. Next: provide the keys of these inputs, or pass the PSBT on to their owners';
}

/** Says what to do with a complete transaction. */
export const completeText = (txid: string, name = 'its hex'): string =>
  `complete: transaction ${txid}. Next: broadcast ${name} with a node (sendrawtransaction), an online wallet or an explorer`;
