import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { mineBlock } from '../../../live/wallet/mining.ts';
import { rounds } from '../../../support/campaign.ts';
import {
  encodeTransaction,
  formatAddress,
  formatHex,
  formatTxid,
  formatWif,
  hash160,
  networks,
  nobleEcc,
  parseHex,
  sha256,
  type Transaction,
  txid,
} from '../../../support/library.ts';
import { Gone, type ServeProcess, startServeProcess } from '../../../support/serveProcess.ts';

/** Kills a server under load: after a restart, it still has everything that it had acknowledged. */

const ROUNDS = Number(process.env['COUNTERSIGN_ROUNDS'] ?? rounds(10));
const AT_ONCE = 2;
const CLIENTS = 8;
/** For each kill, in milliseconds: a busy machine takes 40 seconds to begin a life and 40 more to end it. */
const PATIENCE = 120_000;
const NETWORK = networks['litecoin-regtest'];
const OPTIONS = ['--network', 'litecoin-regtest', '--dialect', 'litecoin-0.21'];
const GENESIS = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';
const MATURE = 101;
const START_TIME = 1_600_000_000;
/** The calls after which a server is killed: counted, since a slow machine makes few of them in a second. */
const LEAST_CALLS = 40;
const MOST_CALLS = 200;
const ENCRYPTED_KEY = 'a5'.repeat(32);
const PASSPHRASE = 'a passphrase';
/** Value of the coin that is spent again and again. */
const VALUE = 5_000_000_000n;

const root = mkdtempSync(join(tmpdir(), 'countersign-serve-crash-'));
const running = new Set<ServeProcess>();
afterAll(async () => {
  // Servers left over by a failed test.
  await Promise.all([...running].map((server) => server.kill()));
  rmSync(root, { recursive: true, force: true });
});

const scriptOf = (name: string): Uint8Array => Uint8Array.of(0, 20, ...hash160(new TextEncoder().encode(name)));
/** The scriptPubKey of the coin that is spent again and again: anyone can spend it with the witness script OP_1. */
const OPENED = Uint8Array.of(0x51);
const COIN = Uint8Array.of(0, 32, ...sha256(OPENED));
const addressOf = (name: string): string => formatAddress(scriptOf(name), NETWORK) ?? '';

/** The acknowledged changes, and those last requested, which may or may not have happened. */
interface Life {
  readonly labels: Map<string, string>;
  readonly asked: Map<string, string>;
  readonly watched: string[];
  readonly keys: string[];
  readonly askedKeys: string[];
  readonly wallets: string[];
  readonly encrypted: string[];
  /** A wallet that was encrypted before the first kill, and watches the same coin as `w`. */
  sealed: string;
  readonly locked: string[];
  hashes: string[];
  blocks: number;
  /** The transactions that spent the coin, in order. */
  readonly sent: Transaction[];
  count: number;
  /** The call during which, or soon after which, the server is killed. */
  last: number;
  /** True if a wallet may be left whose key is not encrypted. */
  isEncrypting: boolean;
}

const newLife = (): Life => ({
  ...{ labels: new Map(), asked: new Map(), watched: [], keys: [], askedKeys: [], wallets: [], encrypted: [] },
  ...{ locked: [], hashes: [GENESIS], blocks: 0, sent: [], count: 0, last: 0, isEncrypting: false, sealed: '' },
});

type Ask = ServeProcess['ask'];

/** Submits one more block; only one client does so. */
async function showBlock(life: Life, ask: Ask): Promise<void> {
  const height = life.blocks + 1;
  const plan = { previous: life.hashes[life.blocks] ?? GENESIS, height, time: START_TIME + 60 * height, txs: [] };
  const outputs = [{ value: VALUE, scriptPubKey: COIN }];
  const { hash, hex } = mineBlock({ ...plan, outputs, nonce: 0 });
  life.hashes = [...life.hashes.slice(0, height), hash];
  const refusal = await ask<string | null>('submitblock', [hex]);
  // The server has it already if the last one died before it acknowledged it.
  expect([null, 'duplicate']).toContain(refusal);
  life.blocks = height;
}

const firstCoin = (): Transaction | undefined =>
  mineBlock({
    ...{ previous: GENESIS, height: 1, time: START_TIME + 60, txs: [], nonce: 0 },
    outputs: [{ value: VALUE, scriptPubKey: COIN }],
  }).txs[0];

/** The most transactions of one chain in the mempool, by the policy of a node. */
const LONGEST_CHAIN = 25;

/** Spends the coin, paying to the same script; once the mempool takes no more of them, labels addresses. */
async function sendOn(life: Life, ask: Ask, client: number): Promise<void> {
  if (life.sent.length === LONGEST_CHAIN) return giveLabel(life, ask, client);
  const from = life.sent.at(-1) ?? firstCoin();
  if (!from) throw new Error('no coin');
  const value = (from.outputs[0]?.value ?? 0n) - 1000n;
  const tx: Transaction = {
    version: 2,
    inputs: [
      {
        outpoint: { txid: txid(from), vout: 0 },
        scriptSig: new Uint8Array(0),
        sequence: 0xffff_ffff,
        witness: [OPENED],
      },
    ],
    outputs: [{ value, scriptPubKey: COIN }],
    locktime: 0,
  };
  expect(await ask('sendrawtransaction', [formatHex(encodeTransaction(tx))])).toBe(formatTxid(txid(tx)));
  life.sent.push(tx);
}

async function giveLabel(life: Life, ask: Ask, client: number): Promise<void> {
  const address = addressOf(`label ${client} ${life.count % 8}`);
  const label = `label ${life.count}`;
  life.asked.set(address, label);
  await ask('setlabel', [address, label], 'w');
  life.labels.set(address, label);
}

async function watchOne(life: Life, ask: Ask): Promise<void> {
  const address = addressOf(`watched ${life.count}`);
  await ask('importaddress', [address, 'watched', false], 'w');
  life.watched.push(address);
}

async function importOne(life: Life, ask: Ask): Promise<void> {
  const secretKey = new Uint8Array(32).fill(1 + (life.askedKeys.length % 250));
  secretKey[0] = 1 + Math.floor(life.askedKeys.length / 250);
  const publicKey = nobleEcc.publicKey(secretKey, true);
  const address = formatAddress(Uint8Array.of(0, 20, ...hash160(publicKey)), NETWORK) ?? '';
  life.askedKeys.push(address);
  await ask('importprivkey', [formatWif({ secretKey, isCompressed: true }, NETWORK), 'key', false], 'w');
  life.keys.push(address);
}

/** Creates a wallet with a key and encrypts it, which rewrites the whole file. */
async function encryptOne(life: Life, ask: Ask): Promise<void> {
  const name = `encrypted-${life.count}`;
  await ask('createwallet', [name, false, true]);
  life.wallets.push(name);
  const secretKey = parseHex(ENCRYPTED_KEY);
  const isLeft = life.isEncrypting;
  life.isEncrypting = true;
  await ask('importprivkey', [formatWif({ secretKey, isCompressed: true }, NETWORK), '', false], name);
  await ask('encryptwallet', [PASSPHRASE], name);
  life.encrypted.push(name);
  life.isEncrypting = isLeft;
}

async function lockOne(life: Life, ask: Ask): Promise<void> {
  const height = 2 + life.locked.length;
  if (height > life.blocks) return;
  // Not the coin that is spent again and again, since spending removes a lock.
  const moving = firstCoin();
  const coins = await ask<readonly { txid: string; vout: number }[]>('listunspent', [1, 9_999_999], 'w');
  const coin = coins.find(({ txid: id }) => moving && id !== formatTxid(txid(moving)));
  if (!coin) return;
  const { txid: id, vout } = coin;
  const isOurs = await ask('lockunspent', [false, [{ txid: id, vout }]], 'w').catch(unlessLocked);
  if (isOurs === true) life.locked.push(id);
}

type Action = (life: Life, ask: Ask, client: number) => Promise<void>;

const ACTIONS: readonly Action[] = [giveLabel, giveLabel, watchOne, watchOne, importOne, importOne, lockOne];

/** One client submits blocks, one spends the coin, the others change the wallet. */
function actionOf(client: number): Action {
  if (client === 0) return showBlock;
  if (client === 1) return sendOn;
  if (client === 2 && Math.random() < 0.02) return encryptOne;
  return ACTIONS[Math.floor(Math.random() * ACTIONS.length)] ?? giveLabel;
}

/** Two clients may choose the same coin. */
function unlessLocked(error: unknown): false {
  if (error instanceof Gone || !(error instanceof Error) || !error.message.includes('already locked')) throw error;
  return false;
}

/** Makes one client's calls until the server is gone; the client with the last call kills it. */
async function load(life: Life, server: ServeProcess, client: number): Promise<void> {
  try {
    for (;;) {
      life.count += 1;
      if (life.count === life.last) void sleep(Math.random() * 20).then(() => end(server));
      await actionOf(client)(life, server.ask, client);
    }
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
  }
}

interface AddressInfo {
  readonly ismine: boolean;
  readonly iswatchonly: boolean;
  readonly labels: readonly string[];
}

const some = <T>(all: readonly T[]): readonly T[] => [...all.slice(-30), ...all.filter(() => Math.random() < 0.02)];

/** Checks that everything acknowledged is present, and no change is half done. */
async function check(life: Life, { ask }: ServeProcess): Promise<void> {
  const count = await ask<number>('getblockcount', []);
  expect(count - life.blocks).toBeOneOf([0, 1]);
  const best = await ask('getbestblockhash', []);
  expect(best).toBe(life.hashes[count]);
  const since = await ask<{ lastblock: string; transactions: { txid: string }[] }>(
    'listsinceblock',
    [best, 1, true],
    'w',
  );
  expect(since.lastblock).toBe(best);
  // Each block pays the wallet: the wallet has seen it if and only if the chain has it.
  const before = life.hashes[count - 1];
  const { transactions } = await ask<{ transactions: { blockhash: string }[] }>(
    'listsinceblock',
    [before, 1, true],
    'w',
  );
  expect(transactions.map(({ blockhash }) => blockhash)).toContain(best);
  const { txcount } = await ask<{ txcount: number }>('getwalletinfo', [], 'w');
  expect(txcount - count - life.sent.length).toBeOneOf([0, 1]);
  expect(await ask('getwalletinfo', [], life.sealed)).toMatchObject({ txcount, unlocked_until: 0 });
  await ask('walletpassphrase', [PASSPHRASE, 60], life.sealed);
  await ask('walletlock', [], life.sealed);
  life.blocks = count;
  const info = (address: string): Promise<AddressInfo> => ask('getaddressinfo', [address], 'w');
  for (const [address, label] of life.labels) {
    const [found] = (await info(address)).labels;
    expect([label, life.asked.get(address)]).toContain(found);
    // A change that was not acknowledged but is present must stay from now on.
    if (found !== undefined) life.labels.set(address, found);
  }
  for (const address of some(life.watched)) {
    expect(await info(address)).toMatchObject({ iswatchonly: true, labels: ['watched'] });
  }
  for (const address of some(life.keys)) expect(await info(address)).toMatchObject({ ismine: true, labels: ['key'] });
  // The last one may be present or not, but not without its label.
  for (const address of some(life.askedKeys)) {
    const { ismine, labels } = await info(address);
    expect(labels).toEqual(ismine ? ['key'] : []);
  }
  const wallets = await ask<readonly string[]>('listwallets', []);
  expect(wallets).toEqual(expect.arrayContaining(['w', ...life.wallets]));
  const locked = await ask<readonly { txid: string }[]>('listlockunspent', [], 'w');
  expect(locked.map(({ txid: id }) => id)).toEqual(expect.arrayContaining(life.locked));
  const [last, ...unknown] = life.sent.slice(-1).map((tx) => formatTxid(txid(tx)));
  expect(unknown).toEqual([]);
  if (last !== undefined) expect(since.transactions.map(({ txid: id }) => id)).toContain(last);
  for (const name of life.encrypted) {
    const address = addressOf('nobody');
    await expect(ask('importmulti', [[{ scriptPubKey: { address }, timestamp: 1 }]], name)).rejects.toMatchObject({
      code: -13,
    });
  }
}

async function start(directory: string): Promise<ServeProcess> {
  const server = await startServeProcess(directory, OPTIONS);
  running.add(server);
  return server;
}

async function end(server: ServeProcess): Promise<void> {
  await server.kill();
  running.delete(server);
}

async function begin(directory: string): Promise<Life> {
  const life = newLife();
  const server = await start(directory);
  await server.ask('createwallet', ['w', false, true]);
  await encryptOne(life, server.ask);
  life.sealed = life.encrypted[0] ?? '';
  for (const name of ['w', life.sealed]) {
    await server.ask('importaddress', [formatAddress(COIN, NETWORK), 'coin', false], name);
  }
  while (life.blocks < MATURE) await showBlock(life, server.ask);
  await end(server);
  return life;
}

/** Lets clients request changes, kills the server at a random moment, and checks its files. */
async function crashOnce(life: Life, directory: string): Promise<void> {
  const server = await start(directory);
  life.last = life.count + LEAST_CALLS + Math.floor(Math.random() * (MOST_CALLS - LEAST_CALLS));
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => load(life, server, client)));
  const again = await start(directory);
  await check(life, again);
  await end(again);
  // The lock of the last process is left over; the next process sees that no process holds it.
  const files = readdirSync(directory).map((name) => name.replace(/^lock-.*/, 'lock'));
  const own = ['', '-answered', '-wal', '.lock'].map((end) => `wallet.sqlite${end}`);
  expect(files.sort()).toEqual(['.cookie', 'lock', ...own]);
  // No file contains the unencrypted key of an encrypted wallet.
  if (life.isEncrypting) return;
  for (const file of readdirSync(directory, { withFileTypes: true }).filter((each) => each.isFile())) {
    expect(readFileSync(join(directory, file.name)).toString('hex').includes(ENCRYPTED_KEY)).toBe(false);
  }
}

describe('a server killed under load', () => {
  test(`keeps everything that it acknowledged, ${ROUNDS} times`, { timeout: ROUNDS * PATIENCE }, async () => {
    const lives = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, i) => {
        const directory = join(root, `${i}`);
        const life = await begin(directory);
        for (let round = 0; round < ROUNDS / AT_ONCE; round += 1) await crashOnce(life, directory);
        return life;
      }),
    );
    const sum = (of: (life: Life) => number): number => lives.reduce((total, life) => total + of(life), 0);
    const changes = {
      blocks: sum(({ blocks }) => blocks),
      transactions: sum(({ sent }) => sent.length),
      labels: sum(({ labels }) => labels.size),
      watched: sum(({ watched }) => watched.length),
      keys: sum(({ keys }) => keys.length),
      encrypted: sum(({ encrypted }) => encrypted.length),
      locked: sum(({ locked }) => locked.length),
    };
    console.log(`${ROUNDS} kills: ${JSON.stringify(changes)}`);
    expect(changes.watched).toBeGreaterThan(0);
    expect(changes.transactions).toBeGreaterThan(0);
  });
});
