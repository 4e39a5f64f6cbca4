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
    const invalid = { kind: 'invalid', format: 'legacy' };
    expect(verify(scripts.pkh, signature, { message: 'Hello' })).toEqual({ ...invalid, reason: 'signature' });
  });

  // BIP137: 27 to 30 are uncompressed P2PKH, 31 to 34 compressed P2PKH, 35 to 38 P2SH-P2WPKH, 39 to 42 P2WPKH. Electrum and
  // Sparrow write 31 to 34 for all three; of a P2PKH address, nodes read only two bits of the header.
  test.each([
    [4, { pkh: 'legacy', wpkh: 'electrum', nested: 'electrum' }],
    [8, { nested: 'bip137' }],
    [12, { pkh: 'legacy', wpkh: 'bip137' }],
    [0, {}],
  ] as const)('may be recoverable, with a header of %i above 27, for %j', (above, formats) => {
    const bytes = parseBase64(signLegacyMessage('hello', key, network));
    const signature = formatBase64(Uint8Array.from(bytes, (byte, i) => (i === 0 ? byte - 4 + above : byte)));
    const invalid = { kind: 'invalid', format: 'legacy' };
    for (const kind of ['pkh', 'wpkh', 'nested'] as const) {
      const { [kind]: format } = formats as Partial<Record<typeof kind, string>>;
      expect(verify(scripts[kind], signature)).toEqual(
        format ? { kind: 'valid', format, coins: [], locktime: 0, sequence: 0 } : { ...invalid, reason: 'header' },
      );
      expect(verify(scripts[kind], signature, { message: 'Hello' })).toEqual({ ...invalid, reason: 'signature' });
    }
    expect(verify(scripts.taproot, signature)).toEqual({ ...invalid, reason: 'address' });
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

  test('of BIP322 says what is wrong with it', () => {
    const other = createSigningProvider({
      keys: [{ secretKey: secretKey.map(() => 2), isCompressed: true }],
      scripts: [],
    });
    const foreign = scriptOf(`wpkh(${formatWif({ secretKey: secretKey.map(() => 2), isCompressed: true }, network)})`);
    const simple = sign(scripts.wpkh);
    const invalid = { kind: 'invalid', format: 'simple' };
    expect(verify(scripts.wpkh, simple, { message: 'Hello' })).toMatchObject({ ...invalid, reason: 'message' });
    expect(verify(foreign, simple)).toMatchObject({ ...invalid, reason: 'key' });
    expect(
      verify(scripts.nested, signMessage({ message: 'hello', from: { scriptPubKey: foreign, provider: other } })),
    ).toMatchObject({ ...invalid, reason: 'key' });
    expect(verify(scripts.pkh, simple)).toMatchObject({ ...invalid, reason: 'address' });
    expect(verify(scripts.taproot, sign(scripts.taproot), { message: 'Hello' })).toMatchObject({
      ...invalid,
      reason: 'signature',
    });
    for (const kind of ['pkh', 'wpkh', 'nested', 'taproot'] as const) {
      const full = sign(scripts[kind], { format: 'full' });
      const reason = kind === 'taproot' ? 'signature' : 'message';
      expect(verify(scripts[kind], full, { message: 'Hello' })).toEqual({ kind: 'invalid', format: 'full', reason });
    }
    expect(verify(foreign, sign(scripts.wpkh, { format: 'full' }))).toEqual({
      kind: 'invalid',
      format: 'full',
      reason: 'key',
    });
    expect(verify(scripts.wpkh, simple.slice(0, -4))).toEqual({ ...invalid, reason: 'encoding' });
    expect(verify(scripts.wpkh, simple.slice(0, -1))).toEqual({ ...invalid, reason: 'base64' });
    expect(verify(scripts.wpkh, simple.slice(3, -1))).toEqual({ kind: 'invalid', reason: 'base64' });
    expect(
      verify(
        scripts.wpkh,
        changed((tx) => ({ ...tx, locktime: 5 })),
      ),
    ).toMatchObject({ kind: 'invalid', format: 'full', reason: 'changed', inputIndex: 0 });
    const open = changed((tx) => ({
      ...tx,
      inputs: tx.inputs.map((input) => ({
        ...input,
        witness: input.witness.map((item, i) =>
          i === 0 ? Uint8Array.from(item, (byte, at) => (at === item.length - 1 ? 2 : byte)) : item,
        ),
      })),
    }));
    expect(verify(scripts.wpkh, open)).toMatchObject({ kind: 'invalid', reason: 'sighash-type' });
    const unsigned = changed((tx) => ({ ...tx, inputs: tx.inputs.map((input) => ({ ...input, witness: [] })) }));
    expect(verify(scripts.wpkh, unsigned)).toMatchObject({
      kind: 'invalid',
      reason: 'script',
      failure: { error: 'WITNESS_PROGRAM_MISMATCH' },
    });
  });

  test('of nested segwit may be its witness alone, since the redeem script follows from it', () => {
    const keys = [1, 2].map((n) => formatWif({ secretKey: secretKey.map(() => n), isCompressed: true }, network));
    for (const descriptor of [`sh(wpkh(${wif}))`, `sh(wsh(multi(2,${keys.join()})))`]) {
      const derived = createDeriver(parseDescriptor(descriptor, network))(0);
      const scriptPubKey = derived.scriptPubKeys[0] ?? new Uint8Array();
      const full = signMessage({ message: 'hello', from: { scriptPubKey, derived } });
      const witness = decodeTransaction(parseBase64(full.slice(3))).inputs[0]?.witness ?? [];
      for (const prefix of ['', 'smp']) {
        const signature =
          prefix + formatBase64(Uint8Array.of(witness.length, ...witness.flatMap((item) => [item.length, ...item])));
        expect(verify(scriptPubKey, signature)).toMatchObject({ kind: 'valid', format: 'simple' });
        expect(verify(scriptPubKey, signature, { message: 'Hello' })).toMatchObject({
          kind: 'invalid',
          reason: 'message',
        });
        expect(verify(scripts.wpkh, signature)).toMatchObject({ kind: 'invalid' });
      }
    }
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
    const other = { kind: 'invalid', format: 'full', reason: 'transaction' };
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
    expect(verify(future, 'smpAQA=')).toEqual({ kind: 'inconclusive', format: 'simple', reason: 'upgradable' });
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
    const inconclusive = { kind: 'inconclusive', format: 'proof-of-funds', reason: 'coins' };
    expect(verify(scripts.taproot, signature)).toEqual(inconclusive);
    expect(verify(scripts.taproot, signature, { coinOf: (of) => (of.vout === 2 ? undefined : unspent(of)) })).toEqual(
      inconclusive,
    );
    const other: VerifyMessageInput['coinOf'] = (of) => {
      const found = unspent(of);
      return found && { ...found, value: found.value + 1n };
    };
    expect(verify(scripts.taproot, signature, { coinOf: other })).toMatchObject({ kind: 'invalid', reason: 'changed' });
  });

  test('fails if a coin cannot be signed for', () => {
    const foreign = coin(9, scriptOf(`wpkh(02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'})`));
    expect(() => sign(scripts.wpkh, { coins: [coins[0] ?? foreign, foreign] })).toThrow(/Cannot sign for coin 2 of 2/);
  });
});
