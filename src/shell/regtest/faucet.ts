import { formatHex } from '../../core/bytes/hex.ts';
import { BtcError } from '../../core/errors.ts';
import { halvingInterval } from '../../core/network/networks.ts';
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

/** The coins that a chain gives away: of its own blocks, and change. */
export interface Faucet {
  /** Tells its blocks from those of other nodes. */
  readonly number: number;
  /** Whoever names it spends the coins. */
  readonly witnessScript: Uint8Array;
  readonly scriptPubKey: Uint8Array;
  coins: readonly OutpointKey[];
}

export function createFaucet({ number, coins = [] }: Pick<Faucet, 'number'> & Partial<Faucet>): Faucet {
  const witnessScript = pushNumber(number);
  return { number, witnessScript, scriptPubKey: wrapInWitness(witnessScript), coins };
}

interface Coin extends TxOut {
  readonly key: OutpointKey;
}

/** Keeps the coin of a block that pays the faucet. */
export function keepReward(faucet: Faucet, coinbase: Transaction): void {
  faucet.coins = [...faucet.coins, outputKey(chainTx(coinbase).key, 0)];
}

interface PayTerms {
  /** In satoshi per virtual byte. */
  readonly feeRate?: bigint;
  /** Spends change that is not in a block yet. */
  readonly spendsUnconfirmed?: boolean;
}

/**
 * Builds a transaction that pays coins of the faucet to scripts.
 * @returns `undefined` if the coins that may be spent do not suffice
 */
export function payFrom(
  faucet: Faucet,
  chain: Chain,
  outputs: readonly TxOut[],
  { feeRate = FEE_RATE, spendsUnconfirmed = true }: PayTerms = {},
): Transaction | undefined {
  const size =
    REST_SIZE + OUTPUT_SIZE + outputs.reduce((sum, { scriptPubKey }) => sum + 9n + BigInt(scriptPubKey.length), 0n);
  const wanted = totalValue(outputs);
  const chosen: Coin[] = [];
  let missing = wanted + size * feeRate;
  for (const key of faucet.coins) {
    const coin = missing > 0n ? spendableCoin(chain, key, spendsUnconfirmed) : undefined;
    if (!coin) continue;
    chosen.push({ ...coin, key });
    missing -= coin.value - INPUT_SIZE * feeRate;
  }
  if (missing > 0n) return undefined;
  const change = -missing;
  const tx: Transaction = {
    version: 2,
    inputs: chosen.map(({ key }) => spend(key, faucet)),
    outputs: change < DUST ? outputs : [...outputs, { value: change, scriptPubKey: faucet.scriptPubKey }],
    locktime: 0,
  };
  const spent = new Set(chosen.map(({ key }) => key));
  const kept = faucet.coins.filter((key) => !spent.has(key));
  faucet.coins = change < DUST ? kept : [...kept, outputKey(chainTx(tx).key, outputs.length)];
  return tx;
}

const spend = (key: OutpointKey, { witnessScript }: Faucet): TxIn => ({
  outpoint: { txid: parseTxKey(outpointTxKey(key)), vout: outpointVout(key) },
  scriptSig: new Uint8Array(0),
  sequence: 0xffff_fffd,
  witness: [witnessScript],
});

function spendableCoin(chain: Chain, key: OutpointKey, spendsUnconfirmed: boolean): TxOut | undefined {
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

export const transactionHex = (tx: Transaction): string => formatHex(encodeTransaction(tx));
