import { parseInt64 } from '../../answers/arguments/argumentValues.ts';
import { RPC_MISC_ERROR, RPC_TYPE_ERROR, RPC_WALLET_ERROR } from '../../answers/method/errorCodes.ts';
import { anyOf, choice, number, reading } from '../../answers/method/parameters.ts';
import { type Answer, flag, list, maybe, members, numeric, text } from '../../answers/method/results.ts';
import { RpcError, unlessRefused } from '../../core/errors.ts';
import { parseWif, type WifKey } from '../../core/keys/wif.ts';
import { activeBlock, medianTimePast } from '../chain/chainState.ts';
import { isPartial } from '../chain/partialChain.ts';
import { missingFrom, scannedSince } from '../wallet/records/chainSync.ts';
import type { WalletEvent } from '../wallet/records/events.ts';
import type { WalletContext } from './context.ts';
import { resubmitPayments } from './resubmitPayments.ts';
import { walletMethodRules } from './walletMethodRules.ts';

export const importedResult = members({
  success: flag(),
  error: maybe(members({ code: numeric(), message: text() })),
  warnings: maybe(list(text())),
});

/** The answer to one request of `importdescriptors` or `importmulti`. */
export type ImportedJson = Answer<typeof importedResult>;

export function applyToWallet({ wallet, node }: WalletContext, events: readonly WalletEvent[]): void {
  if (events.length === 0) return;
  node.change(...events.map((event) => ({ type: 'wallet', name: wallet.row.name, event }) as const));
}

export function assertLegacy({ wallet, dialect }: WalletContext): void {
  if (wallet.legacy) return;
  throw new RpcError(RPC_WALLET_ERROR, walletMethodRules[dialect.generation].legacyOnly);
}

/** Returns `undefined` for anything but a key of this network. */
export const parseSecretKey = (text: string, { network }: WalletContext): WifKey | undefined =>
  unlessRefused(() => parseWif(text, network));

/** Returns times of the wallet's last block: its median time past, which "now" stands for, and its own time. */
export function importTimes({ node, wallet }: WalletContext): { readonly now: number; readonly tip: number } {
  const block = activeBlock(node.chain, wallet.row.tip.height);
  return { now: Math.max(medianTimePast(node.chain, block), 1), tip: block.time };
}

/** When keys were first used, in UNIX time; none for "now". @see Bitcoin Core `GetImportTimestamp` */
export const TIMESTAMP = reading(
  anyOf('timestamp', [number('', ''), choice('', ['now'], '')], 'UNIX time of the first use, from which to rescan'),
  (value): number | undefined => {
    if (!value) throw new RpcError(RPC_TYPE_ERROR, 'Missing required timestamp field for key');
    if (value.type === 'number') return Math.max(parseInt64(value), 1);
    if (value.type === 'string' && value.value === 'now') return undefined;
    throw new RpcError(RPC_TYPE_ERROR, `Expected number or "now" timestamp value for key. got type ${value.type}`);
  },
);

export function assertRescannable({ node }: WalletContext): void {
  if (isPartial(node.chain)) throw new RpcError(RPC_WALLET_ERROR, 'Rescan is disabled when blocks are pruned');
}

interface Imported {
  readonly timestamp: number;
  readonly answer: ImportedJson;
}

/**
 * Rescans from a UNIX time. Fails each import that may lack transactions, since blocks are missing.
 * @see Bitcoin Core `importdescriptors`; 0.21 `importmulti`
 */
export function rescanFor(imports: readonly Imported[], from: number, context: WalletContext): readonly ImportedJson[] {
  const answers = imports.map(({ answer }) => answer);
  if (!answers.some(({ success }) => success)) return answers;
  const { chain } = context.node;
  const missing = missingFrom(chain, from);
  applyToWallet(context, [{ type: 'rescan', from }]);
  resubmitPayments(context);
  if (!missing || scannedSince(missing) <= from) return answers;
  return imports.map(({ timestamp, answer }) => {
    if (answer.error || scannedSince(missing) <= timestamp) return answer;
    const message = rescanFault(timestamp, missing.maxTime, context);
    return { success: false, error: { code: RPC_MISC_ERROR, message } };
  });
}

function rescanFault(timestamp: number, missing: number, { dialect }: WalletContext): string {
  const { rescanFaultSubject: subject, rescanFaultAdvice: advice } = walletMethodRules[dialect.generation];
  return [
    `Rescan failed for ${subject.long} ${timestamp}.`,
    `There was an error reading a block from time ${missing}, which is after or within 7200 seconds of key creation,`,
    `and could contain transactions pertaining to the ${subject.short}. As a result, transactions and coins using`,
    `this ${subject.short} may not appear in the wallet. This error could be caused by pruning or data corruption`,
    `(see ${dialect.coinName.toLowerCase()}d log for details) and could be dealt with by downloading and rescanning the relevant blocks (see`,
    `-reindex ${advice}).`,
  ].join(' ');
}

/** Runs one import, which adds its warnings to a list. Errors with an `ending` code fail the whole call. */
export function importAnswer(work: (warnings: string[]) => void, ending: readonly number[] = []): ImportedJson {
  const warnings: string[] = [];
  try {
    work(warnings);
  } catch (error) {
    if (!(error instanceof RpcError) || ending.includes(error.code)) throw error;
    const { code, message } = error;
    return { success: false, error: { code, message }, ...(warnings.length > 0 && { warnings }) };
  }
  return { success: true, ...(warnings.length > 0 && { warnings }) };
}
