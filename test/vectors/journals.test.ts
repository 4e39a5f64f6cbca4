import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeScrypt } from '../../src/shell/cli/nodeScrypt.ts';
import { openStore } from '../../src/shell/store/openStore.ts';
import { temporaryPaths } from '../support/temporary.ts';
import { ask, LEGACY, MODERN, NOW, openWalletRpc } from '../support/walletWorld.ts';

/** Journals that countersign 0.1 wrote, which kept all blocks in them, with the answers that it gave. */

interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: unknown;
}

const folder = new URL('../../vectors/journals/', import.meta.url).pathname;
const answers = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')) as Readonly<
  Record<string, readonly Asked[]>
>;
const newPath = temporaryPaths();

describe.each([
  ['litecoin-0.21', LEGACY],
  ['litecoin-0.21-encrypted', LEGACY],
  ['core-31', MODERN],
  ['core-31-encrypted', MODERN],
] as const)('the journal of an older release: %s', (name, kind) => {
  test('is converted once, and then answers as before', () => {
    const directory = newPath();
    mkdirSync(directory, { mode: 0o700 });
    copyFileSync(join(folder, `${name}.journal`), join(directory, 'journal'));
    const asked = answers[name] ?? [];
    expect(asked.length).toBeGreaterThan(10);
    const sizes = [0, 1].map(() => {
      const store = openStore(directory);
      const rpc = openWalletRpc(kind, store, () => NOW, { scrypt: nodeScrypt });
      expect(asked.map(({ method, params }) => ({ method, params, answer: ask(rpc, method, params) }))).toEqual(asked);
      store.close();
      return readFileSync(join(directory, 'journal')).length;
    });
    expect(sizes[1]).toBe(sizes[0]);
    expect(sizes[0]).toBeLessThan(readFileSync(join(folder, `${name}.journal`)).length);
  });
});
