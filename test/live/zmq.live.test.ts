import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { parseEndpoint } from '../../src/shell/zmq/endpoint.ts';
import { BindFault, type Notifier, openNotifiers } from '../../src/shell/zmq/notifiers.ts';
import { openPublisher, type Publisher } from '../../src/shell/zmq/publisher.ts';
import { blocksAfter, GENESIS, spend } from '../support/blocks.ts';
import { openNode, submit } from '../support/feeding.ts';
import { freePort } from '../support/freePort.ts';
import { encodeTransaction, formatHex, txid } from '../support/library.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// libzmq judges the publisher, through Debian's python3-zmq.

const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('zmq/subscribe.py', import.meta.url));
const directory = temporaryDirectory();
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

function hasZmq(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import zmq'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const children: ChildProcess[] = [];
const closing: (() => void)[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
  for (const close of closing.splice(0)) close();
});

interface Subscription {
  readonly address: string;
  readonly topics: readonly string[];
  readonly hwm?: number;
}

interface Judge {
  /** The parts of a message in hex, without those that begin. */
  readonly messages: string[][];
  readonly isSynced: () => boolean;
  readonly readOn: () => void;
  readonly ended: Promise<unknown>;
}

function subscribe(subscription: Subscription): Judge {
  const child = spawn(PYTHON, [SCRIPT, JSON.stringify(subscription)], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const messages: string[][] = [];
  let synced = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const parts = JSON.parse(line) as string[];
    if (parts[0] === formatHex(bytes('sync'))) synced = true;
    else messages.push(parts);
  });
  return {
    messages,
    isSynced: () => synced,
    readOn: () => child.stdin.write('\n'),
    ended: once(child, 'exit'),
  };
}

async function open(address: string, hwm: number): Promise<Publisher> {
  const endpoint = parseEndpoint(address);
  if ('fault' in endpoint) throw new Error(endpoint.fault);
  const publisher = await openPublisher(endpoint, { hwm, onFault: () => undefined });
  closing.push(publisher.close);
  return publisher;
}

/** Publishes until a subscriber hears it. */
async function until(isHeard: () => boolean, publish: () => void): Promise<void> {
  while (!isHeard()) {
    publish();
    await sleep(20);
  }
}

const publishText = ({ publish }: Publisher, topic: string, ...parts: readonly string[]): void =>
  publish(topic, () => [topic, ...parts].map(bytes));

async function finish(publisher: Publisher, judge: Judge): Promise<void> {
  let isOver = false;
  void judge.ended.then(() => {
    isOver = true;
  });
  await until(
    () => isOver,
    () => publishText(publisher, 'end'),
  );
}

describe.runIf(hasZmq())('libzmq', () => {
  const addresses = async (): Promise<readonly string[]> => [
    `tcp://127.0.0.1:${await freePort()}`,
    `tcp://[::1]:${await freePort()}`,
    `ipc://${join(directory, 'socket')}`,
  ];

  test('receives what it subscribed to, over IPv4, IPv6 and in a file', async () => {
    for (const address of await addresses()) {
      const publisher = await open(address, 1000);
      const judge = subscribe({ address, topics: ['raw', 'end'] });
      await until(judge.isSynced, () => publishText(publisher, 'sync'));
      judge.readOn();
      const long = 'x'.repeat(300_000);
      for (const topic of ['rawtx', 'hashtx', 'rawblock', 'ra']) publishText(publisher, topic, long, '');
      await finish(publisher, judge);
      const topics = judge.messages.map(([topic = '']) => Buffer.from(topic, 'hex').toString());
      expect(topics).toEqual(['rawtx', 'rawblock', 'end']);
      expect(judge.messages[0]).toEqual([formatHex(bytes('rawtx')), formatHex(bytes(long)), '']);
    }
  });

  test('that reads slowly loses whole messages, and hears later ones', async () => {
    const [address = ''] = await addresses();
    const publisher = await open(address, 10);
    const judge = subscribe({ address, topics: ['n', 'end'], hwm: 1 });
    await until(judge.isSynced, () => publishText(publisher, 'sync'));
    const filling = 'x'.repeat(100_000);
    const sent = 500;
    for (let i = 0; i < sent; i += 1) {
      publishText(publisher, 'n', filling, String(i));
      if (i % 50 === 0) await sleep(5);
    }
    judge.readOn();
    await finish(publisher, judge);
    const numbers = judge.messages.slice(0, -1).map((parts) => Number(Buffer.from(parts[2] ?? '', 'hex').toString()));
    expect(judge.messages.slice(0, -1).every((parts) => parts.length === 3 && parts[1]?.length === 200_000)).toBe(true);
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers.length).toBeLessThan(sent);
    expect(numbers.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  test('hears a node, with a number for each topic and address', async () => {
    const [first = '', , second = ''] = await addresses();
    const at = (topic: Notifier['topic'], address: string): Notifier => ({
      ...{ topic, address, hwm: 1000 },
      type: `pub${topic}`,
    });
    const wanted = [
      at('hashblock', first),
      at('hashtx', first),
      at('rawtx', first),
      at('hashtx', second),
      at('sequence', first),
    ];
    const { hear, close } = await openNotifiers(wanted, () => undefined);
    closing.push(close);
    const rpc = openNode();
    const blocks = blocksAfter(GENESIS, 101, 'aa');
    submit(rpc, blocks.slice(0, 100));
    rpc.node.listen(hear);
    const judges = [first, second].map((address) => subscribe({ address, topics: ['hash', 'raw', 'sequence'] }));
    // Each new block tells of itself, until both have heard one.
    let made = 100;
    const heard = (): boolean => judges.every(({ messages }) => messages.length > 0);
    while (!heard() && made < 600) {
      rpc.call('generatetodescriptor', [1, 'raw(51)#8lvh9jxk']);
      made += 1;
      await sleep(50);
    }
    expect(heard()).toBe(true);
    for (const { messages } of judges) messages.splice(0);
    const [coin] = blocks[0]?.txs ?? [];
    if (!coin) throw new Error('no coin');
    const tx = spend([{ txid: txid(coin), vout: 0 }]);
    const id = rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx)), 0]) as string;
    const count = (judge: Judge | undefined): number => judge?.messages.length ?? 0;
    for (let i = 0; i < 200 && (count(judges[0]) < 3 || count(judges[1]) < 1); i += 1) await sleep(20);
    const shown = judges.map(({ messages }) =>
      messages.map(([topic = '', body]) => [Buffer.from(topic, 'hex').toString(), body]),
    );
    expect(shown).toEqual([
      [
        ['hashtx', id],
        ['rawtx', formatHex(encodeTransaction(tx))],
        ['sequence', `${id}410100000000000000`],
      ],
      [['hashtx', id]],
    ]);
    const numbers = judges.map(({ messages }) => messages.map((parts) => parts[2]));
    // One coinbase for each block.
    const number = formatHex(Uint8Array.of((made - 100) & 0xff, (made - 100) >> 8, 0, 0));
    expect(numbers).toEqual([[number, number, number], [number]]);
  });
});

test('a path is free again once the publisher is closed, and one that was left is taken', async () => {
  const path = join(directory, 'left');
  (await open(`ipc://${path}`, 1)).close();
  expect(existsSync(path)).toBe(false);
});

test('addresses that cannot be bound leave none bound', async () => {
  const address = `tcp://127.0.0.1:${await freePort()}`;
  const wanted = [address, 'foo'].map((each) => ({ topic: 'rawtx', type: 'pubrawtx', address: each, hwm: 1 }) as const);
  await expect(openNotifiers(wanted, () => undefined)).rejects.toThrow(BindFault);
  await open(address, 1);
});

test('a client that speaks another protocol is disconnected', async () => {
  const port = await freePort();
  await open(`tcp://127.0.0.1:${port}`, 1);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
});
