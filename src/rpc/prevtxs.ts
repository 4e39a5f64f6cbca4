import { equalBytes } from '../bytes/compare.ts';
import { RpcError } from '../errors.ts';
import { formatAsm } from '../script/asm.ts';
import { formatTxid } from '../tx/txid.ts';
import type { Outpoint, TxOut } from '../tx/types.ts';
import { amountOf } from './amount.ts';
import type { RpcContext } from './dialect.ts';
import { RPC_DESERIALIZATION_ERROR } from './errorCodes.ts';
import { type JsonMember, type JsonValue, memberOf } from './jsonValue.ts';
import { hexOf, int32Of, requiredMember, txidOf } from './members.ts';

/**
 * A coin that a caller says is there. `value` is the most coins there can be where no amount was given: a node's mark
 * for a missing amount.
 */
export type Coin = TxOut;

/** Coins by outpoint. */
export type Coins = ReadonlyMap<string, Coin>;

/** The name of an outpoint in `Coins`. */
export function coinName({ txid, vout }: Outpoint): string {
  return `${formatTxid(txid)}:${vout}`;
}

/**
 * Reads the outputs being spent, as signing methods take them. Of an outpoint given twice, the last amount counts.
 * @throws RpcError with the node's code and text
 * @see Bitcoin Core `ParsePrevouts`
 */
export function parsePrevtxs(value: JsonValue | undefined, context: RpcContext): Coins {
  const coins = new Map<string, Coin>();
  for (const item of value?.type === 'array' ? value.items : []) {
    if (item.type !== 'object') throw invalid(`expected object with {"txid'","vout","scriptPubKey"}`);
    const { name, coin } = parsePrevtx(item.members, context);
    const known = coins.get(name);
    if (known && !equalBytes(known.scriptPubKey, coin.scriptPubKey)) {
      const [before, now] = [known, coin].map(({ scriptPubKey }) => formatAsm(scriptPubKey));
      throw invalid(`Previous output scriptPubKey mismatch:\n${before}\nvs:\n${now}`);
    }
    coins.set(name, coin);
  }
  return coins;
}

function parsePrevtx(members: readonly JsonMember[], { dialect, network }: RpcContext): { name: string; coin: Coin } {
  const scriptText = requiredMember(members, 'scriptPubKey', 'string', dialect);
  const txidText = requiredMember(members, 'txid', 'string', dialect);
  const voutText = requiredMember(members, 'vout', 'number', dialect);
  const txid = txidOf('txid', txidText.value);
  const vout = int32Of(voutText);
  if (vout < 0) throw invalid('vout cannot be negative');
  const scriptPubKey = hexOf('scriptPubKey', scriptText.value);
  const amount = memberOf(members, 'amount');
  const value = amount ? amountOf(amount, network) : network.maxMoney;
  return { name: coinName({ txid, vout }), coin: { value, scriptPubKey } };
}

const invalid = (message: string): RpcError => new RpcError(RPC_DESERIALIZATION_ERROR, message);
