import { addressText } from '../../../answers/arguments/addressArgument.ts';
import {
  invalidParameter,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_WALLET_ERROR,
  RPC_WALLET_KEYPOOL_RAN_OUT,
} from '../../../answers/method/errorCodes.ts';
import { choice, int32, optional, string } from '../../../answers/method/parameters.ts';
import { nothing, text } from '../../../answers/method/results.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { OutputKind, Side } from '../../wallet/keys/activeDescriptors.ts';
import { hasAddresses, nextAddress, OUTPUT_KINDS } from '../../wallet/records/newAddresses.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { applyToWallet } from '../importResult.ts';
import { parseLabel } from '../walletArguments.ts';
import { RANGE_ENDED, walletMethodRules } from '../walletMethodRules.ts';

const ADDRESS_TYPE = optional(
  choice('address_type', OUTPUT_KINDS, 'the kind of the address; bech32m since core-29', { default: 'bech32' }),
);

export const getnewaddress = walletMethod({
  name: 'getnewaddress',
  checksLate: true,
  about: 'Returns a new address of the wallet to receive payments. No address is returned twice.',
  params: [optional(string('label', 'a label for it; default none')), ADDRESS_TYPE],
  result: text('the address'),
  examples: ['getnewaddress rent bech32 --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet } = context;
    assertAddresses(wallet, 'external');
    const label = parseLabel(args.label ?? '');
    return handOut({ side: 'external', label }, args.address_type, context);
  },
});

export const getrawchangeaddress = walletMethod({
  name: 'getrawchangeaddress',
  checksLate: true,
  about: 'Returns a new address of the wallet to receive change. To receive payments, use getnewaddress.',
  params: [ADDRESS_TYPE],
  result: text('the address'),
  examples: ['getrawchangeaddress bech32 --wallet-dir wallets'],
  run: (args, context) => {
    assertAddresses(context.wallet, 'internal');
    return handOut({ side: 'internal' }, args.address_type, context);
  },
});

function assertAddresses(wallet: WalletContext['wallet'], side: Side): void {
  if (hasAddresses(wallet, side)) return;
  throw new RpcError(RPC_WALLET_ERROR, 'Error: This wallet has no available keys');
}

function handOut(
  terms: { readonly side: Side; readonly label?: string },
  type: string | undefined,
  context: WalletContext,
): string {
  const { wallet } = context;
  const kind = addressKind(type, terms.side, context);
  const script = kind === 'mweb' ? 'used up' : nextAddress(wallet, { ...terms, kind });
  if (kind === 'mweb' || script === 'used up') throw ranOut('Error: Keypool ran out, please call keypoolrefill first');
  if (script === 'at its end') throw ranOut(RANGE_ENDED);
  if (script === 'lacking') throw ranOut(`Error: No ${kind} addresses available.`);
  applyToWallet(context, [{ type: 'address', ...terms, kind }]);
  return addressText(script, context) ?? '';
}

const ranOut = (message: string): RpcError => new RpcError(RPC_WALLET_KEYPOOL_RAN_OUT, message);

/** Wallets here hand out no MWEB addresses. */
function addressKind(type: string | undefined, side: Side, { dialect, settings }: WalletContext): OutputKind | 'mweb' {
  const usual = (side === 'internal' ? settings.changeKind : undefined) ?? settings.addressKind;
  const name = type ?? usual;
  const { knowsBech32m } = walletMethodRules[dialect.generation];
  const outputKind = OUTPUT_KINDS.find((kind) => kind === name && (kind !== 'bech32m' || knowsBech32m));
  if (outputKind) return outputKind;
  if (name === 'mweb' && dialect.showsMweb) return 'mweb';
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Unknown address type '${withoutSecrets(name)}'`);
}

export const keypoolrefill = walletMethod({
  name: 'keypoolrefill',
  checksLate: true,
  about: 'Derives keys ahead, so that a locked wallet has addresses to hand out, and finds payments to them.',
  params: [
    optional(
      int32('newsize', 'how many unused keys or indexes the wallet has then, for each use', { default: '1000' }),
    ),
  ],
  result: nothing(),
  examples: ['keypoolrefill 2000 --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet } = context;
    if (wallet.legacy && wallet.row.disablesPrivateKeys) {
      throw new RpcError(RPC_WALLET_ERROR, 'Error: Private keys are disabled for this wallet');
    }
    const { newsize: size = 0 } = args;
    if (size < 0) throw invalidParameter('Invalid parameter, expected valid size.');
    assertUnlocked(wallet);
    applyToWallet(context, [{ type: 'top-up', ...(size > 0 && { size }) }]);
    if (poolSize(wallet) >= size) return null;
    throw new RpcError(RPC_WALLET_ERROR, 'Error refreshing keypool.');
  },
});

/** @see Bitcoin Core `CWallet::GetKeyPoolSize` */
function poolSize({ legacy, descriptors }: WalletContext['wallet']): number {
  const countUnused = (side: Side): number => legacy?.hd.pool.size(side) ?? descriptors?.keypoolSize(side) ?? 0;
  return countUnused('external') + countUnused('internal');
}
