import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerBody } from '../../src/answers/envelope.ts';
import { campaign } from '../support/campaign.ts';
import { isFast } from '../support/corpus.ts';
import { answerText, createRpc, type DialectName, RpcError, stringifyRpc } from '../support/library.ts';

describe('envelopes', () => {
  const rpcs = {
    'core-0.21': createRpc({ dialect: 'core-0.21' }),
    'core-32': createRpc({ dialect: 'core-32' }),
    documented: createRpc({ dialect: 'documented' }),
  } as const;
  const reply = (text: string, dialect: keyof typeof rpcs): string => answerText(rpcs[dialect], text);
  const result = (dialect: DialectName): string => stringifyRpc(createRpc({ dialect }).call('decodescript', ['6a']));
  const A_RESULT = result('core-0.21');
  const B_RESULT = result('core-32');
  const CALL = '"method":"decodescript","params":["6a"]';
  const a = (id: string): string => `{"result":${A_RESULT},"error":null,"id":${id}}`;
  const b = (id: string): string => `{"result":${B_RESULT},"error":null,"id":${id}}`;
  const b2 = (id: string): string => `{"jsonrpc":"2.0","result":${B_RESULT},"id":${id}}`;
  const error = (code: number, message: string): string =>
    `"error":{"code":${code},"message":${JSON.stringify(message)}}`;
  const bad = (code: number, message: string, id = 'null'): string =>
    `{"result":null,${error(code, message)},"id":${id}}`;
  const bad2 = (code: number, message: string, id: string): string =>
    `{"jsonrpc":"2.0",${error(code, message)},"id":${id}}`;
  const withoutId = (text: string): string => text.replace(/,"id":null}$/, '}');

  type Row = readonly [what: string, request: string, a: string, b: string];
  const same = (what: string, request: string, answer: string): Row => [what, request, answer, answer];
  const testRows = (rows: readonly Row[]): void => {
    test.each(rows)('%s', (_, request, wantedA, wantedB) => {
      expect(reply(request, 'core-0.21')).toBe(wantedA);
      expect(reply(request, 'core-32')).toBe(wantedB);
    });
  };

  describe('of invalid requests', () => {
    testRows([
      same('an empty text', '', bad(-32700, 'Parse error')),
      same('invalid JSON', '{"id":1,', bad(-32700, 'Parse error')),
      same('a byte order mark', `\ufeff{"id":1,${CALL}}`, bad(-32700, 'Parse error')),
      same('a string', '"decodescript"', bad(-32700, 'Top-level object parse error')),
      same('a number', '1', bad(-32700, 'Top-level object parse error')),
      same('null', 'null', bad(-32700, 'Top-level object parse error')),
      ['an empty object', '{}', bad(-32600, 'Missing method'), withoutId(bad(-32600, 'Missing method'))],
    ]);
  });

  describe('of requests', () => {
    const UNSUPPORTED = bad(-32600, 'JSON-RPC version not supported', '1');
    const NO_TEXT = bad(-32600, 'jsonrpc field must be a string', '1');
    const withVersion = (version: string): string => `{"jsonrpc":${version},"id":1,${CALL}}`;
    testRows([
      ['without version', `{"id":1,${CALL}}`, a('1'), b('1')],
      ['of version 1.0', withVersion('"1.0"'), a('1'), b('1')],
      ['of version 2.0', withVersion('"2.0"'), a('1'), b2('1')],
      ['of version 1.1', withVersion('"1.1"'), a('1'), UNSUPPORTED],
      ['of version 2', withVersion('"2"'), a('1'), UNSUPPORTED],
      ['of an empty version', withVersion('""'), a('1'), UNSUPPORTED],
      ['whose version is a number', withVersion('2.0'), a('1'), NO_TEXT],
      ['whose version is a list', withVersion('["2.0"]'), a('1'), NO_TEXT],
      ['whose version is null', withVersion('null'), a('1'), b('1')],
      ['whose second version is 2.0', `{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,${CALL}}`, a('1'), b('1')],
      ['whose version comes last', `{"id":1,${CALL},"jsonrpc":"2.0"}`, a('1'), b2('1')],
      ['with other members', `{"id":1,${CALL},"more":{"id":2}}`, a('1'), b('1')],
      ['with white space', ` {\n"id" : 1 ,${CALL}\t}\r\n`, a('1'), b('1')],
      [
        'with a version and a bad method',
        '{"jsonrpc":"3","id":1,"method":5}',
        bad(-32600, 'Method must be a string', '1'),
        UNSUPPORTED,
      ],
    ]);
  });

  describe('with ids', () => {
    const echoed = [
      '1.50',
      '1e5',
      '-0',
      '12345678901234567890',
      'null',
      'true',
      '"a\\u0007\\n😀"',
      '[]',
      '{"b":[1.0],"a":{}}',
      '{"a":1,"a":2}',
    ];
    testRows([
      ...echoed.flatMap((id): Row[] => [
        [`${id}`, `{"id":${id},${CALL}}`, a(id), b(id)],
        [`${id} of version 2`, `{"jsonrpc":"2.0","id":${id},${CALL}}`, a(id), b2(id)],
      ]),
      ['with white space in it', `{"id":[ 1 , {"a" : 2} ],${CALL}}`, a('[1,{"a":2}]'), b('[1,{"a":2}]')],
      ['written with escapes', `{"id":"\\u0041\\/\\ud83d\\ude00",${CALL}}`, a('"A/😀"'), b('"A/😀"')],
      ['given twice', `{"id":1,"id":2,${CALL}}`, a('1'), b('1')],
      ['that are absent', `{${CALL}}`, a('null'), `{"result":${B_RESULT},"error":null}`],
      [
        'that are absent, and an error',
        '{"method":"x"}',
        bad(-32601, 'Method not found'),
        withoutId(bad(-32601, 'Method not found')),
      ],
    ]);
  });

  describe('with methods and parameters', () => {
    const missing = bad(-32600, 'Missing method', '1');
    const noText = bad(-32600, 'Method must be a string', '1');
    const scalar = bad(-32600, 'Params must be an array or object', '1');
    testRows([
      same('no method', '{"id":1}', missing),
      same('method null', '{"id":1,"method":null}', missing),
      same('method number', '{"id":1,"method":1}', noText),
      same('method list', '{"id":1,"method":["decodescript"]}', noText),
      same('unknown method', '{"id":1,"method":"x"}', bad(-32601, 'Method not found', '1')),
      same('unknown method and bad parameters', '{"id":1,"method":"x","params":1}', scalar),
      same('parameters number', '{"id":1,"method":"decodescript","params":1}', scalar),
      same('parameters text', '{"id":1,"method":"decodescript","params":"6a"}', scalar),
      same('parameters false', '{"id":1,"method":"decodescript","params":false}', scalar),
      ['first of two methods', `{"id":1,${CALL},"method":"x"}`, a('1'), b('1')],
      ['first of two parameter lists', `{"id":1,${CALL},"params":["51"]}`, a('1'), b('1')],
      ['parameters by name', '{"id":1,"method":"decodescript","params":{"hexstring":"6a"}}', a('1'), b('1')],
      ['no method, version 2', '{"jsonrpc":"2.0","id":1}', missing, bad2(-32600, 'Missing method', '1')],
      [
        'method number, version 2',
        '{"jsonrpc":"2.0","id":1,"method":1}',
        noText,
        bad2(-32600, 'Method must be a string', '1'),
      ],
      [
        'unknown method, version 2',
        '{"jsonrpc":"2.0","id":1,"method":"x"}',
        bad(-32601, 'Method not found', '1'),
        bad2(-32601, 'Method not found', '1'),
      ],
      [
        'bad parameters, version 2',
        '{"jsonrpc":"2.0","id":1,"method":"x","params":1}',
        scalar,
        bad2(-32600, 'Params must be an array or object', '1'),
      ],
      [
        'a refused argument',
        '{"id":1,"method":"decoderawtransaction","params":["zz"]}',
        bad(-22, 'TX decode failed', '1'),
        bad(-22, 'TX decode failed', '1'),
      ],
      [
        'an argument with quotes',
        '{"id":1,"method":"decodescript","params":["\\"\\n"]}',
        bad(-8, "argument must be hexadecimal string (not '\"\n')", '1'),
        bad(-8, "argument must be hexadecimal string (not '\"\n')", '1'),
      ],
    ]);

    test.each(['core-0.21', 'core-32'] as const)(
      'null or absent parameters count as an empty list, to %s',
      (dialect) => {
        const absent = reply('{"id":1,"method":"decodescript"}', dialect);
        expect(absent).toContain('"error":{"code":-1,"message":"decodescript \\"hexstring\\"\\n');
        expect(reply('{"id":1,"method":"decodescript","params":null}', dialect)).toBe(absent);
        expect(reply('{"id":1,"method":"decodescript","params":[]}', dialect)).toBe(absent);
      },
    );
  });

  describe('in batches', () => {
    const NO_OBJECT = bad(-32600, 'Invalid Request object');
    const PLAIN = `{"id":1,${CALL}}`;
    const V2 = `{"jsonrpc":"2.0","id":2,${CALL}}`;
    const NOTIFICATION = `{"jsonrpc":"2.0",${CALL}}`;
    const WRONG = '{"id":"e","method":"x"}';
    const LOST = bad(-32601, 'Method not found', '"e"');
    testRows([
      same('without requests', '[]', '[]'),
      same('with white space only', ' [ \n] ', '[]'),
      ['of one request', `[${PLAIN}]`, `[${a('1')}]`, `[${b('1')}]`],
      [
        'of both versions, in order',
        `[${V2},${PLAIN},${V2}]`,
        `[${a('2')},${a('1')},${a('2')}]`,
        `[${b2('2')},${b('1')},${b2('2')}]`,
      ],
      [
        'of good and bad requests',
        `[${WRONG},${PLAIN},${WRONG}]`,
        `[${LOST},${a('1')},${LOST}]`,
        `[${LOST},${b('1')},${LOST}]`,
      ],
      [
        'of values that are not objects',
        '[1,null,"x",[],true]',
        `[${Array(5).fill(NO_OBJECT).join()}]`,
        `[${Array(5).fill(NO_OBJECT).join()}]`,
      ],
      ['of a batch', `[[${PLAIN}]]`, `[${NO_OBJECT}]`, `[${NO_OBJECT}]`],
      ['with a notification', `[${NOTIFICATION},${PLAIN}]`, `[${a('null')},${a('1')}]`, `[${b('1')}]`],
      [
        'with a notification that fails',
        `[{"jsonrpc":"2.0","method":"x"},${PLAIN}]`,
        `[${bad(-32601, 'Method not found')},${a('1')}]`,
        `[${b('1')}]`,
      ],
      [
        'with a version 2 request whose id is null',
        `[{"jsonrpc":"2.0","id":null,${CALL}}]`,
        `[${a('null')}]`,
        `[${b2('null')}]`,
      ],
      ['with a version 1 request without id', `[{${CALL}}]`, `[${a('null')}]`, `[{"result":${B_RESULT},"error":null}]`],
      same('that is cut off', `[${PLAIN}`, bad(-32700, 'Parse error')),
      same('with an extra comma', `[${PLAIN},]`, bad(-32700, 'Parse error')),
    ]);
  });

  describe('of notifications', () => {
    const NOTIFICATION = `{"jsonrpc":"2.0",${CALL}}`;
    // Over HTTP, a node answers these with status 204 and no body. `batch` promises one line of output per input line.
    test('a lone notification is answered nevertheless, without id', () => {
      expect(reply(NOTIFICATION, 'core-32')).toBe(`{"jsonrpc":"2.0","result":${B_RESULT}}`);
      expect(reply('{"jsonrpc":"2.0","method":"x"}', 'core-32')).toBe(
        `{"jsonrpc":"2.0",${error(-32601, 'Method not found')}}`,
      );
    });

    test('a batch of notifications only is answered with an empty array', () => {
      expect(reply(`[${NOTIFICATION},${NOTIFICATION}]`, 'core-32')).toBe('[]');
    });

    test('0.21 takes a notification for a request', () => {
      expect(reply(NOTIFICATION, 'core-0.21')).toBe(a('null'));
    });
  });

  test('the documented dialect has the envelopes of Core 31', () => {
    const requests = ['{}', `{"jsonrpc":"2.0","id":1,${CALL}}`, `{${CALL}}`, '{"jsonrpc":"1.1","id":1}', '[1]', 'x'];
    for (const request of requests) expect(reply(request, 'documented')).toBe(reply(request, 'core-32'));
  });

  test('answerText never throws', () => {
    const member = fc.tuple(fc.constantFrom('id', 'method', 'params', 'jsonrpc', 'x'), fc.jsonValue({ maxDepth: 2 }));
    const request = fc.array(member, { maxLength: 5 }).map((members) => {
      return `{${members.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join()}}`;
    });
    const text = fc.oneof(
      request,
      fc.array(request, { maxLength: 3 }).map((all) => `[${all.join()}]`),
      fc.json(),
      fc.string(),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('core-0.21', 'core-32'), (request, dialect) => {
        const answer = reply(request, dialect);
        expect(answer).not.toContain('-32603');
        expect(() => JSON.parse(answer)).not.toThrow();
      }),
      campaign(2000),
    );
  });
});

/** Makes a dispatcher whose answer is the name of the wallet that a call is for. */
const walletEcho = (dialect: DialectName) => ({
  context: createRpc({ dialect }).context,
  callJson: (method: string, _params: unknown, wallet?: string): string => {
    if (method === 'fail') throw new RpcError(-18, 'no such wallet');
    return wallet === undefined ? 'none' : `<${wallet}>`;
  },
});
const newer = walletEcho('core-32');
const older = walletEcho('core-0.21');

describe('the wallet of a request', () => {
  const request = '{"id":1,"method":"m","wallet":"w"}';

  test('comes from the path over HTTP, where a member `wallet` is ignored', () => {
    expect(answerBody(newer, request, { wallet: 'p' }).body).toBe('{"result":"<p>","error":null,"id":1}\n');
    expect(answerBody(newer, request, { wallet: '' }).body).toContain('"<>"');
    expect(answerBody(newer, request).body).toContain('"none"');
    expect(answerBody(newer, `[${request},${request}]`, { wallet: 'p' }).body.match(/<p>/g)).toHaveLength(2);
    expect(answerText(newer, request)).toContain('"none"');
  });

  test('comes from a member `wallet` if the caller asks for that', () => {
    const answer = (text: string): string => answerText(newer, text, { readsWallet: true });
    expect(answer(request)).toContain('"<w>"');
    expect(answer('{"id":1,"method":"m","wallet":""}')).toContain('"<>"');
    expect(answer('{"id":1,"method":"m","wallet":null}')).toContain('"none"');
    expect(answer('{"id":1,"method":"m"}')).toContain('"none"');
    expect(answer('{"id":1,"method":"m","wallet":1}')).toBe(
      '{"result":null,"error":{"code":-32600,"message":"Wallet must be a string"},"id":1}',
    );
    const batch = answer(`[${request},{"id":2,"method":"m","wallet":"x"},{"id":3,"method":"m"}]`);
    expect(JSON.parse(batch).map(({ result }: { result: string }) => result)).toEqual(['<w>', '<x>', 'none']);
  });
});

describe('a batch whose answers are too long for one string', () => {
  test.skipIf(isFast)('is carried out and answered with an error, without keeping all answers in memory', () => {
    const held: number[] = [];
    const rpc = {
      ...newer,
      callJson: () => {
        held.push(process.memoryUsage().heapUsed);
        return 'done';
      },
    };
    // An item that is not an object is answered with the id of the request before it.
    const long = `{"id":"${'\\n'.repeat(4)}${'x'.repeat(4_000_000)}","method":"m"}`;
    const { status, body } = answerBody(rpc, `[${long}${',1'.repeat(400)},{"id":1,"method":"m"}]`);
    expect({ status, body }).toEqual({
      status: 500,
      body: '{"result":null,"error":{"code":-32603,"message":"Answer too long"},"id":null}\n',
    });
    const [before = 0, after = 0] = held;
    expect(held).toHaveLength(2);
    expect(after - before).toBeLessThan(1e9);
  });
});

describe('HTTP statuses', () => {
  const v2 = (members: string): string => `{"jsonrpc":"2.0",${members}}`;
  const rows: readonly (readonly [what: string, body: string, in021: number, in31: number])[] = [
    ['a result', '{"id":1,"method":"m"}', 200, 200],
    ['an error', '{"id":1,"method":"fail"}', 500, 500],
    ['an error of version 2.0', v2('"id":1,"method":"fail"'), 500, 200],
    ['a notification', v2('"method":"m"'), 200, 204],
    ['a notification that fails', v2('"method":"fail"'), 500, 204],
    ['an id that is null', v2('"id":null,"method":"m"'), 200, 200],
    ['a notification without method', v2('"params":[]'), 400, 400],
    ['a batch whose calls fail', '[{"method":"fail"},1]', 200, 200],
    ['a batch of notifications', `[${v2('"method":"m"')},${v2('"method":"fail"')}]`, 200, 204],
    ['a batch with a notification', `[${v2('"method":"m"')},{"method":"m"}]`, 200, 200],
    ['an empty batch', '[]', 200, 200],
  ];
  test.each(rows)('%s', (_, body, in021, in31) => {
    expect([answerBody(older, body).status, answerBody(newer, body).status]).toEqual([in021, in31]);
    for (const rpc of [older, newer]) {
      const answer = answerBody(rpc, body);
      expect(answer.body === '').toBe(answer.status === 204);
    }
  });

  test('a notification without method gets a reply of version 2.0 without id', () => {
    expect(answerBody(newer, v2('"params":[]')).body).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Missing method"}}\n',
    );
  });

  test('Core 31 answers an item of a batch that is not an object with the id before it', () => {
    const body = '[1,{"id":7,"method":"m"},2]';
    const ids = (rpc: typeof newer): unknown[] =>
      JSON.parse(answerBody(rpc, body).body).map(({ id }: { id: unknown }) => id);
    expect(ids(newer)).toEqual([null, 7, 7]);
    expect(ids(older)).toEqual([null, 7, null]);
  });

  test('a forbidden method refuses the whole body, unless its request fails for another reason first', () => {
    const mayCall = (method: string): boolean => method === 'm';
    const statusOf = (body: string): number => answerBody(newer, body, { mayCall }).status;
    expect(statusOf('{"method":"m"}')).toBe(200);
    expect(statusOf('{"method":"fail"}')).toBe(403);
    expect(statusOf('[{"method":"m"},{"method":"fail"}]')).toBe(403);
    expect(statusOf('{"method":1}')).toBe(400);
    expect(statusOf('{"method":')).toBe(500);
  });
});
