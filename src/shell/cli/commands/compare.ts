import { setTimeout as sleep } from 'node:timers/promises';
import { dialects } from '../../../answers/dialect/dialect.ts';
import { canonicalDialect } from '../../../answers/dialect/dialectNames.ts';
import { answerText } from '../../../answers/envelope.ts';
import { findMember, type JsonMember, type JsonValue, toJsonValue } from '../../../answers/json/jsonValue.ts';
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
  const isSent = (call: Request): boolean => line.withKeys || !call.hasSecret;
  const ask = await openCaller(line, io);
  const candidates = await openCandidates(line, io);
  try {
    for (const call of calls.filter(isSent)) {
      const reply = await ask(call.text);
      if (reply === 'too-large') throw new UsageError('the node gave too large an answer: leave out that call');
      for (const { rpc, differences } of candidates) {
        const difference = findDifference(call, reply, answerText(rpc, call.text));
        if (difference) differences.push(difference);
      }
    }
    return await report(line, { candidates, sent: calls.filter(isSent).length, total: calls.length }, io);
  } catch (error) {
    throw error instanceof SyncFault ? new UsageError(error.message) : error;
  } finally {
    for (const { rpc } of candidates) rpc.close();
  }
}

async function readCalls({ args: [path, ...others], file: named }: CompareLine, io: Io): Promise<readonly Request[]> {
  if (others.length > 0 || named !== undefined) throw new UsageError('compare takes one file of calls at most');
  if (path === undefined) {
    return CHAINLESS_CALLS.map(({ method, params }, id) =>
      toRequest(
        Object.entries({ method, params }).map(([name, value]) => [name, toJsonValue(value)] as const),
        id,
      ),
    );
  }
  const content = decodeUtf8(await readNamedFile('FILE', path, io)) ?? '';
  return content.split('\n').flatMap((row, i) => {
    if (row.trim() === '') return [];
    const value = parseJson(row);
    if (value?.type !== 'object' || findMember(value.members, 'method')?.type !== 'string') {
      throw new UsageError(`FILE: line ${i + 1} is not a call such as {"method": "decodescript", "params": ["6a"]}`);
    }
    return [toRequest(value.members, i)];
  });
}

/** Takes only the method and the parameters: recorded calls have more members. */
function toRequest(members: readonly JsonMember[], id: number): Request {
  const [method, params] = [findMember(members, 'method'), findMember(members, 'params')];
  const request = {
    type: 'object',
    members: [
      ['id', toJsonValue(id)],
      ...(method ? [['method', method] as const] : []),
      ['params', params ?? toJsonValue([])],
    ],
  } as const;
  const body = stringifyJsonValue(request);
  const name = method?.type === 'string' ? method.value : '';
  const known = findMethod(name);
  // What an unknown method takes is unknown, too: it may be a passphrase.
  const isSecret =
    !known ||
    known.params.some((param, i) => {
      const value = given(params, param.name, i);
      return value !== '' && mayHoldSecret(param, value);
    });
  return { method: name, text: body, hasSecret: isSecret || mayHoldKeys(body) };
}

/** Returns the text of an argument, which is empty if it is absent, null or an empty text. */
function given(params: JsonValue | undefined, name: string, index: number): string {
  const items = params?.type === 'array' ? params.items : [];
  const value = params?.type === 'object' ? findMember(params.members, name) : items[index];
  const isEmpty = !value || value.type === 'null' || (value.type === 'string' && value.value === '');
  return isEmpty ? '' : stringifyJsonValue(value);
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
  if (total > sent)
    await io.writeOut(
      `${total - sent} not sent, since they may hold secrets or call methods that are not here: --with-keys sends them\n`,
    );
  const verb = fewest === 0 ? 'answers as' : 'is none of these; the closest is';
  await io.writeOut(`The node ${verb} ${best.map(({ dialect }) => dialect).join(' or ')}.\n`);
  return chosen?.differences.length === 0 ? 0 : 1;
}
