import { createRpc, findStatelessMethod, type Rpc } from '../../answers/createRpc.ts';
import type { RpcOptions } from '../../answers/dialect/dialect.ts';
import { answerBody, answerText, type HttpAnswer } from '../../answers/envelope.ts';
import { createWhitelist } from '../server/serveOptions.ts';
import type { Asked } from '../server/server.ts';

export interface Stateless<A> {
  readonly answer: A;
  /** True if the answer holds only while the node's chain and mempool are empty. */
  readonly assumesNoChain: boolean;
}

/**
 * Jobs of a worker thread, which has neither chain nor wallets. They return `undefined` for requests that need the
 * node, in full or for the coins that a transaction spends.
 */
export interface Jobs {
  readonly answerLines: (lines: readonly string[], knowsChain: boolean) => readonly (Stateless<string> | undefined)[];
  readonly answerBody: (body: string, asked: Asked, knowsChain: boolean) => Stateless<HttpAnswer> | undefined;
  readonly idle: () => void;
}

export interface JobSettings extends RpcOptions {
  /** The texts of `--rpcwhitelist`. */
  readonly whitelist?: readonly string[];
}

/** @throws BtcError as `createRpc` does; UsageError for an invalid whitelist */
export function createJobs({ whitelist = [], ...options }: JobSettings): Jobs {
  const rpc = createRpc(options);
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

/** Answers with the stateless methods alone; `undefined` if the answer needs the node. */
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
      // The answer is incomplete already: the rest is not computed.
      return needsNode ? null : callJson(name, params, wallet, json);
    },
  });
  return needsNode ? undefined : { answer: answered, assumesNoChain };
}
