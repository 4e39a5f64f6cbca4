import { describe, expect, test } from 'vitest';
import { readSuite, shared } from '../support/corpus.ts';
import {
  BtcError,
  createRpc,
  decodePsbtBytes,
  decodeScript,
  encodePsbt,
  formatAddress,
  formatHex,
  formatWif,
  type NetworkName,
  networks,
  parseAddress,
  parseBase58,
  parseBase64,
  parseHex,
  parseWif,
} from '../support/library.ts';
import { recordsOf } from '../support/records.ts';

type Chain = 'main' | 'test' | 'testnet4' | 'signet' | 'regtest';
const NETWORKS: Readonly<Record<Chain, NetworkName>> = {
  main: 'main',
  test: 'testnet3',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
};

/** Tells whether a decoder throws our error class; any other exception fails the test. */
function refuses(decode: () => unknown): boolean {
  try {
    decode();
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(BtcError);
    return true;
  }
}

describe.runIf(shared)("Core's key_io_valid", () => {
  type Row = [
    text: string,
    payload: string,
    facts: { chain: Chain; isPrivkey: boolean; isCompressed?: boolean; tryCaseFlip?: boolean },
  ];
  const rows = shared ? readSuite<Row[]>('key_io_valid') : [];

  test('has 70 rows', () => expect(rows).toHaveLength(70));
  test.each(rows)('%s', (text, payload, { chain, isPrivkey, isCompressed = false, tryCaseFlip = false }) => {
    const network = networks[NETWORKS[chain]];
    if (isPrivkey) {
      const key = parseWif(text, network);
      expect(formatHex(key.secretKey)).toBe(payload);
      expect(key.isCompressed).toBe(isCompressed);
      expect(formatWif(key, network)).toBe(text);
      expect(refuses(() => parseAddress(text, network))).toBe(true);
      return;
    }
    expect(formatHex(parseAddress(text, network))).toBe(payload);
    expect(formatAddress(parseHex(payload), network)).toBe(text);
    expect(refuses(() => parseWif(text, network))).toBe(true);
    const flipped = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
    if (tryCaseFlip) expect(formatHex(parseAddress(flipped, network))).toBe(payload);
    else expect(refuses(() => parseAddress(flipped, network))).toBe(true);
  });
});

describe.runIf(shared)("Core's key_io_invalid", () => {
  const rows = shared ? readSuite<[string][]>('key_io_invalid') : [];

  test('has 70 rows', () => expect(rows).toHaveLength(70));
  test.each(rows)('%s', (text) => {
    for (const name of Object.values(NETWORKS)) {
      expect(refuses(() => parseAddress(text, networks[name]))).toBe(true);
      expect(refuses(() => parseWif(text, networks[name]))).toBe(true);
    }
  });
});

describe.runIf(shared)("Core's base58_encode_decode", () => {
  const rows = shared ? readSuite<[string, string][]>('base58_encode_decode') : [];

  test('has 21 rows', () => expect(rows).toHaveLength(21));
  test.each(rows)('%s', (hex, text) => {
    expect(formatHex(parseBase58(text, 256))).toBe(hex.toLowerCase());
  });
});

describe.runIf(shared)("Core's rpc_psbt", () => {
  interface Suite {
    readonly valid: string[];
    readonly invalid: string[];
    readonly invalid_with_msg: [string, string][];
  }
  const suite = shared ? readSuite<Suite>('rpc_psbt') : { valid: [], invalid: [], invalid_with_msg: [] };
  const core31 = createRpc({ network: 'regtest', dialect: 'core-32' });
  const answerTo = (psbt: string): unknown => {
    try {
      return core31.call('decodepsbt', [psbt]);
    } catch (error) {
      return error;
    }
  };

  test('has 48 valid and 86 invalid rows', () => {
    expect(suite.valid).toHaveLength(48);
    expect(suite.invalid.length + suite.invalid_with_msg.length).toBe(86);
  });
  test.each(suite.valid)('accepts and re-encodes %#', (base64) => {
    const bytes = parseBase64(base64);
    const encoded = encodePsbt(decodePsbtBytes(bytes));
    expect(recordsOf(encoded)).toEqual(recordsOf(bytes));
    expect(encodePsbt(decodePsbtBytes(encoded))).toEqual(encoded);
    expect(answerTo(base64)).not.toBeInstanceOf(Error);
  });
  test.each(suite.invalid)('refuses %#', (base64) => {
    expect(answerTo(base64)).toMatchObject({
      name: 'RpcError',
      code: -22,
      message: expect.stringMatching(/^TX decode failed ./),
    });
  });
  test.each(suite.invalid_with_msg)('refuses with the text %#', (base64, message) => {
    expect(answerTo(base64)).toMatchObject({ code: -22, message: expect.stringContaining(message) });
  });
});

describe.runIf(shared)("Core's rpc_decodescript", () => {
  const rows = shared ? readSuite<[string, object][]>('rpc_decodescript') : [];

  test('has 10 rows', () => expect(rows).toHaveLength(10));
  test.each(rows)('%s', (hex, wanted) => {
    const answer = decodeScript([hex], { network: 'regtest', dialect: 'core-32' });
    expect(JSON.stringify(sortMembers(answer))).toBe(JSON.stringify(sortMembers(wanted)));
  });

  /** Sorts members, whose order in the suite is not the node's. */
  function sortMembers(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([k, v]) => [k, sortMembers(v)]),
    );
  }
});
