// The keys of the examples, derived: neither library derives keys, for which their users install a third one.
import { crypto } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { cosigners, masterXprv } from '../../examples/fixtures.ts';
import { derivePath, type ExtendedKey, parseExtendedKey, parsePath } from '../../src/core/keys/index.ts';
import { networks } from '../../src/core/network/index.ts';

const master = parseExtendedKey(masterXprv, networks.regtest);

/** Derives the private key at a path from the seed words. */
export const keyAt = (path: string): Uint8Array => secretOf(derivePath(master, parsePath(path)));

/** Derives the private keys of the three cosigners, on the receive or change chain. */
export const cosignerKeys = (chain: number, index: number): readonly Uint8Array[] =>
  cosigners.map(({ xprv }) => {
    const [, key = ''] = /\](\w+)/.exec(xprv) ?? [];
    return secretOf(derivePath(parseExtendedKey(key, networks.regtest), [chain, index]));
  });

function secretOf({ secretKey }: ExtendedKey): Uint8Array {
  if (!secretKey) throw new Error('not a private key');
  return secretKey;
}

/** Returns the public key of a private key, in 33 bytes. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array =>
  secp256k1.pointFromScalar(secretKey, true) ?? new Uint8Array();

/** Makes a signer as bitcoinjs-lib takes it. */
export const signerOf = (
  secretKey: Uint8Array,
): {
  readonly publicKey: Uint8Array;
  readonly sign: (digest: Uint8Array) => Uint8Array;
  readonly signSchnorr: (digest: Uint8Array) => Uint8Array;
} => ({
  publicKey: publicKeyOf(secretKey),
  sign: (digest) => secp256k1.sign(digest, secretKey),
  signSchnorr: (digest) => secp256k1.signSchnorr(digest, secretKey),
});

/** The regtest of @scure/btc-signer, which names no network but two. */
export const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

/** Makes a signer for the key path of taproot, with the tweak of BIP86. */
export function tweakedSignerOf(secretKey: Uint8Array): ReturnType<typeof signerOf> {
  const publicKey = publicKeyOf(secretKey);
  const even = publicKey[0] === 3 ? secp256k1.privateNegate(secretKey) : secretKey;
  const tweaked = secp256k1.privateAdd(even, crypto.taggedHash('TapTweak', publicKey.slice(1)));
  return signerOf(tweaked ?? new Uint8Array());
}
