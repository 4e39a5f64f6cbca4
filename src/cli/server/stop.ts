import type { Rpc } from '../../rpc/createRpc.ts';
import type { RpcMethod } from '../../rpc/method.ts';
import { callMethod } from '../../rpc/params.ts';

const stop: RpcMethod<string> = {
  name: 'stop',
  params: [],
  help: 'Asks the server to stop, once what it has accepted is answered.',
  run: () => 'Countersign stopping',
};

/** A dispatcher that also knows the method `stop`. */
export function withStop(rpc: Rpc, onStop: () => void): Pick<Rpc, 'context' | 'callJson'> {
  return {
    context: rpc.context,
    callJson: (method, params, wallet) => {
      if (method !== stop.name) return rpc.callJson(method, params, wallet);
      const answer = callMethod(stop, params, rpc.context);
      onStop();
      return answer;
    },
  };
}
