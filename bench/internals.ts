// Inner modules of the library that the benchmarks use: `npm run bench` bundles them.
export { hash160, sha256d } from '../src/crypto/hash.ts';
export { isValidPublicKey } from '../src/crypto/publicKey.ts';
export { processPsbt } from '../src/psbt/roles/updater.ts';
export { payToPubkeyHash, wrapInWitness } from '../src/script/build.ts';
