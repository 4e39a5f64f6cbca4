import type { Rpc } from '../../answers/createRpc.ts';
import type { RpcContext } from '../../answers/dialect/dialect.ts';
import { methodHelp, synopsis } from '../../answers/method/help.ts';
import { method, type RpcMethod, type RpcSignature } from '../../answers/method/method.ts';
import { optional, string } from '../../answers/method/parameters.ts';
import { callMethod } from '../../answers/method/params.ts';
import { text } from '../../answers/method/results.ts';
import { allMethods, dialectsWith } from '../../node/registry.ts';

const stop = method({
  name: 'stop',
  about: 'Stops the server once it has answered the requests that it has accepted.',
  params: [],
  result: text('that the server stops'),
  examples: ['stop'],
  run: () => 'Countersign stopping',
});

const help = method({
  name: 'help',
  checksLate: true,
  about: 'Lists all methods, or returns the help of one of them.',
  params: [optional(string('command', 'the method'))],
  result: text('the help'),
  examples: ['help listunspent'],
  run: ({ command: name }, { dialect }) => {
    const methods = methodsIn(dialect);
    if (name === undefined) return methods.map(synopsis).join('\n');
    const named = methods.find((candidate) => candidate.name === name);
    return named ? methodHelp(named) : `help: unknown command: ${name}`;
  },
});

const controls: ReadonlyMap<string, RpcMethod> = new Map<string, RpcMethod>([
  [help.name, help],
  [stop.name, stop],
]);

const methodsIn = ({ name: dialect }: RpcContext['dialect']): readonly RpcSignature[] =>
  [...allMethods(), ...controls.values()].filter((candidate) => dialectsWith(candidate).includes(dialect));

/** @see Bitcoin Core `CRPCTable` */
export function withControls<R extends Pick<Rpc, 'context' | 'callJson'>>(rpc: R, onStop: () => void): R {
  return {
    ...rpc,
    callJson: (name, params, wallet, json) => {
      const control = controls.get(name);
      if (!control) return rpc.callJson(name, params, wallet, json);
      const answer = callMethod(control, params, rpc.context);
      if (control === stop) onStop();
      return answer;
    },
  };
}
