import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSameButForSecrets } from '../divergences.ts';
import { bytes, transaction } from '../support/arbitraries.ts';
import {
  answerText,
  createNodeRpc,
  encodeTransaction,
  formatAddress,
  formatBase64,
  formatHex,
  formatWif,
  networks,
  nobleEcc,
} from '../support/library.ts';
import { report } from '../support/report.ts';
import { seed } from '../support/seed.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';

const RUNS = 250;
const network = networks['litecoin-regtest'];
const rpc = createNodeRpc({
  network,
  dialect: 'litecoin-0.21',
  clock: () => 1_600_000_000,
  random: (size) => new Uint8Array(size),
});

/** A JSON text, so that its exact form survives. */
type Text = fc.Arbitrary<string>;
const json = (value: fc.Arbitrary<unknown>): Text => value.map((of) => JSON.stringify(of));
const list = (items: Text, maxLength: number): Text =>
  fc.array(items, { maxLength }).map((texts) => `[${texts.join(',')}]`);
const object = (members: fc.Arbitrary<readonly (readonly [string, string])[]>): Text =>
  members.map((pairs) => `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
const often = (usual: Text, odd: Text): Text =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: odd, weight: 1 });

const odd: Text = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    '1',
    '-1',
    '1.50',
    '1e3',
    '2147483648',
    '4294967296',
    '[]',
    '{}',
    '""',
    '"00"',
  ),
  fc.constantFrom('9223372036854775808', '1e300', '-0', '"é"', '"\\u0000"', '["a",1]', '{"a":null}'),
  fc.json({ maxDepth: 1 }),
);

const secret = bytes(32, 32).filter((key) => nobleEcc.isSecretKey(key));
const publicKey = fc
  .tuple(secret, fc.constantFrom('compressed', 'uncompressed', 'hybrid', 'wrong'))
  .map(([secretKey, kind]) => {
    const key = nobleEcc.publicKey(secretKey, kind === 'compressed');
    if (kind === 'hybrid') key[0] = 6 + ((key[64] ?? 0) & 1);
    if (kind === 'wrong') key[key.length - 1] = (key.at(-1) ?? 0) ^ 1;
    return formatHex(key);
  });

const scriptPubKey = fc.oneof(
  bytes(20, 20).map((hash) => `76a914${formatHex(hash)}88ac`),
  bytes(20, 20).map((hash) => `a914${formatHex(hash)}87`),
  bytes(20, 20).map((hash) => `0014${formatHex(hash)}`),
  bytes(32, 32).map((hash) => `0020${formatHex(hash)}`),
  bytes(32, 32).map((hash) => `5120${formatHex(hash)}`),
  bytes(2, 40).map((program) => `60${program.length.toString(16).padStart(2, '0')}${formatHex(program)}`),
);
const goodAddress = scriptPubKey.map((hex) => formatAddress(Uint8Array.from(Buffer.from(hex, 'hex')), network) ?? '');
const address = fc
  .tuple(goodAddress, fc.constantFrom('as it is', 'as it is', 'upper case', 'cut', 'changed'), fc.nat())
  .map(([text, change, at]) => {
    const place = at % text.length;
    if (change === 'upper case') return text.toUpperCase();
    if (change === 'cut') return text.slice(0, place);
    return change === 'changed' ? `${text.slice(0, place)}q${text.slice(place + 1)}` : text;
  });

const txid = often(json(bytes(32, 32).map(formatHex)), odd);
const vout = often(json(fc.nat(5)), odd);
const sequence = often(json(fc.integer({ min: 0, max: 4_294_967_295 })), odd);
const input = often(
  object(
    fc.tuple(
      fc.tuple(fc.constant('txid'), txid),
      fc.tuple(fc.constant('vout'), vout),
      fc.tuple(fc.constantFrom('sequence', 'other'), sequence),
    ),
  ),
  odd,
);
const amount = often(
  fc.constantFrom('0', '0.1', '"0.00000001"', '21', '84000000', '"84000000.00000001"', '1e-8', '-1', '1e-9'),
  odd,
);
const pair = fc.oneof(
  { arbitrary: fc.tuple(address, amount), weight: 6 },
  { arbitrary: fc.tuple(fc.constant('data'), often(json(bytes(0, 90).map(formatHex)), odd)), weight: 1 },
);
const outputs = fc.oneof(object(fc.array(pair, { maxLength: 3 })), list(often(object(fc.tuple(pair)), odd), 3), odd);

const wif = fc
  .tuple(secret, fc.boolean())
  .map(([secretKey, isCompressed]) => formatWif({ secretKey, isCompressed }, network));
const message = json(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constant('x'.repeat(300))));
const signature = json(bytes(64, 66).map(formatBase64));

const call = (method: string, ...params: readonly Text[]): Text =>
  fc
    .tuple(...params)
    .chain((texts) =>
      fc.integer({ min: 0, max: 40 }).map((kept) => texts.slice(0, kept > texts.length ? texts.length : kept)),
    )
    .map((texts) => `{"id":1,"method":"${method}","params":[${texts.join(',')}]}`);

const METHODS = {
  createrawtransaction: ['inputs', 'outputs', 'locktime', 'replaceable'],
  combinerawtransaction: ['txs'],
  createmultisig: ['nrequired', 'keys', 'address_type'],
  validateaddress: ['address'],
  signmessagewithprivkey: ['privkey', 'message'],
  verifymessage: ['address', 'signature', 'message'],
  scantxoutset: ['action', 'scanobjects'],
} as const;
const named: Text = fc
  .constantFrom(...Object.entries(METHODS))
  .chain(([method, names]) =>
    object(fc.array(fc.tuple(fc.constantFrom(...names, 'other'), odd), { maxLength: 4 })).map(
      (params) => `{"id":1,"method":"${method}","params":${params}}`,
    ),
  );
const anyMethod: Text = fc
  .tuple(fc.constantFrom(...Object.keys(METHODS)), list(odd, 5))
  .map(([method, params]) => `{"id":1,"method":"${method}","params":${params}}`);

const KINDS: Readonly<Record<string, Text>> = {
  createrawtransaction: call(
    'createrawtransaction',
    often(list(input, 3), odd),
    outputs,
    often(json(fc.nat(600_000_000)), odd),
    often(json(fc.boolean()), odd),
  ),
  combinerawtransaction: call(
    'combinerawtransaction',
    often(list(often(json(transaction.map((tx) => formatHex(encodeTransaction(tx)))), odd), 3), odd),
  ),
  createmultisig: call(
    'createmultisig',
    often(json(fc.integer({ min: -1, max: 5 })), odd),
    often(list(often(json(publicKey), odd), 18), odd),
    often(fc.constantFrom('"legacy"', '"p2sh-segwit"', '"bech32"', '"bech32m"', '"mweb"'), odd),
  ),
  validateaddress: call('validateaddress', often(json(fc.oneof(address, fc.string({ maxLength: 30 }))), odd)),
  signmessagewithprivkey: call('signmessagewithprivkey', often(json(wif), odd), often(message, odd)),
  verifymessage: call('verifymessage', often(json(address), odd), often(signature, odd), often(message, odd)),
  scantxoutset: call(
    'scantxoutset',
    often(fc.constantFrom('"start"', '"abort"', '"status"', '"stop"'), odd),
    often(list(often(json(publicKey.map((key) => `pkh(${key})`)), odd), 3), odd),
  ),
  'odd arguments': anyMethod,
  'named arguments': named,
};

/** Removes help texts, which are our own: only their code is compared. */
const withoutHelp = (answer: string): string =>
  answer.replace(/"code":-1,"message":"[^"\\]*(?:\\.[^"\\]*)*"/, '"code":-1,"message":""');

describe.runIf(hasLitecoind())(`Litecoin Core on this machine, with seed ${seed},`, () => {
  let node: Node;
  const counts = { same: 0, results: 0, hidden: 0, crashes: 0 };

  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(async () => {
    await node.stop();
    const note = `${counts.results} results, ${counts.hidden} equal but for hidden secrets, ${counts.crashes} crashes of the node`;
    report({ subject: 'utilities', passed: counts.same, total: counts.same, note });
  });

  test.each(Object.entries(KINDS))('answers %s as we do', async (_, arbitrary) => {
    const before = counts.same;
    for (const body of fc.sample(arbitrary, { numRuns: RUNS, seed })) {
      const ours = `${answerText(rpc, body)}\n`;
      const theirs = await node.post(body);
      if (theirs === undefined) {
        counts.crashes += 1;
        await node.stop();
        node = await startNode();
      } else if (isSameButForSecrets(ours, theirs)) counts.hidden += 1;
      else {
        expect(withoutHelp(ours), body).toBe(withoutHelp(theirs));
        counts.same += 1;
        if (ours.includes('"error":null')) counts.results += 1;
      }
    }
    expect(counts.same - before).toBeGreaterThan(RUNS / 2);
  });
});
