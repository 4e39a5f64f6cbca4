import { holderOf, parseMain, quorumOf, registered, STRANGER, single, spend } from './holderPsbts.ts';
import {
  createDeriver,
  formatHex,
  type Holder,
  type Psbt,
  type PsbtReview,
  parseHex,
  reviewPsbt,
  singlePaths,
} from './library.ts';

// Reviews to draw, all of the main network.

const ALICE = single('alice');
const BOB = single('bob');
const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const THIEF = single('mallory');

const alice: Holder = holderOf(['alice'], [registered(FAMILY, 'Family savings')]);

function scriptOf(descriptor: string, chain: number, index: number): Uint8Array {
  const chosen = singlePaths(parseMain(descriptor))[chain];
  const script = chosen && createDeriver(chosen)(index).scriptPubKeys[0];
  if (!script) throw new Error(`${descriptor} has no chain ${chain}`);
  return script;
}

export const reviewOf = (psbt: Psbt, holder: Holder = alice): PsbtReview => reviewPsbt(psbt, { holder });

/** Returns another stranger for each number. */
const strangerOf = (number: number): Uint8Array =>
  parseHex(`0014${formatHex(Uint8Array.of(number >> 8, number & 255)).repeat(10)}`);

/** A data output that holds a text. */
export function dataOf(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return Uint8Array.of(0x6a, ...(bytes.length < 76 ? [] : [0x4c]), bytes.length, ...bytes);
}

const change = { of: FAMILY, chain: 1, index: 4, value: 38_450_000n };

/** Pays from a registered wallet, whose change returns to it. */
export const honest: Psbt = spend({
  coins: [
    { of: FAMILY, index: 3, value: 60_000_000n },
    { of: FAMILY, index: 7, value: 3_500_000n },
  ],
  outputs: [{ script: STRANGER, value: 25_000_000n }, change],
});

/** The same, but the output with the records of the change pays to the keys of a thief. */
export const fakeChange: Psbt = {
  ...honest,
  outputs: honest.outputs.map((output, i) => (i === 1 ? { ...output, script: scriptOf(THIEF, 1, 4) } : output)),
};

/** Coins and payments of decreasing amounts, with change but for a fee of 20 000 satoshi. */
export function many(coins: number, outputs: number, foreign = 0): Psbt {
  const own = Array.from({ length: coins }, (_, index) => ({ of: ALICE, index, value: amountAt(index, 50_000_000) }));
  const others = Array.from({ length: foreign }, (_, index) => ({
    of: BOB,
    index,
    value: amountAt(index, 30_000_000),
  }));
  const paid = Array.from({ length: outputs }, (_, i) => ({ script: strangerOf(i), value: amountAt(i, 10_000_000) }));
  const spent = [...own, ...others].reduce((sum, { value }) => sum + value, 0n);
  const rest = paid.reduce((sum, { value }) => sum - value, spent - 20_000n);
  return spend({ coins: [...own, ...others], outputs: [...paid, { of: ALICE, chain: 1, index: 0, value: rest }] });
}

const amountAt = (index: number, most: number): bigint => BigInt(Math.round(most / (1 + index / 4)));

const withoutCoin = (psbt: Psbt, index: number): Psbt => ({
  ...psbt,
  inputs: psbt.inputs.map((input, i) => {
    const { nonWitnessUtxo: _, witnessUtxo: __, ...rest } = input;
    return i === index ? rest : input;
  }),
});

/** One PSBT of each kind that a picture tells apart. */
export const PICTURED: Readonly<Record<string, () => PsbtReview>> = {
  'one coin and one output': () => reviewOf(spend({ coins: [{ of: ALICE }], outputs: [{ script: STRANGER }] })),
  'a payment with change': () => reviewOf(honest),
  'a fake change': () => reviewOf(fakeChange),
  'many coins and outputs': () => reviewOf(many(20, 50)),
  'coins of others': () => reviewOf(many(1, 4, 3)),
  'an unknown coin': () => reviewOf(withoutCoin(many(3, 2), 1)),
  'an open signature': () => {
    const psbt = many(1, 2);
    return reviewOf({ ...psbt, inputs: psbt.inputs.map((input) => ({ ...input, sighashType: 3 })) });
  },
  'a text and a long name': () => {
    const title = 'Savings & <b>big</b> 2026 of Smith, Jones & Co.';
    const psbt = spend({
      coins: [{ of: FAMILY, value: 10_000_000n }],
      outputs: [
        { script: dataOf('<img src=x onerror=alert("hi")> & a text that is long enough'), value: 0n },
        { of: ALICE, index: 2, value: 1_000_000n },
        { of: FAMILY, chain: 1, index: 9, value: 8_990_000n },
      ],
    });
    return reviewOf(psbt, holderOf(['alice'], [registered(FAMILY, title)]));
  },
};
