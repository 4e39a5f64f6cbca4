// A suite for Vitest that checks a node's answers: it asks the node at URL and compares with what its release answers.
import { createAnswers, createClient, RpcError } from 'countersign/client';
import { describe, expect, test } from 'vitest';

function openClient() {
  const { URL: url = 'http://127.0.0.1:18443', COOKIE: cookieFile = '.cookie' } = process.env;
  return createClient({ url, version: '31', cookieFile });
}
const ours = await createAnswers({ version: '31', network: 'regtest' });

const psbt = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';
const descriptor = 'wpkh(02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9)';

/** Returns the code and text with which a call is refused, if it is. */
const refusal = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof RpcError) return { code: error.code, message: error.message };
    throw error;
  }
};

describe('the node answers as its release does', () => {
  test('decodes', async () => {
    const node = openClient();
    expect(await node.decodepsbt(psbt)).toEqual(ours.decodepsbt(psbt));
    expect(await node.analyzepsbt(psbt)).toEqual(ours.analyzepsbt(psbt));
    expect(await node.decodescript('51')).toEqual(ours.decodescript('51'));
    expect(await node.getdescriptorinfo(descriptor)).toEqual(ours.getdescriptorinfo(descriptor));
  });

  test.each(['cHNidP8A', 'cHNidP8B', 'x'])('refuses %s with its code and text', async (text) => {
    expect(await refusal(() => openClient().decodepsbt(text))).toEqual(await refusal(() => ours.decodepsbt(text)));
  });
});
