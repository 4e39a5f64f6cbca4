import { RpcError } from '../../errors.ts';
import { parseWif, type WifKey } from '../../keys/wif.ts';
import { activeBlock, medianTimePast } from '../../wallet/chainState.ts';
import type { WalletEvent } from '../../wallet/events.ts';
import { unlessRefused } from '../attempt.ts';
import { RPC_TYPE_ERROR, RPC_WALLET_ERROR } from '../errorCodes.ts';
import { type JsonValue, memberOf } from '../jsonValue.ts';
import { int64Of } from '../members.ts';
import type { WalletContext } from './context.ts';

/** What an element of an import answers. */
export interface ImportedJson {
  readonly success: boolean;
  readonly error?: { readonly code: number; readonly message: string };
  readonly warnings?: readonly string[];
}

/** Has something happen to the wallet. */
export function changeWallet({ wallet, node }: WalletContext, events: readonly WalletEvent[]): void {
  if (events.length === 0) return;
  node.change(...events.map((event) => ({ type: 'wallet', name: wallet.name, event }) as const));
}

/** @throws RpcError -4 for wallets of descriptors */
export function assertLegacy({ wallet }: WalletContext): void {
  if (wallet.legacy) return;
  throw new RpcError(RPC_WALLET_ERROR, 'This type of wallet does not support this command');
}

/** A private key in wallet import format, if it is one of this network. */
export const secretKeyOf = (text: string, { network }: WalletContext): WifKey | undefined =>
  unlessRefused(() => parseWif(text, network));

/** Times that the last block tells: what "now" is, and where the search for the lowest begins. */
export function importTimes({ node, wallet }: WalletContext): { readonly now: number; readonly tip: number } {
  const block = activeBlock(node.chain, wallet.tip.height);
  return { now: medianTimePast(node.chain, block), tip: block.time };
}

/** When what is imported began. @throws RpcError -3 @see Bitcoin Core `GetImportTimestamp` */
export function timestampOf(request: JsonValue, now: number): number {
  const value = request.type === 'object' ? memberOf(request.members, 'timestamp') : undefined;
  if (!value) throw new RpcError(RPC_TYPE_ERROR, 'Missing required timestamp field for key');
  if (value.type === 'number') return Math.max(int64Of(value), 1);
  if (value.type === 'string' && value.value === 'now') return Math.max(now, 1);
  throw new RpcError(RPC_TYPE_ERROR, `Expected number or "now" timestamp value for key. got type ${value.type}`);
}

/**
 * What an element answers that was refused, or was not.
 *
 * - `ending`: codes of errors that end the whole call
 */
export function importAnswer(
  work: () => void,
  warnings: readonly string[],
  ending: readonly number[] = [],
): ImportedJson {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RpcError) || ending.includes(error.code)) throw error;
    const { code, message } = error;
    return { success: false, error: { code, message }, ...(warnings.length > 0 && { warnings }) };
  }
  return { success: true, ...(warnings.length > 0 && { warnings }) };
}
