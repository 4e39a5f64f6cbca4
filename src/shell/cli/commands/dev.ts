import type { DialectName } from '../../../answers/dialect/dialectNames.ts';
import { type CallJson, typedCall } from '../../../answers/method/call.ts';
import { parseAddress } from '../../../core/address/address.ts';
import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import { parseMoney } from '../../../core/encoding/amount.ts';
import { printable } from '../../../core/encoding/printable.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { RpcError, unlessRefused } from '../../../core/errors.ts';
import { networks } from '../../../core/network/networks.ts';
import type { NodeRpc } from '../../../node/createNodeRpc.ts';
import type { RpcMethods } from '../../../node/registry.ts';
import { USUAL_HWM } from '../../bitcoind/zmqOptions.ts';
import { makeAccountKeys, type RegtestAccount } from '../../regtest/accounts.ts';
import { openRegtest, type Regtest } from '../../regtest/startRegtest.ts';
import { createCredential } from '../../server/auth.ts';
import { isLocal } from '../../server/clients.ts';
import { createCookie } from '../../server/cookie.ts';
import { atPorts, chooseEndpoints, parseCount, withPort } from '../../server/endpoints.ts';
import { createEsploraServer } from '../../server/esploraServer.ts';
import { httpRules } from '../../server/httpRules.ts';
import { listen } from '../../server/listen.ts';
import { type Io, readNamedFile } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { TOPICS } from '../../zmq/messages.ts';
import { BindFault, type Notifiers, openNotifiers } from '../../zmq/notifiers.ts';
import { answerCalls } from '../answerCalls.ts';
import { assertNoArguments, declareCommand } from '../declareCommand.ts';
import { noticeLines, refusalLine } from '../devLog.ts';
import { type Mining, parseMining, startMiner } from '../devMining.ts';
import { accountsJson, devScreen } from '../devScreen.ts';
import { nodeOptions } from '../nodeOptions.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type CommandLine, flag, list, text } from '../options.ts';
import { readNodeOptions } from '../readNodeOptions.ts';

const { regtest } = networks;
const RPC_PORT = 18_443;
/** As electrs has on regtest. */
const ESPLORA_PORT = '3002';
/** As in Core's documents. */
const ZMQ_PORT = '28332';
const HIGHEST_PORT = 0xffff;
/** Everybody may know it: the server is for this machine, and its coins have no value. */
const LOGIN = 'regtest';
/** In bytes: about as long as a text can be, so that what was saved can be read. */
const MOST_STATE = 500_000_000;
/** In milliseconds. */
const TIMEOUT = 30_000;
/** In seconds: the blocks that fund the accounts are as old, so that those to come are of now. */
const AGE = 600;

const options = {
  mine: text('WHEN', 'on-transaction (the default), never, or every so many seconds, such as 10s'),
  state: text('FILE', 'go on from this file, if it is there, and write it at the end: chain, mempool and wallets'),
  fund: list('ADDRESS=COINS', 'pay this address at the start, too; may be given more than once'),
  seed: text('TEXT', 'make other wallets: those of a seed are the same at every start'),
  accounts: flag('print words, descriptors, addresses and keys of the wallets as JSON, and start nothing'),
  rpcport: text('PORT', `port for JSON-RPC (default ${RPC_PORT}; 0: any free port)`),
  rpccookiefile: text('FILE', 'file for the name and password of this run (default: .cookie in the current directory)'),
  esplora: text('PORT', `port for Esplora's HTTP API (default ${ESPLORA_PORT}; 0: any free port)`),
  'esplora-cors': text('ORIGIN', 'let the web pages of this origin use it ("*": those of all origins)', { indent: 1 }),
  zmq: text('PORT', `port for ZeroMQ, with all topics (default ${ZMQ_PORT}; 0: any free port)`),
  ...nodeOptions,
};
type Line = CommandLine<typeof options>;

const STARTING = ['mine', 'fund', 'rpcport', 'rpccookiefile', 'esplora', 'esplora-cors', 'zmq'] as const;

export const dev = declareCommand({
  synopsis: 'dev',
  about: `Starts a regtest with ten funded wallets, the same at every start, and answers JSON-RPC, Esplora's HTTP API and ZeroMQ from this
machine, until it is interrupted or receives "stop". Standard output tells what happens: each transaction, why one was refused, each block.

Anybody can make the keys of these wallets: they are for tests.`,
  options,
  examples: ['countersign dev', 'countersign dev --mine 10s --state regtest.json', 'countersign dev --accounts'],
  refused: ({ accounts }) => ['network', ...(accounts ? STARTING : [])],
  run: runDev,
});

async function runDev(line: Line, io: Io): Promise<number> {
  assertNoArguments(line, 'dev takes no arguments: requests come over HTTP');
  const settings = await readSettings(line, io);
  if (line.accounts) {
    const { chain, accounts } = startChain(settings, io);
    await io.writeOut(accountsJson(accounts));
    await chain.close();
    return 0;
  }
  const notifiers = await openZmq(settings.zmqPort);
  try {
    await runChain(settings, notifiers, io);
  } finally {
    notifiers.close();
  }
  return 0;
}

interface Settings {
  readonly context: CommandContext;
  readonly node: ReturnType<typeof readNodeOptions>;
  readonly seed: string | undefined;
  readonly statePath: string | undefined;
  /** What the file held. */
  readonly stateText: string | undefined;
  readonly funds: readonly Fund[];
  readonly mining: Mining;
  readonly endpoints: ReturnType<typeof atPorts>;
  readonly esploraEndpoints: ReturnType<typeof withPort>;
  readonly esploraCors: string | undefined;
  readonly zmqPort: number;
  readonly cookieFile: string;
}

async function readSettings(line: Line, io: Io): Promise<Settings> {
  const { mine = 'on-transaction', state, seed, esplora = ESPLORA_PORT, zmq = ZMQ_PORT, rpccookiefile } = line;
  // Without a choice, the newest release answers.
  const dialect = line.dialect === 'documented' && !line.optionNames.has('dialect') ? 'core' : line.dialect;
  const context = await openContext({ ...line, network: 'regtest', dialect }, io);
  const endpoints = atPorts(chooseEndpoints(line), { rpcPort: RPC_PORT });
  return {
    context,
    node: readNodeOptions(line, context.dialect),
    seed,
    statePath: state,
    stateText: await readState(state, io),
    funds: line.fund.map(parseFund),
    mining: parseMining(mine),
    endpoints: endpoints.map((each) => ({ ...each, option: '--rpcport' })),
    esploraEndpoints: withPort(endpoints, esplora).map((each) => ({ ...each, option: '--esplora' })),
    esploraCors: line.esploraCors,
    zmqPort: parseCount(zmq, { option: '--zmq', least: 0, most: HIGHEST_PORT }),
    cookieFile: rpccookiefile ?? '.cookie',
  };
}

async function readState(path: string | undefined, io: Io): Promise<string | undefined> {
  if (path === '') throw new UsageError('--state needs a file name');
  if (path === undefined || !(await io.exists(path))) return undefined;
  return new TextDecoder().decode(await readNamedFile('--state', path, io, MOST_STATE));
}

interface Fund {
  readonly address: string;
  readonly sats: bigint;
}

/** Does not quote the text in errors. */
function parseFund(given: string): Fund {
  const [, address = '', amount = ''] = /^([^=]*)=([^=]*)$/.exec(given) ?? [];
  if (!unlessRefused(() => parseAddress(address, regtest))) {
    throw new UsageError('--fund needs an address of regtest and an amount: bcrt1q...=0.5');
  }
  const sats = parseMoney(amount) ?? 0n;
  if (sats > 0n) return { address, sats };
  throw new UsageError(
    '--fund: the amount after "=" is a number of coins such as 0.5, above 0, with at most 8 decimals',
  );
}

async function openZmq(port: number): Promise<Notifiers> {
  const address = `tcp://127.0.0.1:${port}`;
  const wanted = TOPICS.map((topic) => ({ topic, type: `pub${topic}`, address, hwm: USUAL_HWM }));
  try {
    return await openNotifiers(wanted, () => undefined);
  } catch (error) {
    throw error instanceof BindFault ? new UsageError(`--zmq: ${error.message}`) : error;
  }
}

interface Started extends ReturnType<typeof openRegtest> {
  readonly accounts: readonly RegtestAccount[];
}

type Extras = Pick<Parameters<typeof openRegtest>[0], 'onStop' | 'zmqNotifications'>;

/** Starts the chain of a state, or a new one, and pays those who have nothing yet. */
function startChain(settings: Settings, io: Io, extras: Extras = {}): Started {
  const { context, node, seed, stateText, funds } = settings;
  const opened = openRegtest({
    ...node,
    ...extras,
    dialect: context.dialect.name as DialectName,
    ecc: context.ecc,
    time: Math.floor(io.unixTime()) - AGE,
    ...(seed !== undefined && { seed }),
  });
  const { chain } = opened;
  if (stateText !== undefined) loadState(chain, settings, stateText);
  const accounts = withUsageErrors(() => chain.accounts());
  for (const { address, sats } of funds) {
    withUsageErrors(
      () => chain.fund(address, sats),
      (reason) => `--fund: ${reason}`,
    );
  }
  return { ...opened, accounts };
}

function loadState(chain: Regtest, { context, seed, statePath = '' }: Settings, text: string): void {
  withUsageErrors(
    () => chain.load(text),
    (reason) => `--state: ${shownPath(statePath)}: ${reason}`,
  );
  if (seed === undefined) return;
  const [first] = withUsageErrors(() => chain.accounts(1));
  if (first?.words === makeAccountKeys(seed, 1, context.ecc).words) return;
  throw new UsageError('--seed: the chain of --state began with another seed: name another file, or leave --seed out');
}

async function runChain(settings: Settings, notifiers: Notifiers, io: Io): Promise<void> {
  const stopping = new AbortController();
  const extras = { onStop: () => stopping.abort(), zmqNotifications: notifiers.bound };
  const started = startChain(settings, io, extras);
  const { chain, inner } = started;
  const log = (lines: readonly string[]): void => {
    if (lines.length > 0) void io.writeOut(`${lines.join('\n')}\n`);
  };
  const rpc = watched(started, io, log);
  const miner = startMiner(settings.mining, () => {
    keepTime(chain, io);
    try {
      chain.mine();
    } catch (error) {
      // Such as a mock time behind the last block.
      if (!(error instanceof RpcError)) throw error;
      log([`no block: ${printable(error.message)}`]);
    }
  });
  const ignoreStops = io.onStopRequest(() => stopping.abort());
  try {
    const first = await writeFirst(settings, chain, io);
    inner.node.listen(notifiers.hear);
    inner.node.listen((notices) => log(noticeLines(notices, inner.node)));
    inner.node.listen(miner.hear);
    await answer({ ...started, rpc, zmqAddress: notifiers.bound[0]?.address ?? '' }, settings, { io, stopping });
    miner.stop();
    await save(settings.statePath, { first, chain }, io);
  } finally {
    miner.stop();
    await chain.close();
    ignoreStops();
  }
}

/** Follows this machine's clock, unless the chain is ahead of it. */
function keepTime(chain: Regtest, io: Io): void {
  chain.advance(Math.max(0, io.unixTime() - chain.time()));
}

/** Calls the chain at the time of this machine, and tells what was refused. */
function watched({ chain, inner }: Started, io: Io, log: (lines: readonly string[]) => void): NodeRpc {
  const callJson: CallJson = (method, ...rest) => {
    keepTime(chain, io);
    try {
      return chain.rpc.callJson(method, ...rest);
    } catch (error) {
      log([refusalLine(method, error) ?? []].flat());
      throw error;
    }
  };
  return { ...inner, callJson, call: typedCall<RpcMethods>(callJson) };
}

/** Finds out before there is work to lose whether the file can be written. @returns what it wrote */
async function writeFirst({ statePath, stateText }: Settings, chain: Regtest, io: Io): Promise<string> {
  if (statePath === undefined) return '';
  const content = stateText ?? chain.dump();
  await io.writeFile(statePath, encodeUtf8(content), { overwrites: stateText !== undefined });
  return content;
}

/** Writes the last state over the first, or beside what another program has written there. */
async function save(
  path: string | undefined,
  { first, chain }: { readonly first: string; readonly chain: Regtest },
  io: Io,
): Promise<void> {
  if (path === undefined) return;
  const present = await readState(path, io);
  const isOther = present !== undefined && present !== first;
  const place = isOther ? `${path}.${Math.floor(io.unixTime())}` : path;
  await io.writeFile(place, encodeUtf8(chain.dump()), { overwrites: !isOther });
  if (isOther) io.writeError(`${shownPath(path)} has changed since the start: another program writes it, too\n`);
  await io.writeOut(`saved ${shownPath(place)}\n`);
}

interface Service extends Started {
  readonly rpc: NodeRpc;
  readonly zmqAddress: string;
}

/** Answers requests until it is stopped. */
async function answer(
  { rpc, accounts, zmqAddress }: Service,
  { endpoints, esploraEndpoints, esploraCors, cookieFile, mining, statePath }: Settings,
  { io, stopping }: { readonly io: Io; readonly stopping: AbortController },
): Promise<void> {
  const cookie = createCookie(cookieFile, 'name another file with --rpccookiefile');
  const { name: dialect, generation } = rpc.context.dialect;
  const { depth, threads } = httpRules[generation];
  const esplora = createEsploraServer(rpc, { isAllowed: isLocal, cors: esploraCors });
  try {
    const [esploraPlace = ''] = await listen(esplora.open, esploraEndpoints);
    await answerCalls(
      { rpc, pool: undefined },
      {
        endpoints,
        isAllowed: isLocal,
        mayCall: () => true,
        credentials: [createCredential(LOGIN, LOGIN), cookie.credential],
        cookie,
        depth,
        workers: threads,
        timeout: TIMEOUT,
      },
      {
        io,
        stopping,
        onReady: ([place = '']) => {
          const rpcUrl = `http://${LOGIN}:${LOGIN}@${place}`;
          const esploraUrl = `http://${esploraPlace}`;
          const height = rpc.call('getblockcount');
          const urls = { rpcUrl, cookie: cookie.path, esploraUrl, zmqAddress };
          void io.writeOut(devScreen({ ...urls, dialect, height, accounts, mining, statePath }));
        },
        onStopping: () => io.writeError('stopping\n'),
      },
    );
  } finally {
    const stopped = esplora.stop();
    esplora.cutOff();
    await stopped;
  }
}
