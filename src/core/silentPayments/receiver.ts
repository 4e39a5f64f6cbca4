import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { append } from '../bytes/groups.ts';
import { assertKnownOptions, assertList, invalidOption, type OptionNames } from '../bytes/knownOptions.ts';
import { concealed } from '../crypto/concealed.ts';
import { assertSecretKey, type Ecc } from '../crypto/ecc.ts';
import { chosenArithmetic, type EccOption } from '../crypto/eccOption.ts';
import { pointsOf } from '../crypto/noblePoints.ts';
import { pointOr } from '../crypto/points.ts';
import { addScalars } from '../crypto/scalar.ts';
import { classifyScript } from '../script/template.ts';
import type { Transaction, TxOut } from '../tx/types.ts';
import type { SilentPaymentAddress } from './address.ts';
import { forbidsSilentPayments, inputKey } from './inputKeys.ts';
import { CHANGE_LABEL, createLabelFinder, type FindLabeled, MAX_LABEL } from './labels.ts';
import { paymentKey } from './outputs.ts';
import { inputHash, labelTweak, MOST_PAYMENTS, paymentTweak, secretFactor } from './sharedSecret.ts';

/** The keys that find payments, without the one that spends them. */
export interface ScanKeys {
  /** The private scan key, 32 bytes. */
  readonly scanSecretKey: Uint8Array;
  /** The public spend key, 33 bytes. */
  readonly spendKey: Uint8Array;
  /** The labels in use, besides 0, which is that of change and always searched for. */
  readonly labels?: readonly number[];
}

/** An output that pays the receiver. */
export interface FoundPayment {
  readonly vout: number;
  /** Added to the private spend key, this signs: 32 bytes, with the tweak of the label. @see BIP376 `PSBT_IN_SP_TWEAK` */
  readonly tweak: Uint8Array;
  /** `undefined` without a label. */
  readonly label: number | undefined;
}

/** Finds payments to one pair of keys. */
export interface SilentPaymentReceiver {
  /** Returns the keys of its address, or of one with a label. */
  readonly address: (label?: number) => SilentPaymentAddress;
  /** Tells whether an address is its own: without a label, or with 0 or one in use, by which scans find payments. */
  readonly isOwn: (address: SilentPaymentAddress) => boolean;
  /** Searches a transaction; `spent` are the outputs that it spends, in the order of its inputs. */
  readonly findPayments: (tx: Transaction, spent: readonly Pick<TxOut, 'scriptPubKey'>[]) => readonly FoundPayment[];
  /** Searches outputs with the tweak data of their transaction, 33 bytes, as servers of light clients give it. */
  readonly findByTweakData: (
    tweakData: Uint8Array,
    outputs: readonly Pick<TxOut, 'scriptPubKey'>[],
  ) => readonly FoundPayment[];
}

/** The public side of a transaction's shared secrets. */
interface InputSecret {
  /** The sum of the public keys, 33 bytes. */
  readonly keySum: Uint8Array;
  readonly hash: Uint8Array;
}

type Script = Pick<TxOut, 'scriptPubKey'>;

const isLabel = (label: unknown): boolean =>
  Number.isInteger(label) && Number(label) >= 0 && Number(label) <= MAX_LABEL;

const SCAN_KEYS: OptionNames<ScanKeys> = { scanSecretKey: 'needed', spendKey: 'needed', labels: true };

/**
 * Creates a receiver, which keeps the private scan key to itself.
 * @throws `ecc/secret-key`, `ecc/point` if the spend key is not on the curve
 * @see BIP352 "Scanning"
 */
export function createReceiver(keys: ScanKeys, options: EccOption = {}): SilentPaymentReceiver {
  const ecc = chosenArithmetic(options);
  assertKnownOptions(keys, SCAN_KEYS);
  const { scanSecretKey, spendKey, labels = [] } = keys;
  assertList('labels', labels);
  if (!labels.every(isLabel)) throw invalidOption('labels', `must hold whole numbers from 0 to ${MAX_LABEL}`);
  assertSecretKey(scanSecretKey);
  const secret = concealed(new Uint8Array(scanSecretKey));
  const scanKey = ecc.publicKey(secret);
  const points = pointsOf(ecc);
  pointOr('spend key', points.add([spendKey]));
  let findLabeled: FindLabeled | undefined;
  let ownKeys: ReadonlySet<string> | undefined;

  function search(sharedSecret: Uint8Array, outputs: TaprootOutputs): readonly FoundPayment[] {
    const found: FoundPayment[] = [];
    for (let k = 0; k < MOST_PAYMENTS && outputs.size > 0; k += 1) {
      const tweak = paymentTweak(sharedSecret, k);
      const key = paymentKey(spendKey, tweak, ecc);
      findLabeled ??= createLabelFinder(secret, labels, ecc);
      const match = findPlain(key, outputs) ?? findLabeled(key, outputs);
      if (!match) break;
      const { label } = match;
      const sum = match.tweak ? addScalars(tweak, match.tweak) : tweak;
      for (const vout of outputs.get(match.output) ?? []) found.push({ vout, tweak: sum, label });
      outputs.delete(match.output);
    }
    return found;
  }

  const spendKeyOf = (label: number | undefined): Uint8Array =>
    label === undefined ? spendKey : paymentKey(spendKey, labelTweak(secret, label), ecc);

  return {
    address: (label) => ({ scanKey, spendKey: spendKeyOf(label) }),
    isOwn: (address) => {
      if (!equalBytes(address.scanKey, scanKey)) return false;
      ownKeys ??= new Set([undefined, CHANGE_LABEL, ...labels].map((each) => bytesKey(spendKeyOf(each))));
      return ownKeys.has(bytesKey(address.spendKey));
    },
    findPayments: (tx, spent) => {
      const outputs = taprootOutputs(tx.outputs);
      const inputs = outputs.size > 0 ? inputSecret(tx, spent, ecc) : undefined;
      const shared = inputs && points.multiply(inputs.keySum, secretFactor(inputs.hash, secret));
      return shared ? search(shared, outputs) : [];
    },
    findByTweakData: (tweakData, outputs) =>
      search(pointOr('tweak data', points.multiply(tweakData, secret)), taprootOutputs(outputs)),
  };
}

/**
 * Computes the tweak data with which a light client finds payments, 33 bytes; `undefined` if the transaction makes none.
 * @see BIP352 "Appendix A: Light Client Support"
 */
export function tweakData(
  tx: Transaction,
  spent: readonly Pick<TxOut, 'scriptPubKey'>[],
  options: EccOption = {},
): Uint8Array | undefined {
  const ecc = chosenArithmetic(options);
  const inputs = taprootOutputs(tx.outputs).size > 0 ? inputSecret(tx, spent, ecc) : undefined;
  return inputs && pointsOf(ecc).multiply(inputs.keySum, inputs.hash);
}

/** @see BIP352 "Scanning silent payment eligible transactions" */
function inputSecret({ inputs }: Transaction, spent: readonly Script[], ecc: Ecc): InputSecret | undefined {
  if (inputs.length !== spent.length) {
    throw invalidOption('spent', `has ${spent.length} outputs, and the transaction ${inputs.length} inputs`);
  }
  if (spent.some(({ scriptPubKey }) => forbidsSilentPayments(scriptPubKey))) return undefined;
  const spends = inputs.map((input, i) => ({ ...input, scriptPubKey: spent[i]?.scriptPubKey ?? NO_SCRIPT }));
  const keySum = pointsOf(ecc).add(spends.flatMap((spend) => inputKey(spend) ?? []));
  if (!keySum) return undefined;
  const outpoints = inputs.map(({ outpoint }) => outpoint);
  return { keySum, hash: inputHash(outpoints, keySum) };
}

const NO_SCRIPT = /* @__PURE__ */ new Uint8Array(0);

/** Finds the output that is a key without a label. */
function findPlain(key: Uint8Array, outputs: TaprootOutputs) {
  const output = bytesKey(key, 1);
  return outputs.has(output) ? { output, label: undefined, tweak: undefined } : undefined;
}

/** The places of outputs by their taproot key. */
type TaprootOutputs = Map<string, number[]>;

function taprootOutputs(scripts: readonly Script[]): TaprootOutputs {
  const outputs: TaprootOutputs = new Map();
  for (const [vout, { scriptPubKey }] of scripts.entries()) {
    const template = classifyScript(scriptPubKey);
    if (template.type !== 'witness_v1_taproot') continue;
    append(outputs, bytesKey(template.program), vout);
  }
  return outputs;
}
