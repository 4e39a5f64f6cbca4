import { describe, expect, test } from 'vitest';
import { answerBody } from '../../src/rpc/envelope.ts';
import { answerText, createRpc, type DialectName, RpcError } from '../support/library.ts';

/** Makes a dispatcher whose answer is the name of the wallet that a call is for. */
const walletEcho = (dialect: DialectName) => ({
  context: createRpc({ dialect }).context,
  callJson: (method: string, _params: unknown, wallet?: string): string => {
    if (method === 'fail') throw new RpcError(-18, 'no such wallet');
    return wallet === undefined ? 'none' : `<${wallet}>`;
  },
});
const newer = walletEcho('core-31');
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
  test('is carried out and answered with an error, without keeping all answers in memory', () => {
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
