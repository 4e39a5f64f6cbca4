import { describe, expect, test } from 'vitest';
import { answerRest, type CachedReply } from '../../../src/node/rest/answerRest.ts';
import { coinOf, makeEsploraWorld } from '../../support/esplora.ts';
import { openNode } from '../../support/feeding.ts';
import {
  concatBytes,
  createMemoryStore,
  type DialectName,
  encodeTransaction,
  formatHex,
  formatReversedHex,
  type NodeRpc,
  parseHex,
} from '../../support/library.ts';
import { idOf } from '../../support/walletWorld.ts';

const world = makeEsploraWorld(openNode(createMemoryStore(), 'core-32', { txindex: true, blockfilterindex: true }));
const { rpc, blocks, fan, gathered, pooled, spare } = world;
const [fanId, gatheredId, pooledId] = [fan, gathered, pooled[0]].map(idOf) as [string, string, string];
const [fanBlock, tip] = blocks.slice(-2).map(({ hash }) => hash) as [string, string];
const UNKNOWN = 'ab'.repeat(32);
const NO_BYTES = new Uint8Array();

function ask(path: string, body: Uint8Array = NO_BYTES, node: NodeRpc = rpc): CachedReply {
  const reply = answerRest(node, { path: `/rest${path}`, body });
  if (!reply) throw new Error(`no endpoint for ${path}`);
  return reply;
}

/** Returns the text of a reply of any type. */
const textOf = ({ body }: CachedReply): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('latin1');

/** Returns status and text of a refusal, which ends with CR and LF. */
function refusal(path: string, node: NodeRpc = rpc, body: Uint8Array = NO_BYTES): string {
  const reply = ask(path, body, node);
  const text = textOf(reply);
  expect(reply).toMatchObject({ type: 'text/plain' });
  expect(text).toMatch(/\r\n$/);
  return `${reply.status} ${text.slice(0, -2)}`;
}

/** Returns the text of a JSON answer, which ends with LF. */
function json(path: string, node: NodeRpc = rpc): unknown {
  const reply = ask(path, NO_BYTES, node);
  expect(reply).toMatchObject({ status: 200, type: 'application/json' });
  expect(textOf(reply)).toMatch(/[^\n]\n$/);
  return JSON.parse(textOf(reply));
}

const binary = (path: string): Uint8Array => {
  const { status, type, body } = ask(path);
  expect({ status, type }).toEqual({ status: 200, type: 'application/octet-stream' });
  return body as Uint8Array;
};

const hexOf = (path: string): string => {
  const reply = ask(path);
  expect(reply).toMatchObject({ status: 200, type: 'text/plain' });
  return textOf(reply);
};

/** Opens an empty node of a release. */
const nodeOf = (dialect: DialectName): NodeRpc => openNode(createMemoryStore(), dialect);
const RELEASES = ['core-0.21', 'core-29', 'core-30', 'core-31', 'core-32'] as const;
const nodes = Object.fromEntries(RELEASES.map((name) => [name, nodeOf(name)])) as Record<
  (typeof RELEASES)[number],
  NodeRpc
>;

const ALL = 'output format not found (available: .bin, .hex, .json)';

test.each([
  ['tx', '/tx/x', RELEASES],
  ['block', '/block/x', RELEASES],
  ['block/notxdetails', '/block/notxdetails/x', RELEASES],
  ['blockpart', '/blockpart/x', ['core-31', 'core-32']],
  ['blockfilter', '/blockfilter/basic/x', RELEASES.slice(1)],
  ['blockfilterheaders', '/blockfilterheaders/basic/x', RELEASES.slice(1)],
  ['chaininfo', '/chaininfo.json', RELEASES],
  ['mempool/info', '/mempool/info.json', RELEASES],
  ['mempool/contents', '/mempool/contents.json', RELEASES],
  ['headers', '/headers/1/x', RELEASES],
  ['getutxos', '/getutxos', RELEASES],
  ['deploymentinfo', '/deploymentinfo.json', RELEASES.slice(1)],
  ['blockhashbyheight', '/blockhashbyheight/0.json', RELEASES],
  ['spenttxouts', '/spenttxouts/x', RELEASES.slice(2)],
  ['no such endpoint', '/does-not-exist', []],
  ['a path without its last slash', '/tx', []],
])('%s is answered by its releases', (_, path, releases) => {
  const answering = RELEASES.filter((name) => answerRest(nodes[name], { path: `/rest${path}`, body: NO_BYTES }));
  expect(answering).toEqual(releases);
});

describe('/tx', () => {
  test('shows a transaction of a block or of the mempool in each form', () => {
    const { hex, blockhash } = rpc.call('getrawtransaction', [fanId, 1]);
    expect(json(`/tx/${fanId}.json`)).toMatchObject({ txid: fanId, hex, blockhash });
    expect(textOf(ask(`/tx/${fanId}.json`))).toMatch(/,"blockhash":"[0-9a-f]{64}","hex":"[0-9a-f]*"}\n$/);
    expect(json(`/tx/${pooledId}.json`)).not.toHaveProperty('blockhash');
    expect(hexOf(`/tx/${fanId}.hex`)).toBe(`${hex}\n`);
    expect(binary(`/tx/${pooledId}.bin`)).toEqual(encodeTransaction(pooled[0]));
  });

  test('refuses what is no hash, unknown or of no form', () => {
    expect(refusal('/tx/abc.json')).toBe('400 Invalid hash: abc');
    expect(refusal(`/tx/${fanId}.xml`)).toBe(`400 Invalid hash: ${fanId}.xml`);
    expect(refusal(`/tx/${UNKNOWN}.json`)).toBe(`404 ${UNKNOWN} not found`);
    expect(refusal(`/tx/${fanId}`)).toBe(`404 ${ALL}`);
    expect(refusal(`/tx/${fanId}.`)).toBe(`404 ${ALL}`);
    // The bytes of the request come back as they are.
    expect(ask('/tx/\u00c3\u00a9.json').body).toEqual(Uint8Array.from(Buffer.from('Invalid hash: é\r\n')));
  });
});

describe('/block', () => {
  test('shows a block as getblock does', () => {
    const hex = rpc.call('getblock', [tip, 0]);
    expect(json(`/block/${tip}.json`)).toEqual(rpc.call('getblock', [tip, 3]));
    expect(json(`/block/notxdetails/${tip}.json?x=1`)).toEqual(rpc.call('getblock', [tip, 1]));
    expect(hexOf(`/block/${tip}.hex`)).toBe(`${hex}\n`);
    expect(binary(`/block/notxdetails/${tip}.bin`)).toEqual(parseHex(hex));
    expect(refusal(`/block/${UNKNOWN}.bin`)).toBe(`404 ${UNKNOWN} not found`);
  });

  test('0.21 shows no coins that are spent', () => {
    const old = nodes['core-0.21'];
    const genesis = old.call('getblockhash', [0]);
    expect(json(`/block/${genesis}.json`, old)).toEqual(old.call('getblock', [genesis, 2]));
  });

  test.each([
    ['core-0.21', 'not found'],
    ['core-29', 'not available (not fully downloaded)'],
  ] as const)('%s says that only the header is there', (dialect, text) => {
    const node = nodeOf(dialect);
    const [, first] = blocks;
    node.call('submitheader', [first?.hex.slice(0, 160) ?? '']);
    expect(refusal(`/block/${first?.hash}.bin`, node)).toBe(`404 ${first?.hash} ${text}`);
  });

  test('a part of a block has its offset and size', () => {
    const whole = binary(`/block/${tip}.bin`);
    const at = (query: string, form = 'bin'): string => `/blockpart/${tip}.${form}?${query}`;
    expect(binary(at(`offset=0&size=${whole.length}`))).toEqual(whole);
    expect(hexOf(at('offset=20&size=30', 'hex'))).toBe(`${formatHex(whole.slice(20, 50))}\n`);
    expect(refusal(at('size=1'))).toBe('400 Block part offset missing or invalid');
    expect(refusal(at('offset=1&size=y'))).toBe('400 Block part size missing or invalid');
    const most = '18446744073709551615';
    expect(refusal(at(`offset=${most}&size=1`))).toBe(`400 Bad block part offset/size ${most}/1 for ${tip}`);
    expect(refusal(at('offset=0&size=0'))).toBe(`400 Bad block part offset/size 0/0 for ${tip}`);
    expect(refusal(at('offset=0&size=1', 'json'))).toBe('400 JSON output is not supported for this request type');
  });

  test('shows the coins that each transaction spent', () => {
    const shown = json(`/spenttxouts/${tip}.json`) as { value: number; scriptPubKey: unknown }[][];
    const { tx } = rpc.call('getblock', [tip, 3]);
    const prevouts = tx.map(({ vin }) => vin.flatMap(({ prevout }) => prevout ?? []));
    expect(shown).toEqual(prevouts.map((list) => list.map(({ value, scriptPubKey }) => ({ value, scriptPubKey }))));
    expect(formatHex(binary(`/spenttxouts/${tip}.bin`)).slice(0, 24)).toBe('020004e80300000000000001');
    expect(hexOf(`/spenttxouts/${blocks[0]?.hash}.hex`)).toBe('0100\n');
    expect(refusal(`/spenttxouts/${tip}/1.json`)).toBe(
      '400 Invalid URI format. Expected /rest/spenttxouts/<hash>.<ext>',
    );
  });
});

describe('/headers and /blockhashbyheight', () => {
  test('show blocks of the active chain from a hash on', () => {
    const shown = [fanBlock, tip].map((hash) => rpc.call('getblockheader', [hash, true]));
    expect(json(`/headers/${fanBlock}.json`)).toEqual(shown);
    expect(json(`/headers/1/${fanBlock}.json`)).toEqual(shown.slice(0, 1));
    expect(json(`/headers/${fanBlock}.json?count=1`)).toEqual(shown.slice(0, 1));
    expect(json(`/headers/${UNKNOWN}.json`)).toEqual([]);
    expect(binary(`/headers/${fanBlock}.bin?count=2000`)).toHaveLength(160);
    expect(json(`/blockhashbyheight/112.json`)).toEqual({ blockhash: tip });
    expect(hexOf('/blockhashbyheight/112.hex')).toBe(`${tip}\n`);
    expect(formatReversedHex(binary('/blockhashbyheight/112.bin'))).toBe(tip);
  });

  test.each(['5a', '-5', '0', '2001', '9'.repeat(35), ''])('refuse the count "%s"', (count) => {
    const text = `400 Header count is invalid or out of acceptable range (1-2000): ${count}`;
    expect(refusal(`/headers/${tip}.json?count=${count}`)).toBe(text);
    expect(refusal(`/headers/${count}/${tip}.json`)).toBe(text);
  });

  test('refuse other paths', () => {
    expect(refusal('/headers/1/2/3.json')).toBe(
      '400 Invalid URI format. Expected /rest/headers/<hash>.<ext>?count=<count>',
    );
    const old = nodes['core-0.21'];
    expect(refusal(`/headers/${tip}.json`, old)).toBe(
      '400 No header count specified. Use /rest/headers/<count>/<hash>.<ext>.',
    );
    expect(refusal(`/headers/0/${tip}.json`, old)).toBe('400 Header count out of range: 0');
    expect(json(`/headers/ +2x/${old.call('getbestblockhash')}.json`, old)).toHaveLength(1);
  });

  test.each([
    ['core-29', '+1', '404 Block height out of range'],
    ['core-30', '+1', '400 Invalid height: +1'],
    ['core-29', 'a%b', '400 Invalid height: ab'],
    ['core-30', 'a%b<', '400 Invalid height: a%b'],
    ['core-32', '-1', '400 Invalid height: -1'],
    ['core-32', '', '400 Invalid height: '],
    ['core-32', '2147483648', '400 Invalid height: 2147483648'],
    ['core-32', '2147483647', '404 Block height out of range'],
  ] as const)('%s refuses the height "%s"', (dialect, height, text) => {
    expect(refusal(`/blockhashbyheight/${height}.json`, nodes[dialect])).toBe(text);
  });
});

describe('filters', () => {
  test('are those of getblockfilter', () => {
    const [first, second] = [fanBlock, tip].map((hash) => rpc.call('getblockfilter', [hash]));
    expect(json(`/blockfilter/basic/${tip}.json`)).toEqual({ filter: second?.filter });
    const encoded = concatBytes(Uint8Array.of(0), parseHex(tip).reverse());
    expect(hexOf(`/blockfilter/basic/${tip}.hex`).startsWith(formatHex(encoded))).toBe(true);
    expect(hexOf(`/blockfilter/basic/${tip}.hex`).endsWith(`${second?.filter}\n`)).toBe(true);
    expect(json(`/blockfilterheaders/basic/${fanBlock}.json`)).toEqual([first?.header, second?.header]);
    expect(json(`/blockfilterheaders/basic/1/${fanBlock}.json`)).toEqual([first?.header]);
  });

  test('are refused by type, hash and index', () => {
    expect(refusal(`/blockfilterheaders/abc/${tip}.json`)).toBe('400 Unknown filtertype abc');
    expect(refusal('/blockfilterheaders/basic/abc.json')).toBe('400 Invalid hash: abc');
    expect(refusal(`/blockfilter/${tip}.json`)).toBe(
      '400 Invalid URI format. Expected /rest/blockfilter/<filtertype>/<blockhash>',
    );
    expect(refusal(`/blockfilter/basic/${tip}.json`, nodes['core-31'])).toBe(
      '400 Index is not enabled for filtertype basic',
    );
  });
});

describe('the state of the node', () => {
  test('is what the methods answer', () => {
    expect(json('/chaininfo.json')).toEqual(rpc.call('getblockchaininfo'));
    expect(json('/deploymentinfo.json')).toEqual(rpc.call('getdeploymentinfo'));
    expect(json(`/deploymentinfo/${fanBlock}.json`)).toEqual(rpc.call('getdeploymentinfo', [fanBlock]));
    expect(json('/mempool/info.json')).toEqual(rpc.call('getmempoolinfo'));
    expect(json('/mempool/contents.json')).toEqual(rpc.call('getrawmempool', [true]));
    expect(json('/mempool/contents.json?verbose=false')).toEqual(rpc.call('getrawmempool'));
    expect(json('/mempool/contents.json?verbose=false&mempool_sequence=true')).toEqual(
      rpc.call('getrawmempool', [false, true]),
    );
  });

  test.each([
    ['/chaininfo.bin', '404 output format not found (available: json)'],
    ['/deploymentinfo/abc.json', '400 Invalid hash: abc'],
    [`/deploymentinfo/${UNKNOWN}.json`, '400 Block not found'],
    [`/deploymentinfo/${UNKNOWN}.hex`, '404 output format not found (available: json)'],
    ['/mempool/x.json', '400 Invalid URI format. Expected /rest/mempool/<info|contents>.json'],
    ['/mempool/contents.json?verbose=TRUE', '400 The "verbose" query parameter must be either "true" or "false".'],
    [
      '/mempool/contents.json?mempool_sequence=',
      '400 The "mempool_sequence" query parameter must be either "true" or "false".',
    ],
    [
      '/mempool/contents.json?mempool_sequence=true',
      '400 Verbose results cannot contain mempool sequence values. (hint: set "verbose=false")',
    ],
  ])('refuses %s', (path, text) => {
    expect(refusal(path)).toBe(text);
  });

  test.each([
    // libevent forgets all parameters if one has no value.
    ['core-31', '?verbose=false&x', '{}\n'],
    ['core-32', '?verbose=false&x', '[]\n'],
    ['core-31', '?verb%6fse=false', '{}\n'],
    ['core-32', '?verb%6fse=f%61lse', '[]\n'],
    ['core-32', '?%', '{}\n'],
    ['core-31', '?%', 'URI parsing failed, it likely contained RFC 3986 invalid characters\r\n'],
    ['core-0.21', '', '{}\n'],
    ['core-0.21', '?verbose=false', 'output format not found (available: json)\r\n'],
  ] as const)('%s reads the query "%s"', (dialect, query, text) => {
    expect(textOf(ask(`/mempool/contents.json${query}`, NO_BYTES, nodes[dialect]))).toBe(text);
  });
});

describe('/getutxos', () => {
  const spent = `${fanId}-0`;
  const unspent = `${gatheredId}-0`;
  const unconfirmed = `${pooledId}-0`;

  test('tells which outputs are unspent', () => {
    const { utxos, ...shown } = json(`/getutxos/${unspent}/${spent}.json`) as { utxos: unknown[] };
    expect(shown).toEqual({ chainHeight: 112, chaintipHash: tip, bitmap: '10' });
    const { value, scriptPubKey } = rpc.call('gettxout', [gatheredId, 0]) ?? {};
    expect(utxos).toEqual([{ height: 112, value, scriptPubKey }]);
  });

  test('with checkmempool, the mempool counts', () => {
    expect(json(`/getutxos/${unconfirmed}.json`)).toMatchObject({ bitmap: '0', utxos: [] });
    expect(json(`/getutxos/checkmempool/${unconfirmed}.json`)).toMatchObject({
      bitmap: '1',
      utxos: [{ height: 0x7fffffff }],
    });
    const { txid, vout } = pooled[0].inputs[0]?.outpoint ?? spare;
    const taken = `${formatReversedHex(txid)}-${vout}`;
    expect(json(`/getutxos/${taken}.json`)).toMatchObject({ bitmap: '1' });
    expect(json(`/getutxos/checkmempool/${taken}.json`)).toMatchObject({ bitmap: '0' });
  });

  const { txid, vout } = coinOf(gathered, 0);
  const sent = concatBytes(Uint8Array.of(1, 1), txid, Uint8Array.of(vout, 0, 0, 0));

  test('takes the outputs in the body, as BIP64 encodes them', () => {
    const { body } = ask('/getutxos.bin', sent);
    const tipBytes = formatHex(parseHex(tip).reverse());
    expect(formatHex(body as Uint8Array)).toMatch(new RegExp(`^70000000${tipBytes}01010100000000700000002c01`));
    const inHex = new TextEncoder().encode(`${formatHex(sent).slice(0, 10)} \n${formatHex(sent).slice(10)}`);
    expect(textOf(ask('/getutxos.hex', inHex))).toBe(`${formatHex(body as Uint8Array)}\n`);
    // What is not hex counts as nothing.
    expect(textOf(ask('/getutxos.hex', new TextEncoder().encode('zz')))).toBe(`70000000${tipBytes}0000\n`);
  });

  const many = (count: number): string => Array.from({ length: count }, (_, i) => `${fanId}-${i}`).join('/');
  test.each([
    ['/getutxos.json', undefined, '400 Error: empty request'],
    ['/getutxos/checkmempool.json', undefined, '400 Error: empty request'],
    ['/getutxos.json', '{"checkmempool', '400 Error: empty request'],
    ['/getutxos.bin', '{"checkmempool', '400 Parse error'],
    [`/getutxos/${unspent}.bin`, 'x', '400 Combination of URI scheme inputs and raw post data is not allowed'],
    [`/getutxos/${fanId}_+1.json`, undefined, '400 Parse error'],
    [`/getutxos/${fanId}-+1.json`, undefined, '400 Parse error'],
    [`/getutxos/${fanId}--1.json`, undefined, '400 Parse error'],
    [`/getutxos/${fanId}-4294967296.json`, undefined, '400 Parse error'],
    ['/getutxos/aa-1234.json', undefined, '400 Parse error'],
    [`/getutxos/${many(16)}.json`, undefined, '400 Error: max outpoints exceeded (max: 15, tried: 16)'],
    [`/getutxos/${unspent}.xml`, undefined, '400 Parse error'],
    [`/getutxos/${unspent}`, undefined, `404 ${ALL}`],
  ])('refuses %s', (path, body, text) => {
    expect(refusal(path, rpc, new TextEncoder().encode(body ?? ''))).toBe(text);
  });

  test('0.21 takes txids of any length, and signed places', () => {
    const old = nodes['core-0.21'];
    expect(json('/getutxos/aa-+1.json', old)).toMatchObject({ bitmap: '0' });
    expect(refusal('/getutxos/aaa-1.json', old)).toBe('400 Parse error');
    expect(json(`/getutxos/${many(15)}.json`)).toMatchObject({ bitmap: expect.stringMatching(/^[01]{15}$/) });
  });
});

describe('Cache-Control', () => {
  const LASTING = 'public, immutable, max-age=86400';
  test.each([
    [`/block/${tip}.bin`, LASTING],
    [`/block/${tip}.json`, 'no-store'],
    [`/blockpart/${tip}.hex?offset=0&size=1`, LASTING],
    [`/spenttxouts/${tip}.json`, LASTING],
    [`/blockfilter/basic/${tip}.json`, LASTING],
    [`/blockfilterheaders/basic/${tip}.bin`, 'no-store'],
    [`/headers/${tip}.bin`, 'no-store'],
    ['/deploymentinfo.json', 'no-store'],
    [`/deploymentinfo/${tip}.json`, LASTING],
    [`/tx/${fanId}.bin`, 'no-store'],
    ['/tx/abc.json', 'no-store'],
  ])('of %s', (path, value) => {
    expect(ask(path).cacheControl).toBe(value);
  });

  test('is not sent before release 32', () => {
    expect(ask('/chaininfo.json', NO_BYTES, nodes['core-31'])).not.toHaveProperty('cacheControl');
  });
});
