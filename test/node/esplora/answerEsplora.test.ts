import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../../src/node/chain/block.ts';
import { openEsplora } from '../../../src/node/esplora/answerEsplora.ts';
import { blockAfter, blocksAfter, GENESIS } from '../../support/blocks.ts';
import { ask, coinOf, get, makeEsploraWorld, NAMES, pay, SCRIPTS, type ScriptName } from '../../support/esplora.ts';
import { change, openNode, submit } from '../../support/feeding.ts';
import {
  concatBytes,
  createNodeRpc,
  formatAddress,
  formatHex,
  networks,
  parseHex,
  parseTxid,
  sha256,
  sha256d,
  type Transaction,
  transactionSize,
} from '../../support/library.ts';
import { hexOf, idOf, put } from '../../support/walletWorld.ts';

interface Tx {
  readonly txid: string;
  readonly fee: number;
  readonly vin: readonly Readonly<Record<string, unknown>>[];
  readonly vout: readonly Readonly<Record<string, unknown>>[];
  readonly status: object;
}

const world = makeEsploraWorld();
const { rpc, esplora, blocks, fan, gathered, pooled } = world;
const [parent, child] = pooled;
const [fanId, gatheredId, parentId, childId] = [fan, gathered, parent, child].map(idOf) as [
  string,
  string,
  string,
  string,
];
const [fanBlock, tip] = blocks.slice(-2).map(({ hash }) => hash) as [string, string];
const UNKNOWN = 'ab'.repeat(32);

const addressOf = (name: ScriptName): string => formatAddress(SCRIPTS[name], networks.regtest) ?? '';
const hashOf = (name: ScriptName): string => formatHex(sha256(SCRIPTS[name]));
const idsAt = (path: string): readonly string[] => get<readonly Tx[]>(esplora, path).map(({ txid: id }) => id);

const confirmedIn = (height: number): object => ({
  confirmed: true,
  block_height: height,
  block_hash: blocks[height]?.hash,
  block_time: 1_700_000_000 + 600 * height,
});

describe('/tx/:txid', () => {
  test('shows an output of each kind', () => {
    const { vout } = get<Tx>(esplora, `/tx/${fanId}`);
    const kinds = [
      ['unknown', false],
      ['p2sh', true],
      ['v0_p2wsh', true],
      ['p2sh', true],
      ['p2pk', false],
      ['p2pkh', true],
      ['v0_p2wpkh', true],
      ['v1_p2tr', true],
      ['unknown', true],
      ['unknown', false],
      ['op_return', false],
      ['empty', false],
    ] as const;
    expect(vout).toEqual(
      NAMES.map((name, i) => ({
        scriptpubkey: formatHex(SCRIPTS[name]),
        scriptpubkey_asm: expect.any(String),
        scriptpubkey_type: kinds[i]?.[0],
        ...(kinds[i]?.[1] && { scriptpubkey_address: addressOf(name) }),
        value: 1000 + i,
      })),
    );
  });

  test('shows coins, witnesses and the scripts in them', () => {
    const shown = get<Tx>(esplora, `/tx/${gatheredId}`);
    const { size, weight } = transactionSize(gathered);
    expect(Object.keys(shown)).toEqual([
      'txid',
      'version',
      'locktime',
      'vin',
      'vout',
      'size',
      'weight',
      'fee',
      'status',
    ]);
    expect(shown).toMatchObject({ txid: gatheredId, version: 2, locktime: 0, size, weight, fee: 4006 - 903 });
    expect(shown.status).toEqual(confirmedIn(112));
    const input = (vout: number) => ({
      txid: fanId,
      vout,
      prevout: get<Tx>(esplora, `/tx/${fanId}`).vout[vout],
      scriptsig: '',
      scriptsig_asm: '',
      is_coinbase: false,
      sequence: 0xffff_ffff,
    });
    const program = formatHex(SCRIPTS.trueP2wsh);
    expect(shown.vin).toEqual([
      input(0),
      { ...input(1), scriptsig: '0151', scriptsig_asm: 'OP_PUSHBYTES_1 51', inner_redeemscript_asm: 'OP_PUSHNUM_1' },
      { ...input(2), witness: ['51'], inner_witnessscript_asm: 'OP_PUSHNUM_1' },
      {
        ...input(3),
        scriptsig: `22${program}`,
        scriptsig_asm: `OP_PUSHBYTES_34 ${program}`,
        witness: ['51'],
        inner_redeemscript_asm: `OP_0 OP_PUSHBYTES_32 ${program.slice(4)}`,
        inner_witnessscript_asm: 'OP_PUSHNUM_1',
      },
    ]);
  });

  test('shows a coinbase, and a transaction of the mempool', () => {
    const [coinbase] = blocks[112]?.txs ?? [];
    const shown = get<Tx>(esplora, `/tx/${coinbase ? idOf(coinbase) : ''}`);
    expect(shown).toMatchObject({ fee: 0, status: confirmedIn(112) });
    expect(shown.vin).toEqual([
      {
        txid: '00'.repeat(32),
        vout: 0xffff_ffff,
        prevout: null,
        scriptsig: '017000',
        scriptsig_asm: 'OP_PUSHBYTES_1 70 OP_0',
        witness: ['00'.repeat(32)],
        is_coinbase: true,
        sequence: 0xffff_ffff,
      },
    ]);
    expect(get(esplora, `/tx/${childId}`)).toMatchObject({
      fee: 3001,
      vin: [{ txid: parentId, prevout: { scriptpubkey: '51', value: 5001 } }],
      status: { confirmed: false },
    });
  });

  test.each([
    ['an opcode', '51'],
    ['a push past its end', '015102'],
    ['nothing', ''],
  ])('shows no script where a scriptSig ends with %s', (_, scriptSig) => {
    const { rpc: own, esplora: index, spare } = makeEsploraWorld();
    const coin = pay([spare], ['trueP2sh'], 9_000n);
    const [input] = pay([coinOf(coin, 0)], ['true']).inputs;
    if (!input) throw new Error('no input');
    const spending = { ...pay([coinOf(coin, 0)], ['true']), inputs: [{ ...input, scriptSig: parseHex(scriptSig) }] };
    for (const tx of [coin, spending]) put(own, tx);
    const [shown] = get<Tx>(index, `/tx/${idOf(spending)}`).vin;
    expect(shown).toMatchObject({ scriptsig: scriptSig, prevout: { scriptpubkey_type: 'p2sh' } });
    expect(shown).not.toHaveProperty('inner_redeemscript_asm');
  });

  test('gives the status, the bytes and the spends', () => {
    expect(get(esplora, `/tx/${fanId}/status`)).toEqual(confirmedIn(111));
    for (const id of [childId, UNKNOWN]) expect(get(esplora, `/tx/${id}/status`)).toEqual({ confirmed: false });
    for (const tx of [fan, gathered, child]) {
      expect(ask(esplora, `/tx/${idOf(tx)}/hex`)).toEqual({ status: 200, type: 'text/plain', body: hexOf(tx) });
      const raw = ask(esplora, `/tx/${idOf(tx)}/raw`);
      expect(raw).toEqual({ status: 200, type: 'application/octet-stream', body: parseHex(hexOf(tx)) });
    }
    const spends = get<readonly object[]>(esplora, `/tx/${fanId}/outspends`);
    expect(spends).toEqual(
      NAMES.map((_, vin) =>
        vin < 4 ? { spent: true, txid: gatheredId, vin, status: confirmedIn(112) } : { spent: false },
      ),
    );
    for (const [vout, spend] of spends.entries()) expect(get(esplora, `/tx/${fanId}/outspend/${vout}`)).toEqual(spend);
    const pooledSpend = { spent: true, txid: childId, vin: 0, status: { confirmed: false } };
    expect(get(esplora, `/tx/${parentId}/outspends`)).toEqual([{ spent: false }, pooledSpend]);
    expect(get(esplora, `/tx/${UNKNOWN}/outspend/7`)).toEqual({ spent: false });
    expect(get(esplora, `/tx/${fanId}/outspend/4294967295`)).toEqual({ spent: false });
  });

  test('proves that a block has it', () => {
    const { node } = makeBig();
    for (const [i, id] of node.ids.entries()) {
      const proof = get<{ block_height: number; merkle: readonly string[]; pos: number }>(
        node.esplora,
        `/tx/${id}/merkle-proof`,
      );
      expect(proof).toMatchObject({ block_height: node.height, pos: i });
      let root: Uint8Array = parseTxid(id);
      for (const [level, other] of proof.merkle.entries()) {
        const pair = (i >> level) % 2 === 0 ? [root, parseTxid(other)] : [parseTxid(other), root];
        root = sha256d(concatBytes(...pair));
      }
      expect(formatHex(root.reverse())).toBe(
        get<{ merkle_root: string }>(node.esplora, `/block/${node.hash}`).merkle_root,
      );
      expect(get(node.esplora, `/tx/${id}/merkleblock-proof`)).toBe(node.rpc.call('gettxoutproof', [[id], node.hash]));
    }
    expect(get(esplora, `/tx/${idOf(blocks[1]?.txs[0] ?? fan)}/merkle-proof`)).toEqual({
      block_height: 1,
      merkle: [],
      pos: 0,
    });
  });
});

/** A block with 52 transactions, of which each but the coinbase spends the one before; 51 of them pay `p2wpkh`. */
function makeBig() {
  const { rpc: own, esplora: index, spare, blocks: before } = makeEsploraWorld();
  const txs: Transaction[] = [];
  for (let rest = 1_000_000n; txs.length < 51; rest -= 9_000n) {
    const last = txs.at(-1);
    const tx = pay([last ? coinOf(last, 1) : spare], ['p2wpkh', 'true'], 9_000n);
    txs.push({ ...tx, outputs: tx.outputs.map((output, vout) => (vout === 1 ? { ...output, value: rest } : output)) });
  }
  const block = blockAfter(before.at(-1) ?? GENESIS, { txs });
  expect(submit(own, [block])).toEqual([null]);
  const ids = block.txs.map(idOf);
  return { node: { rpc: own, esplora: index, ids, hash: block.hash, height: block.height, txs }, block };
}

describe('/block', () => {
  const block = (height: number): string => `/block/${blocks[height]?.hash}`;

  test('shows a block as getblock does', () => {
    for (const height of [0, 1, 111, 112]) {
      const hash = rpc.call('getblockhash', [height]);
      const known = rpc.call('getblock', [hash, 1]) as Readonly<Record<string, unknown>>;
      const shown = get<Readonly<Record<string, unknown>>>(esplora, `/block/${hash}`);
      expect(shown).toEqual({
        id: hash,
        height,
        version: known['version'],
        timestamp: known['time'],
        tx_count: known['nTx'],
        size: known['size'],
        weight: known['weight'],
        merkle_root: known['merkleroot'],
        previousblockhash: known['previousblockhash'] ?? null,
        mediantime: known['mediantime'],
        nonce: known['nonce'],
        bits: Number.parseInt(String(known['bits']), 16),
        difficulty: known['difficulty'],
      });
      expect(get(esplora, `/block/${hash}/txids`)).toEqual(known['tx']);
      expect(get(esplora, `/block/${hash}/header`)).toBe(rpc.call('getblockheader', [hash, false]));
      expect(formatHex(get<Uint8Array>(esplora, `/block/${hash}/raw`))).toBe(rpc.call('getblock', [hash, 0]));
      expect(get(esplora, `/block-height/${height}`)).toBe(hash);
    }
  });

  test('shows the first block of Bitcoin as electrs does', () => {
    const first = createNodeRpc({
      network: 'main',
      dialect: 'core-31',
      clock: () => 0,
      random: (size) => new Uint8Array(size),
    });
    const main = openEsplora(first);
    const root = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
    expect(get(main, '/blocks')).toEqual([
      {
        id: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
        height: 0,
        version: 1,
        timestamp: 1231006505,
        tx_count: 1,
        size: 285,
        weight: 1140,
        merkle_root: root,
        previousblockhash: null,
        mediantime: 1231006505,
        nonce: 2083236893,
        bits: 486604799,
        difficulty: 1,
      },
    ]);
    expect(get(main, `/tx/${root}`)).toMatchObject({ size: 204, weight: 816, fee: 0, locktime: 0, version: 1 });
    const script = formatHex(sha256(parseHex(get<Tx>(main, `/tx/${root}`).vout[0]?.['scriptpubkey'] as string)));
    expect(get(main, `/scripthash/${script}`)).toMatchObject({ chain_stats: { tx_count: 1, funded_txo_sum: 5e9 } });
  });

  test('tells where a block is', () => {
    expect(get(esplora, `${block(111)}/status`)).toEqual({ in_best_chain: true, height: 111, next_best: tip });
    expect(get(esplora, `${block(112)}/status`)).toEqual({ in_best_chain: true, height: 112, next_best: null });
    const outside = { in_best_chain: false, height: null, next_best: null };
    expect(get(esplora, `/block/${UNKNOWN}/status`)).toEqual(outside);
  });

  test('pages through its transactions', () => {
    const { node } = makeBig();
    const page = (start: string): readonly string[] =>
      get<readonly Tx[]>(node.esplora, `/block/${node.hash}/txs${start}`).map(({ txid: id }) => id);
    expect(page('')).toEqual(node.ids.slice(0, 25));
    expect(page('/')).toEqual(node.ids.slice(0, 25));
    expect(page('/x')).toEqual(node.ids.slice(0, 25));
    expect(page('/25')).toEqual(node.ids.slice(25, 50));
    expect(page('/50')).toEqual(node.ids.slice(50));
    const [, second] = get<readonly Tx[]>(node.esplora, `/block/${node.hash}/txs`);
    expect(second).toEqual(get(node.esplora, `/tx/${second?.txid}`));
    expect(get(node.esplora, `/block/${node.hash}/txid/51`)).toBe(node.ids[51]);
    const refused = (path: string): unknown => ask(node.esplora, `/block/${node.hash}/${path}`);
    const text = (status: number, body: string) => ({ status, type: 'text/plain', body });
    expect(refused('txs/7')).toEqual(text(400, 'start index must be a multiple of 25'));
    expect(refused('txs/75')).toEqual(text(400, 'start index out of range'));
    expect(refused('txid/52')).toEqual(text(404, 'tx index out of range'));
    expect(refused('txid/-1')).toEqual(text(400, 'Invalid number'));
  });

  test('lists blocks from the tip, or from a height', () => {
    const heights = (path: string): readonly number[] =>
      get<readonly { height: number }[]>(esplora, path).map(({ height }) => height);
    const tenFrom = (height: number): readonly number[] => Array.from({ length: 10 }, (_, i) => height - i);
    expect(heights('/blocks')).toEqual(tenFrom(112));
    // As in electrs, what is not a number counts as none.
    for (const start of ['', 'x', '-1']) expect(heights(`/blocks/${start}`)).toEqual(tenFrom(112));
    expect(heights('/blocks/30')).toEqual(tenFrom(30));
    expect(heights('/blocks/+30')).toEqual(tenFrom(30));
    expect(heights('/blocks/2')).toEqual([2, 1, 0]);
    expect(get(esplora, '/blocks/tip/height')).toBe('112');
    expect(get(esplora, '/blocks/tip/hash')).toBe(tip);
  });
});

const stats = (tx: number, funded: readonly [number, number], spent: readonly [number, number]) => ({
  tx_count: tx,
  funded_txo_count: funded[0],
  funded_txo_sum: funded[1],
  spent_txo_count: spent[0],
  spent_txo_sum: spent[1],
});
const NONE = stats(0, [0, 0], [0, 0]);

describe('/address and /scripthash', () => {
  test('count what was paid and spent', () => {
    expect(get(esplora, `/address/${addressOf('p2wpkh')}`)).toEqual({
      address: addressOf('p2wpkh'),
      chain_stats: stats(2, [2, 1006 + 300], [0, 0]),
      mempool_stats: NONE,
    });
    expect(get(esplora, `/address/${addressOf('p2tr')}`)).toMatchObject({
      chain_stats: stats(1, [1, 1007], [0, 0]),
      mempool_stats: stats(2, [2, 5000 + 2000], [0, 0]),
    });
    expect(get(esplora, `/address/${addressOf('trueP2wsh')}`)).toMatchObject({
      chain_stats: stats(2, [1, 1002], [1, 1002]),
    });
    const coinbases = 112;
    expect(get(esplora, `/scripthash/${hashOf('true')}`)).toEqual({
      scripthash: hashOf('true'),
      chain_stats: stats(coinbases + 2, [coinbases + 2, 50e8 * coinbases + 1000 + 302], [2, 50e8 + 1000]),
      mempool_stats: stats(2, [1, 5001], [2, 50e8 + 5001]),
    });
  });

  test('index neither data nor what was never paid', () => {
    for (const script of [hashOf('data'), UNKNOWN]) {
      expect(get(esplora, `/scripthash/${script}`)).toMatchObject({ chain_stats: NONE, mempool_stats: NONE });
      for (const part of ['txs', 'txs/chain', 'txs/mempool', 'utxo']) {
        expect(get(esplora, `/scripthash/${script}/${part}`)).toEqual([]);
      }
    }
  });

  test('take an address in either case, under both names', () => {
    for (const name of NAMES.filter((one) => addressOf(one) !== '')) {
      const paths = [`/address/${addressOf(name)}`, `/scripthash/${hashOf(name)}`];
      for (const part of ['txs', 'utxo']) {
        const [byAddress, byHash] = paths.map((path) => get(esplora, `${path}/${part}`));
        expect(byAddress).toEqual(byHash);
      }
      expect(idsAt(`/address/${addressOf(name)}/txs`)).toContain(fanId);
    }
    const upper = addressOf('p2tr').toUpperCase();
    expect(get(esplora, `/address/${upper}`)).toMatchObject({ address: upper, mempool_stats: { tx_count: 2 } });
    expect(get(esplora, `/scripthash/${hashOf('p2tr').toUpperCase()}`)).toMatchObject({
      mempool_stats: { tx_count: 2 },
    });
  });

  test('list transactions newest first, those of the mempool before', () => {
    const path = `/address/${addressOf('p2tr')}/txs`;
    expect(idsAt(path)).toEqual([childId, parentId, fanId]);
    expect(idsAt(`${path}/mempool`)).toEqual([childId, parentId]);
    expect(idsAt(`${path}/chain`)).toEqual([fanId]);
    expect(get<readonly unknown[]>(esplora, path)).toEqual(
      [childId, parentId, fanId].map((id) => get(esplora, `/tx/${id}`)),
    );
    expect(idsAt(`/address/${addressOf('trueP2sh')}/txs`)).toEqual([gatheredId, fanId]);
  });

  test('page through the history of the chain', () => {
    const path = `/scripthash/${hashOf('true')}/txs`;
    const all = blocks.flatMap(({ txs }) => txs.map(idOf)).reverse();
    const pages: string[][] = [];
    for (let last = ''; ; ) {
      const page = idsAt(`${path}/chain/${last}`);
      if (page.length === 0) break;
      pages.push([...page]);
      last = page.at(-1) ?? '';
    }
    expect(pages.flat()).toEqual(all);
    expect(pages.map(({ length }) => length)).toEqual([25, 25, 25, 25, 14]);
    expect(idsAt(path)).toEqual([childId, parentId, ...all.slice(0, 25)]);
    // As in electrs, an id that is none begins anew, and one that the history lacks ends it.
    expect(idsAt(`${path}/chain/x`)).toEqual(all.slice(0, 25));
    expect(idsAt(`${path}/chain/${UNKNOWN}`)).toEqual([]);
    expect(idsAt(`${path}/chain/${childId}`)).toEqual([]);
  });

  test('show 50 transactions of the mempool at most, the newest', () => {
    const { rpc: own, esplora: index, spare } = makeEsploraWorld();
    const many = pay(
      [spare],
      Array.from({ length: 60 }, () => 'true' as const),
      5000n,
    );
    put(own, many);
    const ids = Array.from({ length: 60 }, (_, vout) => {
      const tx = pay([coinOf(many, vout)], ['p2pkh'], 100n);
      put(own, tx);
      return idOf(tx);
    });
    const shown = get<readonly Tx[]>(index, `/address/${addressOf('p2pkh')}/txs/mempool`).map(({ txid: id }) => id);
    expect(shown).toEqual(ids.slice(10).reverse());
    expect(get(index, `/address/${addressOf('p2pkh')}`)).toMatchObject({ mempool_stats: { tx_count: 60 } });
    const recent = get<readonly { txid: string }[]>(index, '/mempool/recent').map(({ txid: id }) => id);
    expect(recent).toEqual(ids.slice(50).reverse());
    expect(get(index, `/address/${addressOf('p2pkh')}/utxo`)).toHaveLength(61);
  });

  test('list coins, without those that the chain or the mempool spends', () => {
    expect(get(esplora, `/address/${addressOf('p2tr')}/utxo`)).toEqual([
      { txid: fanId, vout: NAMES.indexOf('p2tr'), status: confirmedIn(111), value: 1007 },
      { txid: parentId, vout: 0, status: { confirmed: false }, value: 5000 },
      { txid: childId, vout: 0, status: { confirmed: false }, value: 2000 },
    ]);
    expect(get(esplora, `/address/${addressOf('trueP2sh')}/utxo`)).toEqual([]);
    const coins = get<readonly { txid: string; vout: number }[]>(esplora, `/scripthash/${hashOf('true')}/utxo`);
    // The first two coinbases and the coin of the fan are spent.
    expect(coins).toHaveLength(112 - 2 + 1);
    expect(coins).toContainEqual({ txid: gatheredId, vout: 2, status: confirmedIn(112), value: 302 });
  });
});

describe('/mempool and /fee-estimates', () => {
  test('sum up the mempool', () => {
    const sizes = [parent, child].map((tx) => transactionSize(tx));
    const vsize = sizes.reduce((sum, { vsize: size }) => sum + size, 0);
    const fees = [50e8 - 10_001, 3001];
    expect(get(esplora, '/mempool')).toEqual({
      count: 2,
      vsize,
      total_fee: 50e8 - 10_001 + 3001,
      fee_histogram: [[3001 / ((sizes[1]?.weight ?? 0) / 4), vsize]],
    });
    expect(get(esplora, '/mempool/txids')).toEqual([parentId, childId]);
    expect(get(esplora, '/mempool/recent')).toEqual([
      { txid: childId, fee: fees[1], vsize: sizes[1]?.vsize, value: 5001 },
      { txid: parentId, fee: fees[0], vsize: sizes[0]?.vsize, value: 50e8 },
    ]);
    expect(get(openEsplora(openNode()), '/mempool')).toEqual({ count: 0, vsize: 0, total_fee: 0, fee_histogram: [] });
  });

  test('begin a bin of the histogram after 50 000 virtual bytes', () => {
    const { rpc: own, esplora: index, spare } = makeEsploraWorld();
    const many = pay(
      [spare],
      Array.from({ length: 5 }, () => 'true' as const),
      1_000_000n,
    );
    put(own, many);
    const big = (vout: number): number => {
      const tx = pay(
        [coinOf(many, vout)],
        Array.from({ length: 1500 }, () => 'p2tr' as const),
        10n * BigInt(vout),
      );
      put(own, tx);
      return transactionSize(tx).vsize;
    };
    const sizes = [0, 1, 2, 3].map(big);
    const { fee_histogram: bins } = get<{ fee_histogram: readonly (readonly [number, number])[] }>(index, '/mempool');
    expect(bins.reduce((sum, [, size]) => sum + size, 0)).toBe(get<{ vsize: number }>(index, '/mempool').vsize);
    expect(bins.map(([rate]) => rate)).toEqual(bins.map(([rate]) => rate).sort((a, b) => b - a));
    expect(sizes.every((size) => size > 50_000)).toBe(true);
    expect(bins.length).toBeGreaterThan(3);
  });

  test('estimate as estimatesmartfee does: nothing', () => {
    expect(get(esplora, '/fee-estimates')).toEqual({});
  });

  test('show what it estimates in satoshi per virtual byte, by target', () => {
    const callJson: typeof rpc.callJson = (method, params) => {
      const target = params.type === 'array' ? params.items[0] : undefined;
      if (method !== 'estimatesmartfee' || target?.type !== 'number') throw new Error('another call');
      return target.text === '2' ? { errors: [], blocks: 0 } : { feerate: Number(target.text) / 1e5, blocks: 2 };
    };
    const shown = get<object>({ ...esplora, rpc: { ...rpc, callJson } }, '/fee-estimates');
    const targets = [...Array(25).keys()].map((i) => i + 1).concat(144, 504, 1008);
    expect(Object.entries(shown)).toEqual(
      targets.filter((target) => target !== 2).map((target) => [String(target), expect.closeTo(target, 6)]),
    );
  });
});

describe('POST /tx and /txs/package', () => {
  const fresh = (name: ScriptName, value: bigint) => {
    const own = makeEsploraWorld(
      createNodeRpc({
        ...({ network: 'regtest', dialect: 'core-31', acceptnonstdtxn: true } as const),
        clock: () => 1_700_100_000,
        random: (size) => new Uint8Array(size),
      }),
    );
    return { ...own, tx: pay([own.spare], [name, 'p2tr'], value) };
  };

  test('add a transaction to the mempool, and say its id', () => {
    const { esplora: index, tx } = fresh('p2wpkh', 2_499_990_000n);
    expect(ask(index, '/tx', hexOf(tx))).toEqual({ status: 200, type: 'text/plain', body: idOf(tx) });
    expect(get(index, '/mempool/txids')).toContain(idOf(tx));
    expect(get(index, `/address/${addressOf('p2wpkh')}/txs/mempool`)).toMatchObject([{ txid: idOf(tx), fee: 19_999 }]);
  });

  test('refuse with the words of the node', () => {
    const { esplora: index, tx, fan: mined } = fresh('p2wpkh', 2_499_990_000n);
    const missing = pay([coinOf(mined, 0)], ['true', 'p2tr']);
    const refused = (body: string): unknown => ask(index, '/tx', body);
    const said = (code: number, message: string) => ({
      status: 400,
      type: 'text/plain',
      body: `sendrawtransaction RPC error: {"code":${code},"message":"${message}"}`,
    });
    expect(refused(hexOf(missing))).toEqual(said(-25, 'bad-txns-inputs-missingorspent'));
    const decode = 'TX decode failed. Make sure the tx has at least one input.';
    for (const body of ['', 'zz', '0200', `${hexOf(tx)}\n`]) expect(refused(body)).toEqual(said(-22, decode));
    expect(refused(hexOf(mined))).toEqual(
      said(-25, 'Unspendable output exceeds maximum configured by user (maxburnamount)'),
    );
    expect(refused(hexOf(pay([coinOf(tx, 0)], ['true'])))).toEqual(said(-26, 'tx-size-small'));
  });

  test('add a package, and refuse what is none', () => {
    const { esplora: index, tx } = fresh('true', 2_499_990_000n);
    const next = pay([coinOf(tx, 0)], ['p2wpkh', 'p2tr'], 1_249_980_000n);
    const send = (body: unknown, query = '') => ask(index, `/txs/package${query}`, JSON.stringify(body));
    const refused = (body: unknown, query = ''): unknown => {
      const { status, body: text } = send(body, query);
      return [status, text];
    };
    const hex = hexOf(tx);
    expect(refused({})).toEqual([400, 'The body must be a JSON array of transactions in hex']);
    expect(refused([7])).toEqual([400, 'The body must be a JSON array of transactions in hex']);
    expect(ask(index, '/txs/package', '[').status).toBe(400);
    expect(refused(Array(26).fill(hex))).toEqual([400, 'Exceeded maximum of 25 transactions']);
    expect(refused([hex, '00'])).toEqual([400, 'Invalid transaction size for item 1']);
    expect(refused([`${hex.slice(1)}x`])).toEqual([400, 'Invalid transaction hex for item 0']);
    expect(refused([hex], '?maxfeerate=x')).toEqual([400, 'Invalid maxfeerate']);
    expect(refused([hex], '?maxfeerate=1&maxburnamount=-1')).toEqual([400, 'Invalid maxburnamount']);
    expect(refused([])).toEqual([
      400,
      'submitpackage RPC error: {"code":-8,"message":"Array must contain between 1 and 25 transactions."}',
    ]);
    expect(send([hex, hexOf(next)], '?maxfeerate=0.00000001')).toMatchObject({
      body: { package_msg: 'transaction failed' },
    });
    expect(refused([hex], '?maxfeerate=1')).toEqual([
      400,
      'submitpackage RPC error: {"code":-8,"message":"Fee rates larger than or equal to 1BTC/kvB are not accepted"}',
    ]);
    const { status, body } = send([hex, hexOf(next)], '?maxfeerate=0.5&maxburnamount=0');
    expect(status).toBe(200);
    expect(body).toMatchObject({ package_msg: 'success', 'replaced-transactions': [] });
    expect(get(index, '/mempool/txids')).toEqual(expect.arrayContaining([idOf(tx), idOf(next)]));
  });
});

describe('a bad request', () => {
  const bad = (status: number, body: string) => ({ status, type: 'text/plain', body });

  test.each([
    '/tx/:',
    '/tx/:/status',
    '/tx/:/hex',
    '/tx/:/raw',
    '/tx/:/merkle-proof',
    '/tx/:/merkleblock-proof',
    '/tx/:/outspend/0',
    '/tx/:/outspends',
    '/block/:',
    '/block/:/header',
    '/block/:/status',
    '/block/:/txs',
    '/block/:/txs/25',
    '/block/:/txids',
    '/block/:/txid/0',
    '/block/:/raw',
  ])('%s with what is no hash', (path) => {
    for (const text of ['', 'x', 'ab', UNKNOWN.slice(1), `${UNKNOWN.slice(1)}g`, `${UNKNOWN}00`, '%00']) {
      expect(ask(esplora, path.replace(':', text))).toEqual(bad(400, 'Invalid hex string'));
    }
  });

  test.each([
    ['', 'Transaction not found'],
    ['/hex', 'Transaction not found'],
    ['/raw', 'Transaction not found'],
    ['/outspends', 'Transaction not found'],
    ['/merkle-proof', 'Transaction not found or is unconfirmed'],
    ['/merkleblock-proof', 'Transaction not found or is unconfirmed'],
  ])('/tx/:txid%s of an unknown transaction', (part, text) => {
    expect(ask(esplora, `/tx/${UNKNOWN}${part}`)).toEqual(bad(404, text));
    if (part.endsWith('proof')) expect(ask(esplora, `/tx/${childId}${part}`)).toEqual(bad(404, text));
  });

  test.each(['', '/header', '/txs', '/txs/25', '/txids', '/txid/0', '/raw'])('/block/:hash%s of no block', (part) => {
    expect(ask(esplora, `/block/${UNKNOWN}${part}`)).toEqual(bad(404, 'Block not found'));
  });

  test('with a number that is none, or too high', () => {
    for (const text of ['', 'x', '-1', '1.0', '0x1', '4294967296']) {
      expect(ask(esplora, `/tx/${fanId}/outspend/${text}`)).toEqual(bad(400, 'Invalid number'));
    }
    for (const text of ['', 'x', '-1', '1e3', '9'.repeat(400)]) {
      expect(ask(esplora, `/block-height/${text}`)).toEqual(bad(400, 'Invalid number'));
      expect(ask(esplora, `/block/${tip}/txid/${text}`)).toEqual(bad(400, 'Invalid number'));
    }
    for (const height of ['113', '99999999999999999']) {
      expect(ask(esplora, `/block-height/${height}`)).toEqual(bad(404, 'Block not found'));
      expect(ask(esplora, `/blocks/${height}`)).toEqual(bad(404, 'Block not found'));
    }
  });

  test.each(['', '/txs', '/txs/chain', `/txs/chain/${UNKNOWN}`, '/txs/mempool', '/utxo'])(
    '/address/:address%s of what is none',
    (part) => {
      for (const text of ['', 'x', `${addressOf('p2tr')}q`, addressOf('p2pkh').slice(1)]) {
        expect(ask(esplora, `/address/${text}${part}`)).toEqual(bad(400, 'Invalid address'));
      }
      for (const text of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH']) {
        expect(ask(esplora, `/address/${text}${part}`)).toEqual(bad(400, 'Address on invalid network'));
      }
      for (const text of ['', 'x', UNKNOWN.slice(2)]) {
        expect(ask(esplora, `/scripthash/${text}${part}`)).toEqual(bad(400, 'Invalid scripthash'));
      }
    },
  );

  test.each([
    '',
    '/',
    '/x',
    '/tx',
    `/tx/${fanId}/x`,
    `/tx/${fanId}/hex/0`,
    `/tx/${fanId}/outspend`,
    `/tx/${fanId}/outspend/0/0`,
    '/block',
    `/block/${tip}/x`,
    `/block/${tip}/txid`,
    `/block/${tip}/raw/0`,
    `/block/${tip}/txs/0/0`,
    '/block-height',
    '/block-height/1/0',
    '/block-template/0',
    '/address-prefix',
    '/address-prefix/x/0',
    '/blocks/tip/x',
    '/blocks/1/hash',
    '/blocks/tip/hash/x',
    '/address',
    '/address/x/x',
    '/address/x/utxo/0',
    '/address/x/txs/mempool/0',
    '/address/x/txs/chain/0/0',
    '/scripthash/x/txs/chain/0/0',
    '/scripthash/x/txs/x',
    '/mempool/x',
    '/mempool/txids/x',
    '/fee-estimates/x',
    '/txs/package',
    '/broadcast?tx=00',
    '/constructor',
    '/__proto__/x',
    '/toString',
  ])('to "%s", which does not exist', (path) => {
    const [plain] = path.split('?');
    const { status, body } = ask(esplora, path);
    expect([status, body]).toEqual([404, expect.stringMatching(/^endpoint does not exist "/)]);
    if (!/[0-9a-f]{16}/.test(path)) expect(body).toBe(`endpoint does not exist "${plain}"`);
  });

  test('shows no key that a path holds', () => {
    const key = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
    for (const path of [`/${key}`, `/address/${key}`, `/x/${key}`, `/tx/${key}`]) {
      expect(ask(esplora, path).body).not.toContain(key.slice(8, 30));
    }
    expect(ask(esplora, '/tx', key).body).not.toContain(key.slice(8, 30));
  });

  test('for what electrs answers only if it is told to', () => {
    expect(ask(esplora, '/address-prefix/bc')).toEqual(bad(400, 'address search disabled'));
    expect(ask(esplora, '/block-template')).toEqual(bad(403, 'mining REST endpoints are disabled'));
  });

  test('posts nowhere else', () => {
    for (const path of ['/', '/tx/x', '/blocks', `/tx/${fanId}`]) expect(ask(esplora, path, '').status).toBe(404);
  });
});

test('a path may begin with /api, and have a query', () => {
  expect(get(esplora, '/api/blocks/tip/height')).toBe('112');
  expect(get(esplora, '/blocks/tip/height?x=1')).toBe('112');
  expect(ask(esplora, '/apiblocks/tip/height').status).toBe(404);
});

describe('a reorganization', () => {
  test('moves transactions back to the mempool, and what they did with them', () => {
    const { rpc: own, esplora: index, gathered: moved } = makeEsploraWorld();
    const before = get<object>(index, `/address/${addressOf('trueP2sh')}`);
    expect(before).toMatchObject({ chain_stats: { tx_count: 2 }, mempool_stats: { tx_count: 0 } });
    const stale = own.call('getbestblockhash');
    own.call('invalidateblock', [stale]);
    expect(get(index, '/blocks/tip/height')).toBe('111');
    expect(get(index, `/tx/${idOf(moved)}/status`)).toEqual({ confirmed: false });
    expect(get(index, `/tx/${idOf(moved)}`)).toMatchObject({ fee: 4006 - 903, status: { confirmed: false } });
    expect(get(index, `/address/${addressOf('trueP2sh')}`)).toMatchObject({
      chain_stats: stats(1, [1, 1001], [0, 0]),
      mempool_stats: stats(1, [0, 0], [1, 1001]),
    });
    expect(get(index, `/tx/${fanId}/outspend/1`)).toMatchObject({ spent: true, status: { confirmed: false } });
    // A block that left the chain is known by its transactions only, as in electrs.
    expect(get(index, `/block/${stale}/status`)).toMatchObject({ in_best_chain: false });
    expect(get(index, `/block/${stale}/txids`)).toContain(idOf(moved));
    for (const part of ['', '/header', '/raw', '/txs']) expect(ask(index, `/block/${stale}${part}`).status).toBe(404);
    own.call('reconsiderblock', [stale]);
    expect(get(index, `/address/${addressOf('trueP2sh')}`)).toEqual(before);
  });

  test('to a longer branch replaces the history', () => {
    const { rpc: own, esplora: index } = makeEsploraWorld();
    const branch = blocksAfter(blocks[110] ?? GENESIS, 3, 'bb');
    expect(get(index, `/address/${addressOf('p2pkh')}`)).toMatchObject({ chain_stats: { tx_count: 1 } });
    submit(own, branch);
    expect(get(index, '/blocks/tip/hash')).toBe(branch.at(-1)?.hash);
    expect(get(index, `/address/${addressOf('p2pkh')}`)).toMatchObject({
      chain_stats: NONE,
      mempool_stats: { tx_count: 1 },
    });
    expect(get(index, `/block/${fanBlock}/status`)).toMatchObject({ in_best_chain: false });
  });
});

describe('a chain without all transactions', () => {
  const headers = (made: readonly { hex: string }[]): readonly Uint8Array[] =>
    made.map(({ hex }) => parseHex(hex.slice(0, 160)));

  test('is not indexed', () => {
    const own = openNode();
    change(own, { type: 'headers', headers: headers(blocksAfter(GENESIS, 2)) });
    expect(() => openEsplora(own)).toThrow('The chain lacks the transactions of block 1, and an index of addresses');
  });

  test('that was complete before is refused with status 503', () => {
    const own = openNode();
    const index = openEsplora(own);
    const made = blocksAfter(GENESIS, 2);
    expect(get(index, '/blocks/tip/height')).toBe('0');
    change(own, { type: 'headers', headers: headers(made) });
    expect(ask(index, '/blocks/tip/height')).toMatchObject({ status: 503, body: expect.stringContaining('block 1') });
    for (const { hex } of made) change(own, { type: 'block', block: decodeBlock(parseHex(hex)), bytes: parseHex(hex) });
    change(own, { type: 'coins', from: 1 });
    expect(get(index, '/blocks/tip/height')).toBe('2');
  });
});

test('a network of a caller may lack the transaction of its genesis block', () => {
  const { coinbase: _, ...genesis } = networks.regtest.genesis ?? { hash: '', time: 0 };
  const own = createNodeRpc({
    network: { ...networks.regtest, name: 'mine', genesis },
    dialect: 'core-31',
    clock: () => 0,
    random: (size) => new Uint8Array(size),
  });
  const index = openEsplora(own);
  expect(get(index, '/blocks')).toMatchObject([{ id: genesis.hash, height: 0, tx_count: 0, size: 81 }]);
  expect(get(index, `/block/${genesis.hash}/txs`)).toEqual([]);
});
