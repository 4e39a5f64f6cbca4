import { lasting } from '../../answers/dialect/dialectNames.ts';
import { RPC_WALLET_ERROR, RPC_WALLET_INVALID_LABEL_NAME } from '../../answers/method/errorCodes.ts';
import { bool, int32, optional, type ReadArguments } from '../../answers/method/parameters.ts';
import { RpcError } from '../../core/errors.ts';
import type { Filter } from '../wallet/queries/ownership.ts';
import type { WalletContext } from './context.ts';

export const RECEIVED_PARAMS = [
  optional(int32('minconf', 'counts only transactions with at least this many confirmations'), 1),
  lasting(optional(bool('include_immature_coinbase', 'whether to count coinbases that are too young'), false), {
    since: 'core-29',
  }),
] as const;

export const LOAD_ON_STARTUP = optional(bool('load_on_startup', 'ignored'));

/** Checks the type of an argument that is otherwise ignored. */
export const checkLoadOnStartup = (args: ReadArguments<readonly [typeof LOAD_ON_STARTUP]>): void => {
  void args.load_on_startup;
};

/** Reads `include_watchonly`, whose default is true in watch-only wallets. @see Bitcoin Core `ParseIncludeWatchonly` */
export const watchFilter = (includesWatchOnly: boolean | undefined, { wallet }: WalletContext): Filter =>
  (includesWatchOnly ?? wallet.row.disablesPrivateKeys) ? 'all' : 'own';

/** @see Bitcoin Core `LabelFromValue` */
export function parseLabel(text: string): string {
  if (text !== '*') return text;
  throw new RpcError(RPC_WALLET_INVALID_LABEL_NAME, 'Invalid label name');
}

/** @see Bitcoin Core `GetAvoidReuseFlag` */
export function avoidsReuse(choice: boolean | undefined, { wallet }: WalletContext): boolean {
  const avoids = choice ?? wallet.row.avoidsReuse;
  if (!avoids || wallet.row.avoidsReuse) return avoids;
  throw new RpcError(RPC_WALLET_ERROR, 'wallet does not have the "avoid reuse" feature enabled');
}
