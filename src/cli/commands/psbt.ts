import {
  type FinishedPsbt,
  finishUpdated,
  isProgress,
  reviewUpdated,
  type UpdatedPsbt,
  updateWithAccount,
} from '../../account/accountPsbt.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { hasPrivateKeys } from '../../descriptors/derive.ts';
import { parseDescriptor } from '../../descriptors/parseDescriptor.ts';
import type { Descriptor } from '../../descriptors/types.ts';
import { withoutSecrets } from '../../encoding/redaction.ts';
import { BtcError, RpcError } from '../../errors.ts';
import { parsePsbt } from '../../psbt/format/parsePsbt.ts';
import { progressText } from '../../review/progress.ts';
import type { PsbtReview } from '../../review/reviewPsbt.ts';
import { formatReview } from '../../review/reviewText.ts';
import type { RpcContext } from '../../rpc/dialect.ts';
import { JSON_NULL, type JsonValue } from '../../rpc/json/jsonValue.ts';
import { stringifyRpc } from '../../rpc/json/stringify.ts';
import { formatPsbt } from '../../rpc/psbt/psbtText.ts';
import { parsePrivateKeys } from '../../rpc/rawtransaction/signingArguments.ts';
import { sighashTypeNamed } from '../../script/signatureEncoding.ts';
import { SIGHASH } from '../../sighash/sighashType.ts';
import { createSigningProvider, type SigningProvider } from '../../signing/signingProvider.ts';
import { CURRENT_RULES } from '../../signing/signingRules.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { isConfirmed, isRefused, policyOf } from '../approval.ts';
import { textsOf } from '../arguments.ts';
import { type CommandLine, openRpc } from '../options.ts';
import { readDescriptors, readKeys, wantsKeys } from '../secretFiles.ts';
import { withAdvice } from '../secrets.ts';

/** Input of both commands. The PSBT, updated from descriptors and keys, is the one that is shown and signed. */
interface Job {
  readonly updated: UpdatedPsbt;
  readonly context: RpcContext;
  readonly review: PsbtReview;
}

/** `countersign review`: shows what a PSBT would do. @returns the exit code: 1 if the policy refuses it */
export async function runReview(line: CommandLine, io: Io): Promise<number> {
  const { review } = await readJob(line, io, { takesKeys: false });
  await io.writeOut(formatReview(review, { hasColours: io.isTerminal }));
  return isRefused(review) ? 1 : 0;
}

/**
 * `countersign signpsbt`: shows a PSBT, asks, signs what the keys can sign, and finalizes what is complete.
 * @returns the exit code: 1 if the policy or the user refuses it, 2 if nothing could be signed
 */
export async function runSignPsbt(line: CommandLine, io: Io): Promise<number> {
  const job = await readJob(line, io, { takesKeys: true });
  const { review, context } = job;
  io.writeError(formatReview(review, { hasColours: io.isWatched }));
  if (!(await isConfirmed(review, line, io))) return 1;
  const result = withReasons(() => finishUpdated(job.updated));
  for (const text of summaryOf(result)) io.writeError(`${text}\n`);
  await io.writeOut(`${stringifyRpc(answerOf(result, context), line.pretty ? { indent: 2 } : {})}\n`);
  return isProgress(result) ? 0 : NOTHING_SIGNED;
}

/** Exit code if no signature was added and the transaction is not complete. */
const NOTHING_SIGNED = 2;

/**
 * Runs `work`, translating errors about a PSBT, descriptor or key into UsageError.
 *
 * - `given`: the descriptors or keys, which are searched for seed words
 *
 * @throws UsageError
 */
function withReasons<T>(work: () => T, given: JsonValue = JSON_NULL): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RpcError || error instanceof BtcError) {
      throw new UsageError(withAdvice(reasonOf(error), given));
    }
    throw error;
  }
}

function reasonOf(error: RpcError | BtcError): string {
  if (error instanceof RpcError) return error.message;
  if (error.code === 'base64/invalid' || error.code === 'psbt/unrecognized')
    return 'not a PSBT: neither binary nor base64';
  if (error.code === 'descriptor/underivable') return 'a descriptor has hardened steps, which need its private key';
  const { reason, hint } = error.data as { readonly reason?: string; readonly hint?: string };
  const isDescriptor = error.code.startsWith('descriptor/');
  return isDescriptor && reason ? `descriptor: ${reason}${hint ? ` (${hint})` : ''}` : error.message;
}

async function readJob(line: CommandLine, io: Io, { takesKeys }: { readonly takesKeys: boolean }): Promise<Job> {
  const { context } = await openRpc(line, io);
  const { network, ecc = nobleEcc } = context;
  const policy = policyOf(line.policy);
  const [text, sighash, ...more] = await textsOf(line, io);
  if (text === undefined)
    throw new UsageError(`${line.command} needs a PSBT: as an argument, with --file, or "-" for standard input`);
  if (more.length > 0) throw new UsageError(`${line.command} takes only a PSBT and a sighash type`);
  const sighashType = sighash === undefined ? undefined : hashTypeOf(sighash, line);
  const descriptors = line.descriptorsFile === undefined ? [] : await descriptorsIn(line.descriptorsFile, context, io);
  const given = withReasons(() => parsePsbt(text, { mweb: network.mweb }));
  const own = { network, descriptors, masters: [], ecc };
  const hasOwnKeys = descriptors.some(hasPrivateKeys);
  const asksForKeys = takesKeys && (wantsKeys(line) || !hasOwnKeys);
  const others = asksForKeys ? { others: providerOf(await readKeys(line, io), context) } : {};
  const options = { policy, ...(sighashType !== undefined && { sighashType }) };
  return withReasons(() => {
    const updated = updateWithAccount(given, { ...own, ...others }, options);
    return { updated, context, review: reviewUpdated(updated, network, options) };
  });
}

/** Parses a sighash type. @throws UsageError, which does not quote the text: it may be a key */
function hashTypeOf(text: string, { command }: CommandLine): number {
  const known = text === 'DEFAULT' ? SIGHASH.DEFAULT : sighashTypeNamed(text);
  if (known !== undefined) return known;
  throw new UsageError(
    `${command}: the second argument must be a sighash type, such as ALL or "ALL|ANYONECANPAY"; pass keys with --keys-file, --keys-stdin or --keys-prompt`,
  );
}

async function descriptorsIn(path: string, { network }: RpcContext, io: Io): Promise<readonly Descriptor[]> {
  const list = await readDescriptors(path, io);
  const items = list.type === 'array' ? list.items : [];
  return items.map((item) => {
    const desc = item.type === 'object' ? item.members.find(([name]) => name === 'desc')?.[1] : item;
    if (desc?.type !== 'string')
      throw new UsageError(`${withoutSecrets(path)}: descriptors must be strings, or objects with a "desc"`);
    return withReasons(() => parseDescriptor(desc.value, network), list);
  });
}

/** Gathers private keys. */
function providerOf(list: JsonValue, context: RpcContext): SigningProvider {
  const keys = withReasons(() => parsePrivateKeys(list.type === 'array' ? list.items : [], context), list);
  return createSigningProvider({ keys, scripts: [] }, CURRENT_RULES, context.ecc ?? nobleEcc);
}

/** Describes the result of signing to the user: a line for each input, and the next step. */
function summaryOf(result: FinishedPsbt): readonly string[] {
  return [...result.inputs.map(progressText), nextText(result)];
}

function nextText(result: FinishedPsbt): string {
  if (result.isComplete) {
    return `complete: transaction ${result.txid}. Next: broadcast its hex, for example with sendrawtransaction`;
  }
  return isProgress(result)
    ? 'not complete yet. Next: pass the PSBT on to the next signer, or combine it with theirs (combinepsbt, then finalizepsbt)'
    : 'nothing was signed. Next: provide the keys of these inputs, or pass the PSBT on to their owners';
}

/** Returns the answer in the form of an RPC signing method. */
function answerOf({ psbt, isComplete: complete, hex }: FinishedPsbt, context: RpcContext): object {
  return { psbt: formatPsbt(psbt, context), complete, ...(hex !== undefined && { hex }) };
}
