import { type FinishedPsbt, finishUpdated, isProgress } from '../../account/accountPsbt.ts';
import { refusalsIn } from '../../review/policy.ts';
import { reviewToJson } from '../../review/reviewJson.ts';
import { formatReview } from '../../review/reviewText.ts';
import type { RpcContext } from '../../rpc/dialect.ts';
import { stringifyRpc } from '../../rpc/json/stringify.ts';
import { formatPsbt } from '../../rpc/psbt/psbtText.ts';
import { allowsColours } from '../../terminal/colours.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { isConfirmed } from '../approval.ts';
import { openDestination } from '../destination.ts';
import { readPsbt } from '../givenFiles.ts';
import { openContext } from '../openContext.ts';
import type { CommandLine } from '../options.ts';
import { findSighashType, type Job, NOT_COMPLETE, openJob, signingSummary } from '../psbtJob.ts';

/** `countersign review`: shows what a PSBT would do. @returns the exit code: 1 if the policy refuses it */
export async function runReview(given: CommandLine, io: Io): Promise<number> {
  const line = withSighashArgument(given);
  const { review } = await readJob(line, io, { takesKeys: false });
  const text = line.json
    ? `${JSON.stringify(reviewToJson(review))}\n`
    : formatReview(review, { hasColours: io.isTerminal && allowsColours(io) });
  await io.writeOut(text);
  return refusalsIn(review.findings).length > 0 ? 1 : 0;
}

/**
 * `countersign sign`: shows a PSBT, asks, signs what the keys can sign, finalizes what is complete, and writes the
 * result to a file beside the PSBT, or to standard output.
 * @returns the exit code: 1 if the policy or the user refuses it, 2 if nothing could be signed
 */
export async function runSign(line: CommandLine, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const given = await readPsbt(line, context, io);
  const destination = await openDestination(line, given, { suffix: 'signed', makes: 'either' }, io);
  const job = await openJob(given, { line, context, takesKeys: true }, io);
  const result = await signJob(job, line, io);
  if (!result) return 1;
  const name = isProgress(result) ? await destination.write(result) : undefined;
  writeLines(signingSummary(result, job.review, name), io);
  if (!isProgress(result)) return NOT_COMPLETE;
  await destination.show(result);
  return 0;
}

/**
 * `countersign signpsbt`: shows a PSBT, asks, signs what the keys can sign, and finalizes what is complete.
 * @returns the exit code: 1 if the policy or the user refuses it, 2 if nothing could be signed
 */
export async function runSignPsbt(given: CommandLine, io: Io): Promise<number> {
  const line = withSighashArgument(given);
  const job = await readJob(line, io, { takesKeys: true });
  const result = await signJob(job, line, io);
  if (!result) return 1;
  writeLines(signingSummary(result, job.review), io);
  await io.writeOut(`${stringifyRpc(answerOf(result, job.context), line.pretty ? { indent: 2 } : {})}\n`);
  return isProgress(result) ? 0 : NOT_COMPLETE;
}

async function readJob(line: CommandLine, io: Io, { takesKeys }: { readonly takesKeys: boolean }): Promise<Job> {
  const context = await openContext(line, io);
  return openJob(await readPsbt(line, context, io), { line, context, takesKeys }, io);
}

/** Shows the review, asks, and signs. @returns `undefined` if the policy or the user refuses */
async function signJob({ updated, review }: Job, line: CommandLine, io: Io): Promise<FinishedPsbt | undefined> {
  io.writeError(formatReview(review, { hasColours: io.isWatched && allowsColours(io) }));
  return (await isConfirmed(review, line, io))
    ? withUsageErrors(() => finishUpdated(updated, line.noFinalize ? { finalize: false } : {}))
    : undefined;
}

/** Takes the sighash type from the argument after the PSBT, as RPC methods have it. @throws UsageError */
function withSighashArgument(line: CommandLine): CommandLine {
  const isPicture = (argument: string): boolean => /\.(?:png|gif)$/i.test(argument);
  const pictures = line.args.findIndex((argument) => !isPicture(argument));
  const position = line.file !== undefined ? 0 : pictures < 0 ? line.args.length : Math.max(pictures, 1);
  const [sighash, ...more] = line.args.slice(position);
  if (sighash === undefined) return line;
  if (more.length > 0 || findSighashType(sighash) === undefined) {
    throw new UsageError(`${line.command} takes one PSBT, and after it at most a sighash type, such as ALL`);
  }
  if (line.sighash !== undefined) throw new UsageError('give the sighash type only once');
  return { ...line, args: line.args.slice(0, position), sighash };
}

function writeLines(lines: readonly string[], io: Io): void {
  for (const text of lines) io.writeError(`${text}\n`);
}

/** Returns the answer in the form of an RPC signing method. */
function answerOf({ psbt, isComplete: complete, hex }: FinishedPsbt, context: RpcContext): object {
  return { psbt: formatPsbt(psbt, context), complete, ...(hex !== undefined && { hex }) };
}
