import { addressArg } from '../../../answers/arguments/addressArgument.ts';
import { RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { type ReadArguments, string } from '../../../answers/method/parameters.ts';
import { amount } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { isMine } from '../../wallet/queries/ownership.ts';
import { receivedBy } from '../../wallet/queries/received.ts';
import { entriesWithLabel } from '../../wallet/records/addressBook.ts';
import { createView, type WalletContext, walletMethod } from '../context.ts';
import { parseLabel, RECEIVED_PARAMS } from '../walletArguments.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

export const getreceivedbyaddress = walletMethod({
  name: 'getreceivedbyaddress',
  checksLate: true,
  about: 'Shows the total that an address of the wallet has ever received.',
  params: [string('address', 'the address'), ...RECEIVED_PARAMS],
  result: amount('the total'),
  examples: ['getreceivedbyaddress bc1q... 6'],
  run: (args, context) => {
    const destination = addressArg(args.address, context);
    if (!isMine(context.wallet, destination)) throw notFound('Address');
    return totalReceived([destination], args, context);
  },
});

export const getreceivedbylabel = walletMethod({
  name: 'getreceivedbylabel',
  checksLate: true,
  about: "Shows the total that the wallet's addresses with a label have ever received.",
  params: [string('label', 'the label'), ...RECEIVED_PARAMS],
  result: amount('the total'),
  examples: ['getreceivedbylabel rent'],
  run: (args, context) => {
    const { wallet, dialect } = context;
    const labelled = [...entriesWithLabel(wallet, parseLabel(args.label))];
    const own = labelled.map(({ script }) => script).filter((script) => isMine(wallet, script));
    if (own.length === 0 && walletMethodRules[dialect.generation].refusesUnknownLabels) {
      throw notFound(labelled.length === 0 ? 'Label' : 'Address');
    }
    return totalReceived(own, args, context);
  },
});

const notFound = (what: 'Address' | 'Label'): RpcError => new RpcError(RPC_WALLET_ERROR, `${what} not found in wallet`);

/** @see Bitcoin Core `GetReceived` */
function totalReceived(
  destinations: readonly Uint8Array[],
  { minconf: minDepth, include_immature_coinbase: includesImmature }: ReadArguments<typeof RECEIVED_PARAMS>,
  context: WalletContext,
): bigint {
  const view = createView(context);
  const query = { minDepth, includesImmature };
  const received = destinations.map((destination) => receivedBy(view, destination, query)?.amount ?? 0n);
  return received.reduce((sum, amount) => sum + amount, 0n);
}
