import type { RpcCall } from '../../answers/method/call.ts';
import { formatAmount } from '../../core/encoding/amount.ts';
import type { RpcMethods } from '../../node/registry.ts';
import { assertSats } from './checkedArguments.ts';

/** A wallet of a node. */
export interface RegtestWallet {
  readonly name: string;
  /** Calls a method for this wallet. */
  readonly call: RpcCall<RpcMethods>;
  /** Returns a new address. */
  readonly address: (label?: string) => string;
  /** Pays satoshi to an address. @returns the txid */
  readonly send: (address: string, sats: bigint) => string;
  /** Returns the trusted balance in satoshi. */
  readonly balance: () => bigint;
}

const SATS = 100_000_000;

export function createWalletHandle(
  call: RpcCall<RpcMethods>,
  name: string,
  /** How a new wallet begins: `isBlank`, without keys. */
  { isBlank = false }: { readonly isBlank?: boolean } = {},
): RegtestWallet {
  if (!call('listwallets').includes(name)) openWallet(call, name, isBlank);
  const own = ((method: string, params: readonly unknown[] = []) => call(method, params, name)) as RpcCall<RpcMethods>;
  return {
    name,
    call: own,
    address: (label = '') => own('getnewaddress', [label]),
    send: (address, sats) => {
      assertSats(sats);
      return String(own('sendtoaddress', { address, amount: formatAmount(sats) }));
    },
    balance: () => BigInt(Math.round(own('getbalance') * SATS)),
  };
}

/** Loads a wallet that is there already. */
function openWallet(call: RpcCall<RpcMethods>, name: string, isBlank: boolean): void {
  if (call('listwalletdir').wallets.some((wallet) => wallet.name === name)) call('loadwallet', [name]);
  else call('createwallet', [name, false, isBlank]);
}
