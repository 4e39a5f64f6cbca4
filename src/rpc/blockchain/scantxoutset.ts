import { bytesKey, compareBytes } from '../../bytes/compare.ts';
import { formatReversedHex } from '../../bytes/hex.ts';
import { activeBlock, tipOf } from '../../chain/chainState.ts';
import { isPartial } from '../../chain/partialChain.ts';
import type { ChainCoin } from '../../chain/types.ts';
import { descriptorRules } from '../../descriptors/descriptorRules.ts';
import { formatDescriptor } from '../../descriptors/formatDescriptor.ts';
import { type InferKnowledge, inferDescriptor } from '../../descriptors/infer.ts';
import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { createDescriptorProvider } from '../../signing/signingProvider.ts';
import { outpointOfKey } from '../../tx/txid.ts';
import type { Outpoint } from '../../tx/types.ts';
import type { DescriptorArgument } from '../argumentTypes.ts';
import { readValue } from '../argumentValues.ts';
import { derivedRanges } from '../descriptors/descriptorArgument.ts';
import { invalidParameter, RPC_MISC_ERROR } from '../errorCodes.ts';
import type { Json } from '../json/jsonForm.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { choice, json, of, optional } from '../parameters.ts';
import type { FoundCoinJson, FoundCoinsJson } from '../views/chainJsonTypes.ts';
import type { NodeContext } from '../wallet/context.ts';
import { nodeMethod } from '../wallet/context.ts';
import { chainRules } from './chainRules.ts';

/** @see Bitcoin Core `scantxoutset` */
export const scantxoutset = nodeMethod({
  name: 'scantxoutset',
  about: 'Finds the unspent outputs of descriptors in the chain, without a wallet.',
  params: [
    choice(
      'action',
      of<'start' | 'status' | 'abort'>(),
      'start; here, no scan is under way when another call comes, so that status answers null and abort false',
    ),
    optional(
      json(
        'scanobjects',
        of<readonly DescriptorArgument[]>(),
        { type: 'array' },
        `required for start: descriptors, with the indexes of their wildcards, by default 0 to 1000
     ["descriptor", { "desc": "descriptor", "range": n or [n,n] }, ...]`,
      ),
    ),
  ],
  result: `success           true
txouts            how many unspent outputs there are
height, bestblock the block after which that is so
unspents          the outputs found: txid, vout, scriptPubKey, desc, amount, height; in core-31 also coinbase, blockhash and
                  confirmations
total_amount      the sum of their amounts`,
  examples: ['scantxoutset start \'["wpkh(02a4a9...)"]\' --wallet-dir wallets'],
  run: (args, context): FoundCoinsJson | boolean | null => {
    const { dialect } = context;
    const action = args.action;
    if (action === 'status') return null;
    if (action === 'abort') return false;
    const { namesScanActions } = chainRules[dialect.generation];
    if (action !== 'start') {
      throw invalidParameter(namesScanActions ? `Invalid action '${withoutSecrets(action)}'` : 'Invalid command');
    }
    if (!args.scanobjects) {
      throw new RpcError(RPC_MISC_ERROR, 'scanobjects argument is required for the start action');
    }
    const wanted = scriptsOf(readValue(args.scanobjects, 'array', dialect).items, context);
    if (isPartial(context.node.chain)) throw new RpcError(RPC_MISC_ERROR, UNKNOWN_COINS);
    return scan(wanted, context);
  },
});

const UNKNOWN_COINS =
  'The unspent outputs are not all known, as blocks are missing: submit every block since the genesis block';

/** The scripts to look for, each with the keys and scripts of the first scan object that derives it. */
type Wanted = ReadonlyMap<string, InferKnowledge>;

function scriptsOf(items: readonly JsonValue[], context: NodeContext): Wanted {
  const { templates, generation } = context.dialect;
  const wanted = new Map<string, InferKnowledge>();
  for (const item of items) {
    const derived = derivedRanges([item], context).flatMap((range) => range.derived);
    const takesAnyKey = descriptorRules[generation].infersAnyKey;
    const known = { ...createDescriptorProvider(derived), templates, takesAnyKey };
    for (const { scriptPubKeys } of derived) {
      for (const script of scriptPubKeys) {
        const key = bytesKey(script);
        if (!wanted.has(key)) wanted.set(key, known);
      }
    }
  }
  return wanted;
}

interface Found {
  readonly outpoint: Outpoint;
  readonly coin: ChainCoin;
  readonly known: InferKnowledge;
}

function scan(wanted: Wanted, context: NodeContext): FoundCoinsJson {
  const { json, node } = context;
  const found: Found[] = [];
  let count = 0;
  for (const [key, coin] of node.chain.coins.stored()) {
    count += 1;
    const known = wanted.get(bytesKey(coin.scriptPubKey));
    if (known) found.push({ outpoint: outpointOfKey(key), coin, known });
  }
  found.sort((a, b) => compareBytes(a.outpoint.txid, b.outpoint.txid) || a.outpoint.vout - b.outpoint.vout);
  const tip = tipOf(node.chain);
  const whole = json.object<FoundCoinsJson>({
    success: true,
    txouts: count,
    height: tip.height,
    bestblock: json.plain(formatReversedHex(tip.hash)),
    unspents: json.list(found, (coin) => foundJson(coin, context)),
    total_amount: json.amount(found.reduce((sum, { coin }) => sum + coin.value, 0n)),
  });
  return json.answer(whole);
}

function foundJson({ outpoint, coin, known }: Found, context: NodeContext): Json<FoundCoinJson> {
  const { json, node, network, dialect } = context;
  const { scriptPubKey, value, isCoinbase, height = 0 } = coin;
  const block = chainRules[dialect.generation].showsBlocksOfCoins ? activeBlock(node.chain, height) : undefined;
  return json.object<FoundCoinJson>({
    txid: json.plain(formatReversedHex(outpoint.txid)),
    vout: outpoint.vout,
    scriptPubKey: json.hex(scriptPubKey),
    desc: json.text(formatDescriptor(inferDescriptor(scriptPubKey, known), network)),
    amount: json.amount(value),
    ...(block && { coinbase: isCoinbase }),
    height,
    ...(block && {
      blockhash: json.plain(formatReversedHex(block.hash)),
      confirmations: tipOf(node.chain).height - height + 1,
    }),
  });
}
