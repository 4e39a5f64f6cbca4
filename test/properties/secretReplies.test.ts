import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Exchange, exchange, type RequestParts, rawRequest } from '../support/rawHttp.ts';
import { expectHidden, faultsIn, pasted } from '../support/secrets.ts';
import { type RunningServe, startServe } from '../support/server.ts';

/**
 * Whatever a client sends in the wrong place, no reply of the server and no line of its log holds a secret. Ids are left
 * out: JSON-RPC replies repeat them, as a node's do.
 */

const LOGIN = 'user:password';
const METHODS = ['decodescript', 'getdescriptorinfo', 'decodepsbt', 'getaddressinfo', 'loadwallet', 'walletpassphrase'];

const basic = (text: string): string => `Authorization: Basic ${Buffer.from(text).toString('base64')}`;
/** Text for a header or a request line: no line ends or other control characters. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');
const oneWord = (text: string): string => oneLine(text).replaceAll(' ', '-');

/** Requests with a text in place of their path, their HTTP method or a header. */
function headsWith(text: string): readonly RequestParts[] {
  const body = '{"id":1,"method":"getblockcount","params":[]}';
  const header = (line: string): RequestParts => ({ login: LOGIN, headers: [line], body });
  const paths = [encodeURIComponent(text), oneWord(text), oneLine(text)].flatMap((path) => [
    `/${path}`,
    `/wallet/${path}`,
    `/wallet/w?${path}`,
  ]);
  return [
    ...paths.map((path) => ({ path, login: LOGIN, body })),
    { path: `/${encodeURIComponent(text)}`, body },
    { method: oneWord(text), login: LOGIN, body },
    { method: oneLine(text), login: LOGIN, body },
    { version: oneWord(text), login: LOGIN, body },
    { login: text, body },
    { login: `user:${text}`, body },
    { headers: [`Authorization: Basic ${oneLine(text)}`], body },
    { headers: [`Authorization: Bearer ${oneLine(text)}`], body },
    { headers: [`Authorization: ${oneLine(text)}`], body },
    { headers: [basic(LOGIN), `Host: ${oneLine(text)}`], body },
    ...['Host', 'Origin', 'Content-Type', 'Cookie', 'Expect', 'Transfer-Encoding', 'X-Unknown'].map((name) =>
      header(`${name}: ${oneLine(text)}`),
    ),
    header(`${oneWord(text)}: 1`),
    header(oneLine(text)),
  ];
}

/** Requests with a text in their body. */
function bodiesWith(text: string): readonly RequestParts[] {
  const quoted = JSON.stringify(text);
  const call = (method: string, params: unknown): string => JSON.stringify({ id: 1, method, params });
  const calls = METHODS.flatMap((method) => [
    call(method, [text]),
    call(method, [[text]]),
    call(method, { [text]: 1 }),
    call(method, text),
  ]);
  const bodies = [
    text,
    quoted,
    `[${text}]`,
    `{${quoted}:1}`,
    `{"id":1,"method":"getblockcount","params":[],${quoted}:1}`,
    call(text, []),
    call(text, [text]),
    JSON.stringify({ jsonrpc: text, id: 1, method: 'getblockcount' }),
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: text }),
    JSON.stringify([text, { id: 1, method: text }, { id: 2, method: 'decodescript', params: [text] }]),
    ...calls,
  ];
  return bodies.map((body) => ({ login: LOGIN, body }));
}

/** Returns a reply as text, without the results that the client asked for; errors and warnings inside them stay. */
function shownIn({ replies }: Exchange): string {
  return replies
    .map(({ reason, headers, body }) => `${reason}\n${JSON.stringify(headers)}\n${withoutResults(body)}`)
    .join('\n');
}

function withoutResults(body: string): string {
  const text = Buffer.from(body, 'latin1').toString('utf8');
  if (!/^[[{]/.test(text)) return text;
  return JSON.stringify(JSON.parse(text), (name, value: unknown) => (name === 'result' ? faultsIn(value) : value));
}

/** The number of concurrent requests, below the depth of the server's queue. */
const AT_ONCE = 8;

describe.each(['core-32', 'litecoin-0.21'])('possible secrets do not appear in a reply of %s', (dialect) => {
  let server: RunningServe | undefined;
  beforeAll(async () => {
    const network = dialect === 'core-32' ? 'regtest' : 'litecoin-regtest';
    const options = ['--network', network, '--dialect', dialect, '--rpcuser', 'user', '--rpcpassword-file', 'password'];
    server = await startServe(options, { files: { password: 'password' } });
  });
  afterAll(() => server?.close());

  test.each([
    ['sent in the head of a request', headsWith, 4],
    ['sent in the body', bodiesWith, 12],
  ])('%s, nor in its log', async (_, requestsWith, numRuns) => {
    const { port = 0, said = (): string => '' } = server ?? {};
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(pasted, async (secret) => {
        const requests = requestsWith(secret.text).map(({ headers = [], ...parts }) =>
          rawRequest({ ...parts, headers: [...headers, 'Connection: close'] }),
        );
        for (let i = 0; i < requests.length; i += AT_ONCE) {
          const sent = requests.slice(i, i + AT_ONCE);
          const exchanges = await Promise.all(
            sent.map((request) => exchange(port, Buffer.from(request).toString('latin1'))),
          );
          for (const [at, answer] of exchanges.entries()) {
            answered += answer.replies.length;
            expectHidden(shownIn(answer), secret, sent[at]);
          }
        }
        expectHidden(said(), secret, 'the log');
      }),
      { numRuns },
    );
    expect(answered).toBeGreaterThan(100);
  });
});
