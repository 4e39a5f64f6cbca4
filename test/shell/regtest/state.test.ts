import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { formatBase64, parseBase64 } from '../../../src/core/bytes/base64.ts';
import { formatHex } from '../../../src/core/bytes/hex.ts';
import { encodeUtf8 } from '../../../src/core/bytes/utf8.ts';
import { sha256 } from '../../../src/core/crypto/hash.ts';
import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { type Regtest, type RegtestOptions, startRegtest } from '../../../src/shell/regtest/index.ts';
import { refusalOf } from '../../support/refusal.ts';

const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const open: Regtest[] = [];

function start(options: RegtestOptions = {}): Regtest {
  const chain = startRegtest({ ecc: nativeSecp256k1Ecc, ...options });
  open.push(chain);
  return chain;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((chain) => chain.close()));
});

const loaded = (text: string, options?: RegtestOptions): Regtest => {
  const chain = start(options);
  chain.load(text);
  return chain;
};

/** A chain with coins, a waiting transaction, fee rates, a waived script, a locked and an encrypted wallet, an abandoned branch, and a mock time. */
function eventful(options?: RegtestOptions): Regtest {
  const chain = start(options);
  const alice = chain.wallet('alice');
  chain.fund(alice.address('rent'), 100_000_000n);
  const [taken = ''] = chain.mine();
  chain.rpc.call('invalidateblock', [taken]);
  chain.advance(90.5);
  chain.mine(2);
  alice.call('lockunspent', [false, alice.call('listunspent').slice(0, 1)]);
  chain.fund(alice.address(), 7000n, { isMined: false });
  chain.wallet('sealed').call('encryptwallet', ['a passphrase']);
  chain.rpc.call('createwallet', ['watcher', true]);
  chain.setFeeRates(7);
  chain.impersonate(PAYEE);
  return chain;
}

/** Asks all that a chain tells of itself. */
function answersOf(chain: Regtest): unknown {
  const { rpc } = chain;
  const wallets = [...rpc.call('listwallets')].sort();
  return [
    ...(['getblockchaininfo', 'getchaintips', 'gettxoutsetinfo', 'getmempoolinfo', 'listwalletdir'] as const).map(
      (each) => rpc.call(each),
    ),
    rpc.call('getrawmempool', [true]),
    rpc.call('estimatesmartfee', [6]),
    wallets,
    chain.time(),
    wallets.map((name) =>
      (
        [
          'getwalletinfo',
          'getbalances',
          'listtransactions',
          'listunspent',
          'listlockunspent',
          'listlabels',
          'listdescriptors',
        ] as const
      ).map((each) => rpc.call(each, [], name)),
    ),
  ];
}

/** What a chain answers to the same changes. */
function goOn(chain: Regtest): unknown {
  const name = `w${chain.rpc.call('listwallets').length}`;
  const wallet = chain.wallet(name);
  const address = wallet.address();
  chain.fund(address, 60_000n);
  return [address, wallet.send(PAYEE, 10_000n), chain.mine(2), wallet.balance(), chain.time()];
}

/** Writes the sum of a state that was changed. */
function resealed(text: string, change: (state: Record<string, unknown>) => object): string {
  const { sum: _sum, ...content } = JSON.parse(text) as Record<string, unknown>;
  const changed = change(content);
  return JSON.stringify({ ...changed, sum: formatHex(sha256(encodeUtf8(JSON.stringify(changed)))) });
}

describe('a chain that loads the state of another', () => {
  test('answers as it does, and goes on as it does', () => {
    const chain = eventful();
    const text = chain.dump();
    const copy = loaded(text);
    expect(answersOf(copy)).toEqual(answersOf(chain));
    expect(copy.dump()).toBe(text);
    expect(copy.mine()).toEqual(chain.mine());
    expect(goOn(copy)).toEqual(goOn(chain));
    expect(copy.dump()).toBe(chain.dump());
  });

  test('lets the same scripts be spent without their keys', () => {
    const chain = eventful();
    chain.fund(PAYEE, 50_000n);
    const copy = loaded(chain.dump());
    const pay = (from: Regtest): unknown => from.impersonate(PAYEE).send(from.wallet('alice').address(), 20_000n);
    expect(pay(copy)).toEqual(pay(chain));
  });

  test('has its mock time', () => {
    const chain = start();
    chain.rpc.call('setmocktime', [1_900_000_000]);
    const copy = loaded(chain.dump());
    expect(copy.time()).toBe(1_900_000_000);
    copy.rpc.call('setmocktime', [0]);
    expect(copy.time()).toBe(1_750_000_000);
    copy.load(chain.dump());
    copy.load(start().dump());
    expect(copy.time()).toBe(1_750_000_000);
  });

  test('forgets what it was, wherever it was', () => {
    const text = eventful().dump();
    const chain = start({ seed: 'another' });
    const sealed = chain.wallet('mine');
    chain.rpc.call('createwallet', ['other']);
    sealed.call('encryptwallet', ['secret']);
    sealed.call('walletpassphrase', ['secret', 1000]);
    chain.fund(sealed.address(), 5000n);
    chain.failNext('getblockcount', { code: -1, message: 'no' });
    chain.load(text);
    expect(answersOf(chain)).toEqual(answersOf(loaded(text)));
    expect(chain.dump()).toBe(text);
    expect(goOn(chain)).toEqual(goOn(loaded(text)));
  });

  test('gives new wallets keys that no wallet had, in linked nodes, too', () => {
    const chain = start();
    const other = chain.link();
    const [had, others] = [chain.wallet('a').address(), other.wallet('a').address()];
    const copy = loaded(other.dump());
    const third = copy.link();
    const addresses = [copy.wallet('b').address(), third.wallet('a').address(), third.link().wallet('a').address()];
    expect(new Set([had, others, ...addresses]).size).toBe(5);
    expect(third.mine()).not.toEqual(loaded(other.dump()).mine());
  });

  test('spends the coins of the faucet of a linked node', () => {
    const other = start().link();
    other.fund(PAYEE, 5000n);
    const copy = loaded(other.dump());
    const { txid } = copy.fund(PAYEE, 6000n);
    expect(copy.rpc.call('gettxout', [txid, 0])?.confirmations).toBe(1);
  });

  test('is seen by servers that listen', async () => {
    const text = eventful().dump();
    const chain = start();
    chain.mine(2);
    const { url } = await chain.listenEsplora();
    const height = async (): Promise<string> => (await fetch(`${url}/blocks/tip/height`)).text();
    expect(await height()).toBe('2');
    chain.load(text);
    expect(await height()).toBe('104');
  });

  test('hears of the blocks of linked nodes', () => {
    const empty = start().dump();
    const chain = start();
    const other = chain.link();
    other.mine(3);
    chain.load(empty);
    expect(chain.rpc.call('getblockcount')).toBe(0);
    expect(chain.rpc.call('getblockcount')).toBe(3);
  });

  test('is the same after any calls', () => {
    const steps = {
      mine: (chain: Regtest) => chain.mine(),
      fund: (chain: Regtest) => chain.fund(chain.wallet('alice').address(), 60_000n),
      pool: (chain: Regtest) => chain.fund(PAYEE, 1000n, { isMined: false }),
      advance: (chain: Regtest) => chain.advance(0.25),
      wallet: (chain: Regtest) => chain.wallet(`w${chain.rpc.call('listwallets').length}`),
    };
    const step = fc.constantFrom(...Object.values(steps));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), (taken) => {
        const chain = start();
        for (const take of taken) take(chain);
        const copy = loaded(chain.dump());
        expect(copy.dump()).toBe(chain.dump());
        expect(answersOf(copy)).toEqual(answersOf(chain));
        expect(copy.mine()).toEqual(chain.mine());
      }),
      { numRuns: 6 },
    );
  });
});

describe('a snapshot', () => {
  test('brings back the keys that follow, and a mock time', () => {
    const chain = start();
    const before = chain.snapshot();
    const address = chain.wallet('a').address();
    chain.rpc.call('setmocktime', [1_900_000_000]);
    chain.rewind(before);
    expect(chain.time()).toBe(1_750_000_000);
    expect(chain.wallet('a').address()).toBe(address);
  });
});

describe('a text that is no state', () => {
  const chain = startRegtest();
  const whole = chain.dump();

  function expectRefused(text: unknown, reason: string): void {
    const { code, data } = refusalOf(() => chain.load(text as string));
    expect({ code, data }).toMatchObject({ code: 'regtest/state', data: { reason } });
    expect(chain.dump()).toBe(whole);
  }

  test('is refused, wherever it is cut', () => {
    for (let size = 0; size < whole.length; size += 1) expectRefused(whole.slice(0, size), 'damaged');
  });

  test('is refused, wherever a bit is another', () => {
    for (let at = 0; at < whole.length; at += 1) {
      for (const bit of [1, 2, 16, 32]) {
        const text = whole.slice(0, at) + String.fromCharCode(whole.charCodeAt(at) ^ bit) + whole.slice(at + 1);
        expect(() => chain.load(text)).toThrow(expect.objectContaining({ code: 'regtest/state' }));
      }
    }
    expect(chain.dump()).toBe(whole);
  });

  test.each([undefined, 1, null, new Uint8Array(3), '', '[]', '1', 'null', `${whole}x`])('%o', (text) => {
    expectRefused(text, 'damaged');
  });

  test('but may have spaces around it', () => {
    chain.load(` ${whole}\n`);
    expect(chain.dump()).toBe(whole);
  });

  test.each(['{}', '{"format":"other","version":1}', '{"format":7}'])('of another format: %s', (text) => {
    expectRefused(text, 'format');
  });

  test('of a newer release, whatever else it holds', () => {
    expectRefused('{"format":"countersign regtest","version":2,"blocks":[]}', 'version');
    expect(() => chain.load('{"format":"countersign regtest","version":2}')).toThrow(
      'The state has version 2, and this release reads none above 1: update countersign',
    );
  });

  test.each([0, -1, 0.5, '1', null])('of the version %o', (version) => {
    expectRefused(
      resealed(whole, (state) => ({ ...state, version })),
      'damaged',
    );
  });

  test('of another dialect', () => {
    expectRefused(start({ dialect: 'core-29' }).dump(), 'dialect');
  });

  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    time: [-1, '1', null, undefined],
    mockTime: [-1, 0.5, '1', undefined],
    random: [null, [], {}, { seed: 1, draws: 0 }, { seed: 's', draws: -1 }, { seed: 's', draws: 0.5 }],
    faucet: [null, {}, { number: 1, coins: {} }, { number: 1, coins: ['!'] }, { number: 'x', coins: [] }],
    records: [null, {}, [1], [['AA==']], [['AA==', 1]], [['A', 'AA==']], [['AA==', 'AB==']], [], [['bw==', 'e30=']]],
  };
  test.each(Object.entries(wrong).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'with the right sum, but a wrong %s: %o',
    (name, value) => {
      const text = resealed(whole, (state) => ({ ...state, [name]: value }));
      const { code } = refusalOf(() => chain.load(text));
      expect(code).toBe('regtest/state');
      expect(chain.dump()).toBe(whole);
    },
  );

  test('whose records a node cannot read', () => {
    const text = resealed(eventful().dump(), (state) => ({
      ...state,
      records: (state['records'] as [string, string][]).map(([key, value]) => [
        key,
        parseBase64(key)[0] === 'W'.charCodeAt(0) ? formatBase64(Uint8Array.of(1)) : value,
      ]),
    }));
    chain.failNext('getblockcount', { code: -28, message: 'Loading' });
    expectRefused(text, 'damaged');
    expect(() => chain.rpc.call('getblockcount')).toThrow('Loading');
    expect(goOn(chain)).toEqual(goOn(start()));
  });
});
