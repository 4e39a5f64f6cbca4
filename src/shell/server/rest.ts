import { BtcError, RpcError } from '../../core/errors.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { answerRest, isRestPath, type RestRequest } from '../../node/rest/answerRest.ts';
import { failedReply, type HttpReply, REFUSALS } from './replies.ts';

/** What a server needs to answer REST requests, too. */
interface RestParts {
  readonly isPublic: (path: string) => boolean;
  readonly answerPublic: (request: RestRequest) => HttpReply;
}

export function createRest(rpc: NodeRpc): RestParts {
  const { generation } = rpc.context.dialect;
  const refusals = REFUSALS[generation];
  return {
    isPublic: (path) => isRestPath(generation, path),
    answerPublic: (request) => {
      try {
        const reply = answerRest(rpc, request);
        return reply ? { ...reply, contentType: reply.type } : refusals.unknownPath;
      } catch (error) {
        // The message of another error might hold secrets.
        const isKnown = error instanceof RpcError || error instanceof BtcError;
        return failedReply(isKnown ? error.message : 'Internal error', refusals);
      }
    },
  };
}
