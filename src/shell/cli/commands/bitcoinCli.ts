import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMember, type JsonMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { NEWEST } from '../../../core/generations.ts';
import { chainName, findChain } from '../../bitcoind/chains.ts';
import { convertArguments, convertNamed } from '../../bitcoind/cliArguments.ts';
import { type Call, callServer, NotConnected, readConnection, type Server } from '../../bitcoind/cliConnection.ts';
import { CLI_OPTIONS, findCliOption } from '../../bitcoind/cliOptions.ts';
import { type CliOutput, outputOf } from '../../bitcoind/cliOutput.ts';
import { parseCommandLine } from '../../bitcoind/commandLine.ts';
import { baseDirectory, inDirectory, type Notes, readConfigFiles } from '../../bitcoind/configFiles.ts';
import { optionLines } from '../../bitcoind/helpText.ts';
import { InitError } from '../../bitcoind/initError.ts';
import { type Options, readOptions } from '../../bitcoind/options.ts';
import { optionsOf } from '../../bitcoind/optionTable.ts';
import type { Settings } from '../../bitcoind/settings.ts';
import type { Io } from '../../terminal/io.ts';
import type { Program } from '../declareCommand.ts';

export const bitcoinCli: Program = {
  help: () => `Usage: countersign bitcoin-cli [options] METHOD [arguments]

Calls a node, or "countersign bitcoind", as bitcoin-cli does, with the same configuration file.

Options:
${optionLines(Object.entries(CLI_OPTIONS))}
`,
  run: runBitcoinCli,
};

async function runBitcoinCli(argv: readonly string[], version: string, io: Io): Promise<number> {
  try {
    const { values } = parseCommandLine(argv, findCliOption);
    const given: Settings = { forced: new Map(), commandLine: values, saved: new Map(), configured: new Map() };
    const { isSet, flag } = readOptions(given, '', findCliOption);
    if (flag('version', false) || argv.length === 0 || ['?', 'h', 'help'].some(isSet)) {
      const title = `Bitcoin Core RPC client version, answered by countersign ${version}\n`;
      await io.writeOut(flag('version', false) ? title : `${title}\n${bitcoinCli.help()}`);
      if (argv.length === 0) throw new InitError('too few parameters');
      return 0;
    }
    const { text, code } = await call(argv, given, io);
    if (code === 0) await io.writeOut(text);
    else io.writeError(text);
    return code;
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    io.writeError(OWN_WORDS.test(error.message) ? `${error.message}\n` : `error: ${error.message}\n`);
    return 1;
  }
}

/** What a node's client prints as it is. */
const OWN_WORDS = /^Error (?:parsing command line arguments|reading configuration file): /;

async function call(argv: readonly string[], given: Settings, io: Io): Promise<CliOutput> {
  const start = argv.findIndex((arg) => !arg.startsWith('-'));
  const { options, connect } = readSettings(given, io);
  assertServed(options);
  const { args, password } = await withInput(start < 0 ? [] : argv.slice(start), options, io);
  const server = connect(password);
  const wallet = options.isNegated('rpcwallet') ? undefined : options.text('rpcwallet');
  const ask = (method: string, params: JsonValue): Promise<readonly JsonMember[]> =>
    callPatiently(server, { method, params, wallet }, options);
  if (options.flag('generate', false)) return generate(args, ask);
  const [method, ...rest] = args;
  if (method === undefined) throw new InitError('too few parameters (need at least command)');
  const convert = options.flag('named', false) ? convertNamed : convertArguments;
  return outputOf(await ask(method, convert(method, rest)));
}

function assertServed({ isSet }: Options): void {
  for (const [name, { use, about }] of Object.entries(CLI_OPTIONS)) {
    if (use === 'refused' && isSet(name)) throw new InitError(`-${name} is not served by countersign: ${about}`);
  }
}

interface CliSettings {
  readonly options: Options;
  /** `password`: of `-stdinrpcpass`. */
  readonly connect: (password: string | undefined) => Server;
}

/** Reads the configuration files, of which the options of bitcoind count here as far as bitcoin-cli has them, too. */
function readSettings(given: Settings, io: Io): CliSettings {
  const notes: Notes = { info: () => undefined, warn: () => undefined, print: io.writeError };
  const home = homedir();
  const first = baseDirectory(given, home, findCliOption, 'Specified data directory "%s" does not exist.');
  const { settings, path: configPath } = readFiles(given, first, notes);
  const base = baseDirectory(settings, home, findCliOption, 'specified data directory "%s" does not exist.');
  const chain = findChain(chainName(settings));
  const directory = join(base, chain.directory);
  const options = readOptions(settings, chain.name, findCliOption);
  return {
    options,
    connect: (password) => {
      const forced = password === undefined ? [] : [['rpcpassword', { type: 'string', value: password }] as const];
      const own = readOptions({ ...settings, forced: new Map(forced) }, chain.name, findCliOption);
      const cookieFile = inDirectory(directory, own.path('rpccookiefile', '.cookie'));
      const port = chain.network.rpcPort ?? DEFAULT_PORT;
      return readConnection(own, port, { cookieFile, configPath, print: io.writeError });
    },
  };
}

function readFiles(given: Settings, base: string, notes: Notes): ReturnType<typeof readConfigFiles> {
  try {
    return readConfigFiles(given, base, { find: optionsOf(NEWEST), notes });
  } catch (error) {
    throw error instanceof InitError ? new InitError(`Error reading configuration file: ${error.message}`) : error;
  }
}

const DEFAULT_PORT = 8332;

/** Takes lines of standard input as a password, a passphrase and arguments. */
async function withInput(
  args: readonly string[],
  { flag }: Options,
  { stdin }: Io,
): Promise<{ readonly args: readonly string[]; readonly password: string | undefined }> {
  const wants = (name: string): boolean => flag(name, false);
  if (!['stdin', 'stdinrpcpass', 'stdinwalletpassphrase'].some(wants)) return { args, password: undefined };
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  const content = Buffer.concat(chunks).toString();
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  const take = (option: string): string => {
    const line = lines.shift();
    if (line === undefined) throw new InitError(`-${option} specified but failed to read from standard input`);
    return line;
  };
  const password = wants('stdinrpcpass') ? take('stdinrpcpass') : undefined;
  const [method, ...rest] = args;
  if (!wants('stdinwalletpassphrase')) return { args: [...args, ...(wants('stdin') ? lines : [])], password };
  if (method?.startsWith('walletpassphrase') !== true) {
    throw new InitError('-stdinwalletpassphrase is only applicable for walletpassphrase(change)');
  }
  const passphrase = take('stdinwalletpassphrase');
  return { args: [method, passphrase, ...rest, ...(wants('stdin') ? lines : [])], password };
}

/** In milliseconds. */
const PAUSE = 200;

/** With `-rpcwait`, calls again until the server is there. */
async function callPatiently(server: Server, call: Call, { flag, integer }: Options): Promise<readonly JsonMember[]> {
  const waits = flag('rpcwait', false);
  const limit = integer('rpcwaittimeout') ?? 0;
  const end = limit > 0 ? performance.now() + limit * 1000 : Number.POSITIVE_INFINITY;
  for (;;) {
    try {
      return await callServer(server, call);
    } catch (error) {
      if (!(error instanceof NotConnected)) throw error;
      if (!waits || performance.now() >= end) throw new InitError(`timeout on transient error: ${error.message}`);
      await sleep(PAUSE);
    }
  }
}

/** Mines blocks for a new address, and prints both. @see Bitcoin Core `GenerateToAddressRequestHandler` */
async function generate(
  args: readonly string[],
  ask: (method: string, params: JsonValue) => Promise<readonly JsonMember[]>,
): Promise<CliOutput> {
  const fresh = await ask('getnewaddress', { type: 'array', items: [] });
  const address = findMember(fresh, 'result');
  if (address?.type !== 'string') return outputOf(fresh);
  const [count = '1', ...more] = args;
  if (more.length > 1) throw new InitError('too many arguments (maximum 2 for nblocks and maxtries)');
  if (count === '0') {
    throw new InitError(
      'the first argument (number of blocks to generate, default: 1) must be an integer value greater than zero',
    );
  }
  const mined = await ask('generatetoaddress', convertArguments('generatetoaddress', [count, address.value, ...more]));
  const blocks = findMember(mined, 'result');
  if (blocks?.type !== 'array') return outputOf(mined);
  const result: JsonValue = {
    type: 'object',
    members: [
      ['address', address],
      ['blocks', blocks],
    ],
  };
  return outputOf([['result', result]]);
}
