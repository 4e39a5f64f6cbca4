import { equalBytes } from '../../core/bytes/compare.ts';
import { RpcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { formatAsm } from '../../core/script/asm.ts';
import { wrapInScriptHash, wrapInWitness } from '../../core/script/build.ts';
import { isPayToScriptHash, parseWitnessProgram } from '../../core/script/template.ts';
import type { SpentOutput } from '../../core/signing/txContext.ts';
import { outpointKey } from '../../core/tx/txid.ts';
import type { Outpoint, OutpointKey, Transaction, TxOut } from '../../core/tx/types.ts';
import type { Dialect, RpcContext } from '../dialect/dialect.ts';
import { findMember, type JsonMember, type JsonValue } from '../json/jsonValue.ts';
import { invalidParameter, RPC_DESERIALIZATION_ERROR } from '../method/errorCodes.ts';
import { parseAmountArgument } from './amountArgument.ts';
import { createFields, parseHexArgument, parseInt32, parseTxidArgument } from './argumentValues.ts';

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

/** Help of methods that take no scripts. */
export const PREVTXS_FIELDS = `     [{
       "txid": "hex",            (string, required) the transaction id
       "vout": n,                (number, required) the output number
       "scriptPubKey": "hex",    (string, required) the output script
       "amount": amount          (number or string) the amount in coins; required for segwit inputs
     }, ...]`;

/**
 * Takes the last amount if an outpoint occurs twice. Without `scripts`, redeemScripts and witnessScripts are ignored,
 * as in Core's wallet. `before` are the coins of the node.
 * @throws RpcError with the node's code and text
 * @see Core `ParsePrevouts`
 */
export function parsePrevtxs(
  value: JsonValue | undefined,
  context: RpcContext,
  {
    scripts,
    before = [],
  }: { readonly scripts?: Uint8Array[]; readonly before?: Iterable<readonly [OutpointKey, Coin]> } = {},
): Coins {
  const coins = new Map<OutpointKey, Coin>(before);
  for (const item of value?.type === 'array' ? value.items : []) {
    if (item.type !== 'object') throw invalid(`expected object with {"txid'","vout","scriptPubKey"}`);
    const { members } = item;
    const { key, scriptPubKey } = parseOutput(members, context);
    const coin = coins.get(key);
    if (coin && !equalBytes(coin.scriptPubKey, scriptPubKey)) {
      const [before, now] = [coin.scriptPubKey, scriptPubKey].map((script) => formatAsm(script));
      throw invalid(`Previous output scriptPubKey mismatch:\n${before}\nvs:\n${now}`);
    }
    const amount = findMember(members, 'amount');
    coins.set(key, {
      scriptPubKey,
      value: amount ? parseAmountArgument(amount, context.network) : context.network.maxMoney,
    });
    const script = scripts && parseInnerScript(members, scriptPubKey, context.dialect);
    if (script) scripts.push(script);
  }
  return coins;
}

function parseOutput(
  members: readonly JsonMember[],
  { dialect }: RpcContext,
): { key: OutpointKey; scriptPubKey: Uint8Array } {
  const fields = createFields(members, dialect);
  const scriptText = fields.required('scriptPubKey', 'string');
  const txidText = fields.required('txid', 'string');
  const voutText = fields.required('vout', 'number');
  const txid = parseTxidArgument('txid', txidText.value);
  const vout = parseInt32(voutText);
  if (vout < 0) throw invalid('vout cannot be negative');
  return { key: outpointKey({ txid, vout }), scriptPubKey: parseHexArgument('scriptPubKey', scriptText.value) };
}

/** Returns the inner one of redeemScript and witnessScript. */
function parseInnerScript(
  members: readonly JsonMember[],
  scriptPubKey: Uint8Array,
  dialect: Dialect,
): Uint8Array | undefined {
  const isNested = isPayToScriptHash(scriptPubKey);
  const program = parseWitnessProgram(scriptPubKey);
  if (!isNested && !(program?.version === 0 && program.program.length === 32)) return undefined;
  const fields = createFields(members, dialect);
  const redeemText = fields.optional('redeemScript', 'string')?.value;
  const witnessText = fields.optional('witnessScript', 'string')?.value;
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
