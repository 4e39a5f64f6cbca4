import { chunked, type RequestParts, rawRequest } from './rawHttp.ts';

/** The user name of the login in all cases. */
export const USER = 'alice';
/** The password; with characters that are easily mishandled: a colon and a non-ASCII letter. */
export const PASSWORD = 'pass:wörd';
const LOGIN = `${USER}:${PASSWORD}`;

/** On a busy machine, an answer may take as long as the refusal of a wrong login. */
export const RETRIED = { retry: 2 };

const CALL = '{"id":1,"method":"decodescript","params":["6a"]}';
const usual = (parts: RequestParts = {}): string => rawRequest({ login: LOGIN, body: CALL, ...parts });
const withBody = (body: string): string => usual({ body });
const withAuthorization = (value: string): string => usual({ login: undefined, headers: [`Authorization:${value}`] });
const BASE64 = Buffer.from(LOGIN).toString('base64');

/** Requests that are sent byte for byte to a node and to our server. Recorded answers refer to them by these names. */
export const HTTP_CASES: Readonly<Record<string, string>> = {
  'a call': usual(),
  'a call that fails': withBody('{"id":"x","method":"decodescript","params":["zz"]}'),
  'an unknown method': withBody('{"id":1,"method":"nope"}'),
  'a call by name': withBody('{"id":1,"method":"decodescript","params":{"hexstring":"6a"}}'),
  'no body': withBody(''),
  'no JSON': withBody('{"id":1'),
  'no UTF-8': usual({ headers: ['Content-Length: 10'], body: '{"id":"\u00ff"}', hasNoLength: true }),
  'a text': withBody('"x"'),
  'no method': withBody('{"id":1}'),
  'a method that is no text': withBody('{"id":1,"method":1}'),
  'parameters that are none': withBody('{"id":1,"method":"decodescript","params":"6a"}'),
  'version 2.0': withBody(`{"jsonrpc":"2.0",${CALL.slice(1)}`),
  'version 1.1': withBody(`{"jsonrpc":"1.1",${CALL.slice(1)}`),
  'a version that is a number': withBody(`{"jsonrpc":2,${CALL.slice(1)}`),
  'a notification': withBody('{"jsonrpc":"2.0","method":"decodescript","params":["6a"]}'),
  'version 2.0 without method': withBody('{"jsonrpc":"2.0","id":1}'),
  'a batch': withBody(`[${CALL},{"id":2,"method":"nope"},1,{"id":3}]`),
  'an empty batch': withBody('[]'),
  'a batch of notifications': withBody(
    '[{"jsonrpc":"2.0","method":"nope"},{"jsonrpc":"2.0","method":"decodescript","params":["6a"]}]',
  ),
  'an id with odd numbers': withBody('{"id":[1.50,1e5],"method":"decodescript","params":["6a"]}'),
  'a wallet path': usual({ path: '/wallet/none' }),
  'the wallet path without name': usual({ path: '/wallet/' }),
  'a wallet path with percent signs': usual({ path: '/wallet/a%20b%zz' }),
  'a wallet path with a query': usual({ path: '/wallet/x?y=1' }),
  'a wallet path without its last slash': usual({ path: '/wallet' }),
  'another path': usual({ path: '/rest' }),
  'a query': usual({ path: '/?x=1' }),
  'another path and no login': usual({ path: '/rest', login: undefined }),
  GET: rawRequest({ method: 'GET' }),
  PUT: usual({ method: 'PUT' }),
  'PUT elsewhere': usual({ method: 'PUT', path: '/rest' }),
  'GET without login': rawRequest({ method: 'GET' }),
  DELETE: rawRequest({ method: 'DELETE' }),
  'DELETE elsewhere': rawRequest({ method: 'DELETE', path: '/rest' }),
  OPTIONS: rawRequest({ method: 'OPTIONS' }),
  'OPTIONS elsewhere': rawRequest({ method: 'OPTIONS', path: '/rest' }),
  PATCH: rawRequest({ method: 'PATCH' }),
  TRACE: rawRequest({ method: 'TRACE' }),
  'a method that nobody knows': rawRequest({ method: 'BREW' }),
  'a method in small letters': usual({ method: 'post' }),
  'no login': usual({ login: undefined }),
  'a wrong password': usual({ login: `${USER}:pass` }),
  'a wrong name': usual({ login: `bob:${PASSWORD}` }),
  'a name without password': usual({ login: USER }),
  'an empty login': withAuthorization(''),
  'a login of another scheme': withAuthorization(' Bearer x'),
  'a login whose scheme is in small letters': withAuthorization(` basic ${BASE64}`),
  'a login with blanks around': withAuthorization(`   Basic   ${BASE64}  `),
  'a login that is no base64': withAuthorization(' Basic *'),
  'two logins, the first wrong': usual({
    login: undefined,
    headers: ['Authorization: Basic eA==', `Authorization: Basic ${BASE64}`],
  }),
  'two logins, the second wrong': usual({ headers: ['Authorization: Basic eA=='] }),
  'a type of content that is none': usual({ headers: ['Content-Type: image/png'] }),
  'a connection to be closed': usual({ headers: ['Connection: close'] }),
  'HTTP/1.0': usual({ version: '1.0' }),
  'HTTP/1.0, to be kept': usual({ version: '1.0', headers: ['Connection: keep-alive'] }),
  'HTTP/2.0': usual({ version: '2.0' }),
  'no version': 'GET /\r\n\r\n',
  'no host': usual().replace('Host: 127.0.0.1\r\n', ''),
  chunks: usual({ headers: ['Transfer-Encoding: chunked'], body: chunked(CALL), hasNoLength: true }),
  'chunks that are none': usual({ headers: ['Transfer-Encoding: chunked'], body: 'zz\r\n', hasNoLength: true }),
  'no length': usual({ body: '', hasNoLength: true }),
  'a length that is negative': usual({ headers: ['Content-Length: -1'], body: '', hasNoLength: true }),
  'a length that is no number': usual({ headers: ['Content-Length: 5x'], body: '{}   ', hasNoLength: true }),
  'a length beyond all': usual({ headers: ['Content-Length: 33554433'], body: '', hasNoLength: true }),
  'a length beyond all, without login': rawRequest({ headers: ['Content-Length: 33554433'], hasNoLength: true }),
  'headers beyond all': usual({ headers: [`X: ${'a'.repeat(9000)}`] }),
  'a path beyond all': usual({ path: `/${'a'.repeat(9000)}` }),
  'large headers': usual({ headers: [`X: ${'a'.repeat(7900)}`] }),
  'a header without colon': usual({ headers: ['nonsense'] }),
  'an unknown expectation': usual({ headers: ['Expect: miracles'] }),
  'a wish for another protocol': usual({ headers: ['Connection: Upgrade', 'Upgrade: websocket'] }),
  'no HTTP': 'hello\r\n\r\n',
  'the beginning of TLS': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n',
};

/** Requests that node:http refuses but libevent, and so Core, accepts; listed so that none is added unnoticed. */
export const STRICTER: Readonly<Record<string, string>> = {
  // Some builds of libevent refuse this one, too.
  'chunks and a length': usual({ headers: ['Transfer-Encoding: chunked'], body: chunked(CALL) }),
  'two lengths': usual({ headers: ['Content-Length: 2'], body: CALL }),
  'lines that end with a line feed only': usual().replaceAll('\r\n', '\n'),
  'a blank before a colon': usual({ headers: ['X : y'] }),
  'HTTP/1.2': usual({ version: '1.2' }),
};

export { CALL, LOGIN, usual };
