// What the benchmarks use of the library's inside: `npm run bench` bundles it for them.
export { hash160, sha256d } from '../src/crypto/hash.ts';
export { isValidPublicKey } from '../src/crypto/publicKey.ts';
export { processPsbt } from '../src/psbt/roles/updater.ts';
export { payToPubkeyHash, wrapInWitness } from '../src/script/build.ts';
