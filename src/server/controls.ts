import { readOptional } from '../rpc/argumentValues.ts';
import type { Rpc } from '../rpc/createRpc.ts';
import type { RpcContext } from '../rpc/dialect.ts';
import { helpOf, type RpcMethod, type RpcSignature, synopsis } from '../rpc/method.ts';
import { callMethod } from '../rpc/params.ts';
import { allMethods, dialectsWith } from '../rpc/registry.ts';

const stop: RpcMethod<string> = {
  name: 'stop',
  needs: 'nothing',
  params: [],
  help: 'Stops the server once it has answered the requests that it has accepted.',
  run: () => 'Countersign stopping',
};

const help: RpcMethod<string> = {
  name: 'help',
  needs: 'nothing',
  params: [{ name: 'command', type: 'string', isOptional: true }],
  checksLate: true,
  help: `Lists all methods, or returns the help of one of them.

Arguments:
1. command    (string, optional) the method

Result:
the text of the help`,
  run: ([command], { dialect }) => {
    const name = readOptional(command, 'string', dialect)?.value;
    if (name === undefined) return served(dialect).map(synopsis).join('\n');
    const method = served(dialect).find((candidate) => candidate.name === name);
    return method ? helpOf(method) : `help: unknown command: ${name}`;
  },
};

const controls: ReadonlyMap<string, RpcMethod<string>> = new Map([help, stop].map((method) => [method.name, method]));

/** Lists the methods that a server of a dialect answers, in the order of the help. */
const served = ({ name: dialect }: RpcContext['dialect']): readonly RpcSignature[] =>
  [...allMethods(), ...controls.values()].filter((method) => dialectsWith(method).includes(dialect));

/** Adds the methods of a server, `help` and `stop`, to a dispatcher. @see Bitcoin Core `CRPCTable` */
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
