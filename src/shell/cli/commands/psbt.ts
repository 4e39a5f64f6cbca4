import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { formatPsbt } from '../../../answers/psbt/psbtText.ts';
import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { type FinishedPsbt, finishJob } from '../../../core/job/job.ts';
import { hasNonces, type Musig2Source } from '../../../core/job/musig2Round.ts';
import { reviewToJson } from '../../../core/report/reviewJson.ts';
import { formatReview } from '../../../core/report/reviewText.ts';
import { allowsColours } from '../../terminal/colours.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { isConfirmed } from '../approval.ts';
import { declareCommand } from '../declareCommand.ts';
import { FILE_WORDS, readPsbt } from '../input/givenFiles.ts';
import { payeeOptions } from '../input/paymentUris.ts';
import { preimageOptions } from '../input/preimageFiles.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, file, files, flag, keyOptions, list, resultOptions, text } from '../options.ts';
import { assertNotRead, openDestination } from '../output/destination.ts';
import { writeNote } from '../output/writeNote.ts';
import {
  findSighashType,
  isUseful,
  type JobValues,
  NOT_COMPLETE,
  openReviewed,
  type ReviewedJob,
  signingSummary,
} from '../psbtJob.ts';

const walletOptions = {
  'descriptors-file': files(
    'your wallet: descriptors, or a file of another wallet or of "countersign register"; those with private keys sign ("-": standard input). May be given more than once',
  ),
  'require-registered': flag('refuse change to a wallet that no key of yours has registered, on any network'),
};

const reviewOptions = {
  ...walletOptions,
  ...keyOptions,
  policy: list(
    'CHECK=ACTION',
    'refuse, warn or allow what a check finds; may be given more than once ("countersign help policy" lists the checks)',
  ),
  ...payeeOptions,
  ...preimageOptions,
  json: flag('the review as JSON, for programs'),
  inputs: flag('list each coin, also where all are yours and proven'),
  svg: text('FILE', 'also draw where the money goes, in a file that browsers show'),
  force: flag('replace an existing picture'),
  sighash: text('TYPE', 'review for signing with this sighash type, such as "ALL|ANYONECANPAY"'),
};

export const review = declareCommand({
  synopsis: 'review FILE',
  about: `Shows what a PSBT would do: its payments, change and fee, who has signed, and anything suspicious. With keys, it shows
what "sign" shows, and signs nothing.

${FILE_WORDS}`,
  options: reviewOptions,
  exitCode: '1 if the policy refuses the PSBT.',
  examples: [
    'countersign review spend.psbt --descriptors-file wallet.json',
    'countersign review spend.psbt --descriptors-file wallet.json --svg spend.svg',
  ],
  run: runReview,
});

const ownKeyOptions = {
  ...keyOptions,
  ...walletOptions,
  policy: list('CHECK=ACTION', 'as for review'),
  ...payeeOptions,
  ...preimageOptions,
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
  const { svg } = line;
  if (svg === '' || svg === '-') throw new UsageError('--svg needs a file name: standard output has the review');
  if (svg !== undefined) assertNotRead('--svg', svg, line);
  const { review: psbtReview } = await readJob(line, io, { signs: false });
  if (svg !== undefined) {
    const { drawReview } = await import('../../../kit/picture/drawReview.ts');
    await io.writeFile(svg, encodeUtf8(drawReview(psbtReview)), { overwrites: line.force });
  }
  const text = line.json
    ? `${JSON.stringify(reviewToJson(psbtReview))}\n`
    : formatReview(psbtReview, { hasColours: io.isTerminal && allowsColours(io), listsInputs: line.inputs === true });
  await io.writeOut(text);
  return psbtReview.isRefused ? 1 : 0;
}

async function runSign(line: CommandLine<typeof signOptions>, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const input = await readPsbt(line, context, io);
  const suffix = line.nonceDir !== undefined && !hasNonces(input.psbt) ? 'nonces' : 'signed';
  const destination = await openDestination(line, { input, suffix, makes: 'either' }, io);
  const job = await openReviewed(input, { line, context, signs: true }, io);
  const signed = await signJob(job, line, io);
  if (!signed) return 1;
  const { hasAdded, lines } = signed;
  // A signed message is no transaction for a node.
  const result = job.review.purpose.kind === 'payment' ? signed.result : { psbt: signed.result.psbt };
  const name = hasAdded ? await destination.write(result) : undefined;
  for (const text of lines(name)) writeNote(text, io);
  if (!hasAdded) return NOT_COMPLETE;
  await destination.show(result);
  return 0;
}

async function runSignPsbt(rawLine: CommandLine<typeof signpsbtOptions>, io: Io): Promise<number> {
  const line = withSighashArgument(rawLine);
  const job = await readJob(line, io, { signs: true });
  const signed = await signJob(job, line, io);
  if (!signed) return 1;
  const { result, hasAdded, lines } = signed;
  for (const text of lines()) writeNote(text, io);
  await io.writeOut(`${stringifyRpc(signingAnswer(result, job.context), line.pretty ? { indent: 2 } : {})}\n`);
  return hasAdded ? 0 : NOT_COMPLETE;
}

async function readJob(
  line: CommandLine & JobValues,
  io: Io,
  { signs }: { readonly signs: boolean },
): Promise<ReviewedJob> {
  const context = await openContext(line, io);
  return openReviewed(await readPsbt(line, context, io), { line, context, signs }, io);
}

/** What was signed, whether anything was, and what to tell the user. */
interface Signed {
  readonly result: FinishedPsbt;
  readonly hasAdded: boolean;
  readonly lines: (name?: string) => readonly string[];
}

type SignLine = CommandLine<typeof approvalOptions & Pick<typeof ownKeyOptions, 'nonce-dir'>>;

/** Returns `undefined` if the policy or the user refuses. */
async function signJob({ review: psbtReview, job }: ReviewedJob, line: SignLine, io: Io): Promise<Signed | undefined> {
  if (!(await isConfirmed(psbtReview, line, io))) return undefined;
  const musig2 = line.nonceDir === undefined ? undefined : await openNonces(line.nonceDir, io);
  const result = withUsageErrors(
    () => finishJob(job, { ...(line.noFinalize && { finalize: false }), ...(musig2 && { musig2 }) }),
    (reason) => (reason.startsWith('No secret nonce') ? missingNonceText(line.nonceDir ?? '') : reason),
  );
  if (result.musig2 === 'no-store') writeNote(MUSIG2_NOTE, io);
  return {
    result,
    hasAdded: isUseful(result, psbtReview),
    lines: (name) => signingSummary(result, psbtReview, name),
  };
}

async function openNonces(directory: string, io: Io): Promise<Musig2Source> {
  if (directory === '') throw new UsageError('--nonce-dir needs a directory, not ""');
  const { openNonceDirectory } = await import('../../store/nonceDirectory.ts');
  return { store: openNonceDirectory(directory), random: io.random };
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

function signingAnswer({ psbt, isComplete: complete, hex }: FinishedPsbt, context: RpcContext): object {
  return { psbt: formatPsbt(psbt, context), complete, ...(hex !== undefined && { hex }) };
}
