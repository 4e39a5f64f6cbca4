import { setTimeout as sleep } from 'node:timers/promises';
import { dialects } from '../../../answers/dialect/dialect.ts';
import { canonicalDialect } from '../../../answers/dialect/dialectNames.ts';
import { answerText } from '../../../answers/envelope.ts';
import { findMember, type JsonValue, toJsonValue } from '../../../answers/json/jsonValue.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { stringifyJsonValue } from '../../../answers/json/stringify.ts';
import type { NodeRpc } from '../../../node/createNodeRpc.ts';
import { findMethod } from '../../../node/registry.ts';
import { CHAINLESS_CALLS } from '../../compare/chainlessCalls.ts';
import { type Difference, findDifference, mayHoldKeys, type Request } from '../../compare/comparison.ts';
import { httpTexts, type TextCaller } from '../../sync/httpClient.ts';
import { collectLogin, isOnThisMachine, type LoginNames, parseNodeUrl } from '../../sync/nodeLogin.ts';
import { SyncFault } from '../../sync/sourceAndSink.ts';
import { type Io, readNamedFile } from '../../terminal/io.ts';
import { decodeUtf8 } from '../../terminal/lines.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { mayHoldSecret } from '../input/secrets.ts';
import { openContext } from '../openContext.ts';
import { openNodeRpc } from '../openRpc.ts';
import { type CommandLine, file, flag, text } from '../options.ts';

const LOGIN: LoginNames = {
  url: '--url',
  cookie: '--cookie',
  user: '--user',
  passwordFile: '--password-file',
  variable: 'COUNTERSIGN_RPCPASSWORD',
};

const options = {
  url: text('URL', 'the node, such as http://127.0.0.1:18443'),
  cookie: file('its .cookie file, or'),
  user: text('NAME', 'a name, with the password in'),
  'password-file': file('this file, in the environment variable COUNTERSIGN_RPCPASSWORD, or typed at a hidden prompt', {
    needs: ['user'],
    indent: 1,
  }),
  remote: flag('allow a node on another machine, which sees the calls'),
  'with-keys': flag('send calls that may hold private keys or passwords, too'),
};

type CompareLine = CommandLine<typeof options>;

export const compare = declareCommand({
  synopsis: 'compare [FILE]',
  about: `Sends calls to a running node, answers them as each release does, and prints where the replies part. FILE has a
call on each line, {"method": "...", "params": [...]}; without it, calls are sent that need neither a chain nor a wallet.
The replies are compared with those of --dialect, or else of the release that answers most calls alike. Ours come from a
node in memory, without blocks. Two help texts count as alike, since their words are the program's own.`,
  options,
  exitCode: '1 if a reply differs.',
  examples: ['countersign compare --url http://127.0.0.1:18443 --cookie ~/.bitcoin/regtest/.cookie --network regtest'],
  run: runCompare,
});

/** Milliseconds. */
const TIMEOUT = 120_000;
const BUSY_PAUSE = 1000;

async function runCompare(line: CompareLine, io: Io): Promise<number> {
  const calls = await readCalls(line, io);
  const sent = calls.filter(({ hasSecret }) => line.withKeys || !hasSecret);
  if (sent.length === 0) throw new UsageError(nothingToSend(calls.length));
  const ask = await openCaller(line, io);
  const candidates = await openCandidates(line, io);
  try {
    for (const call of sent) {
      const reply = await ask(call.text);
      if (reply === 'too-large')
        throw new UsageError(
          `the node gives more than 32 MiB in answer to call ${sent.indexOf(call) + 1}: leave it out`,
        );
      for (const { rpc, differences } of candidates) {
        const difference = findDifference(call, reply, answerText(rpc, call.text));
        if (difference) differences.push(difference);
      }
    }
    return await report(line, { candidates, sent: sent.length, total: calls.length }, io);
  } catch (error) {
    throw error instanceof SyncFault ? new UsageError(error.message) : error;
  } finally {
    for (const { rpc } of candidates) rpc.close();
  }
}

const KEPT_BACK = 'may hold secrets or call methods that are not here: --with-keys sends them';

const nothingToSend = (kept: number): string =>
  kept === 0 ? 'FILE has no calls' : `FILE has no calls to send: all ${kept} ${KEPT_BACK}`;

async function readCalls({ args: [path, ...others], file: named }: CompareLine, io: Io): Promise<readonly Request[]> {
  if (others.length > 0 || named !== undefined) throw new UsageError('compare takes one file of calls at most');
  const content =
    path === undefined
      ? CHAINLESS_CALLS.map((call) => JSON.stringify(call)).join('\n')
      : decodeUtf8(await readNamedFile('FILE', path, io));
  if (content === undefined) throw new UsageError('FILE: the calls are not UTF-8 text');
  return content.split('\n').flatMap((row, i) => {
    if (row.trim() === '') return [];
    const value = parseJson(row);
    const members = value?.type === 'object' ? value.members : [];
    const method = findMember(members, 'method');
    if (method?.type !== 'string') {
      throw new UsageError(`FILE: line ${i + 1} is not a call such as {"method": "decodescript", "params": ["6a"]}`);
    }
    return [toRequest(i, method, findMember(members, 'params') ?? toJsonValue([]))];
  });
}

function toRequest(id: number, method: Extract<JsonValue, { type: 'string' }>, params: JsonValue): Request {
  const members = [['id', toJsonValue(id)] as const, ['method', method] as const, ['params', params] as const];
  const body = stringifyJsonValue({ type: 'object', members });
  const known = findMethod(method.value);
  // What an unknown method takes is unknown, too: it may be a passphrase.
  const isSecret = known?.params.some((param, i) => mayHoldSecret(param, body) && mayBeGiven(params, i)) ?? true;
  return { method: method.value, text: body, hasSecret: isSecret || mayHoldKeys(body) };
}

/** Tells whether an argument may be given: by a name, which may be mistyped, or by its place, and not empty. */
function mayBeGiven(params: JsonValue, index: number): boolean {
  const value = params.type === 'array' ? params.items[index] : params;
  return value !== undefined && value.type !== 'null' && !(value.type === 'string' && value.value === '');
}

async function openCaller(
  { url: address, cookie, user, passwordFile, remote }: CompareLine,
  io: Io,
): Promise<TextCaller> {
  if (address === undefined) throw new UsageError('compare needs a node: --url http://127.0.0.1:18443');
  const url = parseNodeUrl(address, LOGIN);
  if (!remote && !isOnThisMachine(url)) {
    throw new UsageError('--url names another machine, which would see the calls: add --remote to allow that');
  }
  return httpTexts({
    url,
    login: await collectLogin({ cookie, user, passwordFile }, LOGIN, io),
    timeout: TIMEOUT,
    stop: new AbortController().signal,
    // A call of a file may change the node.
    retries: false,
    wait: async (why) => {
      io.writeError(`${why}; waiting\n`);
      await sleep(BUSY_PAUSE);
    },
  });
}

interface Candidate {
  readonly dialect: string;
  readonly rpc: NodeRpc;
  readonly differences: Difference[];
}

/** Returns `undefined` to take the one that fits best. */
const chosenDialect = ({ optionNames, dialect }: CompareLine): string | undefined =>
  optionNames.has('dialect') ? canonicalDialect(dialect) : undefined;

async function openCandidates(line: CompareLine, io: Io): Promise<readonly Candidate[]> {
  const names = Object.values(dialects).flatMap(({ name }) => (name === 'documented' ? [] : [name]));
  if (chosenDialect(line) === 'documented') {
    throw new UsageError(`no node answers as documented: --dialect takes ${names.join(', ')}`);
  }
  await openContext(line, io);
  const candidates: Candidate[] = [];
  for (const dialect of names) {
    candidates.push({ dialect, rpc: await openNodeRpc({ ...line, dialect }, io), differences: [] });
  }
  return candidates;
}

interface Compared {
  readonly candidates: readonly Candidate[];
  readonly sent: number;
  readonly total: number;
}

async function report(line: CompareLine, { candidates, sent, total }: Compared, io: Io): Promise<number> {
  const fewest = Math.min(...candidates.map(({ differences }) => differences.length));
  const best = candidates.filter(({ differences }) => differences.length === fewest);
  const named = chosenDialect(line);
  const chosen = candidates.find(({ dialect }) => dialect === named) ?? best[best.length - 1];
  for (const { call, node, ours } of chosen?.differences ?? []) {
    await io.writeOut(`${call}\n  node: ${node}\n  ours: ${ours}\n`);
  }
  for (const { dialect, differences } of candidates) {
    await io.writeOut(`${dialect}: ${sent - differences.length} of ${sent} alike\n`);
  }
  if (total > sent) await io.writeOut(`${total - sent} not sent, since they ${KEPT_BACK}\n`);
  const verb = fewest === 0 ? 'answers as' : 'is none of these; the closest is';
  await io.writeOut(`The node ${verb} ${best.map(({ dialect }) => dialect).join(' or ')}.\n`);
  return chosen?.differences.length === 0 ? 0 : 1;
}
