// Inner modules of the library that the benchmarks use: `npm run bench` bundles them.
export { bytesKey } from '../src/core/bytes/compare.ts';
export { hash160 } from '../src/core/crypto/hash.ts';
export { pointsOf } from '../src/core/crypto/noblePoints.ts';
export { isValidPublicKey } from '../src/core/crypto/publicKey.ts';
export { processPsbt } from '../src/core/psbt/roles/updater.ts';
export { payToPubkeyHash, pushNumber, wrapInWitness } from '../src/core/script/build.ts';
export { inputHash } from '../src/core/silentPayments/sharedSecret.ts';
export { decodeBlock, encodeBlock } from '../src/node/chain/block.ts';
export { encodeBlockHeader } from '../src/node/chain/blockHeader.ts';
export { activeTip, openChain } from '../src/node/chain/chainState.ts';
export { submitBlock } from '../src/node/chain/connect.ts';
export { buildMerkleTree, treeRoot } from '../src/node/chain/merkleTree.ts';
export { markPartial } from '../src/node/chain/partialChain.ts';
export { orderKey } from '../src/node/store/orderKey.ts';
export { openTables } from '../src/node/store/tables.ts';
