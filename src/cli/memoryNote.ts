import type { Rpc } from '../rpc/createRpc.ts';
import type { Io } from '../terminal/io.ts';

const KEPT_IN_MEMORY =
  'note: this process may still hold copies of the keys and the passphrase in its memory: restart it now that the wallet is encrypted\n';

/** Warns after each `encryptwallet` that JavaScript cannot wipe memory; for processes that keep running. */
export function withMemoryNote<R extends Pick<Rpc, 'callJson'>>(rpc: R, io: Io): R {
  return {
    ...rpc,
    callJson: (name, params, wallet) => {
      const answer = rpc.callJson(name, params, wallet);
      if (name === 'encryptwallet') io.writeError(KEPT_IN_MEMORY);
      return answer;
    },
  };
}
