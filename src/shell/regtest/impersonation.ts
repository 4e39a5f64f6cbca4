import { parseAddress } from '../../core/address/address.ts';
import { equalBytes } from '../../core/bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { BtcError } from '../../core/errors.ts';
import { networks } from '../../core/network/networks.ts';
import { formatTxid, outputKey, parseOutpointKey } from '../../core/tx/txid.ts';
import type { OutpointKey, Transaction, TxIn } from '../../core/tx/types.ts';
import type { Chain } from '../../node/chain/chainState.ts';
import { totalValue } from '../../node/chain/spendRules.ts';
import { assertFeeRate, assertSats } from './checkedArguments.ts';
import { keepOutput, payFrom, spend, spendableCoin } from './faucet.ts';
import type { Tools } from './tools.ts';

/** An output that can be spent. */
export interface ImpersonatedCoin {
  readonly txid: string;
  readonly vout: number;
  /** In satoshi. */
  readonly value: bigint;
}

/** The owner of an address, played without keys. */
export interface Impersonation {
  readonly address: string;
  /** Lists the coins that can be spent, also unconfirmed ones. */
  readonly coins: () => readonly ImpersonatedCoin[];
  /** Sums these coins, in satoshi. */
  readonly balance: () => bigint;
  /**
   * Pays satoshi to an address, unsigned; change goes back to the address. @returns the txid
   * @throws BtcError `regtest/no-funds`; RpcError as `sendrawtransaction`
   */
  readonly send: (address: string, sats: bigint, options?: SendOptions) => string;
}

/** How an impersonated owner pays. */
export interface SendOptions {
  /** In satoshi per virtual byte. Default 10. */
  readonly feeRate?: number;
}

const SEND_OPTIONS: OptionNames<SendOptions> = { feeRate: true };

/** Plays the owner of an address from now on. */
export function impersonate(address: string, { node, send, waiving }: Tools): Impersonation {
  const scriptPubKey = parseAddress(address, networks.regtest);
  waiving(scriptPubKey, () => undefined);
  const coins = (): readonly ImpersonatedCoin[] =>
    keysOf(node.chain, scriptPubKey).flatMap((key) => {
      const coin = spendableCoin(node.chain, key, true);
      const { txid, vout } = parseOutpointKey(key);
      return coin ? [{ txid: formatTxid(txid), vout, value: coin.value }] : [];
    });
  const balance = (): bigint => totalValue(coins());
  return {
    address,
    coins,
    balance,
    send: (to, sats, given = {}) => {
      assertKnownOptions(given, SEND_OPTIONS);
      assertSats(sats);
      const { feeRate = 10 } = given;
      assertFeeRate(feeRate);
      const purse = { scriptPubKey, witness: [], coins: keysOf(node.chain, scriptPubKey) };
      const outputs = [{ value: sats, scriptPubKey: parseAddress(to, networks.regtest) }];
      const tx = payFrom(purse, node.chain, outputs, { feeRate: BigInt(Math.ceil(feeRate)) });
      if (!tx) throw tooPoor(balance(), sats);
      return send(tx);
    },
  };
}

function tooPoor(most: bigint, sats: bigint): BtcError {
  const message = `The address has ${most} satoshi to spend, not ${sats} and the fee: send less, or fund it first`;
  return new BtcError('regtest/no-funds', { most: String(most) }, message);
}

/**
 * Makes the confirmed coins of an address worth so many satoshi, in a new block: pays what is missing, or takes the rest
 * away without a fee.
 */
export function setBalance(address: string, sats: bigint, { node, faucet, fund, mineOnly, waiving }: Tools): void {
  const { chain } = node;
  const scriptPubKey = parseAddress(address, networks.regtest);
  const coins = keysOf(chain, scriptPubKey).flatMap((key) => {
    const coin = spendableCoin(chain, key, false);
    return coin ? [{ key, value: coin.value }] : [];
  });
  const surplus = totalValue(coins) - sats;
  if (surplus < 0n) fund(address, -surplus);
  if (surplus <= 0n) return;
  let taken = 0n;
  const inputs: TxIn[] = [];
  for (const { key, value } of coins) {
    if (taken >= surplus) break;
    inputs.push(spend(key, { witness: [] }));
    taken += value;
  }
  const left = { value: taken - surplus, scriptPubKey };
  const outputs = [{ value: surplus, scriptPubKey: faucet().scriptPubKey }, ...(left.value > 0n ? [left] : [])];
  const tx: Transaction = { version: 2, inputs, outputs, locktime: 0 };
  waiving(scriptPubKey, () => mineOnly(tx));
  keepOutput(faucet(), tx, 0);
}

/** Finds the outputs of a script, also of the mempool. */
function keysOf({ coins, mempool }: Chain, scriptPubKey: Uint8Array): readonly OutpointKey[] {
  const keys: OutpointKey[] = [];
  for (const [key, coin] of coins.entries()) if (equalBytes(coin.scriptPubKey, scriptPubKey)) keys.push(key);
  for (const { key, tx } of mempool.values()) {
    for (const [vout, output] of tx.outputs.entries()) {
      if (equalBytes(output.scriptPubKey, scriptPubKey)) keys.push(outputKey(key, vout));
    }
  }
  return keys;
}
