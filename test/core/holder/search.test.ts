import { describe, expect, test } from 'vitest';
import { holdPsbt, scriptOwner } from '../../../src/core/holder/owner.ts';
import { createHolder, networks, nobleEcc, type Psbt, parseDescriptor } from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';
import {
  ALICE,
  BOB,
  findingsOf,
  make,
  PAYEE,
  payment,
  scriptAt,
  WALLETS,
  withInput,
  withOutput,
} from '../../support/psbts.ts';

const claiming = (count: number) => ({
  bip32Derivations: Array.from({ length: count }, (_, index) => ({
    ...{ pubkey: filled(2, 33), fingerprint: filled(1, 4), path: [0, index] },
  })),
});

describe('a search that leaves claims out', () => {
  const found = (psbt: Psbt) => findingsOf(psbt, { keys: [ALICE.held] }).filter(({ check }) => check === 'search-cut');

  test('is named with the input or output of more than eight indexes, once', () => {
    const psbt = payment(['wpkh', 'wpkh']);
    for (const count of [8, 9]) {
      const input = withInput(psbt, 1, (one) => ({ ...one, ...claiming(count) }));
      const output = withOutput(psbt, 0, (one) => ({ ...one, ...claiming(count) }));
      const places = [input, output].map((one) =>
        found(one).map(({ action, text, inputIndex, outputIndex }) => [
          ...[action, text.split(' names')[0], inputIndex, outputIndex],
        ]),
      );
      expect(places).toEqual(
        count === 8 ? [[], []] : [[['refuse', 'Input 1', 1, undefined]], [['refuse', 'Output 0', undefined, 0]]],
      );
    }
  });

  test('is named where the claims of many maps are too many together', () => {
    const outputs = Array.from({ length: 40 }, () => ({ to: PAYEE, value: 20_000n }));
    const junk = make({ inputs: [{ of: WALLETS.wpkh }], outputs });
    const crowded: Psbt = {
      ...junk,
      outputs: junk.outputs.map((output, i) => ({
        ...output,
        bip32Derivations: Array.from({ length: 8 }, (_, k) => ({
          ...{ pubkey: filled(2, 33), fingerprint: ALICE.fingerprint, path: [1000 + i, 2000 + i, k, i, k] },
        })),
      })),
    };
    const cut = found(crowded);
    expect(cut.length).toBeGreaterThan(0);
    for (const { action, inputIndex, outputIndex } of cut) {
      expect([action, inputIndex, typeof outputIndex]).toEqual(['refuse', undefined, 'number']);
    }
  });
});

test('of wallets that derive one script, the proven account counts, not the first of a file', () => {
  const key = `${ALICE.xpub('m/84h/1h/0h')}/<0;1>/*`;
  const fixed = `wpkh(${ALICE.xpub('m/84h/1h/0h')}/0/3)`;
  const texts = [fixed, `wpkh(${key})`, `wsh(multi(1,${key},${BOB.xpub('m/84h')}/<0;1>/*))`];
  const script = scriptAt(`wpkh(${key})`, 0, 3);
  const psbt = make({ inputs: [{ of: `wpkh(${key})`, index: 3 }], outputs: [{ to: PAYEE, value: 990_000n }] });
  for (const order of [texts, [...texts].reverse()]) {
    const wallets = order.map((text) => ({ descriptor: parseDescriptor(text, networks.regtest) }));
    const holder = createHolder({ network: networks.regtest, ecc: nobleEcc, keys: [ALICE.held], wallets });
    const held = holdPsbt(holder, psbt);
    expect(held.findPlaces(script)).toHaveLength(2);
    expect(scriptOwner(held, script, [])).toMatchObject({
      ...{ kind: 'account', root: 'key', place: { number: 0, chain: 0, index: 3 } },
    });
    expect(scriptOwner(held, scriptAt(`wpkh(${key})`, 0, 4), [])).toEqual({ kind: 'none', root: 'none' });
  }
});
