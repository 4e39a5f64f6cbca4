import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../../src/shell/cli/command.ts';
import { createClient } from '../../../../src/shell/client/index.ts';
import { startRegtest } from '../../../../src/shell/regtest/index.ts';
import { fakeWorld, type Run, type RunInput, runForFiles } from '../../../support/io.ts';

const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const DIRECTORY = mkdtempSync(join(tmpdir(), 'countersign-dev-'));
const COOKIE = join(DIRECTORY, '.cookie');
const PORTS = ['--rpcport', '0', '--esplora', '0', '--zmq', '0', '--rpccookiefile', COOKIE];

const running: Dev[] = [];
afterEach(async () => {
  for (const dev of running.splice(0)) {
    dev.requestStop();
    await dev.ended;
  }
});
afterAll(() => rmSync(DIRECTORY, { recursive: true, force: true }));

interface Dev {
  readonly screen: readonly string[];
  readonly said: () => string;
  readonly ask: ReturnType<typeof createClient<'31'>>;
  readonly esplora: string;
  readonly requestStop: () => void;
  readonly written: ReturnType<typeof fakeWorld>['written'];
  readonly ended: Promise<Run & { readonly files: Readonly<Record<string, Uint8Array>> }>;
}

const placeIn = (screen: string, label: string): string => new RegExp(`^${label} +(.*)$`, 'm').exec(screen)?.[1] ?? '';

/** Starts `countersign dev` in this process, on free ports. */
async function start(options: readonly string[] = [], input: RunInput = {}): Promise<Dev> {
  const world = fakeWorld(input);
  const io = { ...world.io, now: () => performance.now(), unixTime: () => Date.now() / 1000 };
  let isOver = false;
  const ended = runCommand(['dev', ...PORTS, ...options], '0.0.0-test', io).then((code) => {
    isOver = true;
    return { code, ...world.written };
  });
  while (!world.written.out.includes('Ctrl-C') && !isOver) await sleep(1);
  const screen = world.written.out;
  if (isOver) throw new Error(`dev ended: ${world.written.error}`);
  const rpcUrl = new URL(placeIn(screen, 'RPC'));
  const dev: Dev = {
    screen: screen.split('\n'),
    said: () => world.written.out.slice(screen.length),
    ask: createClient({ url: rpcUrl.origin, user: rpcUrl.username, password: rpcUrl.password, version: '31' }),
    esplora: placeIn(screen, 'Esplora'),
    requestStop: world.requestStop,
    written: world.written,
    ended,
  };
  running.push(dev);
  return dev;
}

/** Waits until the log says something. */
async function heard(dev: Dev, text: RegExp | string): Promise<void> {
  const says = (): boolean => (typeof text === 'string' ? dev.said().includes(text) : text.test(dev.said()));
  for (let waited = 0; !says(); waited += 5) {
    if (waited > 10_000) throw new Error(`not said: ${text} in ${dev.said()}`);
    await sleep(5);
  }
}

const recordsOf = (state: Uint8Array): unknown =>
  (JSON.parse(new TextDecoder().decode(state)) as { records: unknown }).records;

const walletOf = ({ ask }: Dev, name: string) => ask.wallet(name);

describe('countersign dev', () => {
  test('shows all that is needed on one screen, and ends at an interrupt', async () => {
    const dev = await start();
    expect(dev.screen.length).toBeLessThanOrEqual(24);
    const isLong = (line: string): boolean => line.length > 80 && !line.includes(DIRECTORY);
    expect(dev.screen.filter(isLong)).toEqual([]);
    expect(dev.screen[0]).toBe('a regtest as core-31, at block 103');
    const rows = dev.screen.filter((line) => line.startsWith('dev-'));
    const accounts = startRegtest().accounts();
    expect(rows.map((line) => line.split(/ +/))).toEqual(
      accounts.map(({ address }, i) => [`dev-${i + 1}`, address, '10.00']),
    );
    const [user = '', password = ''] = readFileSync(COOKIE, 'utf8').split(':');
    const { origin } = new URL(placeIn(dev.screen.join('\n'), 'RPC'));
    const named = createClient({ url: origin, user, password, version: '31' });
    expect(await named.getblockcount()).toBe(103);
    expect(await dev.ask.getzmqnotifications()).toContainEqual({
      type: 'pubrawtx',
      address: placeIn(dev.screen.join('\n'), 'ZMQ'),
      hwm: 1000,
    });
    dev.requestStop();
    expect(await dev.ended).toMatchObject({ code: 0, error: 'stopping\n' });
    expect(() => readFileSync(COOKIE)).toThrow();
  });

  test('mines on a transaction, after its answer, at the time of the machine', async () => {
    const dev = await start();
    const txid = await walletOf(dev, 'dev-1').sendtoaddress(PAYEE, 1);
    await heard(dev, 'block 104');
    const [hash, block] = [await dev.ask.getbestblockhash(), await dev.ask.getblock(await dev.ask.getbestblockhash())];
    expect(dev.said()).toMatch(new RegExp(`^tx ${String(txid)} \\d+ sat\nblock 104 ${hash} 1 tx\n$`));
    expect(Math.abs(block.time - Date.now() / 1000)).toBeLessThan(60);
    expect(
      dev
        .said()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
    const reply = await fetch(`${dev.esplora}/address/${PAYEE}`);
    expect(await reply.json()).toMatchObject({ chain_stats: { funded_txo_sum: 100_000_000 } });
  });

  test('leaves transactions that a block returns, and lists many blocks in one line', async () => {
    const dev = await start();
    await walletOf(dev, 'dev-2').sendtoaddress(PAYEE, 1);
    await heard(dev, 'block 104');
    await dev.ask.invalidateblock(await dev.ask.getbestblockhash());
    await heard(dev, 'block 104 taken back');
    await sleep(20);
    expect(await dev.ask.getrawmempool()).toHaveLength(1);
    await dev.ask.generatetoaddress(20, PAYEE);
    await heard(dev, `blocks 104 to 123 ${await dev.ask.getbestblockhash()}\n`);
  });

  test('tells why a transaction was refused, from both servers', async () => {
    const dev = await start(['--mine', 'never']);
    const wallet = walletOf(dev, 'dev-1');
    const raw = await dev.ask.createrawtransaction([], { [PAYEE]: 1 });
    const funded = await wallet.fundrawtransaction(raw, { fee_rate: 5 });
    const signed = await wallet.signrawtransactionwithwallet(funded.hex);
    await expect(dev.ask.sendrawtransaction(raw)).rejects.toThrow();
    await heard(dev, /^refused sendrawtransaction: .+ \(-\d+\)$/m);
    const before = dev.said().length;
    const refused = await fetch(`${dev.esplora}/tx`, { method: 'POST', body: funded.hex });
    expect(refused.status).toBe(400);
    await heard(dev, 'script');
    expect(dev.said().slice(before)).toMatch(/^refused sendrawtransaction: .*script.* \(-26\)\n$/);
    const sent = await fetch(`${dev.esplora}/tx`, { method: 'POST', body: signed.hex });
    await heard(dev, `tx ${await sent.text()}`);
    await sleep(20);
    expect(await dev.ask.getblockcount()).toBe(103);
  });

  test('mines every so many seconds', async () => {
    const dev = await start(['--mine', '1s']);
    await heard(dev, 'block 104 ');
    expect(await dev.ask.getblockcount()).toBeGreaterThan(103);
  });

  test('pays whom it is told to', async () => {
    const dev = await start(['--fund', `${PAYEE}=0.5`, '--fund', `${PAYEE}=2`]);
    expect(await (await fetch(`${dev.esplora}/address/${PAYEE}/utxo`)).json()).toMatchObject([
      { value: 50_000_000 },
      { value: 200_000_000 },
    ]);
  });

  test('saves beside what another program has written into its file', async () => {
    const dev = await start(['--state', 'chain.json', '--mine', 'never']);
    dev.written.files['chain.json'] = new TextEncoder().encode('theirs');
    await dev.ask.stop();
    const { files, error, out } = await dev.ended;
    expect(new TextDecoder().decode(files['chain.json'])).toBe('theirs');
    const [, own = ''] = /saved (chain\.json\.\d+)$/m.exec(out) ?? [];
    expect(recordsOf(files[own] ?? new Uint8Array())).toBeDefined();
    expect(error).toContain('chain.json has changed since the start: another program writes it, too');
  });

  test('goes on from its file, and has what it had', async () => {
    const first = await start(['--state', 'chain.json', '--seed', 'ours', '--mine', 'never']);
    const txid = await walletOf(first, 'dev-3').sendtoaddress(PAYEE, 4);
    await first.ask.generatetoaddress(2, PAYEE);
    const waiting = await walletOf(first, 'dev-4').sendtoaddress(PAYEE, 1);
    await first.ask.createwallet('mine');
    await first.ask.stop();
    const { code, files } = await first.ended;
    expect(code).toBe(0);
    const content = files['chain.json'] ?? new Uint8Array();
    const again = await start(['--state', 'chain.json', '--mine', 'never'], { files: { 'chain.json': content } });
    expect(again.screen[0]).toBe('a regtest as core-31, at block 105');
    const rows = (dev: Dev): readonly string[] => dev.screen.filter((line) => line.startsWith('dev-'));
    expect(rows(again).map((line) => line.split(/ +/)[1])).toEqual(rows(first).map((line) => line.split(/ +/)[1]));
    expect(rows(again)[2]).toMatch(/ 5\.99\d+$/);
    expect(await walletOf(again, 'dev-3').gettransaction(String(txid))).toMatchObject({ confirmations: 2 });
    expect(await again.ask.getrawmempool()).toEqual([waiting]);
    expect(await again.ask.listwallets()).toContain('mine');
    again.requestStop();
    const saved = (await again.ended).files['chain.json'] ?? new Uint8Array();
    expect(recordsOf(saved)).toEqual(recordsOf(content));
    const { error } = await runForFiles(['dev', ...PORTS, '--state', 'chain.json', '--seed', 'other'], {
      files: { 'chain.json': content },
    });
    expect(error).toContain('error: --seed: the chain of --state began with another seed');
  });

  test('prints the keys of its wallets, and starts nothing', async () => {
    const { code, out, error, files } = await runForFiles(['dev', '--accounts', '--seed', 'ours']);
    expect({ code, error, files }).toEqual({ code: 0, error: '', files: {} });
    const accounts = startRegtest({ seed: 'ours' }).accounts();
    expect(JSON.parse(out)).toEqual(accounts.map(({ wallet, ...keys }) => ({ wallet: wallet.name, ...keys })));
  });

  test('refuses a port that is taken, and says how to choose another', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const free = ['--rpccookiefile', COOKIE, '--state', 'chain.json'];
    for (const option of ['rpcport', 'esplora', 'zmq']) {
      const others = ['rpcport', 'esplora', 'zmq'].flatMap((each) => [`--${each}`, each === option ? port : '0']);
      const { code, error } = await runForFiles(['dev', ...free, ...others]);
      expect(code).toBe(1);
      expect(error).toMatch(new RegExp(`^error: --${option}: .*${port}.*in use`));
    }
    taken.close();
  });

  const whole = startRegtest().dump();
  test.each([
    ['damaged', whole.slice(0, -9), 'The state is damaged: take a copy of it, or start without it'],
    [
      'newer',
      '{"format":"countersign regtest","version":9}',
      'The state has version 9, and this release reads none above 1',
    ],
    ['of another kind', '{}', 'The text is not a state of a regtest that dump wrote'],
    [
      'of another release',
      startRegtest({ dialect: 'core-29' }).dump(),
      'The state is of a node that answers as core-29',
    ],
  ])('leaves a state as it is that is %s', async (_, text, message) => {
    for (const more of [[], ['--accounts']]) {
      const ports = more.length > 0 ? [] : PORTS;
      const ended = await runForFiles(['dev', ...ports, '--state', 'a.json', ...more], { files: { 'a.json': text } });
      expect(ended).toMatchObject({ code: 1, files: {}, out: '' });
      expect(ended.error).toContain(`error: --state: a.json: ${message}`);
    }
  });

  test.each([
    [['x'], 'dev takes no arguments'],
    [['--network', 'main'], '--network does not apply to dev'],
    [['--accounts', '--mine', 'never'], '--mine does not apply to dev'],
    [['--mine', '0s'], '--mine must be on-transaction, never, or seconds from 1s to 86400s, not "0s"'],
    [['--mine', '10'], '--mine must be'],
    [['--fund', PAYEE], '--fund needs an address of regtest and an amount'],
    [['--fund', `bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4=1`], '--fund needs an address of regtest and an amount'],
    [['--fund', `${PAYEE}=0`], '--fund: the amount after "="'],
    [['--fund', `${PAYEE}=0.00000001`], '--fund: dust'],
    [['--fund', `${PAYEE}=20000000`], '--fund: The chain has'],
    [['--zmq', '65536'], '--zmq must be a number from 0 to 65535'],
    [['--esplora', 'x'], '--esplora must be a number'],
    [['--state', ''], '--state needs a file name'],
    [['--dialect', 'core-28'], 'unknown dialect'],
    [['--esplora-cors', 'x'], 'cors must be an origin'],
  ])('refuses %j', async (options, message) => {
    const { code, error, files } = await runForFiles(['dev', ...options]);
    expect({ code, files }).toEqual({ code: 1, files: {} });
    expect(error).toContain(`error: ${message}`);
  });

  test('says why it mines no block', async () => {
    const dev = await start();
    await dev.ask.setmocktime(1_600_000_000);
    await walletOf(dev, 'dev-1').sendtoaddress(PAYEE, 1);
    await heard(dev, 'no block: ');
    expect(await dev.ask.getblockcount()).toBe(103);
  });

  const secrets = [
    'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
  ];
  test.each(secrets)('shows no secret in the place of a value: %#', async (secret) => {
    const named = join(DIRECTORY, secret);
    for (const options of [
      ...['--mine', '--fund', '--rpcport', '--esplora', '--zmq', '--esplora-cors', '--dialect'].map((name) => [
        name,
        secret,
      ]),
      ['--fund', `${secret}=1`],
      ['--fund', `${PAYEE}=${secret}`],
      ['--rpccookiefile', join(named, 'x')],
      ['--state', secret],
      [secret],
    ]) {
      const isNamed = options.includes('--rpccookiefile');
      const { code, out, error } = await runForFiles(['dev', ...(isNamed ? PORTS.slice(0, -2) : []), ...options], {
        files: { [secret]: '{' },
      });
      expect([options, code]).toEqual([options, 1]);
      expect(out + error).not.toContain(secret.slice(3, 25));
    }
  });

  test('tells at the start that its file cannot be written', async () => {
    const { code, error, out } = await runForFiles(['dev', ...PORTS, '--state', 'a.json'], { readOnly: ['a.json'] });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('cannot write a.json');
  });
});
