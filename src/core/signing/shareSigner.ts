import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { type ProvenProduct, proveProduct } from '../crypto/dleq.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { hash160 } from '../crypto/hash.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { addScalars, isZero } from '../crypto/scalar.ts';
import type { SignatureCache } from '../crypto/signatureCache.ts';
import { countedSecretKey } from '../silentPayments/outputs.ts';
import { NO_ENTROPY } from './keySigner.ts';
import type { SigningProvider } from './signingProvider.ts';

/** A key that adds to the shared secrets of silent payments. */
export interface ShareKey {
  /** 33 bytes; of a taproot coin, with an even y. */
  readonly publicKey: Uint8Array;
  readonly isTaproot: boolean;
  /** X-only; its holder first adds `tweak`. */
  readonly internalKey?: Uint8Array;
  readonly tweak?: Uint8Array;
}

/** A request for the product of a scan key, 33 bytes, and the sum of the private keys. */
export interface ShareRequest {
  readonly scanKey: Uint8Array;
  readonly keys: readonly ShareKey[];
}

/** Answers with a share and its proof, or with `undefined` if it lacks a key. */
export type ShareSigner = (request: ShareRequest) => ProvenProduct | undefined;

/** Where shares come from. */
export interface ShareSignerOptions {
  readonly ecc?: Ecc;
  /** 32 bytes for proofs. Default: zeros, so that they repeat. */
  readonly auxRand?: Uint8Array;
  /** Remembers the proofs, which are verified when they are made. Default: none. */
  readonly cache?: SignatureCache;
}

const OPTIONS: OptionNames<ShareSignerOptions> = { ecc: true, auxRand: true, cache: true };

/**
 * Creates a signer of shares that has private keys at hand.
 * @throws when called: `ecc/fault` if a fresh proof is not valid
 * @see BIP375 "Computing the ECDH Shares and DLEQ Proofs"
 *
 * @example
 * ```ts
 * import {
 *   accountFromDescriptors,
 *   addSilentPaymentShares,
 *   buildPsbt,
 *   createDescriptorProvider,
 *   deriveForPsbt,
 *   networks,
 *   shareSigner,
 * } from 'countersign';
 * import { formatXprv, masterKey } from 'countersign/keys';
 *
 * const xprv = formatXprv(masterKey(new Uint8Array(32).fill(7)), networks.regtest);
 * const me = accountFromDescriptors(`wpkh(${xprv}/<0;1>/*)`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payee =
 *   'sprt1qqd3vpgzxmtxwsmwaqdpud578c7wzyz96pkwfeuj2d5zx6gwjr7g0wqlsq6sc64jncnkl2wgl7gaxrupllq7jxl5gpmnprpl6nume5q5wpgrdw9gy';
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [payee]: 60_000n }, change: me.change(0), feeRate: 2 });
 * const signer = shareSigner(createDescriptorProvider(deriveForPsbt(psbt, me.descriptors)));
 * addSilentPaymentShares(psbt, signer).global.spEcdhShares?.length; // 1
 * ```
 */
export function shareSigner(
  provider: Pick<SigningProvider, 'key' | 'xOnlyKey'>,
  options: ShareSignerOptions = {},
): ShareSigner {
  assertKnownOptions(options, OPTIONS);
  const { ecc = nobleEcc, auxRand = NO_ENTROPY, cache } = options;
  const found = new Map<string, Uint8Array | undefined>();
  const find = (key: ShareKey): Uint8Array | undefined => {
    const name = bytesKey(key.publicKey);
    if (!found.has(name)) found.set(name, findSecretKey(key, provider, ecc));
    return found.get(name);
  };
  return ({ scanKey, keys }) => {
    const secretKeys = keys.flatMap((key) => find(key) ?? []);
    const sum = secretKeys.reduce(addScalars, ZERO);
    // Keys that cancel each other out have no product.
    if (secretKeys.length < keys.length || isZero(sum)) return undefined;
    return proveProduct({ secretKey: sum, base: scanKey, auxRand }, ecc, cache);
  };
}

const ZERO = /* @__PURE__ */ new Uint8Array(32);

function findSecretKey(
  { publicKey, isTaproot, internalKey, tweak }: ShareKey,
  provider: Pick<SigningProvider, 'key' | 'xOnlyKey'>,
  ecc: Ecc,
): Uint8Array | undefined {
  const internal = internalKey && provider.xOnlyKey(internalKey)?.secretKey;
  const found =
    (internal && tweak && ecc.tweakSecretKey(internal, tweak)) ??
    (isTaproot ? provider.xOnlyKey(publicKey.slice(1)) : provider.key(hash160(publicKey)))?.secretKey;
  const secretKey = found && countedSecretKey({ secretKey: found, isTaproot }, ecc);
  return secretKey && equalBytes(ecc.publicKey(secretKey), publicKey) ? secretKey : undefined;
}
