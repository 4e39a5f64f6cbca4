import { parseBase64 } from '../../bytes/base64.ts';
import { formatHex } from '../../bytes/hex.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { createSignatureCache } from '../../crypto/signatureCache.ts';
import { parseDescriptor } from '../../descriptors/parseDescriptor.ts';
import type { Descriptor } from '../../descriptors/types.ts';
import { withoutSecrets } from '../../encoding/redaction.ts';
import { BtcError, RpcError } from '../../errors.ts';
import { decodePsbtBytes } from '../../psbt/format/decodePsbt.ts';
import type { Psbt } from '../../psbt/format/types.ts';
import { extractTransaction } from '../../psbt/roles/extractor.ts';
import { finalizePsbt } from '../../psbt/roles/finalizer.ts';
import { requestsInSession, type SignOptions } from '../../psbt/roles/signer.ts';
import { updatePsbt } from '../../psbt/roles/updater.ts';
import { openSession, type PsbtSession } from '../../psbt/session.ts';
import { type PsbtReview, reviewInSession } from '../../review/reviewPsbt.ts';
import { keyFinder } from '../../review/reviewTransaction.ts';
import { answerRequests, deriveForPsbt } from '../../review/signReviewed.ts';
import type { RpcContext } from '../../rpc/dialect.ts';
import { JSON_NULL, type JsonValue } from '../../rpc/json/jsonValue.ts';
import { stringifyRpc } from '../../rpc/json/stringify.ts';
import { formatPsbt } from '../../rpc/psbt/psbtText.ts';
import { parsePrivateKeys } from '../../rpc/rawtransaction/signingArguments.ts';
import { sighashTypeNamed } from '../../script/signatureEncoding.ts';
import { SIGHASH } from '../../sighash/sighashType.ts';
import { keySigner } from '../../signing/keySigner.ts';
import {
  createDescriptorProvider,
  createSigningProvider,
  type SigningProvider,
} from '../../signing/signingProvider.ts';
import { CURRENT_RULES } from '../../signing/signingRules.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { isConfirmed, isRefused, policyOf } from '../approval.ts';
import { textsOf } from '../arguments.ts';
import { type CommandLine, openRpc } from '../options.ts';
import { psbtReviewText } from '../psbtReviewText.ts';
import { readDescriptors, readKeys, wantsKeys } from '../secretFiles.ts';
import { withAdvice } from '../secrets.ts';
import { type Outcome, outcomeOf } from '../signingSummary.ts';

/** Input of both commands. The PSBT, updated from descriptors and keys, is the one that is shown and signed. */
interface Job {
  readonly psbt: Psbt;
  readonly context: RpcContext;
  readonly provider: SigningProvider;
  /** Options that all signing steps share. */
  readonly shared: Required<Pick<SignOptions, 'cache' | 'ecc'>> & Pick<SignOptions, 'sighashType'>;
  readonly session: PsbtSession;
  readonly review: PsbtReview;
}

/** `countersign review`: shows what a PSBT would do. @returns the exit code: 1 if the policy refuses it */
export async function runReview(line: CommandLine, io: Io): Promise<number> {
  const { review, context } = await readJob(line, io, { takesKeys: false });
  await io.writeOut(psbtReviewText(review, context.network, { hasColours: io.isTerminal }));
  return isRefused(review) ? 1 : 0;
}

/**
 * `countersign signpsbt`: shows a PSBT, asks, signs what the keys can sign, and finalizes what is complete.
 * @returns the exit code: 1 if the policy or the user refuses it, 2 if nothing could be signed
 */
export async function runSignPsbt(line: CommandLine, io: Io): Promise<number> {
  const job = await readJob(line, io, { takesKeys: true });
  const { review, context } = job;
  io.writeError(psbtReviewText(review, context.network, { hasColours: io.isWatched }));
  if (!(await isConfirmed(review, line, io))) return 1;
  const { answer, outcome } = withReasons(() => signAndFinalize(job));
  for (const text of outcome.lines) io.writeError(`${text}\n`);
  await io.writeOut(`${stringifyRpc(answer, line.pretty ? { indent: 2 } : {})}\n`);
  return outcome.isProgress ? 0 : NOTHING_SIGNED;
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
  if (error.code === 'base64/invalid') return 'not a PSBT: neither binary nor base64';
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
  const given = withReasons(() => decodePsbtBytes(parseBase64(text), { mweb: network.mweb }));
  const derived = withReasons(() => deriveForPsbt(given, descriptors, { ecc }));
  const own = createDescriptorProvider(derived, { written: descriptors });
  const hasOwnKeys = derived.some(({ keys }) => keys.some(({ secretKey }) => secretKey));
  const asksForKeys = takesKeys && (wantsKeys(line) || !hasOwnKeys);
  const provider = asksForKeys ? withKeys(own, await readKeys(line, io), context) : own;
  const shared = { ecc, cache: createSignatureCache(), ...(sighashType !== undefined && { sighashType }) };
  return withReasons(() => {
    const psbt = updatePsbt(given, { ...shared, provider });
    const keys = { holdsKey: keyFinder(provider), publicKey: provider.publicKey };
    const session = openSession(psbt, shared);
    const review = reviewInSession(session, psbt, { ...shared, ...keys, network, descriptors, policy });
    return { psbt, context, provider, shared, session, review };
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

/** Adds private keys to a provider that has those of the descriptors. */
function withKeys(own: SigningProvider, list: JsonValue, context: RpcContext): SigningProvider {
  const keys = withReasons(() => parsePrivateKeys(list.type === 'array' ? list.items : [], context), list);
  const given = createSigningProvider({ keys, scripts: [] }, CURRENT_RULES, context.ecc ?? nobleEcc);
  return {
    ...own,
    key: (hash) => own.key(hash) ?? given.key(hash),
    xOnlyKey: (publicKey) => own.xOnlyKey(publicKey) ?? given.xOnlyKey(publicKey),
    publicKey: (hash) => own.publicKey(hash) ?? given.publicKey(hash),
    script: (hash) => own.script(hash) ?? given.script(hash),
    taproot: (outputKey) => own.taproot(outputKey) ?? given.taproot(outputKey),
  };
}

/** Signs and finalizes. @returns the answer as an RPC signing method gives it, and the outcome to show to the user */
function signAndFinalize({ psbt, context, provider, shared, session }: Job): {
  readonly answer: object;
  readonly outcome: Outcome;
} {
  const signer = keySigner(provider, shared);
  const result = answerRequests(requestsInSession(session, psbt, { ...shared, publicKey: provider.publicKey }), signer);
  const finalized = finalizePsbt(result.psbt, shared);
  const { isComplete: complete } = finalized;
  const tx = complete ? extractTransaction(finalized.psbt, shared) : undefined;
  const outcome = outcomeOf(result, finalized, { ...shared, tx });
  const text = formatPsbt(finalized.psbt, context);
  const hex = tx && formatHex(encodeTransaction(tx));
  return { answer: { psbt: text, complete, ...(hex !== undefined && { hex }) }, outcome };
}
