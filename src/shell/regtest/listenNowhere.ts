import { BtcError } from '../../core/errors.ts';

/** Stands for listen.ts in bundles for browsers: package.json says so. */
function refuse(): never {
  throw new BtcError(
    'regtest/no-server',
    {},
    'A page cannot listen: call the chain in the page, or listen in Node, Bun or Deno',
  );
}

export { refuse as listenForEsplora, refuse as listenRpc };
