import { createRpc, findStatelessMethod, type Rpc } from '../../answers/createRpc.ts';
import type { RpcOptions } from '../../answers/dialect/dialect.ts';
import { answerBody, answerText, type HttpAnswer } from '../../answers/envelope.ts';
import { createWhitelist } from '../server/serveOptions.ts';
import type { Asked } from '../server/server.ts';

/** An answer that a worker thread gave without the node. */
export interface Stateless<A> {
  readonly answer: A;
  /** True if it only holds as long as the node's chain and mempool are empty. */
  readonly assumesNoChain: boolean;
}

/**
 * The jobs of a worker thread, which knows neither chain nor wallets. They return `undefined` for requests that need the
 * node, in full or, if it knows a chain, for the coins that a transaction spends.
 */
export interface Jobs {
  /** Answers the lines of a batch. */
  readonly answerLines: (lines: readonly string[], knowsChain: boolean) => readonly (Stateless<string> | undefined)[];
  /** Answers the body of an HTTP request. */
  readonly answerBody: (body: string, asked: Asked, knowsChain: boolean) => Stateless<HttpAnswer> | undefined;
  /** Does nothing. */
  readonly idle: () => void;
}

/** The network, the dialect and the users of the requests. */
export interface JobSettings extends RpcOptions {
  /** The texts of `--rpcwhitelist`. */
  readonly whitelist?: readonly string[];
}

/** Creates the jobs. @throws BtcError as `createRpc` does; UsageError for an invalid whitelist */
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

/** Answers with the stateless methods alone. @returns `undefined` if the answer needs the node */
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
      // Once a part of the answer is missing, the rest is not worth its time.
      return needsNode ? null : callJson(name, params, wallet, json);
    },
  });
  return needsNode ? undefined : { answer: answered, assumesNoChain };
}
