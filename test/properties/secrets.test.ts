import { inspect } from 'node:util';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeScrypt } from '../../src/cli/nodeScrypt.ts';
import { nobleEcc } from '../../src/crypto/nobleEcc.ts';
import { parseDescriptor } from '../../src/descriptors/parse.ts';
import { deriveChild, formatXprv, masterKey, parseExtendedKey } from '../../src/keys/bip32.ts';
import { formatWif, parseWif } from '../../src/keys/wif.ts';
import { CURRENT_RULES } from '../../src/signing/rules.ts';
import { answerWithKeys, createNodeRpc, createProvider, networks } from '../support/library.ts';

/** Nothing that takes a key shows it again unless it is asked for by name. */

const network = networks.regtest;
const secret = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => (bytes[0] ?? 0) < 0xff && new Set(bytes).size > 20);

/** The forms in which a log or a file could hold a key. */
function formsOf(key: Uint8Array): readonly string[] {
  const buffer = Buffer.from(key);
  const indexed = JSON.stringify(Uint8Array.from(key)).slice(1, -1);
  const spaced = buffer.toString('hex').replace(/..(?=.)/g, '$& ');
  const wif = formatWif({ secretKey: key, isCompressed: true }, network);
  return [
    buffer.toString('hex'),
    spaced,
    [...key].join(),
    [...key].join(', '),
    indexed,
    buffer.toString('base64'),
    wif,
  ];
}

const json = (value: unknown): string => {
  const seen = new Set<object>();
  const text: string | undefined = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `${member}`;
    if (typeof member !== 'object' || member === null) return member;
    if (seen.has(member)) return undefined;
    seen.add(member);
    return member instanceof Map ? [...member] : member instanceof Set ? [...member] : member;
  });
  // Functions have none.
  return text ?? '';
};

const all = { depth: Number.POSITIVE_INFINITY, maxArrayLength: null, breakLength: Number.POSITIVE_INFINITY } as const;
const texts = (value: unknown): readonly string[] => [
  inspect(value, all),
  inspect(value, { ...all, compact: false }),
  inspect(value, { ...all, showHidden: true }),
  json(value),
];

function expectHidden(value: unknown, key: Uint8Array): void {
  const shown = texts(value).map((text) => text.replace(/\s+/g, ' '));
  for (const form of formsOf(key)) for (const text of shown) expect(text.includes(form)).toBe(false);
}

test('keys that were parsed, derived or written in descriptors', () => {
  fc.assert(
    fc.property(secret, (bytes) => {
      const wif = formatWif({ secretKey: bytes, isCompressed: true }, network);
      const master = masterKey(bytes);
      const child = deriveChild(master, 0x8000_0000);
      const xprv = formatXprv(master, network);
      const parsed = parseWif(wif, network);
      expect([...parsed.secretKey]).toEqual([...bytes]);
      expect([inspect(parsed.secretKey), JSON.stringify(parsed.secretKey), `${parsed.secretKey}`]).toEqual([
        '[secret]',
        '"[secret]"',
        '[secret]',
      ]);
      for (const value of [parsed, parseDescriptor(`wpkh(${wif})`, network), parseDescriptor(`tr(${wif})`, network)]) {
        expectHidden(value, bytes);
        expectHidden({ ...value }, bytes);
      }
      const descriptor = parseDescriptor(`wpkh(${xprv}/0/*)`, network);
      for (const value of [master, parseExtendedKey(xprv, network), descriptor]) {
        expectHidden(value, master.secretKey ?? bytes);
        expect(texts(value).join()).not.toContain(xprv);
      }
      expectHidden(child, child.secretKey ?? bytes);
    }),
    { numRuns: 30 },
  );
});

/** Bytes of a clone, where there can be one: functions have none. */
function cloneOf(value: unknown): Buffer {
  try {
    return serialize(value);
  } catch (error) {
    expect(String(error)).toContain('could not be cloned');
    return Buffer.alloc(0);
  }
}

test('answerers, nodes and their wallets, plain or unlocked, also in clones', () => {
  fc.assert(
    fc.property(secret, (bytes) => {
      const answerer = answerWithKeys(
        createProvider({ keys: [{ secretKey: bytes, isCompressed: true }], scripts: [] }, CURRENT_RULES, nobleEcc),
      );
      expectHidden(answerer, bytes);
      expect(cloneOf(answerer).includes(Buffer.from(bytes))).toBe(false);
      let next = 1;
      const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
      const rpc = createNodeRpc({ network, dialect: 'core-0.21', clock: () => 0, random, scrypt: nodeScrypt });
      rpc.call('createwallet', ['w', false, true]);
      rpc.call('importprivkey', [formatWif({ secretKey: bytes, isCompressed: true }, network), '', false]);
      const wallet = rpc.node.wallets.get('w');
      const expectSafe = (): void => {
        for (const value of [rpc, rpc.node, rpc.node.wallets, wallet, wallet?.vault]) {
          expectHidden(value, bytes);
          expect(cloneOf(value).includes(Buffer.from(bytes))).toBe(false);
        }
      };
      expectSafe();
      rpc.call('encryptwallet', ['passphrase']);
      rpc.call('walletpassphrase', ['passphrase', 60]);
      expectSafe();
    }),
    { numRuns: 3 },
  );
});
