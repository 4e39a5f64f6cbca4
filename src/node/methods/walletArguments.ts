import { RPC_WALLET_ERROR, RPC_WALLET_INVALID_LABEL_NAME } from '../../answers/method/errorCodes.ts';
import { RpcError } from '../../core/errors.ts';
import type { Filter } from '../wallet/queries/ownership.ts';
import type { WalletContext } from './context.ts';

/** Returns which outputs count with `include_watchonly`, whose default is true in watch-only wallets. @see Bitcoin Core `ParseIncludeWatchonly` */
export const watchFilter = (includesWatchOnly: boolean | undefined, { wallet }: WalletContext): Filter =>
  (includesWatchOnly ?? wallet.disablesPrivateKeys) ? 'all' : 'own';

/** Checks a label. @throws RpcError -11 @see Bitcoin Core `LabelFromValue` */
export function parseLabel(text: string): string {
  if (text !== '*') return text;
  throw new RpcError(RPC_WALLET_INVALID_LABEL_NAME, 'Invalid label name');
}

/** Tells whether a call avoids addresses that were spent from. @throws RpcError -4 @see Bitcoin Core `GetAvoidReuseFlag` */
export function avoidsReuse(choice: boolean | undefined, { wallet }: WalletContext): boolean {
  const avoids = choice ?? wallet.avoidsReuse;
  if (!avoids || wallet.avoidsReuse) return avoids;
  throw new RpcError(RPC_WALLET_ERROR, 'wallet does not have the "avoid reuse" feature enabled');
}
