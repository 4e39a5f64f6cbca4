import { describe, expect, test } from 'vitest';
import { type BlockHeader, blockHash, encodeBlockHeader } from '../../../src/node/chain/blockHeader.ts';
import { genesisHeader, genesisTransaction } from '../../../src/node/chain/genesis.ts';
import { checkHeaders } from '../../../src/node/chain/headerChain.ts';
import { hasProofOfWork } from '../../../src/node/chain/proofOfWork.ts';
import { blockAfter } from '../../support/blocks.ts';
import { chainFrom } from '../../support/headers.ts';
import {
  createNodeRpc,
  createRpc,
  formatHex,
  formatReversedHex,
  formatTxid,
  formatWif,
  type Network,
  nobleEcc,
  txid,
} from '../../support/library.ts';

/** A row with nothing of a built-in network. */
const FORMATS: Network = {
  name: 'owncoin-test',
  title: 'Owncoin for tests',
  nodeName: 'owntest',
  ticker: 'OWN',
  pubKeyHash: 25,
  scriptHash: 26,
  scriptHashAccepted: [],
  wif: 27,
  bip32: { public: 0x01020304, private: 0x01020305 },
  hrp: 'own',
  maxMoney: 1_000_000n * 100_000_000n,
  mweb: false,
};

const TIME = 1_600_000_000;
const coinbase = { text: 'A chain of its own', pubkey: `02${'11'.repeat(32)}` };
const first = genesisTransaction({ ...FORMATS, genesis: { hash: '', time: TIME, coinbase } });
const header = { merkleRoot: first ? formatTxid(txid(first)) : '', bits: 0x207fffff, nonce: 5 };
const headerBytes = genesisHeader({ ...FORMATS, genesis: { hash: '', time: TIME, header } }) ?? new Uint8Array(0);
const GENESIS = formatReversedHex(blockHash(headerBytes));

const own: Network = {
  ...FORMATS,
  genesis: { hash: GENESIS, time: TIME, header, coinbase },
  consensus: {
    powHash: 'sha256d',
    powLimit: (1n << 255n) - 1n,
    targetTimespan: 3600,
    targetSpacing: 60,
    allowsMinDifficulty: false,
    hasNoRetargeting: true,
    enforcesBip94: false,
    countsWholePeriod: false,
    versionHeights: [1, 2, 3],
    laterForks: [4, 5],
    minimumWork: 0n,
  },
};

const openNode = () =>
  createNodeRpc({
    network: own,
    dialect: 'core-32',
    clock: () => 1_700_001_000,
    random: (size) => new Uint8Array(size).fill(3),
  });

describe('a network of its own, stated by one row', () => {
  test('signs with keys in its own formats', () => {
    const rpc = createRpc({ network: own, dialect: 'core-32' });
    const secretKey = new Uint8Array(32).fill(1);
    const wif = formatWif({ secretKey, isCompressed: true }, own);
    const publicKey = formatHex(nobleEcc.publicKey(secretKey, true) ?? new Uint8Array(0));
    const { address, scriptPubKey } = addressOf(publicKey);
    expect(address).toMatch(/^own1q/);
    const coin = { txid: '22'.repeat(32), vout: 0 };
    const raw = rpc.call('createrawtransaction', [[coin], [{ [address]: 0.5 }]]);
    const prevtx = { ...coin, scriptPubKey, amount: 1 };
    const signed = rpc.call('signrawtransactionwithkey', [raw, [wif], [prevtx]]);
    expect(signed).toEqual({ hex: expect.any(String), complete: true });
    expect(() => createRpc({ network: 'main' }).call('signrawtransactionwithkey', [raw, [wif], [prevtx]])).toThrow(
      'Invalid private key',
    );
  });

  test('has a node that takes its blocks, and a wallet that sees its coins', () => {
    const rpc = openNode();
    expect(rpc.call('getblockhash', [0])).toBe(GENESIS);
    expect(rpc.call('getblock', [GENESIS, 2])).toMatchObject({ merkleroot: header.merkleRoot, nTx: 1 });
    rpc.call('createwallet', ['w']);
    const address = rpc.call('getnewaddress', [], 'w');
    expect(address).toMatch(/^own1q/);
    const { scriptPubKey, hdkeypath } = rpc.call('getaddressinfo', [address], 'w');
    expect(hdkeypath).toMatch(/^m\/84h\/1h\/0h\/0\/0$/);
    const genesis = { height: 0, hash: GENESIS, previous: '00'.repeat(32), hex: '', txs: [] };
    const block = blockAfter(genesis, { script: scriptPubKey });
    expect(rpc.call('submitblock', [block.hex])).toBeNull();
    expect(rpc.call('getblockchaininfo')).toMatchObject({ chain: 'owntest', blocks: 1, bestblockhash: block.hash });
    expect(rpc.call('getbalances', [], 'w').mine.immature).toBe(50);
  });

  test('has its own heights of soft forks', () => {
    const rpc = createNodeRpc({
      network: own,
      dialect: 'core-0.21',
      clock: () => TIME,
      random: (n) => new Uint8Array(n),
    });
    const { softforks = {} } = rpc.call('getblockchaininfo');
    const heights = Object.entries(softforks).map(([name, { height }]) => [name, height]);
    expect(heights).toEqual([
      ['bip34', 1],
      ['bip66', 2],
      ['bip65', 3],
      ['csv', 4],
      ['segwit', 5],
    ]);
  });

  test('has headers judged by its own rules', () => {
    const chain = chainFrom(own, [headerBytes]);
    const check = (bits: number, time = TIME + 60, version = 4) =>
      checkHeaders(chain, [minedHeader({ bits, time, version })], { now: TIME + 600 });
    expect(check(header.bits)).toMatchObject({ accepted: [{ height: 1 }] });
    expect(check(0x207ffffe).fault?.reason).toBe('bad-diffbits');
    expect(check(header.bits, TIME).fault?.reason).toBe('time-too-old');
    expect(check(header.bits, TIME + 60, 1).fault?.reason).toBe('bad-version(0x00000001)');
  });
});

/** Makes the header of a block after the genesis block, with work. */
function minedHeader(stated: Pick<BlockHeader, 'bits' | 'time' | 'version'>): Uint8Array {
  for (let nonce = 0; ; nonce += 1) {
    const next = { ...stated, previous: blockHash(headerBytes), merkleRoot: new Uint8Array(32), nonce };
    const bytes = encodeBlockHeader(next);
    if (hasProofOfWork(stated.bits, blockHash(bytes), 1n << 255n)) return bytes;
  }
}

/** Returns the P2WPKH address of a key, and its script. */
function addressOf(publicKey: string): { readonly address: string; readonly scriptPubKey: string } {
  const rpc = createRpc({ network: own, dialect: 'core-32' });
  const { descriptor } = rpc.call('getdescriptorinfo', [`wpkh(${publicKey})`]);
  const [address = ''] = rpc.call('deriveaddresses', [descriptor]) as readonly string[];
  const { scriptPubKey } = rpc.call('validateaddress', [address]) as { readonly scriptPubKey: string };
  return { address, scriptPubKey };
}
