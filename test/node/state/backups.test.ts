import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KINDS as RECORDS } from '../../../src/node/store/kinds.ts';
import { campaign, share, stride } from '../../support/campaign.ts';
import { change } from '../../support/feeding.ts';
import { createMemoryStore, type NodeRpc, type RecordStore } from '../../support/library.ts';
import { createSharedRecords } from '../../support/sharedRecords.ts';
import { begin, play, steps } from '../../support/walletHistory.ts';
import { contentOf } from '../../support/walletRecords.ts';
import {
  allAnswers,
  ask,
  LEGACY,
  MODERN,
  makeWorld,
  openWalletRpc,
  type WalletWorld,
} from '../../support/walletWorld.ts';

const KINDS = [
  ['0.21', LEGACY],
  ['31', MODERN],
] as const;

/** The answers of a wallet that depend on more than its name, as texts. */
const answersOf = (world: WalletWorld, rpc: NodeRpc, wallet: string): unknown => {
  const of = (method: string, ...params: readonly unknown[]): unknown => ask(rpc, method, params, wallet);
  const answers = {
    ...allAnswers({ ...world, rpc }, wallet),
    transactions: of('listtransactions', '*', 1000, 0, true),
    descriptors: of('listdescriptors'),
    private: of('listdescriptors', true),
    labels: of('listlabels'),
    groupings: of('listaddressgroupings'),
    balances: of('getbalances'),
  };
  return JSON.parse(JSON.stringify(answers).replaceAll(`"${wallet}"`, '"NAME"'));
};

const reload = (rpc: NodeRpc, wallet: string): void => {
  ask(rpc, 'unloadwallet', [], wallet);
  ask(rpc, 'loadwallet', [wallet]);
};

/** Returns the texts of a backup's lines. */
const textsIn = (bytes: Uint8Array): readonly string[] =>
  Buffer.from(bytes)
    .toString('latin1')
    .split('\n')
    .slice(1, -1)
    .map((line) => Buffer.from(line.slice(19), 'base64').toString('utf8'));

/** Restores a wallet's backup under another name. */
function restoreFrom(rpc: NodeRpc, bytes: Uint8Array, name: string): void {
  const backup = rpc.node.readBackup(bytes);
  if (backup.kind === 'refused') throw new Error(`the backup ${backup.reason}`);
  change(rpc, { type: 'restore', name, from: backup.wallet });
}

/** Opens a node with the same chain and another journal. */
function elsewhere(world: WalletWorld): NodeRpc {
  const { rpc } = makeWorld(world.kind, { store: createMemoryStore() });
  return rpc;
}

describe.each(KINDS)('a backup of a wallet of %s', (_, kind) => {
  test('gives the same wallet under another name, after any history, and again when the node is opened anew', () => {
    fc.assert(
      fc.property(steps({ undo: 2, import: 1, settings: 2 }), (history) => {
        const store = createMemoryStore();
        const world = makeWorld(kind, { store });
        ask(world.rpc, 'createwallet', ['other', true]);
        const played = begin(world);
        for (const step of history) play(world, played, step);
        const bytes = world.rpc.node.backUp('w');
        restoreFrom(world.rpc, bytes, 'copy');
        reload(world.rpc, 'w');
        const expected = answersOf(world, world.rpc, 'w');
        expect(answersOf(world, world.rpc, 'copy')).toEqual(expected);
        const reopened = openWalletRpc(kind, store);
        expect(answersOf(world, reopened, 'copy')).toEqual(expected);
        // The backup of a restored wallet is as good.
        restoreFrom(reopened, reopened.node.backUp('copy'), 'third');
        expect(answersOf(world, reopened, 'third')).toEqual(expected);
        expect(answersOf(world, openWalletRpc(kind, store), 'third')).toEqual(expected);
      }),
      campaign(8),
    );
  });

  test('finds what came after it', () => {
    fc.assert(
      fc.property(steps({ undo: 1, import: 1 }), fc.nat(25), (history, at) => {
        const world = makeWorld(kind);
        const played = begin(world);
        const kept = history.filter(({ type }) => type === 'pay' || type === 'mine');
        const before = kept.slice(0, at % (kept.length + 1));
        for (const step of before) play(world, played, step);
        const bytes = world.rpc.node.backUp('w');
        for (const step of kept.slice(before.length)) play(world, played, step);
        restoreFrom(world.rpc, bytes, 'copy');
        const idsOf = (wallet: string): unknown =>
          (ask(world.rpc, 'listunspent', [0], wallet) as readonly { readonly txid: string; readonly vout: number }[])
            .map(({ txid, vout }) => `${txid}:${vout}`)
            .sort();
        expect(idsOf('copy')).toEqual(idsOf('w'));
      }),
      campaign(25),
    );
  });

  test('is refused, and changes nothing, if any byte of it is changed, missing or too many', () => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store });
    const played = begin(world);
    play(world, played, { type: 'pay', coin: 0, to: [0, 3] });
    play(world, played, { type: 'mine', most: 1, miner: 0 });
    const bytes = world.rpc.node.backUp('w');
    const before = [...store.list('')];
    const reasonOf = (given: Uint8Array): string => {
      const backup = world.rpc.node.readBackup(given);
      return backup.kind === 'refused' ? backup.reason : backup.kind;
    };
    expect(reasonOf(bytes)).toBe('wallet');
    const lines = Buffer.from(bytes).toString('utf8').split('\n');
    for (let at = share; at < bytes.length; at += at < 400 || at > bytes.length - 60 ? stride : 17 * stride) {
      for (const bit of [1, 0x80]) {
        const bent = bytes.map((byte, i) => (i === at ? byte ^ bit : byte));
        expect([at, reasonOf(bent)]).toEqual([at, expect.stringMatching(/^(is damaged in line \d+|is not a backup)/)]);
      }
      const cut = reasonOf(bytes.subarray(0, at));
      expect([at, cut]).toEqual([at, expect.stringMatching(/^(is damaged|ends after line|is not a backup)/)]);
    }
    expect(reasonOf(Uint8Array.from([...bytes, 10]))).toBe('has 1 bytes after its end');
    const without = (line: number): Uint8Array => Buffer.from(lines.filter((__, i) => i !== line).join('\n'));
    for (const line of lines.keys()) {
      if (line < lines.length - 1) expect(reasonOf(without(line))).not.toBe('wallet');
    }
    expect([...store.list('')]).toEqual(before);
    expect(ask(world.rpc, 'listwallets')).toEqual(['w']);
  });

  test('holds no text that a caller chose as it was given, so that nothing runs it as a program', () => {
    const world = makeWorld(kind);
    const label = '$(touch /tmp/owned) `id`; import os\n* * * * * id';
    ask(world.rpc, 'createwallet', ['fresh']);
    ask(world.rpc, 'getnewaddress', [label], 'fresh');
    const bytes = world.rpc.node.backUp('fresh');
    const values = textsIn(bytes).map((text) => Buffer.from(text.split(' ').at(-1) ?? '', 'base64').toString('latin1'));
    expect(values.join('\n')).toContain('$(touch /tmp/owned)');
    const [first = '', ...lines] = Buffer.from(bytes).toString('latin1').split('\n');
    expect(first).toBe('\0# countersign wallet backup');
    expect(lines.pop()).toBe('');
    for (const line of lines) expect(line).toMatch(/^# [0-9a-f]{16} [A-Za-z0-9+/]*={0,2}$/);
  });

  test('belongs to nodes of its network and its kind', () => {
    const world = makeWorld(kind);
    const bytes = world.rpc.node.backUp('w');
    const [, other] = KINDS.find(([, each]) => each !== kind) ?? KINDS[0];
    const backup = openWalletRpc(other, createMemoryStore()).node.readBackup(bytes);
    expect(backup).toEqual({
      kind: 'refused',
      isOther: true,
      reason: expect.stringMatching(/^belongs to ".+", not to ".+"$/),
    });
  });

  test('gives the wallet to a node that knows nothing of it', () => {
    const world = makeWorld(kind);
    const played = begin(world);
    play(world, played, { type: 'pay', coin: 0, to: [0, 1] });
    play(world, played, { type: 'mine', most: 1, miner: 0 });
    const store = createMemoryStore();
    const empty = openWalletRpc(kind, store);
    restoreFrom(empty, world.rpc.node.backUp('w'), 'w');
    const count = (rpc: NodeRpc): unknown => (ask(rpc, 'getwalletinfo') as { readonly txcount: number }).txcount;
    expect(count(empty)).toBe(count(world.rpc));
    expect(ask(empty, 'listunspent')).toEqual([]);
    const far = elsewhere(world);
    restoreFrom(far, world.rpc.node.backUp('w'), 'copy');
    expect(ask(far, 'listwallets')).toEqual(['w', 'copy']);
  });
});

test.each(KINDS)('a wallet of %s that one process restores is there for the others of a shared store', (_, kind) => {
  const records = createSharedRecords();
  const [one, two] = [openWalletRpc(kind, records.open()), openWalletRpc(kind, records.open())];
  ask(one, 'createwallet', ['w']);
  const address = ask(two, 'getnewaddress') as string;
  const bytes = ask(two, 'listwallets') && two.node.inCall(() => two.node.backUp('w'));
  restoreFrom(one, bytes as Uint8Array, 'copy');
  expect(ask(two, 'listwallets')).toEqual(['w', 'copy']);
  expect(ask(two, 'getaddressinfo', [address], 'copy')).toMatchObject({ ismine: true });
});

describe.each(KINDS)('the backup of an encrypted wallet of %s', (_, kind) => {
  const open = (store: RecordStore): NodeRpc => openWalletRpc(kind, store);

  test('stays encrypted, opens with the passphrase of its time, and is sealed again by another', () => {
    const store = createMemoryStore();
    const rpc = open(store);
    ask(rpc, 'createwallet', ['keys']);
    const address = ask(rpc, 'getnewaddress', [], 'keys') as string;
    const plain = rpc.node.backUp('keys');
    ask(rpc, 'encryptwallet', ['first'], 'keys');
    const bytes = rpc.node.backUp('keys');
    const secrets = textsIn(plain).flatMap((text) =>
      text.startsWith(`${RECORDS['private key']} `) ? text.split(' ').slice(-1) : [],
    );
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(textsIn(bytes).join('\n')).not.toContain(secret);
    restoreFrom(rpc, bytes, 'copy');
    expect(ask(rpc, 'getaddressinfo', [address], 'copy')).toMatchObject({ ismine: true });
    expect(ask(rpc, 'signmessage', [address, ''], 'copy')).toMatchObject({ code: -13 });
    ask(rpc, 'walletpassphrasechange', ['first', 'second'], 'copy');
    for (const node of [rpc, open(store)]) {
      expect(ask(node, 'walletpassphrase', ['first', 60], 'copy')).toMatchObject({ code: -14 });
      expect(ask(node, 'walletpassphrase', ['second', 60], 'copy')).toBeNull();
      expect(ask(node, 'walletpassphrase', ['first', 60], 'keys')).toBeNull();
    }
    // A plain backup, restored and then encrypted, leaves no plain key.
    restoreFrom(rpc, plain, 'plain');
    ask(rpc, 'encryptwallet', ['third'], 'plain');
    const content = contentOf(store);
    for (const secret of secrets) expect(content).not.toContain(Buffer.from(secret, 'base64').toString('hex'));
    expect(ask(open(store), 'walletpassphrase', ['third', 60], 'plain')).toBeNull();
  });
});
