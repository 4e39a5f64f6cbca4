import { expect, test } from 'vitest';
import { parseCommandLine } from '../../../src/shell/bitcoind/commandLine.ts';
import { createDebugLog } from '../../../src/shell/bitcoind/debugLog.ts';
import { readOptions } from '../../../src/shell/bitcoind/options.ts';
import { optionsOf } from '../../../src/shell/bitcoind/optionTable.ts';
import { readServer } from '../../../src/shell/bitcoind/rpcServer.ts';
import { networks } from '../../support/library.ts';

// Core's DEFAULT_HTTP_THREADS and DEFAULT_HTTP_WORKQUEUE.
test.each([
  ['core-0.21', 4, 16],
  ['core-29', 16, 64],
  ['core-32', 16, 64],
] as const)('the server of %s runs %i calls, and lets %i wait', (generation, workers, depth) => {
  const find = optionsOf(generation);
  const readWith = (...argv: readonly string[]) => {
    const commandLine = parseCommandLine(argv, find).values;
    const options = readOptions(
      { forced: new Map(), commandLine, saved: new Map(), configured: new Map() },
      'regtest',
      find,
    );
    const log = createDebugLog(() => 0);
    return readServer(options, { network: networks.regtest, generation }, { log, print: () => undefined });
  };
  expect(readWith()).toMatchObject({ workers, depth });
  expect(readWith('-rpcthreads=3', '-rpcworkqueue=7')).toMatchObject({ workers: 3, depth: 7 });
});
