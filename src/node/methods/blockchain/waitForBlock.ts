import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { hexString, int32, optional, type ReadArguments, string } from '../../../answers/method/parameters.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { nodeMethodRules } from '../chainRules.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { readNews, type TipJson, tipResult, type Wait, type Waiting } from '../waiting.ts';

const TIMEOUT = optional(int32('timeout', 'the milliseconds to wait, 0 for ever; only serve waits'), 0);

const ABOUT = 'and returns the last block. Outside serve, a call answers at once, as at the end of its timeout.';

const NEW_BLOCK_PARAMS = [
  TIMEOUT,
  lasting(optional(string('current_tip', 'the hash of a block: waits until the last block is another one')), {
    since: 'core-30',
  }),
] as const;
const BLOCK_PARAMS = [hexString('blockhash', 'the hash of the block'), TIMEOUT] as const;
const HEIGHT_PARAMS = [int32('height', 'the height of the block'), TIMEOUT] as const;

/** The waits of the methods, by name. @throws RpcError as the call does */
export const waits = {
  waitfornewblock: (
    { timeout, current_tip: given }: ReadArguments<typeof NEW_BLOCK_PARAMS>,
    waiting: Waiting,
  ): Wait => {
    const limit = checkedTimeout(timeout, waiting);
    const before =
      given === undefined ? waiting.before.tip.hash : formatReversedHex(parseTxidArgument('current_tip', given));
    return { isOver: ({ tip }) => tip.hash !== before, timeout: limit };
  },
  waitforblock: ({ blockhash, timeout }: ReadArguments<typeof BLOCK_PARAMS>, waiting: Waiting): Wait => {
    const wanted = formatReversedHex(parseTxidArgument('blockhash', blockhash));
    return { isOver: ({ tip }) => tip.hash === wanted, timeout: checkedTimeout(timeout, waiting) };
  },
  waitforblockheight: ({ height: wanted, timeout }: ReadArguments<typeof HEIGHT_PARAMS>, waiting: Waiting): Wait => ({
    isOver: ({ tip }) => tip.height >= wanted,
    timeout: checkedTimeout(timeout, waiting),
  }),
};

function checkedTimeout(timeout: number, { dialect }: Pick<NodeContext, 'dialect'>): number {
  if (timeout < 0 && nodeMethodRules[dialect.generation].checksTimeouts)
    throw new RpcError(RPC_MISC_ERROR, 'Negative timeout');
  return timeout;
}

/** Checks the arguments of a wait, and returns the last block. */
const atOnce =
  <A>(wait: (args: A, waiting: Waiting) => Wait) =>
  (args: A, { node, dialect, network }: NodeContext): TipJson => {
    const before = readNews(node);
    wait(args, { before, dialect, network });
    return before.tip;
  };

export const waitfornewblock = nodeMethod({
  name: 'waitfornewblock',
  category: 'blockchain',
  isHiddenIn: { until: 'core-29' },
  checksLate: true,
  about: `Waits for a new block, ${ABOUT}`,
  params: NEW_BLOCK_PARAMS,
  result: tipResult,
  examples: ['waitfornewblock 1000'],
  run: atOnce(waits.waitfornewblock),
});

export const waitforblock = nodeMethod({
  name: 'waitforblock',
  category: 'blockchain',
  isHiddenIn: { until: 'core-29' },
  checksLate: true,
  about: `Waits for a block to be the last one, ${ABOUT}`,
  params: BLOCK_PARAMS,
  result: tipResult,
  examples: ['waitforblock 0000000000079f8ef3d2c688c244eb7a4570b24c9ed7b4a8c619eb02596f8862 1000'],
  run: atOnce(waits.waitforblock),
});

export const waitforblockheight = nodeMethod({
  name: 'waitforblockheight',
  category: 'blockchain',
  isHiddenIn: { until: 'core-29' },
  checksLate: true,
  about: `Waits for the chain to reach a height, ${ABOUT}`,
  params: HEIGHT_PARAMS,
  result: tipResult,
  examples: ['waitforblockheight 100 1000'],
  run: atOnce(waits.waitforblockheight),
});
