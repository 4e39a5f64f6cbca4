import { describe, expect, test } from 'vitest';
import { expectFinding } from '../support/expectFinding.ts';
import {
  applySignature,
  concatBytes,
  encodeDer,
  encodePsbt,
  finalizePsbt,
  formatHex,
  nobleEcc,
  type Psbt,
  SIGHASH,
  type SignatureRequest,
  signingRequests,
  signLowR,
} from '../support/library.ts';
import { ALICE, findingsOf, payment, sign, verdictsOf, type WalletName } from '../support/psbts.ts';

/** Nonces that reveal keys; the number is that of docs/safety.md. */

const ONCE: readonly WalletName[] = ['wpkh'];

describe('25. nonces', () => {
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${formatHex(bytes)}`);
  const toBytes = (value: bigint): Uint8Array =>
    Uint8Array.from(value.toString(16).padStart(64, '0').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const power = (base: bigint, exponent: bigint): bigint => {
    let [result, square] = [1n, base];
    for (let left = exponent; left > 0n; left >>= 1n) {
      if (left & 1n) result = (result * square) % ORDER;
      square = (square * square) % ORDER;
    }
    return result;
  };
  const invert = (value: bigint): bigint => power(value, ORDER - 2n);

  /** Signs with ECDSA and a chosen nonce, which no signer should do. */
  function signWith(nonce: bigint, digest: Uint8Array, secretKey: Uint8Array): Uint8Array {
    const r = toNumber(nobleEcc.publicKey(toBytes(nonce)).slice(1)) % ORDER;
    const s = (invert(nonce) * (toNumber(digest) + r * toNumber(secretKey))) % ORDER;
    return concatBytes(toBytes(r), toBytes(s > ORDER / 2n ? ORDER - s : s));
  }

  /** Signs each input by its own key, with the nonce given for it. */
  function signedWith(names: readonly WalletName[], nonces: readonly bigint[]): Psbt {
    const psbt = payment(names);
    const requests = [...signingRequests(psbt)] as readonly SignatureRequest[];
    const purposes: Partial<Record<WalletName, number>> = { wpkh: 84, pkh: 44, shWpkh: 49 };
    return requests.reduce((current, request, i) => {
      const secretKey = ALICE.secretAt(`m/${purposes[names[i] ?? 'wpkh']}h/1h/0h/0/${i}`);
      return applySignature(current, request, signWith(nonces[i] ?? 1n, request.digest, secretKey));
    }, psbt);
  }

  test.each([[['wpkh', 'wpkh']], [['wpkh', 'pkh']]] as const)('repeated in two signatures are found: %j', (names) => {
    expect(verdictsOf(signedWith(names, [12_345n, 54_321n]))).not.toContain('nonce-repeated: warn');
    const psbt = signedWith(names, [12_345n, 12_345n]);
    expect(finalizePsbt(psbt).isComplete).toBe(true);
    expect(expectFinding(psbt, 'nonce-repeated').text).toBe(
      'Two signatures share a nonce: anyone who sees them can compute the private key.',
    );
  });

  test('repeated in two signatures are found in final fields, too', () => {
    expectFinding(finalizePsbt(signedWith(['wpkh', 'wpkh'], [777n, 777n])).psbt, 'nonce-repeated');
  });

  test('of different signatures do not match', () => {
    const psbt = sign(payment(['wpkh', 'wpkh'])).psbt;
    expect(findingsOf(psbt).map(({ check }) => check)).not.toContain('nonce-repeated');
  });

  test('follow RFC6979, so that signatures are deterministic and leak nothing', () => {
    const psbt = payment(['pkh', 'wpkh', 'tr']);
    expect(encodePsbt(sign(psbt).psbt)).toEqual(encodePsbt(sign(psbt).psbt));
    const [request] = signingRequests(payment(ONCE));
    const signature = signLowR(request?.digest ?? new Uint8Array(32), ALICE.secretAt('m/84h/1h/0h/0/0'), {
      ecc: nobleEcc,
    });
    expect(sign(payment(ONCE)).psbt.inputs[0]?.partialSigs?.[0]?.signature).toEqual(
      concatBytes(encodeDer(signature), Uint8Array.of(SIGHASH.ALL)),
    );
  });
});
