import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromDescriptors, accountFromWords, buildPsbt } from '../../../src/kit/account/index.ts';
import { answer } from '../../../src/shell/page/answer.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import { startWorker } from '../../../src/shell/page/pageWorker.ts';
import type { ResponseMessage } from '../../../src/shell/page/protocol.ts';
import { formatHex, formatPsbt, parsePsbt } from '../../support/library.ts';
import { paymentOf } from '../../support/pageSessions.ts';
import { ALICE, BOB } from '../../support/psbts.ts';

const network = 'regtest';

describe('a message to the worker', () => {
  test.each([
    undefined,
    null,
    7,
    {},
    { id: 1 },
    { id: 1, method: 'open' },
    { id: 1, method: 'constructor', args: [] },
    { id: 1, method: '__proto__', args: [] },
    { id: 1, method: 7, args: [] },
    { id: '1', method: 'wallets', args: [] },
    { id: 1, method: 'wallets', args: {} },
  ])('that is malformed is answered: %j', (message) => {
    const id = typeof message === 'object' && message !== null && 'id' in message && message.id === 1 ? 1 : -1;
    expect(answer(createPageSession(), message)).toEqual({
      id,
      error: 'The page sent its worker an unknown request',
    });
  });

  test('is answered with the sentence of a refusal', () => {
    expect(answer(createPageSession(), { id: 3, method: 'nodeJson', args: [] })).toEqual({
      id: 3,
      error: 'No PSBT or transaction is open',
    });
  });

  test('that hits a fault of the page is answered without details', () => {
    const broken = {
      ...createPageSession(),
      open: () => {
        throw new TypeError(seedWords);
      },
    };
    const { error } = answer(broken, { id: 4, method: 'open', args: [{ content: seedWords }] }) as { error: string };
    expect(error).toMatch(/^This is a bug in the page, /);
    expect(error).not.toContain('abandon');
  });
});

describe('the worker', () => {
  const scope = globalThis as { onmessage?: unknown; postMessage?: unknown };
  const sent: ResponseMessage[] = [];
  beforeEach(() => {
    scope.postMessage = (message: ResponseMessage) => sent.push(structuredClone(message));
  });
  afterEach(() => {
    delete scope.onmessage;
    delete scope.postMessage;
  });

  test('draws the nonces of MuSig2 afresh for each session', () => {
    const wallet = `tr(musig(${ALICE.xprv('m/86h/1h/7h')},${BOB.xpub('m/86h/1h/7h')})/<0;1>/*)`;
    const from = accountFromDescriptors(wallet, { network }).receive(0);
    const inputs = [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from }];
    const psbt = formatPsbt(buildPsbt({ inputs, outputs: { [from.address]: 99_000n }, fee: 1000n }));
    const nonces = [1, 2].map(() => {
      startWorker();
      const send = scope.onmessage as (event: { readonly data: unknown }) => void;
      const calls = [
        ['addKeys', { text: wallet, network }],
        ['open', { content: psbt }],
        ['sign', []],
        ['exported', { kind: 'psbt' }],
      ] as const;
      for (const [id, [method, argument]] of calls.entries()) send({ data: { id, method, args: [argument] } });
      const { result } = sent.at(-1) as { readonly result: { readonly text: string } };
      return formatHex(parsePsbt(result.text).inputs[0]?.musig2PubNonces?.[0]?.pubNonce ?? new Uint8Array(0));
    });
    expect(nonces.map(({ length }) => length)).toEqual([132, 132]);
    expect(nonces[0]).not.toBe(nonces[1]);
    sent.length = 0;
  });

  test('answers each call, and tells the progress of signing', () => {
    startWorker();
    const send = scope.onmessage as (event: { readonly data: unknown }) => void;
    const psbt = paymentOf(accountFromWords(seedWords, { network }), 2, 3);
    send({ data: { id: 1, method: 'addKeys', args: [{ text: seedWords, network }] } });
    send({ data: { id: 2, method: 'open', args: [{ content: formatPsbt(psbt) }] } });
    send({ data: { id: 3, method: 'sign', args: [[]] } });
    send({ data: { id: 4, method: 'nothing', args: [] } });
    send({ data: 'x' });
    expect(sent.map(({ id }) => id)).toEqual([1, 2, 3, 3, 3, 3, 3, 4, -1]);
    expect(sent.slice(2, 6)).toEqual([0, 1, 2, 3].map((done) => ({ id: 3, progress: { done, total: 3 } })));
    expect(sent[6]).toMatchObject({ result: { final: { txid: expect.any(String) } } });
  });
});
