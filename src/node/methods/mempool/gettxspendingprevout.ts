import { parseTxidArgument, parseVoutArgument, readValue } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { keepTexts } from '../../../answers/json/exactNumbers.ts';
import type { JsonMember, JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import {
  array,
  bool,
  hexString,
  number,
  object,
  optional,
  options,
  unread,
} from '../../../answers/method/parameters.ts';
import { type Answer, type Draft, hex, list, maybe, members, numeric } from '../../../answers/method/results.ts';
import { checkMembers } from '../../../answers/method/values.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { formatTxid, outpointKey } from '../../../core/tx/txid.ts';
import type { Outpoint } from '../../../core/tx/types.ts';
import { nodeMethodRules } from '../chainRules.ts';
import { type NodeContext, nodeMethod } from '../context.ts';

const spendingResult = members(
  {
    txid: hex('of the output'),
    vout: numeric('of the output'),
    spendingtxid: maybe(hex('the transaction that spends the output')),
    spendingtx: maybe(hex('this transaction'), { since: 'core-31' }),
    blockhash: maybe(hex('the block of that transaction'), { since: 'core-31' }),
  },
  '',
  // Later nodes add to the output as the request has it.
  [{ since: 'core-31', isDrafted: true }],
);

/** An element of the answer of `gettxspendingprevout`. */
export type SpendingJson = Answer<typeof spendingResult>;

const OUTPOINT = object('', [hexString('txid', 'the transaction id'), number('vout', 'the output number')], '');

export const gettxspendingprevout = lasting(
  nodeMethod({
    name: 'gettxspendingprevout',
    category: 'blockchain',
    about: 'Finds the transactions that spend outputs, in the mempool and with txospenderindex also in blocks.',
    params: [
      array('outputs', unread(OUTPOINT), 'the outputs'),
      lasting(
        options(
          'options',
          [
            optional(
              bool('mempool_only', 'whether to leave out blocks; by default without txospenderindex', {
                countsNull: true,
              }),
            ),
            optional(bool('return_spending_tx', 'whether to show the transaction, too', { countsNull: true }), false),
          ],
          '',
        ),
        { since: 'core-31' },
      ),
    ],
    result: list(spendingResult, 'for each output'),
    examples: ['gettxspendingprevout \'[{"txid":"1f3a...","vout":0}]\''],
    run: ({ outputs, options: given }, context) => {
      const { indexes } = context;
      if (outputs.length === 0) throw invalidParameter('Invalid parameter, outputs are missing');
      checkMembers(given, { isStrict: true });
      const { mempool_only: isLimited = !indexes.spenders, return_spending_tx: showsTx } = given;
      return outputs
        .map((item) => readOutput(item, context))
        .map((output) => spendingJson(output, { isLimited, showsTx }, context));
    },
  }),
  { since: 'core-29' },
);

interface Output {
  /** As the request has it, in its order. */
  readonly outpoint: Pick<Draft<typeof spendingResult>, 'txid' | 'vout'>;
  readonly id: Outpoint;
}

function readOutput(item: JsonValue | undefined, context: NodeContext): Output {
  const { dialect } = context;
  const { members: given } = readValue(item, 'object', dialect);
  const output = OUTPOINT.read(item, context);
  checkMembers(output, { isStrict: true });
  const { txid: txidText, vout: voutText } = output;
  const txid = parseTxidArgument('txid', txidText);
  const vout = parseVoutArgument(voutText);
  const repeats = nodeMethodRules[dialect.generation].repeatsOutpoints;
  const shown = repeats ? inGivenOrder(given, { txid: txidText, vout }) : { txid: formatTxid(txid), vout };
  return { outpoint: keepTexts(shown, repeats ? { vout: voutText.text } : {}), id: { txid, vout } };
}

function inGivenOrder<T extends object>(given: readonly JsonMember[], values: T): T {
  const entries = given.map(([name]) => [name, values[name as keyof T]] as const);
  return Object.fromEntries(entries) as T;
}

function spendingJson(
  { outpoint, id }: Output,
  { isLimited, showsTx }: { readonly isLimited: boolean; readonly showsTx: boolean },
  { node: { chain }, dialect, indexes }: NodeContext,
): Draft<typeof spendingResult> {
  const key = outpointKey(id);
  const pooled = chain.spends.get(key);
  const entry = pooled === undefined ? undefined : chain.mempool.get(pooled);
  const spender = entry ? { tx: entry, block: undefined } : isLimited ? undefined : indexes.spenders?.find(key);
  if (spender) {
    const { tx, block } = spender;
    return Object.assign(outpoint, {
      spendingtxid: formatTxid(tx.id),
      ...(showsTx && { spendingtx: encodeTransaction(tx.tx) }),
      ...(block && { blockhash: formatReversedHex(block.hash) }),
    });
  }
  if (isLimited || indexes.spenders) return outpoint;
  throw new RpcError(
    RPC_MISC_ERROR,
    nodeMethodRules[dialect.generation].noSpender({ txid: formatTxid(id.txid), vout: id.vout }),
  );
}
