/** The native addon; the package's main entry silently falls back to JavaScript. */
declare module 'secp256k1/bindings.js' {
  const secp256k1: {
    publicKeyCreate: (secretKey: Uint8Array, isCompressed?: boolean) => Uint8Array;
    publicKeyTweakAdd: (publicKey: Uint8Array, tweak: Uint8Array) => Uint8Array;
    publicKeyTweakMul: (publicKey: Uint8Array, tweak: Uint8Array) => Uint8Array;
    publicKeyCombine: (publicKeys: readonly Uint8Array[]) => Uint8Array;
    /** Works in place. */
    privateKeyNegate: (secretKey: Uint8Array) => Uint8Array;
    /** Works in place. */
    privateKeyTweakAdd: (secretKey: Uint8Array, tweak: Uint8Array) => Uint8Array;
    /** Works in place. */
    privateKeyTweakMul: (secretKey: Uint8Array, tweak: Uint8Array) => Uint8Array;
    ecdsaSign: (digest: Uint8Array, secretKey: Uint8Array, options: { data?: Uint8Array }) => { signature: Uint8Array };
    ecdsaVerify: (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean;
  };
  export = secp256k1;
}
