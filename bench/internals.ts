// Inner modules of the library that the benchmarks use: `npm run bench` bundles them.
export { bytesKey } from '../src/bytes/compare.ts';
export { decodeBlock } from '../src/chain/block.ts';
export { orderKey } from '../src/chain/chainCodec.ts';
export { beginChain, openChain, saveChain, tipOf } from '../src/chain/chainState.ts';
export { submitBlock } from '../src/chain/connect.ts';
export { markPartial } from '../src/chain/partialChain.ts';
export { openTables } from '../src/chain/tables.ts';
export { hash160, sha256d } from '../src/crypto/hash.ts';
export { isValidPublicKey } from '../src/crypto/publicKey.ts';
export { processPsbt } from '../src/psbt/roles/updater.ts';
export { payToPubkeyHash, wrapInWitness } from '../src/script/build.ts';
