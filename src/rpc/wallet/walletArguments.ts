import { RpcError } from '../../errors.ts';
import type { Filter } from '../../wallet/ownership.ts';
import { parseInt32, readOptional, readValue } from '../argumentValues.ts';
import { RPC_WALLET_INVALID_LABEL_NAME } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { RpcParam } from '../method.ts';
import type { WalletContext } from './context.ts';

export const MINCONF: RpcParam = { name: 'minconf', type: 'number', isOptional: true };
export const INCLUDE_WATCHONLY: RpcParam = { name: 'include_watchonly', type: 'bool', isOptional: true };

/** Reads an optional 32-bit integer. @throws RpcError -1, -3 */
export function int32Arg(value: JsonValue | undefined, fallback: number, { dialect }: WalletContext): number {
  const given = readOptional(value, 'number', dialect);
  return given ? parseInt32(given) : fallback;
}

/** Reads an optional flag. @throws RpcError -1, -3 */
export const boolArg = (value: JsonValue | undefined, fallback: boolean, { dialect }: WalletContext): boolean =>
  readOptional(value, 'bool', dialect)?.value ?? fallback;

/** Reads `include_watchonly`, whose default is true in watch-only wallets. @throws RpcError -1, -3 @see `ParseIncludeWatchonly` */
export const filterArg = (value: JsonValue | undefined, context: WalletContext): Filter =>
  boolArg(value, context.wallet.disablesPrivateKeys, context) ? 'all' : 'own';

/** Reads a label. @throws RpcError -1, -3, -11 @see Bitcoin Core `LabelFromValue` */
export function labelArg(value: JsonValue | undefined, { dialect }: WalletContext): string {
  const label = readValue(value, 'string', dialect).value;
  if (label !== '*') return label;
  throw new RpcError(RPC_WALLET_INVALID_LABEL_NAME, 'Invalid label name');
}
