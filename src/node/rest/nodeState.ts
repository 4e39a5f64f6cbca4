import { blockKey } from '../chain/blockHeader.ts';
import { getblockchaininfo } from '../methods/blockchain/getblockchaininfo.ts';
import { getdeploymentinfo } from '../methods/blockchain/getdeploymentinfo.ts';
import { getmempoolinfo, getrawmempool } from '../methods/mempool/getrawmempool.ts';
import { methodText } from './methodText.ts';
import { badRequest, inFormat, type RestReply } from './replies.ts';
import { type Asked, splitFormat, withHash, withParameter } from './requestParts.ts';

/** @see Bitcoin Core `rest_chaininfo` */
export const answerChainInfo = (asked: Asked): RestReply =>
  inFormat(splitFormat(asked).format, { json: () => methodText(getblockchaininfo, {}, asked.context) });

/** @see Bitcoin Core `rest_deploymentinfo` */
export function answerDeployments(asked: Asked): RestReply {
  const { context } = asked;
  const { text, format } = splitFormat(asked);
  if (text === '' || format !== 'json') {
    return inFormat(format, { json: () => methodText(getdeploymentinfo, {}, context) });
  }
  return withHash(text, (hash) => {
    if (!context.node.chain.blocks.has(blockKey(hash))) return badRequest('Block not found');
    const json = (): string => methodText(getdeploymentinfo, { blockhash: text }, context);
    return inFormat(format, { json, lasting: ['json'] });
  });
}

/** @see Bitcoin Core `rest_mempool` */
export function answerMempool(asked: Asked): RestReply {
  const { text } = splitFormat(asked);
  if (text === 'info') return answerMempoolInfo(asked);
  if (text === 'contents') return mempoolContents(asked);
  return badRequest('Invalid URI format. Expected /rest/mempool/<info|contents>.json');
}

export const answerMempoolInfo = (asked: Asked): RestReply =>
  inFormat(splitFormat(asked).format, { json: () => methodText(getmempoolinfo, {}, asked.context) });

/** Answers with all that is known of each transaction. */
export const answerWholeMempool = (asked: Asked): RestReply => mempoolReply(asked, true, false);

function mempoolContents(asked: Asked): RestReply {
  if (splitFormat(asked).format !== 'json') return answerWholeMempool(asked);
  return withFlag(asked, 'verbose', true, (isVerbose) =>
    withFlag(asked, 'mempool_sequence', false, (withSequence) =>
      isVerbose && withSequence
        ? badRequest('Verbose results cannot contain mempool sequence values. (hint: set "verbose=false")')
        : mempoolReply(asked, isVerbose, withSequence),
    ),
  );
}

const mempoolReply = (asked: Asked, verbose: boolean, mempool_sequence: boolean): RestReply =>
  inFormat(splitFormat(asked).format, {
    json: () => methodText(getrawmempool, { verbose, mempool_sequence }, asked.context),
  });

function withFlag(asked: Asked, name: string, usual: boolean, answer: (value: boolean) => RestReply): RestReply {
  return withParameter(asked, name, String(usual), (text) =>
    text === 'true' || text === 'false'
      ? answer(text === 'true')
      : badRequest(`The "${name}" query parameter must be either "true" or "false".`),
  );
}
