import { describe, expect, test } from 'vitest';
import { encodePush } from '../../../src/core/script/build.ts';
import { commitmentIndex } from '../../../src/node/chain/block.ts';
import { genesisBody } from '../../../src/node/chain/genesis.ts';
import { buildMerkleTree, treeRoot } from '../../../src/node/chain/merkleTree.ts';
import { lifeOf } from '../../support/blockLife.ts';
import {
  blockAfter,
  blockOf,
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
  createRpc,
  decodeTransaction,
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  networks,
  parseHex,
  parseTxid,
  type Transaction,
  txid,
} from '../../support/library.ts';

// A signet whose blocks are as easy as those of regtest.

const KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const WIF = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
const HEADER = 'ecc7daa2';
const NULL = { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff };

const open = (signetChallenge: string): NodeRpc =>
  openNode(createMemoryStore(), 'core-32', { network: { ...networks.regtest, signetChallenge } });

/** Puts more after the commitment to the witnesses, in hex. */
function extended(coinbase: Transaction, added: string): Transaction {
  const index = commitmentIndex(coinbase);
  const outputs = coinbase.outputs.map((output, i) =>
    i === index ? { ...output, scriptPubKey: parseHex(formatHex(output.scriptPubKey) + added) } : output,
  );
  return { ...coinbase, outputs };
}

const pushed = (hex: string): string => formatHex(encodePush(parseHex(hex)));
const COINBASE = committing(coinbaseOf(blockAfter(GENESIS)), []);
const withAdded = (added: string): MadeBlock => blockOf(GENESIS, [extended(COINBASE, added)]);

const version0 = (tx: Transaction, scriptSig: string): Transaction => ({
  ...tx,
  version: 0,
  inputs: tx.inputs.map((input) => ({ ...input, scriptSig: parseHex(scriptSig), sequence: 0 })),
});

/** Returns the solution of a block after the genesis block, as its miner signs it. @see BIP325 */
function solution(challenge: string, coinbase: Transaction = extended(COINBASE, pushed(HEADER))): string {
  const data = new Uint8Array(72);
  const view = new DataView(data.buffer);
  view.setUint32(0, 0x2000_0000, true);
  data.set(parseHex(GENESIS.hash).reverse(), 4);
  data.set(treeRoot(buildMerkleTree([txid(coinbase)])), 36);
  view.setUint32(68, timeAt(1), true);
  const toSpend = version0(spend([NULL], challenge, 0n), `00${pushed(formatHex(data))}`);
  const toSign = version0(spend([{ txid: txid(toSpend), vout: 0 }], '6a', 0n), '');
  const coin = { txid: formatTxid(txid(toSpend)), vout: 0, scriptPubKey: challenge, amount: 0 };
  const rpc = createRpc({ network: 'regtest', dialect: 'core-32' });
  const { hex } = rpc.call('signrawtransactionwithkey', [formatHex(encodeTransaction(toSign)), [WIF], [coin]]);
  const [input] = decodeTransaction(parseHex(hex)).inputs;
  const sized = (bytes: Uint8Array): string => formatHex(Uint8Array.of(bytes.length, ...bytes));
  const { scriptSig = new Uint8Array(0), witness = [] } = input ?? {};
  return sized(scriptSig) + formatHex(Uint8Array.of(witness.length)) + witness.map(sized).join('');
}

const REFUSED = {
  ...{ proposal: null, submitted: 'bad-signet-blksig', again: 'bad-signet-blksig' },
  ...{ isKnown: false, header: null },
};

describe('a signet whose challenge is OP_TRUE', () => {
  test('needs a commitment to witnesses, but no solution', () => {
    expect(lifeOf(open('51'), blockAfter(GENESIS))).toEqual(REFUSED);
    for (const added of ['', pushed(HEADER), pushed(`${HEADER}0000`), 'ffff'])
      expect(submit(open('51'), [withAdded(added)])).toEqual([null]);
  });

  test('refuses a solution that does not parse, or is not over', () => {
    for (const wrong of ['00', '000000', '0001', '02ab00', 'ff'.repeat(9), `00fe${'ff'.repeat(4)}`])
      expect(submit(open('51'), [withAdded(pushed(HEADER + wrong))])).toEqual(['bad-signet-blksig']);
  });

  test('is checked after the work, and before the content', () => {
    const { hex, txs } = blockAfter(GENESIS);
    const weak = blockOf(GENESIS, txs, { header: `${hex.slice(0, 144)}ffff001d00000000` });
    const tampered = blockOf(GENESIS, [], { header: hex.slice(0, 160) });
    expect(submit(open('51'), [weak, tampered])).toEqual(['high-hash', 'bad-signet-blksig']);
  });

  test('takes its first block as it is', () => {
    const genesis = formatHex(genesisBody(networks.regtest)?.bytes ?? new Uint8Array(0));
    expect(open('51').call('submitblock', [genesis])).toBe('duplicate');
  });
});

describe.each([
  ['a key', `21${KEY}ac`],
  ['the hash of a key', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
])('a signet whose challenge is %s', (_, challenge) => {
  const right = solution(challenge);

  test('takes what the key has signed, wherever it stands in the commitment', () => {
    expect(submit(open(challenge), [withAdded(pushed(HEADER + right))])).toEqual([null]);
    const [before, after] = [pushed('aabb'), `5100${pushed('01')}`];
    const coinbase = extended(COINBASE, before + pushed(HEADER) + after);
    const elsewhere = extended(COINBASE, before + pushed(HEADER + solution(challenge, coinbase)) + after);
    expect(submit(open(challenge), [blockOf(GENESIS, [elsewhere])])).toEqual([null]);
  });

  test('refuses a block without a solution, or with one for another', () => {
    const other = { ...extended(COINBASE, pushed(HEADER)), locktime: 0, version: 1 };
    for (const made of [
      withAdded(''),
      withAdded(pushed(HEADER)),
      withAdded(pushed(right)),
      withAdded(pushed(`${HEADER}${right}00`)),
      withAdded(pushed(HEADER + right.slice(0, -2))),
      withAdded(pushed(HEADER + solution(challenge, other))),
      blockOf(GENESIS, [extended(COINBASE, pushed(HEADER + right))], { time: timeAt(1) + 1 }),
      blockOf(GENESIS, [extended(COINBASE, pushed(HEADER + right)), spend([NULL])]),
      // Only the first push with the mark counts.
      withAdded(pushed(`${HEADER}00`) + pushed(HEADER + right)),
    ]) {
      expect(submit(open(challenge), [made])).toEqual(['bad-signet-blksig']);
    }
    expect(lifeOf(open(challenge), withAdded(''))).toEqual(REFUSED);
  });

  test('tells miners of it', () => {
    const rpc = open(challenge);
    expect(() => rpc.call('getblocktemplate', [{ rules: ['segwit'] }])).toThrow(
      'getblocktemplate must be called with the signet rule set (call with {"rules": ["segwit", "signet"]})',
    );
    expect(rpc.call('getblocktemplate', [{ rules: ['segwit', 'signet'] }])).toMatchObject({
      rules: ['csv', '!segwit', 'taproot', '!signet'],
      signet_challenge: challenge,
    });
    // What is mined at once has no solution.
    expect(() => rpc.call('generatetodescriptor', [1, 'raw(51)'])).toThrow('ProcessNewBlock, block not accepted');
  });
});
