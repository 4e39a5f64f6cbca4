import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/core/errors.ts';
import { run } from '../support/io.ts';
import { BtcError, decodePsbtBytes, encodePsbt, formatBase64, formatWif, networks } from '../support/library.ts';
import { ALICE, parse, payment, WALLETS } from '../support/psbts.ts';
import { expectRefusal, refusalOf } from '../support/refusal.ts';
import {
  bytesOf,
  essentials,
  KEY,
  mapOf,
  ORIGIN,
  openMap,
  outpoint,
  P2WPKH,
  PREVIOUS_TXID,
  placed,
  type Rec,
  repeat,
  SIGNATURE,
  sized,
  tx,
  txIn,
  txOut,
  UNSIGNED,
  u32,
  type Version,
  wire,
  X_ONLY,
} from '../support/wire.ts';

/**
 * Attacks with malformed PSBTs, and secrets that must not leak; the numbers are those of docs/safety.md. Every rule of
 * the wire format has its rows in `psbt/format/decodePsbt.test.ts`.
 */

const MiB = 1 << 20;

describe('17. two records with one key', () => {
  const twice = (key: string, first: string, second = first): readonly Rec[] => [
    [key, first],
    [key, second],
  ];

  test.each([
    ['a second unsigned transaction', 0, 'global', twice('00', UNSIGNED, tx([], []))],
    ['a second signature of one key', 0, 'input', twice(`02${KEY}`, SIGNATURE)],
    ['a second coin', 0, 'input', twice('01', txOut(1, P2WPKH), txOut(2, P2WPKH))],
    ['a second hash type', 0, 'input', twice('03', u32(1), u32(2))],
    ['a second outpoint', 2, 'input', twice('0f', u32(0), u32(1))],
    ['a second amount', 2, 'output', twice('03', `${u32(1)}00000000`, `${u32(2)}00000000`)],
    ['a second origin', 0, 'output', twice(`02${KEY}`, ORIGIN)],
    ['a second record of an unknown type', 0, 'input', twice('f1aa', '01', '02')],
  ] as const)('%s', (_, version, map, records) => {
    expect(refusalOf(() => decodePsbtBytes(placed(version as Version, map, ...records).bytes)).code).toBe(
      'psbt/duplicate-key',
    );
  });
});

describe('18. data after a PSBT', () => {
  const good = encodePsbt(payment(['wpkh'], { version: 0 }));

  test.each([[[0x00]], [[0xff]], [[0x0a]], [[...good]]])('is refused: case %#', (extra) => {
    const data = { offset: good.length, extra: extra.length };
    expectRefusal(() => decodePsbtBytes(Uint8Array.of(...good, ...extra)), 'psbt/trailing', data);
  });

  test('is not signed', async () => {
    const { code, out, error } = await run(
      ['signpsbt', '--yes', formatBase64(Uint8Array.of(...good, 0)), '--keys-stdin'],
      {
        stdin: '[]',
      },
    );
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(/^error: [^\n]*\n$/);
  });

  test('is not confused with a truncated PSBT', () => {
    expect(refusalOf(() => decodePsbtBytes(bytesOf(''))).code).toBe('bytes/end-of-data');
    expect(() => decodePsbtBytes(good.slice(0, -1))).toThrow(BtcError);
  });
});

describe('19. transactions that are not unsigned, and other versions, are refused', () => {
  const withTx = (unsignedTx: string): Uint8Array => wire(mapOf(['00', unsignedTx]), mapOf(), mapOf()).bytes;
  const input = txIn(outpoint(PREVIOUS_TXID, 0));
  const output = txOut(4000, P2WPKH);
  const plain = tx([input], [output]);

  test('a transaction serialized with witnesses', () => {
    const segwit = `${plain.slice(0, 8)}0001${plain.slice(8, -8)}0101aa${plain.slice(-8)}`;
    expect(() => decodePsbtBytes(withTx(segwit))).toThrow(BtcError);
    const empty = `${plain.slice(0, 8)}0001${plain.slice(8, -8)}00${plain.slice(-8)}`;
    expect(() => decodePsbtBytes(withTx(empty))).toThrow(BtcError);
  });

  test('a signed transaction', () => {
    const signed = tx([txIn(outpoint(PREVIOUS_TXID, 0), '51')], [output]);
    expect(refusalOf(() => decodePsbtBytes(withTx(signed))).code).toBe('psbt/unsigned-tx-signed');
  });

  test.each(['00', 'ffffffff', plain])('a transaction with more bytes after it: %s', (extra) => {
    expect(refusalOf(() => decodePsbtBytes(withTx(plain + extra))).code).toBe('psbt/value-size');
    expect(decodePsbtBytes(withTx(plain)).inputs).toHaveLength(1);
  });

  test.each([
    [1, 'psbt/version-undefined'],
    [3, 'psbt/version-unsupported'],
    [0x7fff_ffff, 'psbt/version-unsupported'],
    [0xffff_ffff, 'psbt/version-unsupported'],
  ] as const)('version %i', (version, code) => {
    const records = essentials(2, 'global').filter(([key]) => key !== 'fb');
    const bytes = wire(mapOf(...records, ['fb', u32(version)]), ...Array(4).fill(mapOf())).bytes;
    const ofOld = wire(mapOf(['00', plain], ['fb', u32(version)]), mapOf(), mapOf()).bytes;
    for (const given of [bytes, ofOld]) expect(refusalOf(() => decodePsbtBytes(given)).code).toBe(code);
  });

  test('version 2 with an unsigned transaction, and version 0 with counts', () => {
    const codes = [placed(2, 'global', ['00', plain]), placed(0, 'global', ['04', '01'])].map(
      ({ bytes }) => refusalOf(() => decodePsbtBytes(bytes)).code,
    );
    expect(codes).toEqual(['psbt/field-not-allowed', 'psbt/field-not-allowed'] satisfies ErrorCode[]);
  });
});

describe('20. sizes and counts beyond the data', () => {
  const HUGE = ['feffffff7f', 'feffffffff', 'ffffffffff01000000', 'ffffffffffffffff7f', `ff${repeat('ff', 8)}`];
  const bytesWith = (size: string): readonly (readonly [string, Uint8Array])[] => {
    const inInput = (record: string): Uint8Array => placed(0, 'input', record).bytes;
    const header = (...records: readonly Rec[]): Uint8Array => wire(mapOf(...records)).bytes;
    const counts = (inputs: string, outputs: string): Uint8Array =>
      header(['02', u32(2)], ['04', inputs], ['05', outputs], ['fb', u32(2)]);
    const start = u32(2);
    return [
      ['a key', wire(openMap(size)).bytes],
      ['a value', inInput(`0108${size}`)],
      ['a value of an unknown record', inInput(`02f1aa${size}`)],
      ['inputs of a transaction', header(['00', start + size])],
      ['outputs of a transaction', header(['00', `${start}01${txIn(outpoint(PREVIOUS_TXID, 0))}${size}`])],
      ['a script', header(['00', `${start}01${outpoint(PREVIOUS_TXID, 0)}${size}`])],
      ['witness items', inInput(`0108${sized(size)}`)],
      ['a witness item', inInput(`0108${sized(`01${size}`)}`)],
      ['leaf hashes', inInput(`${sized(`16${X_ONLY}`)}${sized(size)}`)],
      ['input maps', counts(size, '00')],
      ['output maps', counts('00', size)],
    ];
  };

  test.each(HUGE)('are refused without allocating memory for them: %s', (size) => {
    for (const [name, bytes] of bytesWith(size)) {
      const before = process.memoryUsage();
      expect(() => decodePsbtBytes(bytes), name).toThrow(BtcError);
      const after = process.memoryUsage();
      expect(after.arrayBuffers - before.arrayBuffers, name).toBeLessThan(16 * MiB);
    }
  });

  // Comparing each record with all before it would end in the general time-out.
  test('do not include many small records', () => {
    const many = Array.from({ length: 60_000 }, (_, i): Rec => [`f1${i.toString(16).padStart(8, '0')}`, '']);
    const { bytes } = placed(0, 'input', ...many);
    expect(decodePsbtBytes(bytes).inputs[1]?.unknown).toHaveLength(60_001);
  });
});

describe('28. secrets', () => {
  const WIF = formatWif({ secretKey: ALICE.secretAt('m/84h/1h/0h/0/0'), isCompressed: true }, networks.regtest);
  const XPRV = /tprv\w+/.exec(WALLETS.wpkh)?.[0] ?? '';
  const psbt = formatBase64(encodePsbt(payment(['wpkh'])));
  /** Tells whether a text holds twelve characters of a secret in a row. */
  const leaks = (text: string, secret: string): boolean =>
    Array.from({ length: secret.length - 11 }, (_, i) => secret.slice(i, i + 12)).some((part) => text.includes(part));

  test('in descriptors do not appear in errors', () => {
    const broken = [
      XPRV,
      `wpkh(${XPRV}`,
      `wpkh(${XPRV}x)`,
      `wpkh(${XPRV.slice(0, -1)})`,
      `wpkh(${XPRV}/0/*)#00000000`,
      `wpkh(${XPRV}/0/*))`,
      `wpkh(${XPRV}/x/*)`,
      `wpkh(${XPRV}/9999999999/*)`,
      `wpkh([00000000/${XPRV}]${XPRV})`,
      `wpkh([${XPRV}]${XPRV})`,
      `wpkh( ${XPRV} )`,
      `wsh(multi(${XPRV},${XPRV}))`,
      `wsh(sortedmulti(3,${XPRV}/0/*,${XPRV}/1/*))`,
      `wsh(and_v(${XPRV},pk(${XPRV})))`,
      `wsh(and_v(v:pk(${XPRV}),${XPRV}))`,
      `tr(${XPRV},{pk(${XPRV})})`,
      `tr(${XPRV},pk(${XPRV}x))`,
      `tr(musig(${XPRV},${XPRV}x))`,
      `addr(${XPRV})`,
      `raw(${XPRV})`,
      `${XPRV}(${WIF})`,
      `wpkh(${WIF}x)`,
      `wpkh(${WIF}/0/*)`,
      `pk(${WIF})#${WIF}`,
    ];
    const leaky = broken.filter((text) => {
      const { message, data } = refusalOf(() => parse(text));
      return leaks(message + JSON.stringify(data), XPRV) || leaks(message + JSON.stringify(data), WIF);
    });
    expect(leaky).toEqual([]);
  });

  test('in wrong files, prompts and arguments do not appear in errors', async () => {
    const SIGN = ['signpsbt', '--network', 'regtest', '--yes', psbt];
    const REVIEW = ['review', '--network', 'regtest', psbt];
    for (const secret of [WIF, XPRV]) {
      const contents = [
        secret,
        `${secret}x`,
        `["${secret}"`,
        `[["${secret}"]]`,
        `[{"desc":"wpkh(${secret}x)"}]`,
        `{"${secret}":1}`,
      ];
      const given = contents.flatMap((content): readonly Parameters<typeof run>[] => {
        const files = { secret: content };
        return [
          [[...SIGN, '--keys-file', 'secret'], { files }],
          [[...SIGN, '--keys-stdin'], { stdin: content }],
          [['signpsbt', '--network', 'regtest', psbt], { typed: [content, 'yes'] }],
          [[...SIGN, '--descriptors-file', 'secret'], { files }],
          [[...REVIEW, '--descriptors-file', 'secret'], { files }],
          [['review', '--file', 'secret'], { files }],
        ];
      });
      // Secrets as arguments, by mistake.
      const misplaced: readonly Parameters<typeof run>[] = [
        [[...SIGN, secret]],
        [[...SIGN, `["${secret}"]`]],
        [[...SIGN, '--keys-file', secret]],
        [[...REVIEW, '--descriptors-file', `wpkh(${secret}/0/*)`]],
        [['review', secret]],
        [['signpsbt', psbt, '--keys-stdin', '--yes'], { stdin: secret }],
        [[secret]],
      ];
      const leaky: string[] = [];
      for (const [argv, world] of [...given, ...misplaced]) {
        const { out, error } = await run(argv, world);
        if (leaks(out + error, secret)) leaky.push(`${argv.filter((arg) => arg !== psbt).join(' ')} -> ${error}`);
      }
      expect(leaky).toEqual([]);
    }
  });

  test('do not appear in the review or the signing of a PSBT', async () => {
    const files = { descriptors: WALLETS.wpkh, keys: WIF };
    const shown = await run(['review', '--network', 'regtest', psbt, '--descriptors-file', 'descriptors'], { files });
    expect(shown.code).toBe(0);
    const signed = await run(['signpsbt', '--network', 'regtest', '--yes', psbt, '--keys-file', 'keys'], { files });
    expect([signed.code, JSON.parse(signed.out).complete]).toEqual([0, true]);
    for (const { out, error } of [shown, signed]) {
      expect(leaks(out + error, XPRV) || leaks(out + error, WIF)).toBe(false);
    }
  });
});

test('29. the supply chain: few libraries, at exact versions, and no install scripts', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { dependencies, optionalDependencies, devDependencies, scripts } = manifest;
  const exact = expect.stringMatching(/^\d+\.\d+\.\d+$/);
  expect(dependencies).toEqual({
    '@noble/ciphers': exact,
    '@noble/curves': exact,
    '@noble/hashes': exact,
    '@noble/secp256k1': exact,
    '@scure/base': exact,
    '@scure/bip39': exact,
    pako: exact,
    qr: exact,
  });
  expect(optionalDependencies).toEqual({ 'node-sqlite3-wasm': exact, 'tiny-secp256k1': exact });
  for (const name of ['p-map', 'preact', 'workerpool']) expect(devDependencies[name]).toEqual(exact);
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name);
});
