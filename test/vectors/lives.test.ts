import { describe, expect, test } from 'vitest';
import { eccFor } from '../support/arithmetic.ts';
import { type Recorded, readRecorded, shared } from '../support/corpus.ts';
import { createMemoryStore, createNodeRpc, type NodeRpc } from '../support/library.ts';
import { quickScrypt } from '../support/quickScrypt.ts';
import { answerOf, isAnswered } from '../support/recordedAnswers.ts';

/** Replays recorded lives of nodes: wallets, chain and mempool, with what the policy of a node refuses. */

const FULL = ['00', '01', '02', '03'];
/** The beginning of one life. */
const SAMPLE = ['00'];
const KINDS = [
  { node: 'litecoin-0.21', network: 'litecoin-regtest', dialect: 'litecoin-0.21' },
  { node: 'core-31', network: 'regtest', dialect: 'core-31' },
] as const;

/** The methods that answer from chain and mempool alone. */
const CHAIN_METHODS: readonly string[] = [
  'submitblock',
  'invalidateblock',
  'getblockcount',
  'getblockhash',
  'getbestblockhash',
  'getblock',
  'getblockheader',
  'getblockchaininfo',
  'getdifficulty',
  'gettxout',
  'getrawtransaction',
  'sendrawtransaction',
  'testmempoolaccept',
  'getrawmempool',
  'getmempoolinfo',
  'getmempoolentry',
  'getmempoolancestors',
  'getmempooldescendants',
  'getnetworkinfo',
  'getconnectioncount',
  'getpeerinfo',
  'getindexinfo',
];

/** The lists and balances of wallets. */
const LIST_METHODS: readonly string[] = [
  'getbalance',
  'getbalances',
  'getunconfirmedbalance',
  'gettransaction',
  'listtransactions',
  'listreceivedbylabel',
  'getreceivedbyaddress',
  'getreceivedbylabel',
  'listaddressgroupings',
  'listlabels',
  'listunspent',
  'listsinceblock',
  'getwalletinfo',
];

/** The methods whose every recorded answer is given, by node. */
const WHOLE: Readonly<Record<(typeof KINDS)[number]['node'], readonly string[]>> = {
  'litecoin-0.21': [
    'setmocktime',
    'createwallet',
    'walletpassphrase',
    'walletpassphrasechange',
    'walletlock',
    'getnewaddress',
    'getrawchangeaddress',
    'keypoolrefill',
    'sethdseed',
    'importmulti',
    'dumpprivkey',
    'signmessage',
    'walletprocesspsbt',
    'listlockunspent',
    'listwallets',
    ...LIST_METHODS,
    ...CHAIN_METHODS,
  ],
  'core-31': [
    'setmocktime',
    'createwallet',
    'walletpassphrase',
    'walletpassphrasechange',
    'walletlock',
    'getnewaddress',
    'getrawchangeaddress',
    'keypoolrefill',
    'importdescriptors',
    'listdescriptors',
    'gethdkeys',
    'getaddressinfo',
    'getaddressesbylabel',
    'listreceivedbyaddress',
    'signmessage',
    'walletprocesspsbt',
    'listlockunspent',
    'listwallets',
    'simulaterawtransaction',
    ...LIST_METHODS,
    ...CHAIN_METHODS,
  ],
};

function open({ network, dialect }: (typeof KINDS)[number]): NodeRpc {
  let next = 1;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
  const store = createMemoryStore();
  // Litecoin's node ran with this option; Core has it always.
  const options = { mempoolreplacement: true };
  return createNodeRpc({
    ...options,
    network,
    dialect,
    store,
    ecc: eccFor('shared'),
    scrypt: quickScrypt,
    clock: () => 0,
    random,
  });
}

interface Row {
  readonly method: string;
  readonly passed: number;
  readonly total: number;
}

/** Counts the answers that equal the recorded ones, by method. */
function countByMethod(outcomes: readonly { readonly call: Recorded; readonly passed: boolean }[]): readonly Row[] {
  const methods = [...new Set(outcomes.map(({ call }) => call.method))].sort();
  return methods.map((method) => {
    const ours = outcomes.filter(({ call }) => call.method === method);
    return { method, passed: ours.filter(({ passed }) => passed).length, total: ours.length };
  });
}

describe.each(KINDS)('the recorded lives of $node', (kind) => {
  const [from, files] = shared ? (['shared', FULL] as const) : (['sample', SAMPLE] as const);

  test.each(files)('number %s', (file) => {
    const rpc = open(kind);
    const calls = readRecorded(`${kind.node}.life-${file}`, from).filter(({ label }) => label !== 'info');
    expect(calls.length).toBeGreaterThan(300);
    const outcomes = calls.map((call) => {
      const answer = answerOf(rpc, call);
      return { call, answer, passed: isAnswered(call, answer) };
    });
    const missed = outcomes.filter(({ passed }) => !passed);
    const rows = countByMethod(outcomes)
      .filter(({ passed, total }) => passed < total)
      .map(({ method, passed, total }) => `${method} ${passed}/${total}`);
    console.log(`${kind.node}.life-${file}: ${calls.length - missed.length}/${calls.length}\n  ${rows.join(', ')}`);
    expect(missed.filter(({ call }) => WHOLE[kind.node].includes(call.method))).toEqual([]);
  });
});
