import fc from 'fast-check';
import { script as anyScript, mangled } from '../../support/arbitraries.ts';
import {
  decodePsbtBytes,
  encodePsbt,
  formatBase64,
  type Psbt,
  type PsbtInput,
  parseBase64,
  type Transaction,
  type TxOut,
} from '../../support/library.ts';
import { concat } from '../scripts/bytes.ts';
import { mostly } from '../scripts/stackItems.ts';
import { type Coin, coin, value } from './coins.ts';
import { inputOf, outputTelling, tellingOf, unknown } from './records.ts';
import { junkJson, junkText, quote } from './requests.ts';

/** The PSBTs of several participants for one transaction, and the steps that follow. */
export interface Plan {
  /** PSBTs of one transaction. */
  readonly parts: readonly Psbt[];
  /** The `extract` arguments of `finalizepsbt`; `undefined` leaves it out. */
  readonly extracts: readonly (string | undefined)[];
  /** The input to corrupt after finalizing, and how. */
  readonly spoil: { readonly at: number; readonly how: keyof typeof SPOILS };
  /** The order of the parts for `combinepsbt`; indexes are taken modulo their number. */
  readonly order: readonly number[];
}

const sequence = mostly(fc.constantFrom(0xffff_ffff, 0xffff_fffe), fc.nat({ max: 0xffff_ffff }), 3);
const output: fc.Arbitrary<TxOut> = fc.record({
  value: mostly(fc.bigInt({ min: 0n, max: 50_000_000n }), value, 15),
  scriptPubKey: anyScript,
});

const shape = (coins: readonly Coin[]): fc.Arbitrary<Transaction> =>
  fc.record({
    version: mostly(fc.constantFrom(1, 2), fc.nat({ max: 0xffff_ffff })),
    inputs: fc.tuple(...coins.map(() => sequence)).map((sequences) =>
      coins.map(({ outpoint }, i) => ({
        outpoint,
        scriptSig: new Uint8Array(0),
        sequence: sequences[i] ?? 0,
        witness: [],
      })),
    ),
    outputs: fc.array(output, { maxLength: 3 }),
    locktime: mostly(fc.constant(0), fc.nat({ max: 0xffff_ffff }), 3),
  });

/** Makes one participant's PSBT. */
function partOf(tx: Transaction, coins: readonly Coin[]): fc.Arbitrary<Psbt> {
  const inputs = coins.map((own, i) => {
    const other = coins[(i + 1) % coins.length] ?? own;
    return tellingOf(own).map((telling) => inputOf(tx, i, { coin: own, telling, other }));
  });
  return fc.record({
    global: unknown.map((more) => ({ unsignedTx: tx, ...(more && { unknown: more }) })),
    inputs: fc.tuple(...inputs),
    outputs: fc.tuple(...tx.outputs.map(() => mostly(fc.constant({}), outputTelling, 2))),
  });
}

const coinsOf: fc.Arbitrary<readonly Coin[]> = mostly<readonly Coin[]>(
  fc.array(coin, { minLength: 1, maxLength: 3 }),
  fc.constant([]),
  40,
);

/** Several PSBTs of one transaction. */
export const parts: fc.Arbitrary<readonly Psbt[]> = coinsOf.chain((coins) =>
  shape(coins).chain((tx) => fc.array(partOf(tx, coins), { minLength: 1, maxLength: 3 })),
);

const extract = mostly<string | undefined>(
  fc.constantFrom(undefined, 'true', 'false'),
  fc.oneof(fc.constant('null'), junkJson),
  15,
);

export const plan: fc.Arbitrary<Plan> = fc.record({
  parts,
  extracts: fc.array(extract, { minLength: 4, maxLength: 4 }),
  spoil: fc
    .tuple(fc.nat({ max: 1000 }), fc.nat({ max: 1000 }))
    .map(([at, how]) => ({ at, how: SPOIL_NAMES[how % SPOIL_NAMES.length] ?? 'flipped' })),
  order: fc.array(fc.nat({ max: 5 }), { maxLength: 4 }),
});

const flip = (data: Uint8Array, at: number): Uint8Array =>
  data.map((byte, i) => (i === at % data.length ? byte ^ 1 : byte));

const SPOILS = {
  flipped: (input, at) => ({
    ...input,
    ...(input.finalScriptSig && { finalScriptSig: flip(input.finalScriptSig, at) }),
    ...(input.finalScriptWitness && {
      finalScriptWitness: input.finalScriptWitness.map((item, i, all) =>
        i === at % all.length ? flip(item, at) : item,
      ),
    }),
  }),
  lengthened: (input) => ({ ...input, finalScriptSig: concat(input.finalScriptSig ?? [], [0x51]) }),
  withoutScriptSig: ({ finalScriptSig: _dropped, ...input }) => input,
  withoutWitness: ({ finalScriptWitness: _dropped, ...input }) => input,
  lessWitness: (input) => ({ ...input, finalScriptWitness: (input.finalScriptWitness ?? []).slice(1) }),
  withoutCoin: ({ nonWitnessUtxo: _previous, witnessUtxo: _coin, ...input }) => input,
  claimed: ({ nonWitnessUtxo, ...input }) => ({
    ...input,
    ...(nonWitnessUtxo?.outputs[0] && { witnessUtxo: nonWitnessUtxo.outputs[0] }),
  }),
  typed: (input, at) => ({ ...input, sighashType: at % 4 }),
} satisfies Readonly<Record<string, (input: PsbtInput, at: number) => PsbtInput>>;
const SPOIL_NAMES = Object.keys(SPOILS) as readonly (keyof typeof SPOILS)[];

/** Corrupts one input of a PSBT. */
export function spoiled(base64: string, { at, how }: Plan['spoil']): string {
  const psbt = decodePsbtBytes(parseBase64(base64), { generation: 'core-0.21', mweb: true });
  const chosen = at % Math.max(1, psbt.inputs.length);
  const inputs = psbt.inputs.map((input, i) => (i === chosen ? SPOILS[how](input, at) : input));
  return formatBase64(encodePsbt({ ...psbt, inputs }));
}

export const base64Of = (psbt: Psbt): string => formatBase64(encodePsbt(psbt));
const anyPart = parts.map(([first]) => (first ? encodePsbt(first) : new Uint8Array(0)));

/** Invalid PSBT arguments, as JSON texts. */
export const oddPsbtText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: mangled(anyPart).map((content) => quote(formatBase64(content))) },
  { weight: 1, arbitrary: junkText.map(quote) },
  { weight: 1, arbitrary: junkJson },
  { weight: 1, arbitrary: fc.constantFrom('"cHNidP8="', '"cHNidP8BAAoAAAAAAAAAAAAAAA=="', '"70736274ff"', '""') },
);
