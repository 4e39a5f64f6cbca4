import { describe, expect, test } from 'vitest';
import { type BlockLife, lifeOf } from '../../support/blockLife.ts';
import {
  type BlockChoice,
  blockAfter,
  blockOf,
  blocksAfter,
  coinbaseOf,
  committing,
  GENESIS,
  type MadeBlock,
  spend,
  timeAt,
} from '../../support/blocks.ts';
import { openNode, submit } from '../../support/feeding.ts';
import {
  createMemoryStore,
  type DialectName,
  type NodeRpc,
  networks,
  parseHex,
  parseTxid,
  type Transaction,
} from '../../support/library.ts';

const NOW = 1_700_100_000;
const CHAIN = blocksAfter(GENESIS, 3);
const [FIRST = GENESIS, PARENT = GENESIS, TIP = GENESIS] = CHAIN;
const NO_COIN = { txid: parseTxid('11'.repeat(32)), vout: 0 };
const HEADER = 160;

/** Opens a node with three blocks. */
function open(dialect: DialectName = 'core-32', blocks = CHAIN): NodeRpc {
  const rpc = openNode(createMemoryStore(), dialect, { clock: () => NOW });
  expect(submit(rpc, blocks)).toEqual(blocks.map(() => null));
  return rpc;
}

const next = (header: BlockChoice): MadeBlock => blockAfter(TIP, header);
const holding = (...txs: readonly Transaction[]): MadeBlock => blockAfter(TIP, { txs });

/** Replaces bytes of a block from an offset, in hex. */
function patched(block: MadeBlock, offset: number, bytes: string): MadeBlock {
  const hex = block.hex.slice(0, 2 * offset) + bytes + block.hex.slice(2 * offset + bytes.length);
  return blockOf(TIP, block.txs, { header: hex.slice(0, HEADER) });
}

const ROOT = 36;
const BITS = 72;
const NONCE = 76;

/** The first byte of the highest target of regtest is 7f. */
const hasWork = ({ hash }: MadeBlock): boolean => hash < '7f';

/** Makes a block whose hash does not reach its target. */
function withoutWork(block: MadeBlock): MadeBlock {
  for (let nonce = 0; ; nonce += 1) {
    const other = patched(block, NONCE, nonce.toString(16).padStart(8, '0'));
    if (other.hash >= '8') return other;
  }
}

/** Changes the merkle root of a block, and mines it. */
function withOtherRoot(block: MadeBlock): MadeBlock {
  for (let nonce = 0; ; nonce += 1) {
    const other = patched(patched(block, ROOT, '00'), NONCE, nonce.toString(16).padStart(8, '0'));
    if (hasWork(other)) return other;
  }
}

const withoutSequence = (tx: Transaction, locktime: number): Transaction => ({
  ...tx,
  locktime,
  inputs: tx.inputs.map((input) => ({ ...input, sequence: 0 })),
});

const withWitness = (tx: Transaction, ...witness: readonly Uint8Array[]): Transaction => ({
  ...tx,
  inputs: tx.inputs.map((input) => ({ ...input, witness })),
});

const MAX_MONEY = 21n * 10n ** 14n;
const NULL = { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff };
const COINBASE = coinbaseOf(next({}));
const WITNESSED = withWitness(COINBASE, new Uint8Array(32));
/** A coinbase that commits to no other transactions, without its witness. */
const COMMITTING = withWitness(committing(COINBASE, []));

function repeating(): MadeBlock {
  const [first, second] = [spend([NO_COIN]), spend([NO_COIN], '52')];
  return blockOf(TIP, [COINBASE, first, second, second]);
}

const twice = (tx: Transaction): Transaction => ({ ...tx, outputs: [...tx.outputs, ...tx.outputs] });

const withScriptSig = (hex: string): MadeBlock =>
  blockOf(TIP, [{ ...COINBASE, inputs: COINBASE.inputs.map((input) => ({ ...input, scriptSig: parseHex(hex) })) }]);

const paying = (value: bigint): MadeBlock =>
  blockOf(TIP, [{ ...COINBASE, outputs: COINBASE.outputs.map((output) => ({ ...output, value })) }]);

/** What all releases say of a block that they refuse for its header: nothing is kept of it. */
const ofHeader = (reason: string): BlockLife => ({
  ...{ proposal: reason, submitted: reason, again: reason },
  ...{ isKnown: false, header: reason },
});
/** For its content: the header alone is still good. */
const ofContent = (reason: string): BlockLife => ({ ...ofHeader(reason), header: null });
/** For its place or its coins: the header is marked. */
const ofPlace = (reason: string): BlockLife => ({
  ...{ proposal: reason, submitted: reason, again: 'duplicate-invalid' },
  ...{ isKnown: true, header: 'duplicate-invalid' },
});
/** For witnesses, which do not count for the header: another copy of the block may be good. */
const ofWitness = (reason: string): BlockLife => ({ ...ofHeader(reason), isKnown: true, header: null });

const COMMON: readonly (readonly [string, MadeBlock, BlockLife])[] = [
  ['bad-diffbits', next({ bits: 0x207f_fffe }), ofHeader('bad-diffbits')],
  ['time-too-old', next({ time: timeAt(2) }), ofHeader('time-too-old')],
  ['time-too-new', next({ time: NOW + 7201 }), ofHeader('time-too-new')],
  ['bad-version', next({ version: 3 }), ofHeader('bad-version(0x00000003)')],
  ['a negative version', next({ version: -1 }), ofHeader('bad-version(0xffffffff)')],
  ['bad-txnmrklroot', withOtherRoot(next({})), ofContent('bad-txnmrklroot')],
  ['bad-txns-duplicate', repeating(), ofContent('bad-txns-duplicate')],
  ['too long', holding(spend([NO_COIN], '00'.repeat(1_000_000))), ofContent('bad-blk-length')],
  ['bad-cb-multiple', holding(coinbaseOf(next({ salt: '02' }))), ofContent('bad-cb-multiple')],
  ['vin-empty', holding({ ...spend([]), outputs: [] }), ofContent('bad-txns-vin-empty')],
  ['vout-empty', holding({ ...spend([NO_COIN]), outputs: [] }), ofContent('bad-txns-vout-empty')],
  ['vout-negative', holding(spend([NO_COIN], '51', -1n)), ofContent('bad-txns-vout-negative')],
  ['vout-toolarge', holding(spend([NO_COIN], '51', MAX_MONEY + 1n)), ofContent('bad-txns-vout-toolarge')],
  ['txouttotal-toolarge', holding(twice(spend([NO_COIN], '51', MAX_MONEY))), ofContent('bad-txns-txouttotal-toolarge')],
  ['inputs-duplicate', holding(spend([NO_COIN, NO_COIN])), ofContent('bad-txns-inputs-duplicate')],
  ['a short coinbase', withScriptSig('54'), ofContent('bad-cb-length')],
  ['a long coinbase', withScriptSig(`54${'00'.repeat(100)}`), ofContent('bad-cb-length')],
  ['prevout-null', holding(spend([NO_COIN, NULL])), ofContent('bad-txns-prevout-null')],
  ['20001 signatures', holding(spend([NO_COIN], 'ac'.repeat(20_001))), ofContent('bad-blk-sigops')],
  ['nonfinal', holding(withoutSequence(spend([NO_COIN]), 4)), ofPlace('bad-txns-nonfinal')],
  ['bad-cb-height', withScriptSig('5500'), ofPlace('bad-cb-height')],
  ['bad-blk-weight', holding(withWitness(spend([NO_COIN]), new Uint8Array(4_000_000))), ofPlace('bad-blk-weight')],
  ['missing inputs', holding(spend([NO_COIN])), ofPlace('bad-txns-inputs-missingorspent')],
  ['bad-cb-amount', paying(5_000_000_001n), ofPlace('bad-cb-amount')],
  ['unexpected-witness', blockOf(TIP, [WITNESSED]), ofWitness('unexpected-witness')],
  ['nonce-size', blockOf(TIP, [withWitness(COMMITTING, new Uint8Array(31))]), ofWitness('bad-witness-nonce-size')],
  [
    'merkle-match',
    blockOf(TIP, [withWitness(COMMITTING, new Uint8Array(32).fill(1))]),
    ofWitness('bad-witness-merkle-match'),
  ],
];

describe.each(['core-0.21', 'core-29', 'core-32'] as const)('a block that %s refuses', (dialect) => {
  const isOld = dialect === 'core-0.21';

  test.each(COMMON)('%s', (_, block, life) => {
    const header = isOld && life.header === 'duplicate-invalid' ? 'duplicate' : life.header;
    const rpc = open(dialect);
    expect(lifeOf(rpc, block)).toEqual({ ...life, header });
    expect(rpc.call('getbestblockhash')).toBe(TIP.hash);
  });

  test.each([
    ['no transactions', blockOf(TIP, []), 'bad-blk-length'],
    ['no coinbase', blockOf(TIP, [spend([NO_COIN])]), 'bad-cb-missing'],
  ])('%s', (_, block, reason) => {
    const submitted = isOld ? 'Block does not start with a coinbase' : reason;
    expect(lifeOf(open(dialect), block)).toEqual({ ...ofContent(reason), submitted, again: submitted });
  });
});

describe.each(['core-0.21', 'core-29', 'core-32'] as const)('%s', (dialect) => {
  const isOld = dialect === 'core-0.21';
  const good = next({});
  const known = { again: 'duplicate', isKnown: true, header: null };

  test('adds a block, and knows it from then on', () => {
    const rpc = open(dialect);
    expect(lifeOf(rpc, good)).toEqual({ ...known, proposal: null, submitted: null });
    expect(lifeOf(rpc, good)).toEqual({ ...known, proposal: 'duplicate', submitted: 'duplicate' });
    // An ancestor is known as well as the last block.
    expect(lifeOf(rpc, FIRST)).toEqual({ ...known, proposal: 'duplicate', submitted: 'duplicate' });
  });

  test('takes headers up to their limits', () => {
    for (const header of [{ time: timeAt(2) + 1 }, { time: NOW + 7200 }, { version: 4 }, { version: 0x7fff_ffff }]) {
      expect(submit(open(dialect), [next(header)])).toEqual([null]);
    }
  });

  test('checks the work of submitted blocks alone', () => {
    const refused = { ...ofHeader('high-hash'), proposal: null };
    expect(lifeOf(open(dialect), withoutWork(good))).toEqual(refused);
    // Zero, negative, and above the limit.
    for (const bits of ['00000000', '56349204', '00010021', 'ffff7f21']) {
      const block = patched(good, BITS, bits);
      expect(lifeOf(open(dialect), block)).toEqual({ ...refused, proposal: 'bad-diffbits' });
    }
  });

  test('needs the block before', () => {
    const orphan = next({ previous: '11'.repeat(32) });
    expect(lifeOf(open(dialect), orphan)).toEqual({
      ...{ proposal: 'inconclusive-not-best-prevblk', submitted: 'prev-blk-not-found', again: 'prev-blk-not-found' },
      ...{ isKnown: false, header: `Must submit previous header (${'11'.repeat(32)}) first` },
    });
  });

  test('keeps a block beside the last one', () => {
    const rpc = open(dialect);
    const beside = blockAfter(PARENT, { salt: '02' });
    expect(lifeOf(rpc, beside)).toEqual({
      ...known,
      ...{ proposal: 'inconclusive-not-best-prevblk', submitted: 'inconclusive' },
    });
    expect(lifeOf(rpc, beside)).toMatchObject({ proposal: 'duplicate-inconclusive' });
  });

  test('refuses what follows an invalid block, also in headers that came before its body', () => {
    const rpc = open(dialect);
    const bad = withScriptSig('5500');
    const [child, grandchild, other] = [...blocksAfter(bad, 2), blockAfter(bad, { salt: '03' })];
    if (!child || !grandchild || !other) throw new Error('no blocks');
    for (const { hex } of [bad, child]) expect(rpc.call('submitheader', [hex.slice(0, HEADER)])).toBeNull();
    expect(submit(rpc, [bad])).toEqual(['bad-cb-height']);
    const refused = { ...ofHeader('bad-prevblk'), proposal: 'inconclusive-not-best-prevblk' };
    for (const block of [grandchild, other]) expect(lifeOf(rpc, block)).toEqual(refused);
    expect(lifeOf(rpc, child)).toEqual({
      ...{ proposal: 'duplicate-invalid', submitted: 'duplicate-invalid', again: 'duplicate-invalid' },
      ...{ isKnown: true, header: isOld ? 'duplicate' : 'duplicate-invalid' },
    });
    // With all marks gone, the body alone is refused again.
    rpc.call('reconsiderblock', [bad.hash]);
    expect(submit(rpc, [bad, child])).toEqual(['bad-cb-height', 'duplicate-invalid']);
  });

  test('looks a known invalid block up before its content in 0.21, later after it', () => {
    const rpc = open(dialect);
    const bad = holding(spend([NO_COIN]));
    submit(rpc, [bad]);
    const copy = blockOf(TIP, [COINBASE], { header: bad.hex.slice(0, HEADER) });
    expect(submit(rpc, [copy])).toEqual([isOld ? 'duplicate-invalid' : 'bad-txnmrklroot']);
  });

  test('takes the good copy of a block after one whose witnesses are bad', () => {
    const rpc = open(dialect);
    const right = blockOf(TIP, [withWitness(COMMITTING, new Uint8Array(32))]);
    const wrong = blockOf(TIP, [withWitness(COMMITTING, new Uint8Array(32).fill(1))]);
    expect(wrong.hash).toBe(right.hash);
    expect(lifeOf(rpc, wrong)).toMatchObject({ proposal: 'bad-witness-merkle-match' });
    expect(lifeOf(rpc, wrong)).toMatchObject({ proposal: 'duplicate-inconclusive', again: 'bad-witness-merkle-match' });
    expect(submit(rpc, [right, right])).toEqual([null, 'duplicate']);
  });

  test('completes a coinbase that lacks its witness, but not in a proposal', () => {
    const proposal = 'bad-witness-nonce-size';
    expect(lifeOf(open(dialect), blockOf(TIP, [COMMITTING]))).toEqual({ ...known, proposal, submitted: null });
  });
});

describe('headers without bodies', () => {
  const [fourth = GENESIS, fifth = GENESIS, sixth = GENESIS] = blocksAfter(TIP, 3, '04');
  const sendHeaders = (rpc: NodeRpc, blocks: readonly MadeBlock[]): void => {
    for (const { hex } of blocks) expect(rpc.call('submitheader', [hex.slice(0, HEADER)])).toBeNull();
  };
  const tips = (rpc: NodeRpc): unknown =>
    rpc.call('getchaintips').map(({ height, branchlen, status }) => [height, branchlen, status]);

  test('are a branch that is not active, until each of its bodies came', () => {
    const rpc = open();
    sendHeaders(rpc, [fourth, fifth, sixth]);
    expect(rpc.call('getblockchaininfo')).toMatchObject({ blocks: 3, headers: 6 });
    expect(tips(rpc)).toEqual([
      [6, 3, 'headers-only'],
      [3, 0, 'active'],
    ]);
    expect(lifeOf(rpc, sixth)).toEqual({
      ...{ proposal: 'duplicate-inconclusive', submitted: 'inconclusive', again: 'duplicate' },
      ...{ isKnown: true, header: null },
    });
    expect(submit(rpc, [fifth, fourth])).toEqual(['inconclusive', null]);
    expect(rpc.call('getbestblockhash')).toBe(sixth.hash);
  });

  test('do not count before bodies: the last block is that whose body came first', () => {
    const rpc = open();
    const beside = next({ salt: '05' });
    sendHeaders(rpc, [fourth]);
    expect(submit(rpc, [beside, fourth])).toEqual([null, 'inconclusive']);
    expect(rpc.call('getbestblockhash')).toBe(beside.hash);
    expect(submit(rpc, [fifth])).toEqual([null]);
  });

  test('count from when all blocks before have their bodies, too', () => {
    const rpc = open();
    const beside = blocksAfter(TIP, 2, '06');
    sendHeaders(rpc, [fourth, fifth]);
    expect(submit(rpc, [fifth, ...beside, fourth])).toEqual(['inconclusive', null, null, 'inconclusive']);
    expect(rpc.call('getbestblockhash')).toBe(beside[1]?.hash);
    rpc.call('invalidateblock', [beside[0]?.hash ?? '']);
    expect(rpc.call('getbestblockhash')).toBe(fifth.hash);
  });

  test('end where a body turns out bad', () => {
    const rpc = open();
    const bad = holding(spend([NO_COIN]));
    const [after = GENESIS] = blocksAfter(bad, 1);
    sendHeaders(rpc, [bad, after]);
    expect(submit(rpc, [after, bad])).toEqual(['inconclusive', 'bad-txns-inputs-missingorspent']);
    expect(rpc.call('getbestblockhash')).toBe(TIP.hash);
    expect(submit(rpc, [after])).toEqual(['duplicate-invalid']);
    expect(rpc.call('getblockchaininfo')).toMatchObject({ blocks: 3, headers: 3 });
  });

  test('are still there, and still awaited, in a node that is opened anew', () => {
    const store = createMemoryStore();
    const rpc = openNode(store, 'core-32', { clock: () => NOW });
    submit(rpc, CHAIN);
    sendHeaders(rpc, [fourth, fifth]);
    const again = openNode(store, 'core-32', { clock: () => NOW });
    expect(tips(again)).toEqual(tips(rpc));
    expect(submit(again, [fifth, fourth])).toEqual(['inconclusive', null]);
    expect(again.call('getblockcount')).toBe(5);
  });

  test('name the branch that has them', () => {
    const rpc = open();
    const bad = blockAfter(fourth, { txs: [{ ...spend([NO_COIN]), outputs: [] }] });
    sendHeaders(rpc, [fourth, bad]);
    expect(rpc.call('getblockchaininfo').headers).toBe(5);
    rpc.call('invalidateblock', [bad.hash]);
    expect(tips(rpc)).toEqual([
      [5, 2, 'invalid'],
      [3, 0, 'active'],
    ]);
    expect(rpc.call('getblockchaininfo').headers).toBe(4);
  });
});

test('the first block of a period may not be much older than the one before, where BIP94 holds', () => {
  const { consensus, ...network } = networks.regtest;
  if (!consensus) throw new Error('no rules');
  const openWith = (enforcesBip94: boolean): NodeRpc => {
    const rules = { ...consensus, enforcesBip94, targetTimespan: 4 * consensus.targetSpacing };
    return openNode(createMemoryStore(), 'core-32', { network: { ...network, consensus: rules }, clock: () => NOW });
  };
  const late = blockAfter(PARENT, { time: timeAt(30) });
  const at = (time: number): MadeBlock => blockAfter(late, { time });
  const [strict, lenient] = [openWith(true), openWith(false)].map((rpc) => {
    submit(rpc, [FIRST, PARENT, late]);
    return rpc;
  });
  expect(strict && lifeOf(strict, at(timeAt(29) - 1))).toEqual(ofHeader('time-timewarp-attack'));
  expect(strict && submit(strict, [at(timeAt(29))])).toEqual([null]);
  expect(lenient && submit(lenient, [at(timeAt(29) - 1)])).toEqual([null]);
});
