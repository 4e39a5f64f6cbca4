import { expect, test } from 'vitest';
import type { Notice } from '../../../src/node/state/notices.ts';
import { blocksAfter, GENESIS, type MadeBlock, spend } from '../../support/blocks.ts';
import { openNode, submit } from '../../support/feeding.ts';
import { encodeTransaction, formatHex, type NodeRpc, txid } from '../../support/library.ts';
import { idOf } from '../../support/walletWorld.ts';

/** Shows notices with the names of blocks and transactions. */
function listenTo(rpc: NodeRpc, names: ReadonlyMap<string, string>): { readonly take: () => readonly string[] } {
  let shown: string[] = [];
  const name = (id: Uint8Array): string => names.get(formatHex(new Uint8Array(id).reverse())) ?? '?';
  const text = (notice: Notice): string => {
    switch (notice.type) {
      case 'tip':
        return `tip ${name(notice.block.hash)}${notice.isNew ? '' : ', not new'}${notice.bytes ? '' : ', no bytes'}`;
      case 'transaction added':
        return `added ${name(notice.tx.id)} ${notice.sequence}`;
      case 'transaction removed':
        return `removed ${name(notice.tx.id)} ${notice.sequence} ${notice.reason}`;
      case 'wallet transaction':
        return `${notice.wallet} ${name(notice.txid)}`;
      case 'warning':
        return notice.text;
      default:
        return `${notice.type.slice('block '.length)} ${name(notice.block.hash)} ${notice.txs.length}`;
    }
  };
  rpc.node.listen((notices) => {
    shown.push(...notices.map(text));
  });
  return {
    take: () => {
      const taken = shown;
      shown = [];
      return taken;
    },
  };
}

const nameBlocks = (prefix: string, blocks: readonly MadeBlock[]): readonly (readonly [string, string])[] =>
  blocks.map(({ hash }, i) => [hash, `${prefix}${i + 1}`]);

function world() {
  const first = blocksAfter(GENESIS, 101, 'aa');
  const [funding] = first[0]?.txs ?? [];
  if (!funding) throw new Error('no coin');
  const tx = spend([{ txid: txid(funding), vout: 0 }]);
  const rival = spend([{ txid: txid(funding), vout: 0 }], '51', 900n);
  const tip = first.at(-1) ?? GENESIS;
  const branches = { a: blocksAfter(tip, 2, '0a'), b: blocksAfter(tip, 4, '0b') };
  const names = new Map([
    [idOf(tx), 'tx'],
    [idOf(rival), 'rival'],
    ...nameBlocks('base', first),
    ...nameBlocks('a', branches.a),
    ...nameBlocks('b', branches.b),
  ]);
  const rpc = openNode();
  submit(rpc, first);
  return { rpc, tx, rival, branches, ...listenTo(rpc, names) };
}

const send = (rpc: NodeRpc, tx: Parameters<typeof encodeTransaction>[0]): unknown =>
  rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx)), 0]);

test('blocks are connected one by one, and each is a new tip', () => {
  const { rpc, branches, take } = world();
  submit(rpc, branches.a);
  expect(take()).toEqual(['connected a1 1', 'tip a1', 'connected a2 1', 'tip a2']);
});

test('transactions come and go with numbers, which getrawmempool shows', () => {
  const { rpc, tx, rival, take } = world();
  const next = (): unknown => rpc.call('getrawmempool', [false, true]);
  expect(next()).toEqual({ txids: [], mempool_sequence: 1 });
  send(rpc, tx);
  send(rpc, rival);
  expect(take()).toEqual(['added tx 1', 'removed tx 2 replaced', 'added rival 3']);
  expect(next()).toMatchObject({ mempool_sequence: 4 });
});

test('a reorganization tells of one tip, after the mempool has what came back', () => {
  const { rpc, tx, branches, take } = world();
  send(rpc, tx);
  rpc.call('generateblock', ['raw(51)#8lvh9jxk', [idOf(tx)]]);
  expect(take()).toEqual(['added tx 1', 'connected ? 2', 'tip ?']);
  submit(rpc, branches.b.slice(0, 2));
  // Its removal in the block was number 2.
  expect(take()).toEqual(['disconnected ? 2', 'added tx 3', 'connected b1 1', 'connected b2 1', 'tip b2']);
});

test('an invalidated block leaves a tip that is not new, and a reconsidered branch has a tip for each block', () => {
  const { rpc, branches, take } = world();
  submit(rpc, branches.b);
  take();
  const second = branches.b[1]?.hash ?? '';
  rpc.call('invalidateblock', [second]);
  expect(take()).toEqual(['disconnected b4 1', 'disconnected b3 1', 'disconnected b2 1', 'tip b1, not new']);
  rpc.call('reconsiderblock', [second]);
  expect(take()).toEqual([...['connected b2 1', 'tip b2', 'connected b3 1', 'tip b3', 'connected b4 1', 'tip b4']]);
});

test('a call that is refused tells nothing, and who has left hears nothing', () => {
  const { rpc, branches, take } = world();
  const heard: Notice[] = [];
  const leave = rpc.node.listen((notices) => heard.push(...notices));
  expect(() => rpc.call('sendrawtransaction', ['00'])).toThrow();
  expect(take()).toEqual([]);
  leave();
  submit(rpc, branches.a);
  expect(take()).toHaveLength(4);
  expect(heard).toEqual([]);
});
