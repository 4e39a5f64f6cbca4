import type { GenerationName } from '../../src/core/generations.ts';
import { blockAfter, spend } from './blocks.ts';
import {
  formatAddress,
  formatHex,
  formatXprv,
  hash160,
  masterKey,
  type NodeRpc,
  networks,
  type Outpoint,
  parseHex,
  parseTxid,
  type Transaction,
  txid,
} from './library.ts';
import { ask, hexOf, idOf, payment, put, SECRETS, type WalletWorld } from './walletWorld.ts';

/** A node for one example: it has a wallet, `w`, and a transaction in the mempool. */
export interface ExampleNode extends Pick<WalletWorld, 'rpc' | 'coins' | 'scripts' | 'base'> {
  /** The txid of the transaction in the mempool, which pays the wallet. */
  readonly pooled: string;
}

export type Call = readonly [method: string, params: readonly unknown[], wallet?: string];

export interface ReleaseEntry {
  readonly release: GenerationName;
  /** What the release answers otherwise than the one before. */
  readonly says: string;
  /** The changed rules, options, methods, parameters and members; `*` ends a beginning. */
  readonly rules: readonly string[];
  /** Missing where only another chain, or a node with connections, snapshots or warnings could show it. */
  readonly example?: Call | ((node: ExampleNode) => Call);
}

const KEY = '03774ae7f858a9411e5ef4246b70c65aac5649980be5c17891bbec17895da008cb';
const TPUB =
  'tpubD6NzVbkrYhZ4YiNvEkVBBTtZHvMMNesKUC5gVjcgb4Z2HXwY6qHZaQsNrcPionogDUGJvTxWUbYCgGoTDb2vjP4fdYbbXqUfmsbXbc9RtRk';
const PSBT_2 = 'cHNidP8BAgQCAAAAAQQBAAEFAQAB+wQCAAAAAA==';

const TPRV = formatXprv(masterKey(new Uint8Array(32).fill(9)), networks.regtest);
/** Of regtest, in blocks. */
const VOTING_PERIOD = 144;
/** Of the script 0014 and 99 twenty times. */
const FOREIGN = formatAddress(parseHex(`0014${'99'.repeat(20)}`), networks.regtest) ?? '';
/** A P2SH script that anyone can spend, in hex, and how. */
const FREE = `a914${formatHex(hash160(parseHex('51')))}87`;
const FREE_SPEND = parseHex('0151');

/** Spends the first output of a transaction `aa...`. */
const UNSIGNED = `0200000001${'aa'.repeat(32)}0000000000ffffffff0100e1f50500000000015100000000`;

const summed = (rpc: NodeRpc, desc: string): string =>
  `${desc}#${(ask(rpc, 'getdescriptorinfo', [desc]) as { checksum: string }).checksum}`;

/** Some calls are refused, and some coins missed, while the tip is old. */
function makeTipRecent(rpc: NodeRpc): void {
  const { time } = ask(rpc, 'getblockheader', [ask(rpc, 'getbestblockhash')]) as { time: number };
  ask(rpc, 'setmocktime', [time]);
}

/** Makes a transaction whose output {@link spendFree} spends. */
const freeCoin = (coin?: Outpoint): Transaction => spend(coin ? [coin] : [], FREE, 90_000n);

function spendFree(tx: Transaction, { fee = 1000n, version = 2, vout = 0 } = {}): Transaction {
  const value = (tx.outputs[vout]?.value ?? 0n) - fee;
  const { inputs, ...rest } = spend([{ txid: txid(tx), vout }], FREE, value);
  return { ...rest, version, inputs: inputs.map((input) => ({ ...input, scriptSig: FREE_SPEND })) };
}

/** Makes a PSBT in base64 whose input has a record; its key and value in hex. */
function psbtWith(key: string, value: string): string {
  const record = (text: string): string => formatHex(Uint8Array.of(text.length / 2)) + text;
  const tx = `0200000001${'11'.repeat(32)}${'00'.repeat(14)}`;
  return Buffer.from(`70736274ff0100${record(tx)}00${record(key)}${record(value)}00`, 'hex').toString('base64');
}

/** What each release changes: a sentence for every rule, for docs/dialects.md. */
export const releases: readonly ReleaseEntry[] = [
  {
    release: 'core-32',
    says: 'Funds that only long chains of unconfirmed transactions hold are told from missing ones together with the other coins.',
    rules: ['spendingRules.sumsUsableCoins'],
  },
  {
    release: 'core-32',
    says: '`sendall` without replaceability sets the sequence 4294967294, before 4294967295.',
    rules: ['spendingRules.unsignalledSequence'],
  },
  {
    release: 'core-32',
    says: '`getblockstats` counts one byte less for each coin in `utxo_size_inc` and `utxo_size_inc_actual`.',
    rules: ['chainRules.coinOverhead'],
    example: ['getblockstats', [1, ['utxo_size_inc']]],
  },
  {
    release: 'core-32',
    says: 'An error of `gettxspendingprevout` no longer names the output.',
    rules: ['nodeMethodRules.noSpender'],
    example: ['gettxspendingprevout', [[{ txid: 'aa'.repeat(32), vout: 0 }], { mempool_only: false }]],
  },
  {
    release: 'core-32',
    says: '`createpsbt`, `converttopsbt`, `walletcreatefundedpsbt` and the bumping calls create PSBTs of version 2, unless `psbt_version` is 0.',
    rules: [
      'signingDialects.psbtVersions',
      'createpsbt(psbt_version)',
      'psbtbumpfee(options.psbt_version)',
      'converttopsbt(psbt_version)',
      'walletcreatefundedpsbt(psbt_version)',
    ],
    example: ['createpsbt', [[], [{ data: '00' }]]],
  },
  {
    release: 'core-32',
    says: 'PSBTs of version 2 are read, and `decodepsbt` shows their members; before, every call refuses them.',
    rules: [
      'psbtFormatRules.highestVersion',
      'dialects.psbts',
      'decodepsbt.tx_version',
      'decodepsbt.fallback_locktime',
      'decodepsbt.input_count',
      'decodepsbt.output_count',
      'decodepsbt.inputs_modifiable',
      'decodepsbt.outputs_modifiable',
      'decodepsbt.has_sighash_single',
      'decodepsbt.inputs.*',
      'decodepsbt.outputs.*',
    ],
    example: ['decodepsbt', [PSBT_2]],
  },
  {
    release: 'core-32',
    says: '`estimatesmartfee` takes `options`: an estimator, and a verbosity.',
    rules: ['estimatesmartfee(options)', 'estimatesmartfee.*'],
    example: ['estimatesmartfee', [6, null, { fee_rate_estimator: 'mempool_policy' }]],
  },
  {
    release: 'core-32',
    says: 'Errors of broken PSBTs quote a duplicate key in hex and state the size that a key should have, rather than name the record.',
    rules: ['psbtRules.quotesKeys'],
    example: ['decodepsbt', ['cHNidP8BAAoCAAAAAAAAAAAAAQAKAgAAAAAAAAAAAAA=']],
  },
  {
    release: 'core-32',
    says: '`deriveaddresses` takes a range of null for none.',
    rules: ['addressRules.takesNullForRange'],
    example: ['deriveaddresses', [`wpkh(${KEY})#wzup4nrq`, null]],
  },
  {
    release: 'core-32',
    says: '`combinerawtransaction` wants two copies or more of one transaction; before, it also takes a single one, and merges unlike ones into the first.',
    rules: ['signingDialects.combinesOneTransaction'],
    example: ['combinerawtransaction', [[]]],
  },
  {
    release: 'core-32',
    says: 'Descriptors may be `unused(KEY)`.',
    rules: ['descriptorRules.lacks'],
    example: ['getdescriptorinfo', [`unused(${TPUB})`]],
  },
  {
    release: 'core-32',
    says: 'Errors of key paths show the whole step, with its mark, and speak of an empty one in other words.',
    rules: ['descriptorRules.emptyStep', 'descriptorRules.quotesHardenedMark'],
    example: ['getdescriptorinfo', [`pkh(${TPUB}//1)`]],
  },
  {
    release: 'core-32',
    says: 'Wallet transactions have `alternate_wtxids` after `wtxid`, and no `bip125-replaceable`; their notes come in the order comment, to, replaces, replaced by.',
    rules: [
      'gettransaction.*',
      'listtransactions.*',
      'listsinceblock.*',
      'order of listtransactions',
      'order of listsinceblock.*',
    ],
    example: ({ pooled }) => ['gettransaction', [pooled]],
  },
  {
    release: 'core-32',
    says: '`getbalances` has `nonmempool`, and its `used` also counts immature coins and those that are spent outside the mempool.',
    rules: ['walletMethodRules.countsNonmempool', 'getbalances.mine.nonmempool'],
    example: ['getbalances', []],
  },
  {
    release: 'core-32',
    says: 'Mempool entries, `testmempoolaccept` and `submitpackage` have `vsize_adjusted` and `vsize_bip141`, `getrawtransaction` has the former; `bip125-replaceable` is gone.',
    rules: [
      'getmempoolentry.*',
      'order of getmempoolentry',
      'order of getmempoolancestors',
      'order of getmempooldescendants',
      'order of getrawmempool',
      'getmempoolancestors.*',
      'getmempooldescendants.*',
      'getrawmempool.*',
      'testmempoolaccept.*',
      'submitpackage.tx-results.vsize_adjusted',
      'submitpackage.tx-results.vsize_bip141',
      'getrawtransaction.vsize_adjusted',
    ],
    example: ({ pooled }) => ['getmempoolentry', [pooled]],
  },
  {
    release: 'core-32',
    says: '`addhdkey`, `derivehdkey`, `exportwatchonlywallet` and `getopenrpcinfo`, which is also `rpc.discover`, are new.',
    rules: ['addhdkey', 'derivehdkey', 'exportwatchonlywallet', 'getopenrpcinfo', 'rpc.discover'],
    example: ['derivehdkey', ['m/87h/1h/0h']],
  },
  {
    release: 'core-32',
    says: 'An error of `importmempool` says debug log instead of debug.log.',
    rules: ['nodeMethodRules.unreadMempool'],
    example: ({ rpc }) => {
      makeTipRecent(rpc);
      ask(rpc, 'generatetodescriptor', [1, 'raw(51)#8lvh9jxk']);
      return ['importmempool', ['mempool.dat']];
    },
  },
  {
    release: 'core-32',
    says: '`getdeploymentinfo` no longer lists taproot.',
    rules: [],
    example: ['getdeploymentinfo', []],
  },
  {
    release: 'core-32',
    says: '`getblocktemplate` lists taproot as a rule that no vote decides, before the rule of a signet.',
    rules: ['miningMethodRules.buriesTaproot'],
  },
  {
    release: 'core-32',
    says: 'The coinbase of a block that the node makes pushes nothing after a height above 16.',
    rules: ['miningRules.extraNonce'],
    example: ['generateblock', ['raw(51)', [], false]],
  },
  {
    release: 'core-32',
    says: '`logging` does not list the category `libevent`, which it still takes.',
    rules: ['controlRules.logCategories', 'controlRules.formerCategories'],
    example: ['logging', []],
  },
  {
    release: 'core-32',
    says: '`getmempoolinfo` has no `fullrbf`.',
    rules: ['getmempoolinfo.fullrbf', 'order of getmempoolinfo'],
    example: ['getmempoolinfo', []],
  },
  {
    release: 'core-32',
    says: 'The `reject-details` of nonstandard inputs say which input and why: "bad-txns-nonstandard-inputs, input 0 P2SH redeemscript missing".',
    rules: ['mempoolRules.explainsInputs'],
    example: ({ coins: [coin] }) => ['testmempoolaccept', [[hexOf(freeCoin(coin))]]],
  },
  {
    release: 'core-32',
    says: '`getnetworkinfo` has `tx_send_rate` and `inv_buckets`.',
    rules: ['getnetworkinfo.*'],
    example: ['getnetworkinfo', []],
  },
  {
    release: 'core-32',
    says: '`setmocktime` takes times of 32 bits.',
    rules: ['nodeMethodRules.maxMockTime'],
    example: ['setmocktime', [4294967296]],
  },
  {
    release: 'core-32',
    says: '`gethdkeys` with `private` lists keys whose private keys are elsewhere; before, it fails with "map::at".',
    rules: ['walletMethodRules.listsForeignKeys'],
    example: ({ rpc }) => {
      const desc = summed(rpc, `wsh(multi(2,${TPRV},${TPUB}))`);
      ask(rpc, 'importdescriptors', [[{ desc, timestamp: 'now' }]]);
      return ['gethdkeys', [{ private: true }]];
    },
  },
  {
    release: 'core-32',
    says: '`listreceivedbyaddress` and `listreceivedbylabel` leave out addresses of others that received nothing.',
    rules: ['walletMethodRules.listsOnlyOwnEmpty'],
    example: ({ rpc }) => {
      ask(rpc, 'setlabel', [FOREIGN, 'rent']);
      return ['listreceivedbyaddress', [0, true, false, FOREIGN]];
    },
  },
  {
    release: 'core-32',
    says: '`importdescriptors` no longer warns that private keys are missing where `musig()` has those of all participants.',
    rules: ['walletMethodRules.expectsAggregateSecrets'],
    example: ({ rpc }) => [
      'importdescriptors',
      [[{ desc: summed(rpc, `tr(musig(${SECRETS[1]},${SECRETS[3]}))`), timestamp: 'now' }]],
    ],
  },
  {
    release: 'core-32',
    says: '`getblockchaininfo` has `backgroundvalidation` while the blocks before a snapshot are checked.',
    rules: ['getblockchaininfo.backgroundvalidation'],
  },
  {
    release: 'core-32',
    says: '`addnode` refuses a blank node.',
    rules: ['networkRules.refusesBlankNodes'],
    example: ['addnode', ['', 'add']],
  },
  {
    release: 'core-32',
    says: '`getpeerinfo` has no `startingheight`.',
    rules: ['getpeerinfo.startingheight'],
  },
  {
    release: 'core-31',
    says: '`verificationprogress` is guessed by newer counts of transactions, and `restorewallet` says otherwise that a name is too long.',
    rules: ['verificationRules.traffic', 'walletMethodRules.longRestoredPath'],
  },
  {
    release: 'core-31',
    says: 'A payment that lacks only its fee is told from one without funds.',
    rules: ['spendingRules.namesUnpaidFees'],
  },
  {
    release: 'core-31',
    says: 'A payment of version 3 spends no unconfirmed coins whose transaction has an unconfirmed parent.',
    rules: ['spendingRules.refusesGrandchildren'],
  },
  {
    release: 'core-31',
    says: '`getnodeaddresses` no longer takes `tor` for `onion`.',
    rules: ['networkRules.aliasesTor'],
    example: ['getnodeaddresses', [1, 'tor']],
  },
  {
    release: 'core-31',
    says: '`disconnectnode` checks the number of a connection before it refuses to have an address beside it.',
    rules: ['networkRules.readsNodeIdFirst'],
    example: ['disconnectnode', ['192.168.0.6:8333', 1.5]],
  },
  {
    release: 'core-31',
    says: '`getpeerinfo` has `last_inv_sequence` and `inv_to_send`.',
    rules: ['getpeerinfo.last_inv_sequence', 'getpeerinfo.inv_to_send'],
  },
  {
    release: 'core-31',
    says: '`gettxspendingprevout` takes `options`, shows the spending transaction, also of a block (`-txospenderindex`), and repeats each output as it was given.',
    rules: [
      '-txospenderindex',
      'nodeMethodRules.repeatsOutpoints',
      'order of gettxspendingprevout',
      'gettxspendingprevout(options)',
      'gettxspendingprevout.spendingtx',
      'gettxspendingprevout.blockhash',
    ],
    example: ['gettxspendingprevout', [[{ vout: 0, txid: 'aa'.repeat(32) }]]],
  },
  {
    release: 'core-31',
    says: '`getmempoolcluster` and `getmempoolfeeratediagram` are new.',
    rules: ['getmempoolcluster', 'getmempoolfeeratediagram'],
    example: ['getmempoolfeeratediagram', []],
  },
  {
    release: 'core-31',
    says: 'In `submitpackage`, a child pays for every parent, before only for those of version 3. Where the package is refused as a whole, each transaction is "package-not-validated", before none is listed.',
    rules: ['mempoolRules.sharesFees', 'mempoolRules.unjudged'],
    example: ({ rpc, coins: [coin] }) => {
      const first = freeCoin(coin);
      put(rpc, first);
      const parent = spendFree(first, { fee: 0n });
      return ['submitpackage', [[parent, spendFree(parent)].map(hexOf)]];
    },
  },
  {
    release: 'core-31',
    says: 'Errors of the limits for version 3 name parents only, before any unconfirmed ancestor.',
    rules: ['mempoolRules.trucRelatives'],
    example: ({ rpc, coins: [coin] }) => {
      const grandparent = freeCoin(coin);
      const parent = spendFree(grandparent);
      for (const tx of [grandparent, parent]) put(rpc, tx);
      return ['testmempoolaccept', [[hexOf(spendFree(parent, { version: 3 }))]]];
    },
  },
  {
    release: 'core-31',
    says: 'A transaction of a disconnected block returns to the mempool even if it breaks the limits for version 3 there, or leaves dust of its parent.',
    rules: ['mempoolRules.limitsReturned'],
    example: ({ rpc, coins: [coin], base }) => {
      const first = freeCoin(coin);
      const parent = spendFree(first, { version: 3 });
      const child = spendFree(parent, { version: 3 });
      const last = spendFree(child, { version: 3 });
      const block = blockAfter(base, { txs: [first] });
      const next = blockAfter(block, { txs: [parent, child, last] });
      for (const { hex } of [block, next]) ask(rpc, 'submitblock', [hex]);
      ask(rpc, 'invalidateblock', [next.hash]);
      return ['getmempoolentry', [idOf(last)]];
    },
  },
  {
    release: 'core-31',
    says: 'Script errors name numbers that overflow or are not minimal (before: unknown error), an empty key in tapscript, and an IF without an item on the stack (before: an unbalanced conditional).',
    rules: ['rawTransactionRules.namesAllScriptErrors'],
    example: [
      'signrawtransactionwithkey',
      [UNSIGNED, [], [{ txid: 'aa'.repeat(32), vout: 0, scriptPubKey: '6368', amount: 1 }]],
    ],
  },
  {
    release: 'core-31',
    says: '`uptime` counts no mock time.',
    rules: ['nodeMethodRules.mocksUptime'],
    example: ({ rpc }) => {
      ask(rpc, 'setmocktime', [4_000_000_000]);
      return ['uptime', []];
    },
  },
  {
    release: 'core-31',
    says: '`getdeploymentinfo` has `script_flags`.',
    rules: ['getdeploymentinfo.script_flags'],
    example: ['getdeploymentinfo', []],
  },
  {
    release: 'core-31',
    says: '`logging` has the categories `kernel` and `privatebroadcast`.',
    rules: ['controlRules.logCategories'],
    example: ['logging', [['kernel']]],
  },
  {
    release: 'core-31',
    says: 'The cache of coins in `getchainstates` is larger by default.',
    rules: ['chainRules.coinsCache'],
    example: ['getchainstates', []],
  },
  {
    release: 'core-30',
    says: '`verificationprogress` of a chain with a recent last block is 1, whatever the time of that block; before, slightly less. Its counts of transactions are newer.',
    rules: ['verificationRules.countsBlocksAbove', 'verificationRules.traffic'],
  },
  {
    release: 'core-30',
    says: '`getdescriptoractivity` needs both its arguments.',
    rules: ['getdescriptoractivity(blockhashes)', 'getdescriptoractivity(scanobjects)'],
    example: ['getdescriptoractivity', []],
  },
  {
    release: 'core-30',
    says: '`help` lists `waitforblock`, `waitforblockheight` and `waitfornewblock`.',
    rules: ['category of *'],
  },
  {
    release: 'core-31',
    says: 'Whether the chain is caught up is decided when the last block changes, no longer when it is asked, too.',
    rules: ['nodeMethodRules.looksAtTip'],
    example: ({ rpc }) => {
      makeTipRecent(rpc);
      return ['getblockchaininfo', []];
    },
  },
  {
    release: 'core-32',
    says: 'Names of wallets are normalized paths, below the wallet directory or absolute.',
    rules: ['walletMethodRules.checksWalletPaths'],
    example: ['createwallet', ['a/../b']],
  },
  {
    release: 'core-32',
    says: 'The error for a fee rate that is too low names the settings that would allow it.',
    rules: ['spendingRules.advisesOnLowRates'],
  },
  {
    release: 'core-32',
    says: 'The `fee_reason` of a fee rate that the caller chose is "User Specified Fee", that of an estimate "Fee Rate Estimator".',
    rules: ['spendingRules.chosenRate', 'spendingRules.estimatedRate'],
  },
  {
    release: 'core-31',
    says: 'The `fee_reason` of a fee rate that the caller chose is "None"; before, "PayTxFee set".',
    rules: ['spendingRules.chosenRate'],
  },
  {
    release: 'core-31',
    says: '`restorewallet` names the file of a wallet that exists; before, its error is that of `createwallet`.',
    rules: ['walletMethodRules.namesRestoredFile'],
  },
  {
    release: 'core-30',
    says: '`unloadwallet` says that it needs a name; before, that null is not a text.',
    rules: ['walletMethodRules.asksForName'],
  },
  {
    release: 'core-30',
    says: 'The errors of a payment that costs nothing and of a pruned node are in better English, and `sendall` no longer takes coins that it cannot solve for huge ones.',
    rules: ['spendingRules.nothingToPay', 'spendingRules.sizesUnsolvable', 'walletMethodRules.prunedNode'],
    example: ({ rpc }) => [
      'fundrawtransaction',
      [ask(rpc, 'createrawtransaction', [[], [{ data: '00' }]]), { fee_rate: 0 }],
    ],
  },
  {
    release: 'core-30',
    says: '`loadwallet` goes through the blocks since the wallet was unloaded. Release 29 goes through those since it was loaded, backed up, or the coins were counted, and finds payments to indexes that came into range since then.',
    rules: ['walletRules.savesTip'],
  },
  {
    release: 'core-30',
    says: '`getbalances` of a wallet with `avoid_reuse` no longer counts immature coins of used addresses.',
    rules: ['walletMethodRules.countsUsedAsImmature'],
    example: ({ rpc, coins: [coin], scripts: [own = ''], base }) => {
      ask(rpc, 'setwalletflag', ['avoid_reuse']);
      if (!coin) throw new Error('no coin');
      const received = payment(coin, [own, own]);
      ask(rpc, 'submitblock', [blockAfter(base, { txs: [received], script: own }).hex]);
      put(rpc, spend([{ txid: txid(received), vout: 0 }]));
      return ['getbalances', []];
    },
  },
  {
    release: 'core-30',
    says: '`send` and `sendall` lock the transaction to a recent height, as payments of other methods, unless `locktime` is given.',
    rules: ['spendingRules.discouragesSnipingInSend'],
  },
  {
    release: 'core-30',
    says: '`bitcoind` warns that `-datacarrier` and `-datacarriersize` are deprecated.',
    rules: ['settingsRules.dataCarrierWarning'],
  },
  {
    release: 'core-31',
    says: '`bitcoind` no longer warns of `-datacarrier` and `-datacarriersize`.',
    rules: ['settingsRules.dataCarrierWarning'],
  },
  {
    release: 'core-31',
    says: '`settxfee` and `-paytxfee` are gone.',
    rules: ['settxfee', '-paytxfee'],
    example: ['settxfee', [0]],
  },
  {
    release: 'core-31',
    says: 'The mempool limits clusters, to 64 transactions and 101 kvB, instead of 25 ancestors and descendants; a replacement must improve the fee rate diagram. `getmempoolinfo` has `limitclustercount`, `limitclustersize` and `optimal`, entries have `chunkweight` and `fees.chunk`.',
    rules: [
      'mempoolRules.limitsClusters',
      '-limitcluster*',
      'getmempoolinfo.*',
      'getmempoolentry.*',
      'getmempoolancestors.*',
      'getmempooldescendants.*',
      'getrawmempool.*',
    ],
    example: ({ pooled }) => ['getmempoolentry', [pooled]],
  },
  {
    release: 'core-31',
    says: 'Blocks take the mempool in the order of the chunks of its clusters, rather than each transaction with its ancestors, so that several children pay for a parent together.',
    rules: ['miningRules.choosesChunks'],
    example: ({ rpc, coins: [first, second] }) => {
      const single = spend(first ? [first] : [], FREE, 94_000n);
      const half = spend(second ? [second] : [], FREE, 50_000n);
      const parent = { ...half, outputs: [...half.outputs, ...half.outputs] };
      const children = [0, 1].map((vout) => spendFree(parent, { fee: 12_000n, vout }));
      for (const tx of [single, parent, ...children]) put(rpc, tx);
      return ['getblocktemplate', [{ rules: ['segwit'] }]];
    },
  },
  {
    release: 'core-31',
    says: 'The wallet signs with MuSig2, and keys in its PSBT records must be points.',
    rules: ['signingRules.signsMusig2', 'psbtFormatRules.checksMusig2Keys', 'dialects.psbts'],
    example: ['decodepsbt', [psbtWith(`1a02${'ff'.repeat(32)}`, KEY)]],
  },
  {
    release: 'core-31',
    says: 'PSBTs get the origin of a taproot output key, such as that of `rawtr()`, beside that of an internal key.',
    rules: ['signingRules.namesOutputKeys'],
    example: [
      'utxoupdatepsbt',
      [psbtWith('01', `a086010000000000225120${KEY.slice(2)}`), [`rawtr([aaaaaaaa/1]${KEY.slice(2)})`]],
    ],
  },
  {
    release: 'core-31',
    says: 'A PSBT that ends too early is an error of `SpanReader`, no longer of `DataStream`.',
    rules: ['psbtRules.endOfData'],
    example: ['decodepsbt', ['cHNidP8BAAo=']],
  },
  {
    release: 'core-31',
    says: '`musig()` may be a key in miniscript; before, a key ends at the first parenthesis. Keys in miniscript are normalized where descriptors are shown.',
    rules: ['descriptorRules.nestsMiniscriptKeys', 'descriptorRules.normalizesMiniscript'],
    example: [
      'getdescriptorinfo',
      [`tr(${KEY.slice(2)},and_v(v:pk(musig(${KEY},${KEY.replace('03', '02')})),older(9)))`],
    ],
  },
  {
    release: 'core-31',
    says: '`getblock` has `coinbase_tx`.',
    rules: ['getblock.coinbase_tx'],
    example: ({ rpc }) => ['getblock', [ask(rpc, 'getbestblockhash')]],
  },
  {
    release: 'core-31',
    says: '`gettransaction` marks the outputs that are change in its decoded transaction (`ischange`).',
    rules: ['gettransaction.decoded.vout.ischange'],
    example: ({ rpc, coins: [coin], base }) => {
      makeTipRecent(rpc);
      ask(rpc, 'createwallet', ['spending']);
      const { scriptPubKey } = ask(rpc, 'getaddressinfo', [ask(rpc, 'getnewaddress', [], 'spending')]) as {
        scriptPubKey: string;
      };
      ask(rpc, 'submitblock', [blockAfter(base, { txs: [spend(coin ? [coin] : [], scriptPubKey, 90_000n)] }).hex]);
      const id = ask(rpc, 'sendtoaddress', [FOREIGN, 0.0002, '', '', false, true, null, 'unset', false, 1], 'spending');
      return ['gettransaction', [id, null, true], 'spending'];
    },
  },
  {
    release: 'core-31',
    says: '`getwalletinfo` has no `paytxfee`.',
    rules: ['getwalletinfo.paytxfee'],
    example: ['getwalletinfo', []],
  },
  {
    release: 'core-31',
    says: '`listdescriptors` with `private` lists descriptors of which some private keys are elsewhere, and refuses watch-only wallets with an error of their own.',
    rules: ['walletMethodRules.listsPartialKeys'],
    example: ({ rpc }) => {
      ask(rpc, 'createwallet', ['watching', true]);
      return ['listdescriptors', [true], 'watching'];
    },
  },
  {
    release: 'core-31',
    says: '`importdescriptors` warns of relative locks that expire early, and refuses a label only beside a wildcard or an `internal` that is true.',
    rules: ['walletMethodRules.warnsOfLocks', 'walletMethodRules.readsLabelTerms'],
    example: ({ rpc }) => {
      ask(rpc, 'createwallet', ['watching', true]);
      const desc = summed(rpc, `wsh(and_v(v:pk(${KEY}),older(65536)))`);
      return ['importdescriptors', [[{ desc, timestamp: 'now' }]], 'watching'];
    },
  },
  {
    release: 'core-31',
    says: '`createwallet` refuses an empty name.',
    rules: ['walletMethodRules.refusesEmptyNames'],
    example: ['createwallet', ['']],
  },
  {
    release: 'core-30',
    says: 'The methods of legacy wallets are gone: `addmultisigaddress`, `dumpprivkey`, `importaddress`, `importmulti`, `importprivkey`, `importpubkey` and `sethdseed`. Release 29 refuses them for descriptor wallets.',
    rules: [
      'addmultisigaddress',
      'dumpprivkey',
      'importaddress',
      'importmulti',
      'importprivkey',
      'importpubkey',
      'sethdseed',
    ],
    example: ['dumpprivkey', ['bcrt1q022amqf3jv7mg744rcjmst222dfazqvmurt943']],
  },
  {
    release: 'core-30',
    says: '`listwalletdir` has `warnings`, here always empty.',
    rules: ['listwalletdir.wallets.warnings', 'walletMethodRules.warnsOfWallets'],
  },
  {
    release: 'core-30',
    says: '`bumpfee` takes transactions that signal no replaceability.',
    rules: ['spendingRules.bumpsOnlySignalling'],
  },
  {
    release: 'core-30',
    says: 'Wallets spend unconfirmed coins of version 3 with version 3 alone, others with others, and list the conflicts of such siblings.',
    rules: ['spendingRules.restrictsVersions', 'walletRules.tracksTrucSiblings'],
  },
  {
    release: 'core-30',
    says: '`submitpackage` takes packages without all unconfirmed parents of the child.',
    rules: ['mempoolRules.needsAllParents'],
    example: ({ rpc, coins: [coin] }) => {
      const first = freeCoin(coin);
      put(rpc, first);
      const parent = spendFree(first);
      const child = spendFree(parent);
      const other = child.inputs.map((input) => ({
        ...input,
        outpoint: { txid: parseTxid('aa'.repeat(32)), vout: 0 },
      }));
      return ['submitpackage', [[parent, { ...child, inputs: [...child.inputs, ...other] }].map(hexOf)]];
    },
  },
  {
    release: 'core-30',
    says: '`waitfornewblock` has `current_tip`.',
    rules: ['waitfornewblock(current_tip)'],
    example: ['waitfornewblock', [1, '00'.repeat(32)]],
  },
  {
    release: 'core-30',
    says: '`getunconfirmedbalance` is gone: `getbalances` has it.',
    rules: ['getunconfirmedbalance'],
    example: ['getunconfirmedbalance', []],
  },
  {
    release: 'core-30',
    says: '`settxfee` is deprecated, and answers with an error.',
    rules: ['walletMethodRules.deprecatesFeeSetting'],
    example: ['settxfee', [0]],
  },
  {
    release: 'core-30',
    says: 'Descriptors may have `musig()` keys, and `decodepsbt` shows the records of MuSig2, which are `unknown` before.',
    rules: [
      'descriptorRules.knowsMusig',
      'decodepsbt.inputs.musig2_*',
      'decodepsbt.outputs.musig2_*',
      'dialects.psbts',
    ],
    example: ['getdescriptorinfo', [`rawtr(musig(${KEY},${KEY.replace('03', '02')}))`]],
  },
  {
    release: 'core-30',
    says: 'A number in a descriptor has no plus sign, and a key with white space has an error of its own.',
    rules: ['descriptorRules.allowsPlus', 'descriptorRules.findsWhitespace'],
    example: ['getdescriptorinfo', [`pkh( ${KEY})`]],
  },
  {
    release: 'core-30',
    says: 'The calls that create transactions and PSBTs have `version`, and create versions 1 to 3.',
    rules: [
      'createpsbt(version)',
      'createrawtransaction(version)',
      'send(version)',
      'sendall(options.version)',
      'walletcreatefundedpsbt(version)',
    ],
    example: ['createrawtransaction', [[], [], 0, true, 3]],
  },
  {
    release: 'core-30',
    says: 'The minimum and the incremental relay fee are 0.1 sat/vB instead of 1. OP_RETURN outputs may hold 100000 bytes together, rather than one of them 80; legacy signature operations are limited (BIP54). `getmempoolinfo` has `permitbaremultisig` and `maxdatacarriersize`.',
    rules: [
      '-minrelaytxfee',
      '-incrementalrelayfee',
      '-datacarriersize',
      'mempoolRules.sumsDataCarriers',
      'mempoolRules.limitsLegacySigOps',
      'mempoolRules.comparesExactRates',
      'getmempoolinfo.*',
    ],
    example: ['getmempoolinfo', []],
  },
  {
    release: 'core-30',
    says: 'PSBTs with a signature that is not strict DER are refused, and so is an input whose signatures or record have another sighash type; the wallet writes an unusual type into the PSBT.',
    rules: ['psbtFormatRules.checksSignatures', 'signingRules.comparesSighashTypes', 'signingRules.writesSighashTypes'],
    example: ['decodepsbt', [psbtWith(`02${KEY}`, '3000')]],
  },
  {
    release: 'core-30',
    says: '`analyzepsbt` rounds a negative fee rate down.',
    rules: ['psbtRoleRules.roundsRatesDown'],
    example: ({ rpc, pooled }) => {
      const { psbt } = ask(rpc, 'walletprocesspsbt', [
        ask(rpc, 'createpsbt', [[{ txid: pooled, vout: 0 }], { [FOREIGN]: 0.00099999 }]),
      ]) as { psbt: string };
      return ['analyzepsbt', [psbt]];
    },
  },
  {
    release: 'core-30',
    says: 'A script failure is `mempool-script-verify-flag-failed`, and in a block `block-script-verify-flag-failed`, no longer mandatory or not.',
    rules: ['nodeMethodRules.mandatoryFlags', 'nodeMethodRules.blockScriptReason'],
    example: ({ pooled }) => [
      'testmempoolaccept',
      [[hexOf(spend([{ txid: parseTxid(pooled), vout: 0 }], FREE, 1000n))]],
    ],
  },
  {
    release: 'core-30',
    says: 'Blocks take transactions that pay at least 0.001 sat/vB instead of 1, and `getmininginfo` has `blockmintxfee`. After 1000 transactions for which a block has no room, it is full if less than 4000 weight units are left, rather than 8000.',
    rules: ['-blockmintxfee', 'miningRules.fullEnough', 'getmininginfo.blockmintxfee'],
    example: ['getmininginfo', []],
  },
  {
    release: 'core-30',
    says: 'The coinbase of a block that the node makes has the height before as its locktime, and a sequence that lets it count.',
    rules: ['miningRules.locksCoinbase'],
    example: ['generateblock', ['raw(51)', [], false]],
  },
  {
    release: 'core-30',
    says: '`getblocktemplate` checks the content of a proposed block before its place.',
    rules: ['miningMethodRules.checksProposalsByContent'],
    example: ({ base }) => {
      const { hex } = blockAfter(base, { version: 1 });
      const data = `${hex.slice(0, 72)}${'00'.repeat(32)}${hex.slice(136)}`;
      return ['getblocktemplate', [{ mode: 'proposal', data }]];
    },
  },
  {
    release: 'core-30',
    says: '`getblocktemplate` sorts the soft forks on which blocks vote.',
    rules: ['miningMethodRules.sortsDeployments'],
    example: ({ rpc, base }) => {
      ask(rpc, 'generatetodescriptor', [3 * VOTING_PERIOD - 1 - base.height, 'raw(51)']);
      return ['getblocktemplate', [{ rules: ['segwit'] }]];
    },
  },
  {
    release: 'core-30',
    says: 'The error of a block that would not be valid no longer begins with "CreateNewBlock".',
    rules: ['miningMethodRules.templateFault'],
    example: ({ rpc }) => {
      ask(rpc, 'setmocktime', [1_600_000_000]);
      return ['generatetodescriptor', [1, 'raw(51)']];
    },
  },
  {
    release: 'core-30',
    says: '`setban` takes no plus sign before the number of bits, and `addnode` none before the port.',
    rules: ['networkRules.takesPlusSigns'],
    example: ['setban', ['192.168.0.0/+24', 'add']],
  },
  {
    release: 'core-30',
    says: 'Mempool queries call their parameter `txid` in errors, no longer "parameter 1".',
    rules: ['chainRules.pooledTxidName'],
    example: ['getmempoolentry', ['ab']],
  },
  {
    release: 'core-30',
    says: '`getwalletinfo` has `flags`, and no balances.',
    rules: ['getwalletinfo.*'],
    example: ['getwalletinfo', []],
  },
  {
    release: 'core-30',
    says: '`parent_descs` show descriptors with normalized keys, rather than as they were imported.',
    rules: ['walletMethodRules.normalizesParents'],
    example: ({ rpc, coins: [coin] }) => {
      const desc = summed(rpc, `wpkh(${TPRV}/0h/*)`);
      ask(rpc, 'importdescriptors', [[{ desc, timestamp: 'now', range: 0 }]]);
      const [address] = ask(rpc, 'deriveaddresses', [desc, 0]) as [string];
      const { scriptPubKey } = ask(rpc, 'getaddressinfo', [address]) as { scriptPubKey: string };
      put(rpc, spend(coin ? [coin] : [], scriptPubKey, 90_000n));
      return ['listunspent', [0, 9, [address]]];
    },
  },
  {
    release: 'core-30',
    says: 'Errors: `importdescriptors` names a descriptor that it refuses to update, `createwallet` says that legacy wallets are gone, `unloadwallet` words two names otherwise, and `simulaterawtransaction` ignores unknown options.',
    rules: [
      'walletMethodRules.namesRefusedUpdates',
      'walletMethodRules.noLegacyWallets',
      'walletMethodRules.differentNames',
      'walletMethodRules.checksSimulationOptions',
    ],
    example: ['createwallet', ['old', false, false, '', false, false]],
  },
  {
    release: 'core-31',
    says: 'A payment that would make a cluster too large is refused in these words.',
    rules: ['spendingRules.longChain'],
  },
  {
    release: 'core-32',
    says: 'A scan with `null` scan objects fails as one without any, and `fundrawtransaction` no longer takes a flag for its options.',
    rules: ['chainRules.countsNullScans', 'fundrawtransaction(options)'],
  },
  {
    release: 'core-32',
    says: '`removeprunedfunds` needs `-deprecatedrpc=removeprunedfunds`.',
    rules: ['walletMethodRules.deprecatesRemoval'],
  },
  {
    release: 'core-32',
    says: 'The server closes the connection of an address that may not call, rather than answer it; bitcoind words a broken settings.json otherwise.',
    rules: ['httpRules.closesForeign', 'settingsRules.invalidJson'],
  },
  {
    release: 'core-30',
    says: 'REST: a height may no longer begin with a plus sign, and an error shows it with other characters left out.',
    rules: ['restRules.takesPlusSign', 'restRules.heightSafeFor'],
  },
  {
    release: 'core-31',
    says: 'The warning of an invalid branch that has six blocks more has another text, and comes while the node catches up, too.',
    rules: ['forkWarningRules*'],
  },
  {
    release: 'core-32',
    says: 'REST: replies say whether they may be kept, and parameters behind a question mark may hold any characters.',
    rules: ['restRules.saysCaching', 'restRules.query'],
  },
];
