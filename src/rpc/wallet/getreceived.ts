import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import { entriesWithLabel } from '../../wallet/addressBook.ts';
import { isMine } from '../../wallet/ownership.ts';
import { receivedBy } from '../../wallet/received.ts';
import { addressArg } from '../addressArgument.ts';
import { readValue } from '../argumentValues.ts';
import { RPC_WALLET_ERROR } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { RpcParam } from '../method.ts';
import { viewOf, type WalletContext, type WalletMethod } from './context.ts';
import { boolArg, int32Arg, labelArg, MINCONF } from './walletArguments.ts';

/** Which coinbases count; 0.21 counts none. */
export const IMMATURE: RpcParam = {
  name: 'include_immature_coinbase',
  type: 'bool',
  isOptional: true,
  since: 'core-31',
};

/** @see Bitcoin Core `getreceivedbyaddress` */
export const getreceivedbyaddress: WalletMethod<number> = {
  name: 'getreceivedbyaddress',
  needs: 'wallet',
  params: [{ name: 'address', type: 'string' }, MINCONF, IMMATURE],
  checksLate: true,
  help: `Shows the total that an address of the wallet has ever received.

Arguments:
1. address                      (string, required) the address
2. minconf                      (number, optional, default 1) counts only transactions with at least this many confirmations
3. include_immature_coinbase    (bool, optional, default false) whether to count coinbases that are too young; core-31 only

Result:
the total in coins

Examples:
> countersign getreceivedbyaddress bc1q... 6`,
  run: (args, context) => {
    const destination = addressArg(readValue(args[0], 'string', context.dialect).value, context);
    if (!isMine(context.wallet, destination)) throw notFound('Address');
    return sumOf([destination], args, context);
  },
};

/** @see Bitcoin Core `getreceivedbylabel` */
export const getreceivedbylabel: WalletMethod<number> = {
  name: 'getreceivedbylabel',
  needs: 'wallet',
  params: [{ name: 'label', type: 'string' }, MINCONF, IMMATURE],
  checksLate: true,
  help: `Shows the total that the wallet's addresses with a label have ever received.

Arguments:
1. label                        (string, required) the label
2. minconf                      (number, optional, default 1) counts only transactions with at least this many confirmations
3. include_immature_coinbase    (bool, optional, default false) whether to count coinbases that are too young; core-31 only

Result:
the total in coins

Examples:
> countersign getreceivedbylabel rent`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    const labelled = [...entriesWithLabel(wallet, labelArg(args[0], context))];
    const own = labelled.map(({ script }) => script).filter((script) => isMine(wallet, script));
    if (own.length === 0 && walletMethodRules[dialect.generation].refusesUnknownLabels) {
      throw notFound(labelled.length === 0 ? 'Label' : 'Address');
    }
    return sumOf(own, args, context);
  },
};

const notFound = (what: 'Address' | 'Label'): RpcError => new RpcError(RPC_WALLET_ERROR, `${what} not found in wallet`);

/** @throws RpcError -1, -3 @see Bitcoin Core `GetReceived` */
function sumOf(
  destinations: readonly Uint8Array[],
  [, minconf, immature]: readonly (JsonValue | undefined)[],
  context: WalletContext,
): number {
  const view = viewOf(context);
  const query = { minDepth: int32Arg(minconf, 1, context), includesImmature: boolArg(immature, false, context) };
  const received = destinations.map((destination) => receivedBy(view, destination, query)?.amount ?? 0n);
  return context.json.amountAnswer(received.reduce((sum, amount) => sum + amount, 0n));
}
