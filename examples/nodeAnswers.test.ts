// A suite for Vitest that checks a node's answers: it asks the node at URL and compares with what Bitcoin Core 31 answers.
import { readFileSync } from 'node:fs';
import { createRpc, RpcError } from 'countersign';
import { describe, expect, test } from 'vitest';

const ours = createRpc({ network: 'regtest', dialect: 'core-32' });

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
}

/** Asks the node. */
async function ask(method: string, params: readonly unknown[]): Promise<Reply> {
  const { URL: node = 'http://127.0.0.1:18443', COOKIE = '.cookie' } = process.env;
  const authorization = `Basic ${Buffer.from(readFileSync(COOKIE, 'utf8')).toString('base64')}`;
  const body = JSON.stringify({ id: 1, method, params });
  const reply = await fetch(node, { method: 'POST', headers: { authorization }, body });
  return (await reply.json()) as Reply;
}

/** Answers as the node should. */
function expected(method: string, params: readonly unknown[]): Reply {
  try {
    return { result: ours.call(method, params as never) };
  } catch (error) {
    if (error instanceof RpcError) return { error: { code: error.code, message: error.message } };
    throw error;
  }
}

const psbt = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';

describe('the node answers as Bitcoin Core 31 does', () => {
  test.each([
    ['decodescript', ['76a914000000000000000000000000000000000000000088ac']],
    ['decodescript', ['6']],
    ['decodepsbt', [psbt]],
    ['analyzepsbt', [psbt]],
    ['decodepsbt', ['cHNidP8A']],
    ['validateaddress', ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080']],
    ['getdescriptorinfo', ['wpkh(02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9)']],
  ])('%s %j', async (method, params) => {
    const { result = null, error = null } = await ask(method, params);
    const wanted = expected(method, params);
    expect({ result, error }).toEqual({ result: wanted.result ?? null, error: wanted.error ?? null });
  });
});
