import { createRpcIn, findStatelessMethod, type Rpc } from '../../answers/createRpc.ts';
import { type RpcContext, type RpcOptions, resolveContext } from '../../answers/dialect/dialect.ts';
import { answerBody, answerText, type HttpAnswer } from '../../answers/envelope.ts';
import { createWhitelist } from '../server/serveOptions.ts';
import type { Asked } from '../server/server.ts';

export interface Stateless<A> {
  readonly answer: A;
  /** True if the answer holds only while chain and mempool are empty. */
  readonly assumesNoChain: boolean;
}

/** Jobs without chain and wallets. They return `undefined` if only the node can answer, or has coins to add. */
export interface Jobs {
  readonly answerLines: (lines: readonly string[], knowsChain: boolean) => readonly (Stateless<string> | undefined)[];
  readonly answerBody: (body: string, caller: Asked, knowsChain: boolean) => Stateless<HttpAnswer> | undefined;
  readonly idle: () => void;
}

export interface JobSettings extends RpcOptions, Pick<RpcContext, 'bytesPerSigOp'> {
  readonly whitelist?: readonly string[];
}

export function createJobs({ whitelist = [], bytesPerSigOp, ...options }: JobSettings): Jobs {
  const rpc = createRpcIn({ ...resolveContext(options), bytesPerSigOp });
  const mayCall = createWhitelist(whitelist);
  return {
    answerLines: (lines, knowsChain) =>
      lines.map((line) => statelessly(rpc, knowsChain, (reached) => answerText(reached, line, { readsWallet: true }))),
    answerBody: (body, { user, wallet }, knowsChain) =>
      statelessly(rpc, knowsChain, (reached) =>
        answerBody(reached, body, { wallet, mayCall: (method) => mayCall(user, method) }),
      ),
    idle: () => undefined,
  };
}

function statelessly<A>(
  { context, callJson }: Rpc,
  knowsChain: boolean,
  answer: (rpc: Pick<Rpc, 'context' | 'callJson'>) => A,
): Stateless<A> | undefined {
  let needsNode = false;
  let assumesNoChain = false;
  const answered = answer({
    context,
    callJson: (name, params, wallet, json) => {
      const method = findStatelessMethod(name);
      if (method?.usesChain) assumesNoChain = true;
      if (!method || (knowsChain && method.usesChain)) needsNode = true;
      return needsNode ? null : callJson(name, params, wallet, json);
    },
  });
  return needsNode ? undefined : { answer: answered, assumesNoChain };
}
