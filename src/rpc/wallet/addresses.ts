import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import type { OutputKind, Side } from '../../wallet/activeDescriptors.ts';
import { hasAddresses, nextAddress, OUTPUT_KINDS } from '../../wallet/newAddresses.ts';
import { addressText } from '../addressArgument.ts';
import { parseInt32, readOptional } from '../argumentValues.ts';
import {
  invalidParameter,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_WALLET_ERROR,
  RPC_WALLET_INVALID_LABEL_NAME,
  RPC_WALLET_KEYPOOL_RAN_OUT,
} from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { assertUnlocked, type WalletContext, type WalletMethod } from './context.ts';
import { applyToWallet } from './importResult.ts';

/** @see Bitcoin Core `getnewaddress` */
export const getnewaddress: WalletMethod<string> = {
  name: 'getnewaddress',
  needs: 'wallet',
  params: [
    { name: 'label', type: 'string', isOptional: true },
    { name: 'address_type', type: 'string', isOptional: true },
  ],
  checksLate: true,
  help: `Returns a new address of the wallet to receive payments. No address is returned twice.

Arguments:
1. label           (string, optional) a label for it; default none
2. address_type    (string, optional, default bech32) legacy, p2sh-segwit, bech32 or, in core-31, bech32m

Result:
the address

Examples:
> countersign getnewaddress rent bech32 --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    assertAddresses(wallet, 'external');
    const label = readOptional(args[0], 'string', dialect)?.value ?? '';
    if (label === '*') throw new RpcError(RPC_WALLET_INVALID_LABEL_NAME, 'Invalid label name');
    return handOut({ side: 'external', label }, args[1], context);
  },
};

/** @see Bitcoin Core `getrawchangeaddress` */
export const getrawchangeaddress: WalletMethod<string> = {
  name: 'getrawchangeaddress',
  needs: 'wallet',
  params: [{ name: 'address_type', type: 'string', isOptional: true }],
  checksLate: true,
  help: `Returns a new address of the wallet to receive change. To receive payments, use getnewaddress.

Arguments:
1. address_type    (string, optional, default bech32) legacy, p2sh-segwit, bech32 or, in core-31, bech32m

Result:
the address

Examples:
> countersign getrawchangeaddress bech32 --wallet-dir wallets`,
  run: (args, context) => {
    assertAddresses(context.wallet, 'internal');
    return handOut({ side: 'internal' }, args[0], context);
  },
};

/** @throws RpcError -4 */
function assertAddresses(wallet: WalletContext['wallet'], side: Side): void {
  if (hasAddresses(wallet, side)) return;
  throw new RpcError(RPC_WALLET_ERROR, 'Error: This wallet has no available keys');
}

/** Records that the next address of a kind is handed out, and returns it. @throws RpcError -5, -12 */
function handOut(
  terms: { readonly side: Side; readonly label?: string },
  type: JsonValue | undefined,
  context: WalletContext,
): string {
  const { wallet } = context;
  const kind = addressKind(type, context);
  const script = kind === 'mweb' ? 'used up' : nextAddress(wallet, { ...terms, kind });
  if (kind === 'mweb' || script === 'used up') throw ranOut('Error: Keypool ran out, please call keypoolrefill first');
  if (script === 'lacking') throw ranOut(`Error: No ${kind} addresses available.`);
  applyToWallet(context, [{ type: 'address', ...terms, kind }]);
  return addressText(script, context) ?? '';
}

const ranOut = (message: string): RpcError => new RpcError(RPC_WALLET_KEYPOOL_RAN_OUT, message);

/** Parses an address type. Wallets here hand out no addresses in Litecoin's extension block. @throws RpcError -5 */
function addressKind(type: JsonValue | undefined, { dialect }: WalletContext): OutputKind | 'mweb' {
  const name = readOptional(type, 'string', dialect)?.value ?? 'bech32';
  const { knowsBech32m } = walletMethodRules[dialect.generation];
  const known = OUTPUT_KINDS.find((kind) => kind === name && (kind !== 'bech32m' || knowsBech32m));
  if (known) return known;
  if (name === 'mweb' && dialect.showsMweb) return 'mweb';
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Unknown address type '${withoutSecrets(name)}'`);
}

/** @see Bitcoin Core `keypoolrefill` */
export const keypoolrefill: WalletMethod<null> = {
  name: 'keypoolrefill',
  needs: 'wallet',
  params: [{ name: 'newsize', type: 'number', isOptional: true }],
  checksLate: true,
  help: `Derives keys ahead, so that a locked wallet has addresses to hand out, and finds payments to them.

Arguments:
1. newsize    (number, optional, default 1000) how many unused keys or indexes the wallet has then, for each use

Result:
null

Examples:
> countersign keypoolrefill 2000 --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    if (wallet.legacy && wallet.disablesPrivateKeys) {
      throw new RpcError(RPC_WALLET_ERROR, 'Error: Private keys are disabled for this wallet');
    }
    const given = readOptional(args[0], 'number', dialect);
    const size = given ? parseInt32(given) : 0;
    if (size < 0) throw invalidParameter('Invalid parameter, expected valid size.');
    assertUnlocked(wallet);
    applyToWallet(context, [{ type: 'top-up', ...(size > 0 && { size }) }]);
    if (poolSize(wallet) >= size) return null;
    throw new RpcError(RPC_WALLET_ERROR, 'Error refreshing keypool.');
  },
};

/** Counts the unused keys or indexes of both sides. @see Bitcoin Core `CWallet::GetKeyPoolSize` */
function poolSize({ legacy, descriptors }: WalletContext['wallet']): number {
  const sizeOf = (side: Side): number => legacy?.hd.pool.size(side) ?? descriptors?.keypoolSize(side) ?? 0;
  return sizeOf('external') + sizeOf('internal');
}
