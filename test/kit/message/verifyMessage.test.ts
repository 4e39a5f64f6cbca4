import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CURRENT_RULES,
  createDeriver,
  createSigningProvider,
  decodeTransaction,
  encodeTransaction,
  formatAddress,
  formatBase64,
  formatWif,
  networks,
  nobleEcc,
  type ProvenCoin,
  parseBase64,
  parseDescriptor,
  parseTxid,
  type SignMessageInput,
  signLegacyMessage,
  signMessage,
  type Transaction,
  type VerifyMessageInput,
  verifyMessage,
} from '../../support/library.ts';

const network = networks.regtest;
const secretKey = new Uint8Array(32).fill(1);
const key = { secretKey, isCompressed: true };
const wif = formatWif(key, network);

const scriptOf = (descriptor: string): Uint8Array => {
  const [script = new Uint8Array()] = createDeriver(parseDescriptor(descriptor, network))(0).scriptPubKeys;
  return script;
};
const [pkh, wpkh, nested, taproot] = ['pkh', 'wpkh', 'sh(wpkh', 'tr'].map((kind) =>
  scriptOf(`${kind}(${wif})${kind.includes('(') ? ')' : ''}`),
);
const scripts = { pkh, wpkh, nested, taproot } as Readonly<Record<'pkh' | 'wpkh' | 'nested' | 'taproot', Uint8Array>>;
const provider = createSigningProvider(
  { keys: [key], scripts: [scripts.wpkh] },
  { rules: CURRENT_RULES, ecc: nobleEcc },
);

const sign = (scriptPubKey: Uint8Array, more: Partial<SignMessageInput> = {}): string =>
  signMessage({ message: 'hello', from: { scriptPubKey, provider }, ...more });
const verify = (scriptPubKey: Uint8Array, signature: string, more: Partial<VerifyMessageInput> = {}): unknown =>
  verifyMessage({ message: 'hello', address: formatAddress(scriptPubKey, network) ?? '', signature, network, ...more });

describe('a signed message', () => {
  test.each([
    ['pkh', 'full'],
    ['wpkh', 'simple'],
    ['nested', 'full'],
    ['taproot', 'simple'],
  ] as const)('of %s is %s by default, and valid for its address and message alone', (kind, format) => {
    const signature = sign(scripts[kind]);
    expect(verify(scripts[kind], signature)).toMatchObject({ kind: 'valid', format });
    expect(verify(scripts[kind], signature, { message: 'Hello' })).toMatchObject({ kind: 'invalid' });
    for (const other of Object.values(scripts).filter((script) => script !== scripts[kind])) {
      expect(verify(other, signature)).toMatchObject({ kind: 'invalid' });
    }
  });

  test('of a P2PKH address may be in the form of nodes', () => {
    const signature = signLegacyMessage('hello', key, network);
    expect(verify(scripts.pkh, signature)).toMatchObject({ kind: 'valid', format: 'legacy' });
    expect(verify(scripts.pkh, signature, { message: 'Hello' })).toEqual({ kind: 'invalid', reason: 'script' });
  });

  // BIP137: 27 to 30 are uncompressed P2PKH, 31 to 34 compressed P2PKH, 35 to 38 P2SH-P2WPKH, 39 to 42 P2WPKH. Electrum and
  // Sparrow write 31 to 34 for all three; of a P2PKH address, nodes read only two bits of the header.
  test.each([
    [4, ['pkh', 'wpkh', 'nested']],
    [8, ['nested']],
    [12, ['pkh', 'wpkh']],
    [0, []],
  ] as const)('may be recoverable, with a header of %i above 27, of the key of %j', (above, kinds) => {
    const bytes = parseBase64(signLegacyMessage('hello', key, network));
    const signature = formatBase64(Uint8Array.from(bytes, (byte, i) => (i === 0 ? byte - 4 + above : byte)));
    for (const kind of ['pkh', 'wpkh', 'nested'] as const) {
      const isOwn = kinds.some((own) => own === kind);
      expect(verify(scripts[kind], signature)).toEqual(
        isOwn
          ? { kind: 'valid', format: 'legacy', coins: [], locktime: 0, sequence: 0 }
          : { kind: 'invalid', reason: 'script' },
      );
      expect(verify(scripts[kind], signature, { message: 'Hello' })).toEqual({ kind: 'invalid', reason: 'script' });
    }
    expect(verify(scripts.taproot, signature)).toEqual({ kind: 'invalid', reason: 'encoding' });
  });

  test('has locks only in the full form, and says which', () => {
    const signature = sign(scripts.wpkh, { version: 2, locktime: 500, sequence: 7 });
    expect(verify(scripts.wpkh, signature)).toMatchObject({
      kind: 'valid',
      format: 'full',
      locktime: 500,
      sequence: 7,
    });
    expect(() => sign(scripts.wpkh, { format: 'simple', locktime: 500 })).toThrow(/^A simple signature is for/);
  });

  const changed = (change: (tx: Transaction) => Transaction): string => {
    const tx = decodeTransaction(parseBase64(sign(scripts.wpkh, { format: 'full' }).slice(3)));
    return `ful${formatBase64(encodeTransaction(change(tx)))}`;
  };

  test('is a transaction that pays nothing, spends the message first, and has a known version', () => {
    expect(
      verify(
        scripts.wpkh,
        changed((tx) => tx),
      ),
    ).toMatchObject({ kind: 'valid' });
    const other = { kind: 'invalid', reason: 'transaction' };
    expect(
      verify(
        scripts.wpkh,
        changed((tx) => ({ ...tx, outputs: [...tx.outputs, ...tx.outputs] })),
      ),
    ).toEqual(other);
    const paying = changed((tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, value: 1n })) }));
    expect(verify(scripts.wpkh, paying)).toEqual(other);
    const twice = changed((tx) => ({ ...tx, inputs: [...tx.inputs, ...tx.inputs] }));
    expect(verify(scripts.wpkh, twice)).toEqual(other);
    expect(
      verify(
        scripts.wpkh,
        changed((tx) => ({ ...tx, version: 3 })),
      ),
    ).toMatchObject({ kind: 'invalid' });
  });

  test('of an unknown witness version is inconclusive', () => {
    const future = Uint8Array.of(0x60, 2, 1, 2);
    expect(verify(future, 'smpAQA=')).toEqual({ kind: 'inconclusive', reason: 'upgradable' });
  });

  test('is never an exception, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'smp', 'ful', 'pof'),
        fc.uint8Array({ maxLength: 200 }),
        fc.string(),
        (p, bytes, text) => {
          for (const signature of [p + formatBase64(bytes), p + text, `pofcHNidP8${formatBase64(bytes)}`]) {
            expect(verify(scripts.wpkh, signature)).toMatchObject({ kind: 'invalid' });
          }
        },
      ),
    );
  });

  test('of a megabyte is judged in time', () => {
    const message = 'x'.repeat(1_000_000);
    const signature = sign(scripts.wpkh, { message });
    expect(verify(scripts.wpkh, signature, { message })).toMatchObject({ kind: 'valid' });
    for (const prefix of ['', 'smp', 'ful', 'pof']) {
      expect(verify(scripts.wpkh, prefix + '/'.repeat(1_000_000))).toMatchObject({ kind: 'invalid' });
    }
  });
});

describe('a proof of funds', () => {
  const coin = (n: number, scriptPubKey: Uint8Array): ProvenCoin => ({
    outpoint: { txid: parseTxid(`${n}${n}`.repeat(32)), vout: n },
    value: BigInt(n) * 1000n,
    scriptPubKey,
  });
  const coins = Object.values(scripts).map((script, i) => coin(i + 1, script));
  const signature = sign(scripts.taproot, { coins });
  const unspent: VerifyMessageInput['coinOf'] = ({ vout }) => coins.find(({ outpoint }) => outpoint.vout === vout);

  test('is valid if the caller finds every coin', () => {
    expect(signature.slice(0, 3)).toBe('pof');
    expect(verify(scripts.taproot, signature, { coinOf: unspent })).toEqual({
      ...{ kind: 'valid', format: 'proof-of-funds', locktime: 0, sequence: 0 },
      coins,
    });
  });

  test('proves nothing about coins that the caller does not find, or that differ', () => {
    const inconclusive = { kind: 'inconclusive', reason: 'coins' };
    expect(verify(scripts.taproot, signature)).toEqual(inconclusive);
    expect(verify(scripts.taproot, signature, { coinOf: (of) => (of.vout === 2 ? undefined : unspent(of)) })).toEqual(
      inconclusive,
    );
    const other: VerifyMessageInput['coinOf'] = (of) => {
      const found = unspent(of);
      return found && { ...found, value: found.value + 1n };
    };
    expect(verify(scripts.taproot, signature, { coinOf: other })).toMatchObject({ kind: 'invalid', reason: 'script' });
  });

  test('fails if a coin cannot be signed for', () => {
    const foreign = coin(9, scriptOf(`wpkh(02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'})`));
    expect(() => sign(scripts.wpkh, { coins: [coins[0] ?? foreign, foreign] })).toThrow(/Cannot sign for coin 2 of 2/);
  });
});
