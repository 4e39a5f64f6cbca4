import { Verifier } from 'bip322-js';
import { describe, expect, test } from 'vitest';
import { seedOfWords } from '../../../../src/core/keys/seedWords.ts';
import { accountFromDescriptors, accountFromWords } from '../../../../src/kit/account/index.ts';
import { type RunInput, run } from '../../../support/io.ts';
import {
  createDeriver,
  derivePath,
  formatAddress,
  formatBase64,
  formatHex,
  formatWif,
  formatXprv,
  masterKey,
  networks,
  parseBase64,
  parseDescriptor,
  parsePath,
  signMessage,
} from '../../../support/library.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const wif = formatWif({ secretKey: new Uint8Array(32).fill(1), isCompressed: true }, networks.regtest);
const scriptOf = (descriptor: string): Uint8Array =>
  createDeriver(parseDescriptor(descriptor, networks.regtest))(0).scriptPubKeys[0] ?? new Uint8Array();
const addressOf = (descriptor: string): string => formatAddress(scriptOf(descriptor), networks.regtest) ?? '';

const coin = { txid: 'ab'.repeat(32), vout: 1, scriptPubKey: formatHex(scriptOf(`wpkh(${wif})`)), amount: '0.5' };
const FILES = { words: WORDS, keys: wif, wallet: `sh(wpkh(${wif}))`, coins: JSON.stringify([coin]) };

const call = (args: readonly string[], world: RunInput = {}): ReturnType<typeof run> =>
  run(['--network', 'regtest', ...args], { files: FILES, ...world });
const sign = async (address: string, message: string, ...keys: readonly string[]): Promise<string> => {
  const { code, out, error } = await call(['signmessage', '--bip322', address, message, ...keys]);
  expect([code, error.includes('error')]).toEqual([0, false]);
  return out.trim();
};

describe('signmessage --bip322', () => {
  const account = accountFromWords(WORDS, { network: 'regtest' });
  test.each([
    ['seed words', account.receive(12).address, ['--seed-file', 'words'], 'smp'],
    ['keys', addressOf(`tr(${wif})`), ['--keys-file', 'keys'], 'smp'],
    ['a key of a P2PKH address', addressOf(`pkh(${wif})`), ['--keys-file', 'keys'], 'ful'],
    ['descriptors', addressOf(`sh(wpkh(${wif}))`), ['--descriptors-file', 'wallet'], 'ful'],
  ])('signs with %s', async (_, address, keys, prefix) => {
    const signature = await sign(address, 'hello', ...keys);
    expect(signature.slice(0, 3)).toBe(prefix);
    const verify = (message: string): ReturnType<typeof run> =>
      call(['verifymessage', '--bip322', address, signature, message]);
    const form = `(BIP322, ${prefix === 'smp' ? 'simple' : 'full'})`;
    expect(await verify('hello')).toEqual({ code: 0, out: `valid ${form}\n`, error: '' });
    const { code, out } = await verify('Hello');
    expect([code, out]).toEqual([1, expect.stringContaining(`invalid ${form}: `)]);
    expect(out).toMatch(/another message/);
    expect(out.length).toBeLessThan(100);
  });

  test('proves funds', async () => {
    const address = addressOf(`tr(${wif})`);
    const signature = await sign(address, 'hello', '--keys-file', 'keys', '--prevtxs-file', 'coins');
    const verify = ['verifymessage', '--bip322', address, signature, 'hello'];
    expect(await call([...verify, '--prevtxs-file', 'coins'])).toMatchObject({
      code: 0,
      out: 'valid, with 50000000 satoshi (BIP322, proof of funds)\n',
    });
    expect(await call(verify)).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^inconclusive \(BIP322, proof of funds\): pass all coins/),
    });
  });

  test('says what is missing, without a key', async () => {
    const foreign = accountFromWords(WORDS, { network: 'regtest', purpose: 86, account: 7 }).receive(0).address;
    for (const [args, error] of [
      [['signmessage', '--bip322', foreign, 'hello', '--keys-file', 'keys'], /^error: Cannot sign for the address/m],
      [
        ['signmessage', '--bip322', wif, 'hello', '--keys-file', 'keys'],
        /^error: the first argument is not an address/m,
      ],
      [['signmessage', '--bip322', foreign], /takes ADDRESS MESSAGE, or --message-file/],
      [['verifymessage', '--bip322', foreign, 'hello'], /takes ADDRESS SIGNATURE MESSAGE, or/],
      [['decodescript', '--bip322', '51'], /--bip322 does not apply to decodescript/],
      [
        ['signmessage', foreign, 'hello', '--seed-file', 'words'],
        /^error: --seed-file needs --legacy or --bip322: without them, signmessage is the method of a node/,
      ],
      [
        ['verifymessage', foreign, 'x', 'hello', '--message-file', 'words'],
        /--message-file needs --legacy or --bip322/,
      ],
      [['verifymessage', '--legacy', foreign, 'x', 'hello', '--armor'], /--armor does not apply to verifymessage/],
      [['verifymessage', foreign, 'x', 'hello', '--seed-file', 'words'], /--seed-file does not apply to verifymessage/],
      [['signmessage', '--legacy', '--bip322', foreign, 'hello'], /give one of --legacy and --bip322/],
      [['signmessage', '--legacy', foreign, 'hello', '--no-prefix'], /--no-prefix needs --bip322/],
    ] as const) {
      const result = await call(args);
      expect(result).toMatchObject({ code: 1, error: expect.stringMatching(error) });
      expect(result.error).not.toContain(wif);
    }
  });
});

describe('signmessage', () => {
  const main = (args: readonly string[], world: RunInput = {}): ReturnType<typeof run> =>
    run(args, { ...world, files: { words: WORDS, ...world.files } });
  const accountOf = (purpose: 44 | 49 | 84 | 86) => accountFromWords(WORDS, { purpose });
  const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

  test.each([
    [44, 'legacy, as Bitcoin Core signs'],
    [49, 'legacy, as BIP137 signs segwit'],
    [84, 'legacy, as BIP137 signs segwit'],
  ] as const)('--legacy signs for purpose %d', async (purpose, form) => {
    const { address } = accountOf(purpose).receive(3);
    const { code, out, error } = await main(['signmessage', '--legacy', address, 'hello', '--seed-file', 'words']);
    expect([code, error]).toEqual([0, 'master key: fingerprint 73c5da0a\n']);
    expect(Verifier.verifySignature(address, 'hello', out.trim(), true)).toBe(true);
    for (const option of ['--legacy', '--bip322']) {
      const verified = await main(['verifymessage', option, address, out.trim(), 'hello']);
      expect(verified).toEqual({ code: 0, out: `valid (${form})\n`, error: '' });
      const other = await main(['verifymessage', option, address, out.trim(), 'Hello']);
      expect(other).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^invalid \(legacy\): for another message, or/),
      });
    }
    const node = await main(['verifymessage', address, out.trim(), 'hello']);
    if (purpose === 44) expect(node.out).toBe('true\n');
    else expect(node.error).toContain('error code: -3\nerror message:\nAddress does not refer to key\n');
  });

  test('--legacy is for the addresses of one key', async () => {
    const { address } = accountOf(86).receive(0);
    const { code, error } = await main(['signmessage', '--legacy', address, 'hello', '--seed-file', 'words']);
    expect([code, error]).toEqual([1, expect.stringContaining('error: A legacy signature is for P2PKH, P2WPKH and')]);
  });

  test.each([
    ['--no-prefix', 84, true],
    ['', 84, false],
    ['', 44, false],
  ] as const)('--bip322 %s of purpose %d says who refuses it', async (option, purpose, isKnown) => {
    const { address } = accountOf(purpose).receive(0);
    const sign = ['signmessage', '--bip322', address, 'hello', '--seed-file', 'words'];
    const { out, error } = await main(option === '' ? sign : [...sign, option]);
    expect(error.includes('--no-prefix leaves it out')).toBe(!isKnown);
    expect(error.includes('most verify only --legacy')).toBe(purpose === 44);
    expect(widest(error)).toBeLessThan(81);
    if (isKnown) expect(Verifier.verifySignature(address, 'hello', out.trim())).toBe(true);
    else expect(out).toMatch(/^(smp|ful)/);
  });

  // Line breaks inside a message are signed, the one at the end of a file is that of the editor.
  test.each(['one\n two', 'one\n two\n', '\ufeffone\n two\r\n'])('signs the message of a file: %j', async (content) => {
    const { address } = accountOf(84).receive(0);
    const sign = ['signmessage', '--bip322', address, '--seed-file', 'words', '--message-file'];
    const { out, error } = await main([...sign, 'text'], { files: { text: content } });
    expect(error).toContain('message: "one\\n two"\n');
    expect((await main([...sign, '-'], { stdin: content })).out).toBe(out);
    const verify = ['verifymessage', '--bip322', address, out.trim()];
    expect((await main([...verify, 'one\n two'])).out).toBe('valid (BIP322, simple)\n');
    expect((await main([...verify, '--message-file', 'text'], { files: { text: content } })).code).toBe(0);
  });

  test.each([
    ['Coldcard', 'hello\nm/84h/0h/0h/0/1490\np2wpkh\n', 84],
    ['Coldcard as JSON', '{"msg":"hello","subpath":"m/49h/0h/0h/0/1490","addr_fmt":"p2sh-p2wpkh"}', 49],
    ['Sparrow as a QR code', 'signmessage m/44h/0h/0h/0/1490 ascii:hello', 44],
  ] as const)('signs what %s asks for, and writes what it reads', async (_, request, purpose) => {
    const { address } = accountOf(purpose).receive(1490);
    const files = { request, xprv: formatXprv(masterKey(seedOfWords(WORDS)), networks.main) };
    for (const [option, name] of [
      ['--seed-file', 'words'],
      ['--keys-file', 'xprv'],
    ] as const) {
      const sign = ['signmessage', '--legacy', '--file', 'request', option, name, '--armor'];
      const { code, out, error } = await main(sign, { files });
      expect([code, error]).toEqual([0, expect.stringContaining(`address: ${address}\nmessage: "hello"\n`)]);
      const [begin, message, , signer] = out.split('\n');
      expect([begin, message, signer]).toEqual(['-----BEGIN BITCOIN SIGNED MESSAGE-----', 'hello', address]);
      const verified = await main(['verifymessage', '--legacy', '--file', '-'], { stdin: out });
      expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^valid \(legacy, as /) });
    }
  });

  test('says where an address was sought, and reaches it by its path', async () => {
    for (const purpose of [49, 84, 86] as const) {
      const { address } = accountOf(purpose).change(1490);
      const sign = ['signmessage', '--bip322', address, 'hello', '--seed-file', 'words'];
      const { code, error } = await main(sign);
      const end = `account 0: name its path, such as --path m/${purpose}h/0h/0h/0/1490\n`;
      expect([code, error.endsWith(end), widest(error) < 85]).toEqual([1, true, true]);
      expect(error).toContain('error: the address is not among the first 1000 receive and change addresses of\n');
      const beside = await main([...sign, '--path', `m/${purpose}h/0h/0h/1/1491`]);
      expect(beside.error).toMatch(/not that at m.*1\/1491 of/);
      const { out } = await main([...sign, '--path', `m/${purpose}h/0h/0h/1/1490`]);
      expect((await main(['verifymessage', '--bip322', address, out.trim(), 'hello'])).code).toBe(0);
    }
  });

  test('reaches another account, and any index of a wallet, by a path', async () => {
    const { address } = accountFromWords(WORDS, { account: 7 }).receive(2);
    const sign = ['signmessage', '--legacy', address, 'hello', '--path', 'm/84h/0h/7h/0/2', '--seed-file', 'words'];
    expect((await main(sign)).code).toBe(0);
    const master = masterKey(seedOfWords(WORDS));
    const account = formatXprv(derivePath(master, parsePath('m/48h/0h/0h/2h')), networks.main);
    const multisig = `wsh(multi(1,[73c5da0a/48h/0h/0h/2h]${account}/<0;1>/*,${formatHex(master.publicKey)}))`;
    const own = accountFromDescriptors(multisig).receive(5000).address;
    const shared = ['signmessage', '--bip322', own, 'hello', '--descriptors-file', 'multisig'];
    const files = { multisig };
    const { error } = await main(shared, { files });
    expect(error).toMatch(/of\nthe descriptors given: name its path, such as --path m\/48h/);
    expect((await main([...shared, '--path', 'm/48h/0h/0h/2h/0/5000'], { files })).out).toMatch(/^smp/);
  }, 30_000);

  test('refuses a request or message that is not one', async () => {
    const { address } = accountOf(84).receive(0);
    const seed = ['--seed-file', 'words'];
    const key = formatWif({ secretKey: new Uint8Array(32).fill(1), isCompressed: true }, networks.main);
    const files = { request: 'hello\nm/84h/0h/0h/0/0', key };
    for (const [args, error] of [
      [[address, '--message-file', 'words', ...seed], /--message-file: the message is not for others to read/],
      [['--file', 'words', ...seed], /--file: the message is not for others to read: it is seed words/],
      [[address, 'hello', '--file', 'request', ...seed], /the request of --file or arguments, not both/],
      [['--file', 'request', '--path', 'm/1', ...seed], /--path does not apply to a request/],
      [['--file', 'request', '--keys-file', 'key'], /the key at m\/84h\/0h\/0h\/0\/0: give the seed words/],
      [['--file', '-', '--seed-file', '-'], /standard input can be read only once/],
      [[address, 'hello', '--path', 'm/x', ...seed], /The path step "x" is not a number/],
      [[address, 'hello', '--message-file', 'request', ...seed], /takes ADDRESS with --message-file/],
    ] as const) {
      const result = await main(['signmessage', '--legacy', ...args], { files });
      expect(result).toMatchObject({ code: 1, out: '', error: expect.stringMatching(error) });
      expect(result.error.includes('abandon') || result.error.includes(key)).toBe(false);
    }
  });

  test('writes no file of a message that would end it', async () => {
    const { address } = accountOf(84).receive(0);
    const message = 'a\n-----BEGIN BITCOIN SIGNATURE-----';
    const sign = ['signmessage', '--bip322', address, '--seed-file', 'words', '--armor', '--message-file', 'text'];
    const { code, out, error } = await main(sign, { files: { text: message } });
    expect([code, out, error]).toEqual([1, '', expect.stringContaining('cannot hold a message with a line such as')]);
  });
});

describe('verifymessage names what is wrong', () => {
  const nested = '3HSVzEhCFuH9Z3wvoWTexy7BMVVp3PjS6f';
  const witness =
    'AkgwRQIhAMd2wZSY3x0V9Kr/NClochoTXcgDaGl3OObOR17yx3QQAiBVWxqNSS+CKen7bmJTG6YfJjsggQ4Fa2RHKgBKrdQQ+gEhAxa5UDdQCHSQHfKQv14ybcYm1C9y6b12xAuukWzSnS+w';
  const addressFor = (purpose: 44 | 84 | 86, index = 0): string =>
    accountFromWords(WORDS, { purpose }).receive(index).address;
  const from = accountFromWords(WORDS).receive(0);
  const legacy = signMessage({ message: 'Hello World', from, format: 'legacy' });
  const uncompressed = formatBase64(parseBase64(legacy).map((byte, i) => (i === 0 ? byte - 12 : byte)));
  const full = signMessage({ message: 'Hello World', from, format: 'full' });

  test.each([
    ['nothing of a nested witness', nested, witness, 'valid (BIP322, simple)'],
    ['nothing without letters', addressFor(84), full.slice(3), 'valid (BIP322, full)'],
    ['another key', addressFor(84), witness, 'invalid (BIP322, simple): by a key or script that is not'],
    ['another index', addressFor(84, 1), full, 'invalid (BIP322, full): by a key or script that is not'],
    ['no segwit', addressFor(44), witness, 'invalid (BIP322, simple): this kind of address has no such'],
    ['taproot', addressFor(86), legacy, 'invalid (legacy): this kind of address has no such'],
    ['a header', addressFor(84), uncompressed, 'invalid (legacy): the key is right, but signed for another'],
    ['a cut', nested, witness.slice(0, -1), 'invalid: the signature is not base64: copy'],
    ['a missing part', nested, witness.slice(0, -4), 'invalid: the base64 holds no such signature: copy'],
    ['wrong letters', nested, `ful${witness}`, 'invalid (BIP322, full): the base64 holds no such'],
  ])('%s', async (_, address, signature, start) => {
    const { out } = await run(['verifymessage', '--bip322', address, signature, 'Hello World']);
    expect([out.slice(0, start.length), out.length < 100]).toEqual([start, true]);
  });
});
