import { describe, expect, test } from 'vitest';
import { createAggregates } from '../../../src/core/signing/aggregates.ts';
import { collectNonces, findAggregates, type SchnorrKey } from '../../../src/core/signing/musig2Signing.ts';
import { createSignatureData } from '../../../src/core/signing/signatureData.ts';
import { nobleEcc } from '../../support/library.ts';
import { PAIR, prepare } from '../../support/musig2.ts';
import { contributed, leafHash, participants, SUM, X_ONLY } from '../../support/musig2Records.ts';

const output: SchnorrKey = { kind: 'output', publicKey: X_ONLY };
const leaf: SchnorrKey = { kind: 'leaf', publicKey: X_ONLY, leafHash };

describe('the aggregates behind a key', () => {
  const signing = { ecc: nobleEcc, aggregates: createAggregates(nobleEcc, 1) };
  const known = contributed([]);

  test('are found with their participants, and with the leaf', () => {
    expect(findAggregates(known.taproot, output, signing)).toStrictEqual([{ aggregate: SUM, participants }]);
    expect(findAggregates(known.taproot, leaf, signing)).toStrictEqual([{ aggregate: SUM, participants, leafHash }]);
  });

  test('are none if a record lies', () => {
    const { taproot } = createSignatureData();
    taproot.aggregates.set('', { aggregatePubkey: SUM.publicKey, participants: participants.slice(1) });
    expect(findAggregates(taproot, output, signing)).toEqual([]);
  });

  test('have nonces once every participant has given one', () => {
    const [found] = findAggregates(known.taproot, output, signing);
    if (!found) return expect.fail('no aggregate');
    const all = contributed([{}]).taproot;
    expect(collectNonces(found, all)).toEqual(prepare(PAIR).participants.map(({ publicNonce }) => publicNonce));
    for (const nonce of [0, 1]) expect(collectNonces(found, contributed([{}], { nonce }).taproot)).toBeUndefined();
  });
});
