import { equalBytes } from '../bytes/compare.ts';
import { RpcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { formatAsm } from '../script/asm.ts';
import { wrapInScriptHash, wrapInWitness } from '../script/build.ts';
import { isPayToScriptHash, witnessProgramOf } from '../script/template.ts';
import type { SpentOutput } from '../signing/signTransaction.ts';
import { formatTxid } from '../tx/txid.ts';
import type { Outpoint, Transaction, TxOut } from '../tx/types.ts';
import { amountOf } from './amount.ts';
import type { Dialect, RpcContext } from './dialect.ts';
import { RPC_DESERIALIZATION_ERROR, RPC_INVALID_PARAMETER } from './errorCodes.ts';
import { type JsonMember, type JsonValue, memberOf } from './jsonValue.ts';
import { hexOf, int32Of, requiredMember, txidOf } from './members.ts';

/**
 * A coin that a caller says is there. `value` is the most coins there can be where no amount was given: a node's mark
 * for a missing amount.
 */
export type Coin = TxOut;

/** Coins by outpoint. */
export type Coins = ReadonlyMap<string, Coin>;

/** The coins that a transaction spends, one an input, as far as they are known. */
export function coinsSpentBy(tx: Transaction, coins: Coins): readonly (Coin | undefined)[] {
  return tx.inputs.map(({ outpoint }) => coins.get(coinName(outpoint)));
}

/** The coins of outpoints that the chain and mempool of a node tell, if there is a node. @see Bitcoin Core `FindCoins` */
export function chainCoins(
  outpoints: readonly Outpoint[],
  { chain }: RpcContext,
): readonly (readonly [string, Coin])[] {
  if (!chain) return [];
  return outpoints.flatMap((outpoint): readonly (readonly [string, Coin])[] => {
    const coin = chain.coin(outpoint);
    return coin ? [[coinName(outpoint), coin]] : [];
  });
}

/** The same coin without the mark for an amount that is not known. */
export function withoutMark(coin: Coin | undefined, { maxMoney }: Network): SpentOutput | undefined {
  return coin?.value === maxMoney ? { scriptPubKey: coin.scriptPubKey } : coin;
}

/** The name of an outpoint in `Coins`. */
export function coinName({ txid, vout }: Outpoint): string {
  return `${formatTxid(txid)}:${vout}`;
}

/**
 * Reads the outputs being spent, as signing methods take them. Of an outpoint given twice, the last amount counts.
 *
 * - `scripts`: gathers the redeemScripts and witnessScripts, which must then fit their outputs; left out where nobody
 *   asks for scripts, as in a node's wallet
 *
 * - `before`: the coins that are known to be there already, which are replaced
 *
 * @throws RpcError with the node's code and text
 * @see Bitcoin Core `ParsePrevouts`
 */
export function parsePrevtxs(
  value: JsonValue | undefined,
  context: RpcContext,
  {
    scripts,
    before = [],
  }: { readonly scripts?: Uint8Array[]; readonly before?: Iterable<readonly [string, Coin]> } = {},
): Coins {
  const coins = new Map<string, Coin>(before);
  for (const item of value?.type === 'array' ? value.items : []) {
    if (item.type !== 'object') throw invalid(`expected object with {"txid'","vout","scriptPubKey"}`);
    const { members } = item;
    const { name, scriptPubKey } = parseOutput(members, context);
    const known = coins.get(name);
    if (known && !equalBytes(known.scriptPubKey, scriptPubKey)) {
      const [before, now] = [known.scriptPubKey, scriptPubKey].map((script) => formatAsm(script));
      throw invalid(`Previous output scriptPubKey mismatch:\n${before}\nvs:\n${now}`);
    }
    const amount = memberOf(members, 'amount');
    coins.set(name, { scriptPubKey, value: amount ? amountOf(amount, context.network) : context.network.maxMoney });
    const script = scripts && innerScriptOf(members, scriptPubKey, context.dialect);
    if (script) scripts.push(script);
  }
  return coins;
}

function parseOutput(
  members: readonly JsonMember[],
  { dialect }: RpcContext,
): { name: string; scriptPubKey: Uint8Array } {
  const scriptText = requiredMember(members, 'scriptPubKey', 'string', dialect);
  const txidText = requiredMember(members, 'txid', 'string', dialect);
  const voutText = requiredMember(members, 'vout', 'number', dialect);
  const txid = txidOf('txid', txidText.value);
  const vout = int32Of(voutText);
  if (vout < 0) throw invalid('vout cannot be negative');
  return { name: coinName({ txid, vout }), scriptPubKey: hexOf('scriptPubKey', scriptText.value) };
}

/** The script that an output wraps, where it wraps one: of both that may be given, the inner one. */
function innerScriptOf(
  members: readonly JsonMember[],
  scriptPubKey: Uint8Array,
  dialect: Dialect,
): Uint8Array | undefined {
  const isNested = isPayToScriptHash(scriptPubKey);
  const program = witnessProgramOf(scriptPubKey);
  if (!isNested && !(program?.version === 0 && program.program.length === 32)) return undefined;
  const redeemText = optionalText(members, 'redeemScript', dialect);
  const witnessText = optionalText(members, 'witnessScript', dialect);
  if (redeemText === undefined && witnessText === undefined) throw unfit('Missing redeemScript/witnessScript');
  const name = witnessText === undefined ? 'redeemScript' : 'witnessScript';
  const script = hexOf(name, witnessText ?? redeemText ?? '');
  const wrapped = wrapInWitness(script);
  // Compared as text: the same script in other letters is taken for another.
  if (redeemText !== undefined && witnessText !== undefined && redeemText !== witnessText) {
    if (!equalBytes(hexOf('redeemScript', redeemText), wrapped)) {
      throw unfit('redeemScript does not correspond to witnessScript');
    }
  }
  const forms = isNested ? [script, wrapped].map(wrapInScriptHash) : [wrapped];
  if (forms.some((form) => equalBytes(form, scriptPubKey))) return script;
  throw unfit('redeemScript/witnessScript does not match scriptPubKey');
}

/** A member that may be left out or null. @throws RpcError -3 */
function optionalText(members: readonly JsonMember[], name: string, dialect: Dialect): string | undefined {
  const value = memberOf(members, name);
  return !value || value.type === 'null' ? undefined : requiredMember(members, name, 'string', dialect).value;
}

const invalid = (message: string): RpcError => new RpcError(RPC_DESERIALIZATION_ERROR, message);
const unfit = (message: string): RpcError => new RpcError(RPC_INVALID_PARAMETER, message);
