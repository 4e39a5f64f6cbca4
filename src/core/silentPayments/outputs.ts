import { bytesKey } from '../bytes/compare.ts';
import { assertKnownOptions, assertList, invalidOption, type OptionNames } from '../bytes/knownOptions.ts';
import { assertSecretKey, type Ecc } from '../crypto/ecc.ts';
import { chosenArithmetic, type EccOption } from '../crypto/eccOption.ts';
import { pointsOf } from '../crypto/noblePoints.ts';
import { pointOr } from '../crypto/points.ts';
import { addScalars, isZero } from '../crypto/scalar.ts';
import { BtcError } from '../errors.ts';
import { payToTaproot } from '../script/build.ts';
import type { Outpoint } from '../tx/types.ts';
import { assertAddressKeys, type SilentPaymentAddress } from './address.ts';
import { findUnclear } from './oneReceiver.ts';
import { inputHash, MOST_PAYMENTS, paymentTweak, secretFactor } from './sharedSecret.ts';

/** The private key of an input that adds to the shared secret. */
export interface PayingKey {
  /** 32 bytes; of a taproot output, the key of its output key. */
  readonly secretKey: Uint8Array;
  readonly isTaproot: boolean;
}

const ZERO = /* @__PURE__ */ new Uint8Array(32);

const PAYING_KEY: OptionNames<PayingKey> = { secretKey: 'needed', isTaproot: 'needed' };

/**
 * Adds up private keys, taproot's with the sign for which y is even.
 * @throws `silent-payment/inputs` without a key, or if they cancel each other out
 * @see BIP352 "Creating outputs"
 */
function sumPayingKeys(keys: readonly PayingKey[], ecc: Ecc): Uint8Array {
  const terms = keys.map((key, i) => {
    const { secretKey, isTaproot } = key;
    assertKnownOptions(key, PAYING_KEY, `keys[${i}].`);
    assertSecretKey(secretKey);
    // Taken for false, a missing flag would pay a script that the receiver does not find.
    if (typeof isTaproot !== 'boolean') throw invalidOption(`keys[${i}].isTaproot`, 'must be true or false');
    return countedSecretKey(key, ecc);
  });
  const sum = terms.reduce(addScalars, ZERO);
  if (isZero(sum)) throw unusableInputs(keys.length === 0);
  return sum;
}

/** Returns the private key with the sign for which a taproot key has an even y. @see BIP352 "Creating outputs" */
export const countedSecretKey = ({ secretKey, isTaproot }: PayingKey, ecc: Ecc): Uint8Array =>
  isTaproot ? (ecc.tweakSecretKey(secretKey, ZERO) ?? secretKey) : secretKey;

function unusableInputs(areMissing: boolean): BtcError {
  const message = areMissing
    ? 'No input can pay an address of silent payments: add a P2PKH, P2WPKH, P2SH-P2WPKH or P2TR input with one key'
    : 'The keys of the inputs cancel each other out: spend other coins';
  return new BtcError('silent-payment/inputs', { reason: areMissing ? 'none' : 'sum' }, message);
}

/** A transaction that pays addresses, before its outputs are known. */
export interface SilentPayer {
  /** Of each input that has one key. */
  readonly keys: readonly PayingKey[];
  /** Of all inputs. */
  readonly outpoints: readonly Outpoint[];
  readonly addresses: readonly SilentPaymentAddress[];
  /**
   * The addresses, of those that have a scan key in common and different spend keys, that the payer has from their receiver, such
   * as those with different labels. Default: none.
   */
  readonly sameReceiver?: readonly SilentPaymentAddress[];
}

/**
 * Computes the output scripts that pay addresses, from the private keys of all inputs. The transaction needs all of them.
 * @throws `silent-payment/inputs`, `silent-payment/count`, `ecc/secret-key`, `ecc/point`, `argument/invalid`, also for addresses
 * with one scan key and several spend keys that `sameReceiver` does not name
 * @see BIP352 "Creating outputs"
 */
export function silentPaymentScripts(payer: SilentPayer, options: EccOption = {}): readonly Uint8Array[] {
  const ecc = chosenArithmetic(options);
  assertKnownOptions(payer, PAYER);
  const { keys, outpoints, addresses, sameReceiver = [] } = payer;
  for (const [name, list] of Object.entries({ keys, outpoints, addresses, sameReceiver })) assertList(name, list);
  for (const [i, address] of addresses.entries()) assertAddressKeys(address, `addresses[${i}].`);
  assertOneReceiver(addresses, sameReceiver);
  const sum = sumPayingKeys(keys, ecc);
  if (outpoints.length < keys.length) throw invalidOption('outpoints', 'must have the outpoints of all inputs');
  const factor = secretFactor(inputHash(outpoints, ecc.publicKey(sum)), sum);
  return scriptsOfSecrets(addresses, (scanKey) => pointsOf(ecc).multiply(scanKey, factor), ecc);
}

const PAYER: OptionNames<SilentPayer> = {
  keys: 'needed',
  outpoints: 'needed',
  addresses: 'needed',
  sameReceiver: true,
};

function assertOneReceiver(
  addresses: readonly SilentPaymentAddress[],
  sameReceiver: readonly SilentPaymentAddress[],
): void {
  if (!findUnclear(addresses, (address) => address, sameReceiver)) return;
  throw invalidOption(
    'addresses',
    "must not share a scan key unless one receiver gave you them: then name them in sameReceiver, as a stranger's would hide the others",
  );
}

/**
 * Computes output scripts; those to the same scan key are counted in their order.
 *
 * - `secretOf`: returns the shared secret of a scan key, 33 bytes; `undefined` if the key is not a point
 *
 * @throws `silent-payment/count`
 * @see BIP352 "Creating outputs"
 */
export function scriptsOfSecrets(
  addresses: readonly SilentPaymentAddress[],
  secretOf: (scanKey: Uint8Array) => Uint8Array | undefined,
  ecc: Ecc,
): readonly Uint8Array[] {
  const groups = new Map<string, { readonly secret: Uint8Array; count: number }>();
  return addresses.map(({ scanKey, spendKey }) => {
    const name = bytesKey(scanKey);
    const group = groups.get(name) ?? { secret: pointOr('scan key', secretOf(scanKey)), count: 0 };
    groups.set(name, group);
    if (group.count === MOST_PAYMENTS) {
      const message = `More than ${MOST_PAYMENTS} outputs pay the same receiver, who would not find all: pay fewer`;
      throw new BtcError('silent-payment/count', { most: MOST_PAYMENTS }, message);
    }
    const key = paymentKey(spendKey, paymentTweak(group.secret, group.count), ecc);
    group.count += 1;
    return payToTaproot(key.slice(1));
  });
}

/** Adds a tweak to a spend key, 33 bytes. */
export function paymentKey(spendKey: Uint8Array, tweak: Uint8Array, ecc: Ecc): Uint8Array {
  return pointOr('spend key', pointsOf(ecc).add([spendKey, ecc.publicKey(tweak)]));
}
