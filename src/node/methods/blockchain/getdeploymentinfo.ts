import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { hexString, optional } from '../../../answers/method/parameters.ts';
import { type Answer, dictionary, hex, list, maybe, members, numeric, text } from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { activeTip } from '../../chain/chainState.ts';
import { blockScriptFlags } from '../../chain/scriptFlags.ts';
import { nodeMethod } from '../context.ts';
import { getBlock } from './blockArguments.ts';
import { deploymentResult, deployments } from './softForks.ts';

const deploymentInfoResult = members({
  hash: hex('of the block'),
  height: numeric('of the block'),
  script_flags: maybe(list(text(), 'the rules for scripts of the block'), { since: 'core-31' }),
  deployments: dictionary(deploymentResult, 'by name'),
});

/** The answer of `getdeploymentinfo`. */
export type DeploymentInfoJson = Answer<typeof deploymentInfoResult>;

export const getdeploymentinfo = lasting(
  nodeMethod({
    name: 'getdeploymentinfo',
    category: 'blockchain',
    about: 'Shows which changes of the consensus rules are active after a block.',
    params: [optional(hexString('blockhash', 'the hash of the block; by default the last of the chain'))],
    result: deploymentInfoResult,
    examples: ['getdeploymentinfo'],
    run: ({ blockhash }, context) => {
      const { node } = context;
      const block =
        blockhash === undefined ? activeTip(node.chain) : getBlock(parseTxidArgument('blockhash', blockhash), context);
      return {
        hash: formatReversedHex(block.hash),
        height: block.height,
        script_flags: blockScriptFlags(node.network, block),
        deployments: deployments(block, context),
      };
    },
  }),
  { since: 'core-29' },
);
