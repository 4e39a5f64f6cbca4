import { type GenerationName, isWithin, type Lifetime } from '../../core/generations.ts';
import { BITCOIND_OPTIONS, type NodeOption, optionHelp } from '../../node/bitcoindOptions.ts';
import { TOPICS, type Topic } from '../zmq/messages.ts';

/** An option of bitcoind. */
export interface OptionRow extends Lifetime {
  /** `refused`: an option that a node without peers, block files or indexes cannot serve, unless it is switched off. */
  readonly use: 'served' | 'ignored' | 'refused';
  /** Help, or why the option is ignored or refused. */
  readonly about: string;
  readonly placeholder?: string;
  /** Its value is not logged. */
  readonly isSecret?: true;
  /** Outside the section of its chain, it counts on the main chain only. */
  readonly isSectioned?: true;
  readonly isNeverNegated?: true;
  readonly needsValue?: true;
}

export type FindOption = (name: string) => OptionRow | undefined;

type Details = Omit<OptionRow, 'use' | 'about'>;
type Entry = readonly [name: string, row: OptionRow];

const served = (label: string, about: string, details: Details = {}): readonly Entry[] => {
  const [, name = '', placeholder] = /^([^=]*)(?:=(.*))?$/.exec(label) ?? [];
  return [[name, { use: 'served', about, ...details, ...(placeholder !== undefined && { placeholder }) }]];
};

const listed =
  (use: 'ignored' | 'refused') =>
  (about: string, names: string, details: Details = {}): readonly Entry[] =>
    names.split(' ').map((name) => [name, { use, about, ...details }]);

const ignored = listed('ignored');
const refused = listed('refused');

const NEWER = { since: 'core-29' } as const;
const OLDER = { until: 'core-0.21' } as const;
const SECTIONED = { isSectioned: true } as const;
const SECRET = { isSecret: true } as const;

/** Those of the node itself, wherever it is opened. */
const NODE: readonly Entry[] = Object.entries<NodeOption>(BITCOIND_OPTIONS).flatMap(
  ([name, { kind, isOurs, about, usual, ...details }]) =>
    about === undefined || isOurs
      ? []
      : [[name, { use: 'served', about: optionHelp({ kind, about, usual }), ...details }] as const],
);

const SERVED: readonly Entry[] = [
  ...served(
    'ignoreunserved',
    'go on without the options that are refused below, and log each; as COUNTERSIGN_IGNORE_UNSERVED=1 in the environment',
  ),
  ...served('help', 'print this text (also -h, -?)'),
  ...served('h', ''),
  ...served('?', ''),
  ...served('help-debug', ''),
  ...served('version', 'print the version of the release that is answered as'),
  ...served('dialect=NAME', 'the release to answer as; only here, and only on the command line'),
  ...served('conf=FILE', 'the configuration file, in the data directory unless absolute (default: bitcoin.conf)'),
  ...served('includeconf=FILE', 'another configuration file; only in a configuration file'),
  ...served('allowignoredconf', 'only warn of a bitcoin.conf that is not read', NEWER),
  ...served('datadir=DIR', 'the data directory, which must be there (default: ~/.bitcoin)', { isNeverNegated: true }),
  ...served('settings=FILE', 'the file that keeps which wallets are loaded at the start (default: settings.json)'),
  ...served('chain=NAME', 'main, test, testnet4, signet or regtest'),
  ...served('regtest', 'the same as -chain=regtest'),
  ...served('signet', 'the same as -chain=signet'),
  ...served('testnet', 'the same as -chain=test'),
  ...served('testnet4', 'the same as -chain=testnet4', NEWER),
  ...served('signetchallenge=HEX', 'the script that signs the blocks of a signet of your own', {
    isNeverNegated: true,
  }),
  ...served(
    'testactivationheight=NAME@HEIGHT',
    'from where segwit, bip34, dersig, cltv or csv holds on regtest',
    NEWER,
  ),
  ...served('vbparams=NAME:START:END[:HEIGHT]', 'when blocks vote on a fork of regtest'),
  ...served('test=OPTION', 'bip94 makes regtest keep the rules of BIP94', NEWER),
  ...served('server', 'answer JSON-RPC requests over HTTP (default: 1)'),
  ...served('rpcport=PORT', 'the port of JSON-RPC', SECTIONED),
  ...served('rpcbind=ADDRESS[:PORT]', 'listen there instead of on this machine only; needs -rpcallowip', SECTIONED),
  ...served('rpcallowip=ADDRESS', 'let clients of an address or network call'),
  ...served('rpcuser=NAME', 'the name of a user, with -rpcpassword', SECRET),
  ...served('rpcpassword=PASSWORD', 'a password in place of the cookie', SECRET),
  ...served('rpcauth=USER:SALT$HASH', 'another login, with the HMAC-SHA256 of its password', SECRET),
  ...served('rpccookiefile=FILE', 'the file with the name and password of this run (default: .cookie)'),
  ...served('rpccookieperms=WHO', 'who may read it: owner, group or all', NEWER),
  ...served('rpcwhitelist=USER:METHODS', 'the only methods that a user may call'),
  ...served('rpcwhitelistdefault', 'whether users without a whitelist may call none'),
  ...served('rest', 'answer REST requests, too, without a login (default: 0)'),
  ...served('rpcthreads=COUNT', 'how many requests may run'),
  ...served('rpcworkqueue=COUNT', 'how many requests may wait'),
  ...served('rpcservertimeout=SECONDS', 'how long a client may stay silent'),
  ...served('pid=FILE', 'the file with the number of the process (default: bitcoind.pid)'),
  ...served('daemon', 'go on in the background'),
  ...served('daemonwait', 'go on there once calls are answered', NEWER),
  ...served('printtoconsole', 'print the log, too (default: 1 without -daemon)'),
  ...served('logtimestamps', 'begin lines of the log with the time (default: 1)'),
  ...served('logtimemicros', 'with microseconds'),
  ...served('logthreadnames', 'and with the name of a thread'),
  ...served('loglevelalways', 'and always with a category and a level', NEWER),
  ...served('debug=CATEGORY', 'what `logging` shows as switched on'),
  ...served('debugexclude=CATEGORY', 'what it shows as switched off'),
  ...served('loglevel=LEVEL', 'checked only: the log is short', { ...NEWER, isNeverNegated: true, needsValue: true }),
  ...served('wallet=NAME', 'load this wallet; may be given more than once', SECTIONED),
  ...served('unsafesqlitesync', 'do not wait until changes are on disk: faster, for tests only', NEWER),
  ...NODE,
  ...served('mocktime=TIME', 'the UNIX time that the node takes for the present'),
  ...served('persistmempool', 'keep the mempool from one start to the next (default: 1)'),
  ...served('blocksonly', 'submit no payments to the mempool, and keep it small (default: 0)'),
  ...served('assumevalid=HASH', 'the block before which scripts are not run; 0 for none'),
  ...served(
    'alertnotify=COMMAND',
    'run a command when the node begins to warn of an invalid branch with more work; %s is the warning',
  ),
  ...served('blocknotify=COMMAND', 'run a command for each new last block; %s is its hash'),
  ...served(
    'walletnotify=COMMAND',
    'run a command for each transaction of a wallet that is new or updated: %s is its id, %w the wallet, %b its block, %h the height',
  ),
  ...served('startupnotify=COMMAND', 'run a command once calls are answered'),
  ...served('shutdownnotify=COMMAND', 'run a command before stopping', NEWER),
];

/** What each topic of ZeroMQ tells. */
const ZMQ: Readonly<Record<Topic, string>> = {
  hashblock: 'the hash of each new last block',
  hashtx: 'the ids of transactions',
  rawblock: 'each new last block',
  rawtx: 'transactions',
  sequence: 'blocks that come and go, and transactions of the mempool, in their order',
};

const ZMQ_OPTIONS: readonly Entry[] = TOPICS.flatMap((topic) => [
  ...served(`zmqpub${topic}=ADDRESS`, `publish ${ZMQ[topic]}; may be given more than once`),
  ...served(`zmqpub${topic}hwm=COUNT`, 'how many messages wait for a slow reader (default: 1000; 0 for any)'),
]);

const PEERS = 'there are no peers';
const DATABASE = 'there is no such database';
const LOGS = 'the log has no such lines';
const THREADS = 'the program chooses its threads and caches';
const CHECKS = 'nothing needs this check';
const GUI = 'there is no window';

const IGNORED: readonly Entry[] = [
  ...ignored(PEERS, 'addnode bind connect port', SECTIONED),
  ...ignored(
    PEERS,
    'asmap bantime blockreconstructionextratxn discover dns dnsseed externalip forcednsseed listen listenonion maxconnections maxreceivebuffer maxsendbuffer maxuploadtarget networkactive onion onlynet peerblockfilters peerbloomfilters peertimeout proxyrandomize seednode signetseednode timeout torcontrol whitebind whitelist whitelistforcerelay whitelistrelay',
  ),
  ...ignored(PEERS, 'proxy', { needsValue: true }),
  ...ignored(PEERS, 'torpassword', SECRET),
  ...ignored(
    PEERS,
    'capturemessages checkaddrman cjdnsreachable fixedseeds i2pacceptincoming i2psam natpmp txreconciliation v2transport',
    NEWER,
  ),
  ...ignored(PEERS, 'maxorphantx', { until: 'core-30' }),
  ...ignored(PEERS, 'upnp', { until: 'core-29' }),
  ...ignored(PEERS, 'privatebroadcast', { since: 'core-31' }),
  ...ignored(PEERS, 'inboundrelaypercent txsendrate', { since: 'core-32' }),
  ...ignored(PEERS, 'addrmantest dropmessagestest feefilter maxtimeadjustment', OLDER),
  ...ignored(DATABASE, 'dbbatchsize dbcache dbcrashratio forcecompactdb'),
  ...ignored('the database needs no rebuilding', 'reindex reindex-chainstate'),
  ...ignored('all blocks are kept', 'prune'),
  ...ignored('all blocks are kept', 'fastprune', NEWER),
  ...ignored(DATABASE, 'dblogsize flushwallet privdb', { until: 'core-29' }),
  ...ignored(DATABASE, 'swapbdbendian', { since: 'core-29', until: 'core-29' }),
  ...ignored(DATABASE, 'blocksxor persistmempoolv1', NEWER),
  ...ignored(LOGS, 'logips printpriority shrinkdebugfile'),
  ...ignored(LOGS, 'logsourcelocations', NEWER),
  ...ignored(LOGS, 'logratelimit', { since: 'core-30' }),
  ...ignored(THREADS, 'maxsigcachesize par'),
  ...ignored(THREADS, 'prevoutfetchthreads', { since: 'core-32' }),
  ...ignored(CHECKS, 'checkblockindex checkblocks checklevel checkmempool checkpoints'),
  ...ignored(CHECKS, 'rpcdoccheck', NEWER),
  ...ignored(GUI, 'choosedatadir lang min resetguisettings splash uiplatform'),
  ...ignored('there are no estimates', 'txconfirmtarget'),
  ...ignored('files have the modes of the system', 'sysperms', OLDER),
];

const FILES = 'blocks are records of one database, not files';
const WALLETS = 'wallets keep the default of a node';

const REFUSED: readonly Entry[] = [
  ...refused(FILES, 'blocksdir loadblock stopafterblockimport'),
  ...refused('wallets lie in the data directory', 'walletdir', SECTIONED),
  ...refused('there is no such socket', 'ipcbind', NEWER),
  ...refused('devices sign PSBTs of walletcreatefundedpsbt', 'signer', NEWER),
  ...refused('the chain grows until calls end', 'stopatheight'),
  ...refused(WALLETS, 'walletcrosschain', NEWER),
  ...refused(WALLETS, 'rescan salvagewallet zapwallettxes', OLDER),
  ...refused('answers do not depend on it', 'minimumchainwork'),
  ...refused('there are no estimates', 'acceptstalefeeestimates', NEWER),
  ...refused('use a newer release', 'rpcserialversion segwitheight', OLDER),
];

/** All options of bitcoind, from release 0.21 on. */
export const OPTIONS: ReadonlyMap<string, OptionRow> = new Map([...SERVED, ...ZMQ_OPTIONS, ...IGNORED, ...REFUSED]);

/** Finds the options of a release. */
export const optionsOf =
  (generation: GenerationName): FindOption =>
  (name) => {
    const row = OPTIONS.get(name);
    return row && isWithin(generation, row) ? row : undefined;
  };
