import fc from 'fast-check';
import { script as anyScript, bytes } from '../../support/arbitraries.ts';
import type { PsbtInput, PsbtOutput, Transaction, TxOut } from '../../support/library.ts';
import { SIGNATURE_FORMS, type SignatureForm, sign } from '../scripts/signatures.ts';
import { mostly } from '../scripts/stackItems.ts';
import { type Coin, type PoolKey, poolKey, value } from './coins.ts';

/** Random PSBT records of one participant: incomplete, and sometimes wrong. */

/** A participant's records of an input, before the transaction exists that its signatures commit to. */
export interface Telling {
  readonly utxo: keyof typeof UTXOS;
  readonly otherValue: bigint;
  readonly redeemScript: ScriptTelling;
  readonly witnessScript: ScriptTelling;
  readonly otherScript: Uint8Array;
  readonly sighashType: number | undefined;
  readonly signatures: readonly Signing[];
  readonly derivations: readonly Derivation[];
  readonly final: Pick<PsbtInput, 'finalScriptSig' | 'finalScriptWitness'>;
  readonly unknown: PsbtInput['unknown'];
}

type ScriptTelling = 'right' | 'not' | 'other' | 'empty';
type Derivation = NonNullable<PsbtInput['bip32Derivations']>[number];

interface Signing {
  /** The signer's index, modulo their number, or a foreign key. */
  readonly by: number | PoolKey;
  readonly sighashType: number;
  readonly form: SignatureForm;
  /** True to sign a wrong amount, or for the wrong script version. */
  readonly isMistaken: boolean;
}

interface Told {
  readonly coin: Coin;
  readonly telling: Telling;
  readonly other: Coin;
}

const ownOutput = ({ lock, value: worth }: Coin): TxOut => ({ value: worth, scriptPubKey: lock.scriptPubKey });

const UTXOS = {
  none: () => ({}),
  witness: ({ coin }) => ({ witnessUtxo: ownOutput(coin) }),
  previous: ({ coin }) => ({ nonWitnessUtxo: coin.previous }),
  both: ({ coin }) => ({ nonWitnessUtxo: coin.previous, witnessUtxo: ownOutput(coin) }),
  otherValue: ({ coin, telling }) => ({ witnessUtxo: { ...ownOutput(coin), value: telling.otherValue } }),
  bothOtherValue: ({ coin, telling }) => ({
    nonWitnessUtxo: coin.previous,
    witnessUtxo: { ...ownOutput(coin), value: telling.otherValue },
  }),
  otherCoin: ({ other }) => ({ witnessUtxo: ownOutput(other) }),
  bothOtherCoin: ({ coin, other }) => ({ nonWitnessUtxo: coin.previous, witnessUtxo: ownOutput(other) }),
  otherPrevious: ({ other }) => ({ nonWitnessUtxo: other.previous }),
} satisfies Readonly<Record<string, (told: Told) => PsbtInput>>;

function scriptsOf({ lock }: Coin, { redeemScript, witnessScript, otherScript }: Telling): PsbtInput {
  const choose = (how: ScriptTelling, right: Uint8Array | undefined): Uint8Array | undefined =>
    ({ right, not: undefined, other: otherScript, empty: new Uint8Array(0) })[how];
  const redeem = choose(redeemScript, lock.redeemScript);
  const witness = choose(witnessScript, lock.witnessScript);
  return { ...(redeem && { redeemScript: redeem }), ...(witness && { witnessScript: witness }) };
}

function partialSigs(tx: Transaction, inputIndex: number, coin: Coin, signings: readonly Signing[]) {
  const byKey = new Map<string, { pubkey: Uint8Array; signature: Uint8Array }>();
  for (const { by, isMistaken, ...signature } of signings) {
    const key = typeof by === 'number' ? coin.signers[by % coin.signers.length] : by;
    if (!key) continue;
    const { script, isWitness } = coin;
    const signed = isMistaken ? { value: coin.value ^ 1n, isWitness: true } : { value: coin.value, isWitness };
    const made = sign({ tx, inputIndex, script, ...signed }, { ...signature, secret: key.index });
    byKey.set(key.publicKey.join(), { pubkey: key.publicKey, signature: made });
  }
  return [...byKey.values()];
}

/** Makes the records of an input. */
export function inputOf(tx: Transaction, index: number, told: Told): PsbtInput {
  const { coin, telling } = told;
  const sigs = partialSigs(tx, index, coin, telling.signatures);
  return {
    ...UTXOS[telling.utxo](told),
    ...scriptsOf(coin, telling),
    ...(sigs.length > 0 && { partialSigs: sigs }),
    ...(telling.sighashType !== undefined && { sighashType: telling.sighashType }),
    ...(telling.derivations.length > 0 && { bip32Derivations: telling.derivations }),
    ...telling.final,
    ...(telling.unknown && { unknown: telling.unknown }),
  };
}

const odd = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> => mostly(usual, other, 25);
const names = Object.keys(UTXOS) as readonly Telling['utxo'][];

const utxoFor = ({ isWitness }: Coin): fc.Arbitrary<Telling['utxo']> =>
  odd(
    isWitness
      ? fc.constantFrom('witness', 'witness', 'witness', 'both', 'previous', 'none')
      : fc.constantFrom('previous', 'previous', 'previous', 'previous', 'previous', 'none'),
    fc.constantFrom(...names),
  );
const scriptTelling: fc.Arbitrary<ScriptTelling> = odd(
  fc.constantFrom('right', 'right', 'right', 'right', 'not'),
  fc.constantFrom('other', 'empty'),
);
const sighashType = fc.constantFrom(0x01, 0x02, 0x03, 0x81, 0x82, 0x83, 0x00, 0x04, 0x41);
const signing: fc.Arbitrary<Signing> = fc.record({
  by: odd<number | PoolKey>(fc.nat({ max: 16 }), poolKey),
  sighashType: mostly(fc.constant(0x01), sighashType, 12),
  form: odd<SignatureForm>(fc.constant('strict'), fc.constantFrom(...SIGNATURE_FORMS)),
  isMistaken: odd(fc.constant(false), fc.constant(true)),
});

const path = fc.array(fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 0xffff_ffff })), { maxLength: 4 });
const derivation: fc.Arbitrary<Derivation> = fc
  .tuple(poolKey, bytes(4), path)
  .map(([{ publicKey }, fingerprint, steps]) => ({ pubkey: publicKey, fingerprint, path: steps }));
const derivationsOf = (signers: readonly PoolKey[]): fc.Arbitrary<readonly Derivation[]> => {
  const own = fc
    .tuple(fc.subarray([...signers]), fc.array(derivation, { minLength: 17, maxLength: 17 }))
    .map(([some, made]) => some.map(({ publicKey }, i) => ({ ...(made[i] as Derivation), pubkey: publicKey })));
  return mostly(own, fc.array(derivation, { maxLength: 3 }), 6).map(distinct);
};
const distinct = (entries: readonly Derivation[]): readonly Derivation[] => [
  ...new Map(entries.map((entry) => [entry.pubkey.join(), entry])).values(),
];

const someUnknown = fc
  .tuple(fc.constantFrom([0x60], [0xfd, 0x00, 0xff]), bytes(0, 2), bytes(0, 5))
  .map(([type, data, content]): PsbtInput['unknown'] => [{ key: Uint8Array.of(...type, ...data), value: content }]);
export const unknown: fc.Arbitrary<PsbtInput['unknown']> = mostly<PsbtInput['unknown']>(
  fc.constant(undefined),
  someUnknown,
  8,
);

const someFinal = fc.record(
  { finalScriptSig: bytes(0, 5), finalScriptWitness: fc.array(bytes(0, 4), { minLength: 1, maxLength: 3 }) },
  { requiredKeys: [] },
);

/** Makes the records of a coin's input; sometimes everything that a finalizer needs. */
export function tellingOf(coin: Coin): fc.Arbitrary<Telling> {
  const all = coin.signers.map((_, by): Signing => ({ by, sighashType: 1, form: 'strict', isMistaken: false }));
  const whole = {
    utxo: coin.isWitness ? 'witness' : 'previous',
    redeemScript: 'right',
    witnessScript: 'right',
    sighashType: undefined,
    final: {},
    signatures: all,
  } as const;
  return mostly(
    anyTelling(coin),
    anyTelling(coin).map((telling): Telling => ({ ...telling, ...whole })),
    2,
  );
}

function anyTelling(coin: Coin): fc.Arbitrary<Telling> {
  return fc.record({
    utxo: utxoFor(coin),
    otherValue: fc.oneof(value, fc.constantFrom(coin.value ^ 1n, coin.value ^ 2n)),
    redeemScript: scriptTelling,
    witnessScript: scriptTelling,
    otherScript: fc.oneof(anyScript, fc.constantFrom(coin.lock.scriptPubKey, coin.script)),
    sighashType: mostly<number | undefined>(
      fc.constantFrom(undefined, undefined, 0x01),
      fc.oneof(sighashType, fc.nat({ max: 0xffff_ffff })),
      20,
    ),
    signatures: fc.array(signing, { maxLength: Math.min(4, coin.signers.length + 1) }),
    derivations: derivationsOf(coin.signers),
    final: odd<Telling['final']>(fc.constant({}), someFinal),
    unknown,
  });
}

/** Random records of an output. */
export const outputTelling: fc.Arbitrary<PsbtOutput> = fc
  .record({
    scripts: fc.record({ redeemScript: anyScript, witnessScript: anyScript }, { requiredKeys: [] }),
    derivations: fc.array(derivation, { maxLength: 2 }).map(distinct),
    unknown,
  })
  .map(({ scripts, derivations, unknown: others }) => ({
    ...scripts,
    ...(derivations.length > 0 && { bip32Derivations: derivations }),
    ...(others && { unknown: others }),
  }));
