import { formatAddress } from '../../core/address/address.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { BtcError } from '../../core/errors.ts';
import { halvingInterval, networks } from '../../core/network/networks.ts';
import { pushNumber, wrapInWitness } from '../../core/script/build.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { outpointTxKey, outpointVout, outputKey, parseTxKey } from '../../core/tx/txid.ts';
import type { OutpointKey, Transaction, TxIn, TxOut } from '../../core/tx/types.ts';
import { activeTip, type Chain } from '../../node/chain/chainState.ts';
import { chainTx } from '../../node/chain/chainTx.ts';
import { findSpender } from '../../node/chain/mempool.ts';
import { COINBASE_MATURITY, totalValue } from '../../node/chain/spendRules.ts';
import { blockSubsidy } from '../../node/chain/subsidy.ts';

/** In satoshi per virtual byte. */
const FEE_RATE = 10n;
/** In virtual bytes. */
const [INPUT_SIZE, OUTPUT_SIZE, REST_SIZE] = [43n, 43n, 11n];
const DUST = 330n;

/** Coins of a script that the chain can spend. */
export interface Purse {
  readonly scriptPubKey: Uint8Array;
  /** Of each input. */
  readonly witness: readonly Uint8Array[];
  /** What is left, with change. */
  coins: readonly OutpointKey[];
}

/** The coins that a chain gives away: of its own blocks, and change. Anybody who knows the script can spend them. */
export interface Faucet extends Purse {
  /** Tells its blocks from those of other nodes. */
  readonly number: number;
}

export function createFaucet({ number, coins = [] }: Pick<Faucet, 'number'> & Partial<Faucet>): Faucet {
  const witnessScript = pushNumber(number);
  return { number, witness: [witnessScript], scriptPubKey: wrapInWitness(witnessScript), coins };
}

interface Coin extends TxOut {
  readonly key: OutpointKey;
}

/** Keeps an output that pays the faucet. */
export function keepOutput(faucet: Faucet, tx: Transaction, vout: number): void {
  faucet.coins = [...faucet.coins, outputKey(chainTx(tx).key, vout)];
}

interface PayTerms {
  /** In satoshi per virtual byte. */
  readonly feeRate?: bigint;
  /** Spends change that is not in a block yet. */
  readonly spendsUnconfirmed?: boolean;
}

/**
 * Builds a transaction that pays coins of a purse to scripts.
 * @returns `undefined` if the coins that may be spent do not suffice
 */
export function payFrom(
  purse: Purse,
  chain: Chain,
  outputs: readonly TxOut[],
  { feeRate = FEE_RATE, spendsUnconfirmed = true }: PayTerms = {},
): Transaction | undefined {
  const size =
    REST_SIZE + OUTPUT_SIZE + outputs.reduce((sum, { scriptPubKey }) => sum + 9n + BigInt(scriptPubKey.length), 0n);
  const wanted = totalValue(outputs);
  const chosen: Coin[] = [];
  let missing = wanted + size * feeRate;
  for (const key of purse.coins) {
    const coin = missing > 0n ? spendableCoin(chain, key, spendsUnconfirmed) : undefined;
    if (!coin) continue;
    chosen.push({ ...coin, key });
    missing -= coin.value - INPUT_SIZE * feeRate;
  }
  if (missing > 0n) return undefined;
  const change = -missing;
  const tx: Transaction = {
    version: 2,
    inputs: chosen.map(({ key }) => spend(key, purse)),
    outputs: change < DUST ? outputs : [...outputs, { value: change, scriptPubKey: purse.scriptPubKey }],
    locktime: 0,
  };
  const spent = new Set(chosen.map(({ key }) => key));
  const kept = purse.coins.filter((key) => !spent.has(key));
  purse.coins = change < DUST ? kept : [...kept, outputKey(chainTx(tx).key, outputs.length)];
  return tx;
}

/** Spends a coin of a purse. */
export const spend = (key: OutpointKey, { witness }: Pick<Purse, 'witness'>): TxIn => ({
  outpoint: { txid: parseTxKey(outpointTxKey(key)), vout: outpointVout(key) },
  scriptSig: new Uint8Array(0),
  sequence: 0xffff_fffd,
  witness,
});

/** Finds a coin that no transaction spends and that is mature. */
export function spendableCoin(chain: Chain, key: OutpointKey, spendsUnconfirmed: boolean): TxOut | undefined {
  if (findSpender(chain, key)) return undefined;
  const coin = chain.coins.get(key);
  if (!coin && spendsUnconfirmed) return chain.mempool.get(outpointTxKey(key))?.tx.outputs[outpointVout(key)];
  if (!coin) return undefined;
  const isMature = !coin.isCoinbase || activeTip(chain).height + 1 - (coin.height ?? 0) >= COINBASE_MATURITY;
  return isMature ? coin : undefined;
}

/** @throws BtcError `regtest/no-funds` for more than the faucet has, and the blocks to come will create */
export function assertFunds({ coins }: Faucet, chain: Chain, sats: bigint): void {
  const own = coins.reduce((sum, key) => sum + (chain.coins.get(key)?.value ?? 0n), 0n);
  const most = own + remainingSubsidies(chain);
  if (sats <= most) return;
  const message = `The chain has ${most} satoshi to give away, not ${sats}: ask for less, or start a new chain`;
  throw new BtcError('regtest/no-funds', { most: String(most) }, message);
}

function remainingSubsidies(chain: Chain): bigint {
  const interval = halvingInterval(chain.network);
  const next = activeTip(chain).height + 1;
  let sum = 0n;
  for (let height = next; blockSubsidy(height, chain.network) > 0n; ) {
    const end = (Math.floor(height / interval) + 1) * interval;
    sum += BigInt(end - height) * blockSubsidy(height, chain.network);
    height = end;
  }
  return sum;
}

export const faucetAddress = ({ scriptPubKey }: Faucet): string => formatAddress(scriptPubKey, networks.regtest) ?? '';

export const transactionHex = (tx: Transaction): string => formatHex(encodeTransaction(tx));
