import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJsonValue } from '../../../src/answers/json/jsonValue.ts';
import { psbtV0, psbtV2 } from '../../support/arbitraries.ts';
import { isFast, readRecorded } from '../../support/corpus.ts';
import {
  answerText,
  createRpc,
  type DialectName,
  dialects,
  encodePsbt,
  formatBase64,
  stringifyRpc,
} from '../../support/library.ts';
import { rpcErrorOf } from '../../support/refusal.ts';

const rpcs = (Object.keys(dialects) as DialectName[]).map((dialect) => createRpc({ dialect }));

/** Tells in how many dialects a call is answered, where its text must be that of the values that callers receive. */
function answered(method: string, params: readonly unknown[]): number {
  const request = JSON.stringify({ id: 0, method, params });
  const same = rpcs.filter((rpc) => {
    const text = answerText(rpc, request);
    if (!text.startsWith('{"result":{')) {
      expect(rpcErrorOf(() => rpc.callJson(method, toJsonValue(params)))).toBeDefined();
      return false;
    }
    expect(text).toBe(`{"result":${stringifyRpc(rpc.callJson(method, toJsonValue(params)))},"error":null,"id":0}`);
    return true;
  });
  return same.length;
}

test.each(['core-32.decode', 'litecoin-0.21.decode', 'core-32.util'])(
  'text made without values is the text of the values: calls of %s',
  (name) => {
    const calls = readRecorded(name, 'sample').filter(({ method }) =>
      /^(?:createmultisig|decode|validateaddress)/.test(method),
    );
    expect(calls.reduce((sum, { method, params }) => sum + answered(method, params), 0)).toBeGreaterThan(100);
  },
);

test('text made without values is the text of the values: any PSBT', () => {
  let shown = 0;
  fc.assert(
    fc.property(fc.oneof(psbtV0, psbtV2), (psbt) => {
      shown += answered('decodepsbt', [formatBase64(encodePsbt(psbt))]);
    }),
  );
  expect(shown).toBeGreaterThan(isFast ? 0 : 20);
});

test('callers may change one of two equal scripts of an answer', () => {
  const [rpc = createRpc()] = rpcs;
  const recorded = readRecorded('core-32.decode', 'sample').flatMap(({ method, params: [psbt] }) =>
    method === 'decodepsbt' && typeof psbt === 'string' ? [psbt] : [],
  );
  const shown = recorded.flatMap((psbt) => {
    try {
      const { inputs } = rpc.call('decodepsbt', [psbt]);
      return inputs.flatMap(({ witness_utxo, non_witness_utxo }) =>
        [witness_utxo, ...(non_witness_utxo?.vout ?? [])].flatMap((coin) => coin?.scriptPubKey ?? []),
      );
    } catch {
      return [];
    }
  });
  expect(shown.length).toBeGreaterThan(10);
  expect(new Set(shown).size).toBe(shown.length);
});
