import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { formatPsbt } from '../../../answers/psbt/psbtText.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { refusalsIn } from '../../../core/review/policy.ts';
import { reviewToJson } from '../../../core/review/text/reviewJson.ts';
import { formatReview } from '../../../core/review/text/reviewText.ts';
import { type FinishedPsbt, finishUpdated, isProgress } from '../../../kit/account/accountPsbt.ts';
import { allowsColours } from '../../terminal/colours.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { isConfirmed } from '../approval.ts';
import { declareCommand } from '../declareCommand.ts';
import { FILE_WORDS, readPsbt } from '../input/givenFiles.ts';
import { payeeOptions } from '../input/paymentUris.ts';
import { addMusig2Round, hasMusig2Shares, hasNonces, musig2Text } from '../musig2Round.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, file, flag, keyOptions, list, resultOptions, text } from '../options.ts';
import { openDestination } from '../output/destination.ts';
import { findSighashType, type Job, type JobValues, NOT_COMPLETE, openJob, signingSummary } from '../psbtJob.ts';

const reviewOptions = {
  'descriptors-file': file('your descriptors; only outputs derived from them are reported as verified change'),
  policy: list(
    'CHECK=ACTION',
    'refuse, warn or allow what a check finds; may be given more than once ("countersign help policy" lists the checks)',
  ),
  ...payeeOptions,
  json: flag('the review as JSON, for programs'),
  sighash: text('TYPE', 'review for signing with this sighash type, such as "ALL|ANYONECANPAY"'),
};

export const review = declareCommand({
  synopsis: 'review FILE',
  about: `Shows what a PSBT would do: its payments, change and fee, who has signed, and anything suspicious.

${FILE_WORDS}`,
  options: reviewOptions,
  exitCode: '1 if the policy refuses the PSBT.',
  examples: ['countersign review spend.psbt --descriptors-file wallet.json'],
  run: runReview,
});

const ownKeyOptions = {
  ...keyOptions,
  'descriptors-file': file('your descriptors; those with private keys sign ("-": standard input)'),
  policy: list('CHECK=ACTION', 'as for review'),
  ...payeeOptions,
  'nonce-dir': text(
    'DIR',
    'sign for MuSig2 keys: the first time, add nonces and keep their secret parts here, on ext4, xfs or tmpfs; once all participants have added theirs, sign with them',
  ),
};

const approvalOptions = {
  sighash: text('TYPE', 'the sighash type to sign with (default ALL, or DEFAULT for taproot)'),
  'no-finalize': flag("finalize no input, for others who still need the PSBT's records"),
  yes: flag('sign without asking; needed if there is no terminal to confirm on'),
};

const SIGN_EXIT_CODE =
  '1 if the policy refuses, or you do, 2 if no signature could be added and the transaction is not complete.';

const signOptions = { ...ownKeyOptions, ...approvalOptions, ...resultOptions };

export const sign = declareCommand({
  synopsis: 'sign FILE',
  about: `Shows what a PSBT would do, asks for confirmation, signs what the keys can sign, verifies the signatures, and finalizes
the inputs that are complete. Without an option for keys, it asks for them, without showing them.

Signatures such as "SINGLE|ANYONECANPAY" leave a transaction open for others to complete: their inputs are not finalized
before it is complete.

The result goes to NAME-signed.psbt, or to NAME-final.txn once the transaction is complete. If standard output is not a
terminal, the result goes there, so that commands can be chained.

${FILE_WORDS}`,
  options: signOptions,
  exitCode: SIGN_EXIT_CODE,
  examples: ['countersign sign spend.psbt --seed-file words.txt'],
  run: runSign,
});

const signpsbtOptions = {
  file: file('the PSBT, in any encoding'),
  ...ownKeyOptions,
  ...approvalOptions,
  pretty: flag('indent the answer'),
};

export const signpsbt = declareCommand({
  synopsis: 'signpsbt "psbt" ( "sighashtype" )',
  about: 'Does the same as sign, and prints the JSON of an RPC method.',
  options: signpsbtOptions,
  exitCode: SIGN_EXIT_CODE,
  examples: ['countersign signpsbt --file spend.psbt --descriptors-file wallet.json'],
  run: runSignPsbt,
});

async function runReview(rawLine: CommandLine<typeof reviewOptions>, io: Io): Promise<number> {
  const line = withSighashArgument(rawLine);
  const { review: psbtReview } = await readJob(line, io, { takesKeys: false });
  const text = line.json
    ? `${JSON.stringify(reviewToJson(psbtReview))}\n`
    : formatReview(psbtReview, { hasColours: io.isTerminal && allowsColours(io) });
  await io.writeOut(text);
  return refusalsIn(psbtReview.findings).length > 0 ? 1 : 0;
}

async function runSign(line: CommandLine<typeof signOptions>, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const input = await readPsbt(line, context, io);
  const suffix = line.nonceDir !== undefined && !hasNonces(input.psbt) ? 'nonces' : 'signed';
  const destination = await openDestination(line, { input, suffix, makes: 'either' }, io);
  const job = await openJob(input, { line, context, takesKeys: true }, io);
  const signed = await signJob(job, line, io);
  if (!signed) return 1;
  const { result, hasAdded, lines } = signed;
  const name = hasAdded ? await destination.write(result) : undefined;
  writeLines(lines(name), io);
  if (!hasAdded) return NOT_COMPLETE;
  await destination.show(result);
  return 0;
}

async function runSignPsbt(rawLine: CommandLine<typeof signpsbtOptions>, io: Io): Promise<number> {
  const line = withSighashArgument(rawLine);
  const job = await readJob(line, io, { takesKeys: true });
  const signed = await signJob(job, line, io);
  if (!signed) return 1;
  const { result, hasAdded, lines } = signed;
  writeLines(lines(), io);
  await io.writeOut(`${stringifyRpc(signingAnswer(result, job.context), line.pretty ? { indent: 2 } : {})}\n`);
  return hasAdded ? 0 : NOT_COMPLETE;
}

async function readJob(
  line: CommandLine & JobValues,
  io: Io,
  { takesKeys }: { readonly takesKeys: boolean },
): Promise<Job> {
  const context = await openContext(line, io);
  return openJob(await readPsbt(line, context, io), { line, context, takesKeys }, io);
}

/** What was signed, whether anything was, and what to tell the user. */
interface Signed {
  readonly result: FinishedPsbt;
  readonly hasAdded: boolean;
  readonly lines: (name?: string) => readonly string[];
}

type SignLine = CommandLine<typeof approvalOptions & Pick<typeof ownKeyOptions, 'nonce-dir'>>;

/** Returns `undefined` if the policy or the user refuses. */
async function signJob({ review: psbtReview, updated }: Job, line: SignLine, io: Io): Promise<Signed | undefined> {
  if (!(await isConfirmed(psbtReview, line, io))) return undefined;
  const finish = (psbt = updated.psbt): FinishedPsbt =>
    withUsageErrors(() => finishUpdated({ ...updated, psbt }, line.noFinalize ? { finalize: false } : {}));
  if (line.nonceDir === undefined || !hasMusig2Shares(updated)) {
    const result = finish();
    if (line.nonceDir === undefined && hasMusig2Shares(updated)) io.writeError(`${MUSIG2_NOTE}\n`);
    return { result, hasAdded: isProgress(result), lines: (name) => signingSummary(result, psbtReview, name) };
  }
  const { openNonceDirectory } = await import('../../store/nonceDirectory.ts');
  const directory = line.nonceDir;
  if (directory === '') throw new UsageError('--nonce-dir needs a directory, not ""');
  const round = withUsageErrors(
    () => addMusig2Round(updated, { store: openNonceDirectory(directory), random: io.random }),
    (reason) => (reason.startsWith('No secret nonce') ? missingNonceText(directory) : reason),
  );
  const result = finish(round.psbt);
  const hasContributed = round.nonces + round.partialSignatures > 0;
  const lines = (name?: string): readonly string[] =>
    !result.isComplete && (hasContributed || round.waiting > 0)
      ? musig2Text(round)
      : signingSummary(result, psbtReview, name);
  return { result, hasAdded: hasContributed || isProgress(result), lines };
}

const missingNonceText = (directory: string): string =>
  `no secret nonce for this PSBT is in ${shownPath(directory)}: pass the --nonce-dir of the first round, or, if it is lost, start anew from the unsigned PSBT`;

const MUSIG2_NOTE =
  'note: keys of yours are part of MuSig2 keys: pass --nonce-dir DIR to sign with them, in two rounds';

/** Takes the sighash type from the second argument, as in RPC methods. */
function withSighashArgument<L extends CommandLine & { readonly sighash: string | undefined }>(line: L): L {
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

function signingAnswer({ psbt, isComplete: complete, hex }: FinishedPsbt, context: RpcContext): object {
  return { psbt: formatPsbt(psbt, context), complete, ...(hex !== undefined && { hex }) };
}
