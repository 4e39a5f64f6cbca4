import { equalBytes } from '../../core/bytes/compare.ts';
import { RpcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { formatAsm } from '../../core/script/asm.ts';
import { wrapInScriptHash, wrapInWitness } from '../../core/script/build.ts';
import { isPayToScriptHash, parseWitnessProgram } from '../../core/script/template.ts';
import type { SpentOutput } from '../../core/signing/txContext.ts';
import { outpointKey } from '../../core/tx/txid.ts';
import type { Outpoint, OutpointKey, Transaction, TxOut } from '../../core/tx/types.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { ArgumentFor } from '../method/callerTypes.ts';
import { invalidParameter, RPC_DESERIALIZATION_ERROR } from '../method/errorCodes.ts';
import { array, coinAmount, emptyIfAbsent, hexString, int32, object, optional, reading } from '../method/parameters.ts';
import { checkMembers } from '../method/values.ts';
import { parseHexArgument } from './argumentValues.ts';
import { hash } from './outpointArgument.ts';

/** A coin of the caller or the node. As in Core, a `value` of MAX_MONEY marks a missing amount. */
export type Coin = TxOut;

export type Coins = ReadonlyMap<OutpointKey, Coin>;

export function coinsSpentBy(tx: Transaction, coins: Coins): readonly (Coin | undefined)[] {
  return tx.inputs.map(({ outpoint }) => coins.get(outpointKey(outpoint)));
}

/** @see Core `FindCoins` */
export function chainCoins(
  outpoints: readonly Outpoint[],
  { chain }: RpcContext,
): readonly (readonly [OutpointKey, Coin])[] {
  if (!chain) return [];
  return outpoints.flatMap((outpoint): readonly (readonly [OutpointKey, Coin])[] => {
    const coin = chain.coin(outpoint);
    return coin ? [[outpointKey(outpoint), coin]] : [];
  });
}

/** Removes the mark of a missing amount. */
export function withoutMark(coin: Coin | undefined, { maxMoney }: Network): SpentOutput | undefined {
  return coin?.value === maxMoney ? { scriptPubKey: coin.scriptPubKey } : coin;
}

const PREVTX_OBJECT = object(
  '',
  [
    hash('txid', 'the transaction id'),
    int32('vout', 'the output number'),
    hexString('scriptPubKey', 'the output script'),
    optional(hexString('redeemScript', 'required for P2SH')),
    optional(hexString('witnessScript', 'required for P2WSH and P2SH-P2WSH')),
    optional(coinAmount('amount', 'required for segwit inputs', { countsNull: true })),
  ],
  'a previous output',
);

/** A previous output. */
export const PREVTX = reading(PREVTX_OBJECT, (value, context) => {
  if (value?.type === 'object') return PREVTX_OBJECT.read(value, context);
  throw invalid(`expected object with {"txid'","vout","scriptPubKey"}`);
});

/** A previous output, in the form that signing methods take. */
export type Prevtx = ArgumentFor<typeof PREVTX>;
export type PrevtxValues = ReturnType<typeof PREVTX.read>;

export const PREVTXS = emptyIfAbsent(
  array('prevtxs', PREVTX, 'the outputs being spent, unless the chain or mempool has them'),
);

/**
 * Takes the last amount if an outpoint occurs twice. Without `scripts`, redeemScripts and witnessScripts are ignored,
 * as in Core's wallet. `before` are the coins of the node.
 * @throws RpcError with the node's code and text
 * @see Core `ParsePrevouts`
 */
export function parsePrevtxs(
  items: Iterable<PrevtxValues>,
  context: RpcContext,
  {
    scripts,
    before = [],
  }: { readonly scripts?: Uint8Array[]; readonly before?: Iterable<readonly [OutpointKey, Coin]> } = {},
): Coins {
  const coins = new Map<OutpointKey, Coin>(before);
  for (const item of items) {
    const { key, scriptPubKey } = parseOutput(item);
    const coin = coins.get(key);
    if (coin && !equalBytes(coin.scriptPubKey, scriptPubKey)) {
      const [before, now] = [coin.scriptPubKey, scriptPubKey].map((script) => formatAsm(script));
      throw invalid(`Previous output scriptPubKey mismatch:\n${before}\nvs:\n${now}`);
    }
    coins.set(key, { scriptPubKey, value: item.amount ?? context.network.maxMoney });
    const script = scripts && parseInnerScript(item, scriptPubKey);
    if (script) scripts.push(script);
  }
  return coins;
}

function parseOutput(item: PrevtxValues): { key: OutpointKey; scriptPubKey: Uint8Array } {
  checkMembers(item, { only: 'required' });
  const { txid, vout, scriptPubKey } = item;
  if (vout < 0) throw invalid('vout cannot be negative');
  return { key: outpointKey({ txid, vout }), scriptPubKey: parseHexArgument('scriptPubKey', scriptPubKey) };
}

/** Returns the inner one of redeemScript and witnessScript. */
function parseInnerScript(item: PrevtxValues, scriptPubKey: Uint8Array): Uint8Array | undefined {
  const isNested = isPayToScriptHash(scriptPubKey);
  const program = parseWitnessProgram(scriptPubKey);
  if (!isNested && !(program?.version === 0 && program.program.length === 32)) return undefined;
  checkMembers(item);
  const { redeemScript: redeemText, witnessScript: witnessText } = item;
  if (redeemText === undefined && witnessText === undefined)
    throw invalidParameter('Missing redeemScript/witnessScript');
  const name = witnessText === undefined ? 'redeemScript' : 'witnessScript';
  const script = parseHexArgument(name, witnessText ?? redeemText ?? '');
  const wrapped = wrapInWitness(script);
  // Core compares the texts, so that the same hex in another case counts as another script.
  if (redeemText !== undefined && witnessText !== undefined && redeemText !== witnessText) {
    if (!equalBytes(parseHexArgument('redeemScript', redeemText), wrapped)) {
      throw invalidParameter('redeemScript does not correspond to witnessScript');
    }
  }
  const forms = isNested ? [script, wrapped].map(wrapInScriptHash) : [wrapped];
  if (forms.some((form) => equalBytes(form, scriptPubKey))) return script;
  throw invalidParameter('redeemScript/witnessScript does not match scriptPubKey');
}

const invalid = (message: string): RpcError => new RpcError(RPC_DESERIALIZATION_ERROR, message);
