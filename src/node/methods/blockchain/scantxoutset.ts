import { isAbsent } from '../../../answers/arguments/argumentValues.ts';
import { derivedRanges } from '../../../answers/arguments/descriptorArgument.ts';
import { invalidParameter, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { choice, optional, unread } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import {
  type Answer,
  amount,
  chosenBy,
  either,
  flag,
  hex,
  list,
  maybe,
  members,
  nothing,
  numeric,
  text,
  when,
} from '../../../answers/method/results.ts';
import { compareBytes } from '../../../core/bytes/compare.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { descriptorRules } from '../../../core/descriptors/descriptorRules.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { type InferKnowledge, inferDescriptor } from '../../../core/descriptors/infer.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { createDescriptorProvider } from '../../../core/signing/signingProvider.ts';
import { parseOutpointKey } from '../../../core/tx/txid.ts';
import type { Outpoint } from '../../../core/tx/types.ts';
import { activeBlock, activeTip } from '../../chain/chainState.ts';
import { isPartial } from '../../chain/partialChain.ts';
import type { ChainCoin } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { saveTips } from '../savedTips.ts';
import { noScanObjects, SCAN_ACTIONS, SCANOBJECTS } from './scanblocks.ts';

const foundCoinResult = members({
  txid: hex(),
  vout: numeric(),
  scriptPubKey: hex(),
  desc: text('with its checksum'),
  amount: amount(),
  coinbase: maybe(flag(), { since: 'core-29' }),
  height: numeric(),
  blockhash: maybe(hex(), { since: 'core-29' }),
  confirmations: maybe(numeric(), { since: 'core-29' }),
});

/** An unspent output that `scantxoutset` found. */
export type FoundCoinJson = Answer<typeof foundCoinResult>;

const foundCoinsResult = members({
  success: flag(),
  txouts: numeric('the number of unspent outputs in the chain'),
  height: numeric(),
  bestblock: hex('the last block of the chain'),
  unspents: list(foundCoinResult),
  total_amount: amount(),
});

/** The answer of `scantxoutset start`. */
export type FoundCoinsJson = Answer<typeof foundCoinsResult>;

export const scantxoutset = nodeMethod({
  name: 'scantxoutset',
  category: 'blockchain',
  about: 'Finds the unspent outputs of descriptors in the chain, without a wallet.',
  params: [
    choice(
      'action',
      SCAN_ACTIONS,
      'start; here, no scan is under way when another call comes, so that status answers null and abort false',
    ),
    optional(unread({ ...SCANOBJECTS, about: 'required for start: descriptors, with the indexes to derive' })),
  ],
  result: chosenBy(
    'action',
    when(['start'], foundCoinsResult),
    when(['abort'], flag('whether a scan was ended')),
    when(
      ['status'],
      either(
        members({ progress: numeric('in percent') }, 'of a node that is scanning'),
        nothing('no scan is under way'),
      ),
    ),
  ),
  examples: ['scantxoutset start \'["wpkh(02a4a9...)"]\' --wallet-dir wallets'],
  run: (args, context) => {
    const { dialect } = context;
    const action = args.action;
    if (action === 'status') return null;
    if (action === 'abort') return false;
    const { namesScanActions, countsNullScans } = chainRules[dialect.generation];
    if (action !== 'start') {
      throw invalidParameter(namesScanActions ? `Invalid action '${withoutSecrets(action)}'` : 'Invalid command');
    }
    if (!args.scanobjects || (countsNullScans && isAbsent(args.scanobjects))) throw noScanObjects();
    const scripts = deriveScripts(SCANOBJECTS.read(args.scanobjects, context), context);
    if (isPartial(context.node.chain)) throw new RpcError(RPC_MISC_ERROR, UNKNOWN_COINS);
    saveTips(context);
    return scan(scripts, context);
  },
});

const UNKNOWN_COINS =
  'The unspent outputs are not all known, as blocks are missing: submit every block since the genesis block';

/** Maps scripts to the keys and scripts of the first scan object that derives them. */
type Wanted = ReadonlyMap<ScriptKey, InferKnowledge>;

function deriveScripts(items: ReturnType<typeof SCANOBJECTS.read>, context: NodeContext): Wanted {
  const { templates, generation } = context.dialect;
  const scripts = new Map<ScriptKey, InferKnowledge>();
  for (const item of items) {
    const derived = derivedRanges([item], context).flatMap((range) => range.derived);
    const takesAnyKey = descriptorRules[generation].infersAnyKey;
    const knowledge = { ...createDescriptorProvider(derived), templates, takesAnyKey };
    for (const { scriptPubKeys } of derived) {
      for (const script of scriptPubKeys) {
        const key = scriptKey(script);
        if (!scripts.has(key)) scripts.set(key, knowledge);
      }
    }
  }
  return scripts;
}

interface Found {
  readonly outpoint: Outpoint;
  readonly coin: ChainCoin;
  readonly knowledge: InferKnowledge;
}

function scan(scripts: Wanted, context: NodeContext): Draft<typeof foundCoinsResult> {
  const { node } = context;
  const coins: Found[] = [];
  let count = 0;
  for (const [key, coin] of node.chain.coins.entries()) {
    count += 1;
    const knowledge = scripts.get(scriptKey(coin.scriptPubKey));
    if (knowledge) coins.push({ outpoint: parseOutpointKey(key), coin, knowledge });
  }
  coins.sort((a, b) => compareBytes(a.outpoint.txid, b.outpoint.txid) || a.outpoint.vout - b.outpoint.vout);
  const tip = activeTip(node.chain);
  return {
    success: true,
    txouts: count,
    height: tip.height,
    bestblock: formatReversedHex(tip.hash),
    unspents: coins.map((coin) => foundDraft(coin, context)),
    total_amount: coins.reduce((sum, { coin }) => sum + coin.value, 0n),
  };
}

function foundDraft(
  { outpoint, coin, knowledge }: Found,
  { node, network }: NodeContext,
): Draft<typeof foundCoinResult> {
  const { scriptPubKey, value, isCoinbase, height = 0 } = coin;
  return {
    txid: formatReversedHex(outpoint.txid),
    vout: outpoint.vout,
    scriptPubKey,
    desc: formatDescriptor(inferDescriptor(scriptPubKey, knowledge), network),
    amount: value,
    coinbase: isCoinbase,
    height,
    blockhash: formatReversedHex(activeBlock(node.chain, height).hash),
    confirmations: activeTip(node.chain).height - height + 1,
  };
}
