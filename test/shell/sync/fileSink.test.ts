import { describe, expect, test } from 'vitest';
import { fileSink } from '../../../src/shell/sync/fileSink.ts';
import { localCaller } from '../../../src/shell/sync/nodeClient.ts';
import { nodeSource } from '../../../src/shell/sync/nodeSource.ts';
import { syncChain } from '../../../src/shell/sync/syncChain.ts';
import { GENESIS, type MadeBlock } from '../../support/blocks.ts';
import { createFakeNode } from '../../support/fakeNode.ts';
import { networks } from '../../support/library.ts';

const watch = { stop: new AbortController().signal, onBlock: () => undefined };
const last = (blocks: readonly MadeBlock[]): MadeBlock => blocks[blocks.length - 1] ?? GENESIS;

describe('a file that begins above a height', () => {
  test.each([8, 7, 6, 2, 0])(
    'connects to the blocks of its reader if the chain abandons all blocks after %i',
    async (fork) => {
      const fake = createFakeNode();
      const chain = [GENESIS, ...fake.extend(GENESIS, 10)];
      fake.moveTo(last(chain));
      const source = nodeSource(localCaller(fake, 'the fake'));
      const lines: string[] = [];
      const write = async (line: string): Promise<void> => {
        lines.push(line.trim());
      };
      const sink = await fileSink(source, { name: 'a file', network: networks.regtest, since: 8, write });
      expect(await syncChain(source, sink, watch)).toBe('same');
      const branch = fake.extend(chain[fork] ?? GENESIS, 12 - fork, 'bb');
      fake.moveTo(last(branch));
      expect(await syncChain(source, sink, watch)).toBe('same');
      const written = [...chain.slice(9), ...branch].map(({ hex }) => `block ${hex}`);
      expect(lines).toEqual(written);
    },
  );

  test('continues after the chain was shorter than that for a while', async () => {
    const fake = createFakeNode();
    const chain = [GENESIS, ...fake.extend(GENESIS, 10)];
    fake.moveTo(last(chain));
    const source = nodeSource(localCaller(fake, 'the fake'));
    const sink = await fileSink(source, { name: 'a file', network: networks.regtest, since: 8, write: async () => {} });
    await syncChain(source, sink, watch);
    fake.moveTo(chain[5] ?? GENESIS);
    expect(await syncChain(source, sink, watch)).toBe('same');
    fake.moveTo(last(chain));
    expect(await syncChain(source, sink, watch)).toBe('same');
  });
});
