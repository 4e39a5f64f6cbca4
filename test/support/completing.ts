import { answerRequests } from '../../src/core/job/signPsbt.ts';
import {
  createDescriptorProvider,
  type Derived,
  extractTransaction,
  finalizePsbt,
  keySigner,
  type Psbt,
  signingRequests,
  type Transaction,
} from './library.ts';
import { HASHES, PREIMAGE } from './spendingWays.ts';

const NOTHING = new Uint8Array(0);

/** Signs with all private keys of addresses, without a review, and shows the preimage. */
export function signedWith(psbt: Psbt, addresses: readonly Derived[]): Psbt {
  const provider = createDescriptorProvider(addresses);
  const [sha = NOTHING, hash = NOTHING] = HASHES;
  const known = {
    sha256Preimages: [{ hash: sha, preimage: PREIMAGE }],
    hash160Preimages: [{ hash, preimage: PREIMAGE }],
  };
  const ready = { ...psbt, inputs: psbt.inputs.map((input) => ({ ...input, ...known })) };
  return answerRequests(signingRequests(ready, { publicKey: provider.publicKey }), keySigner(provider)).psbt;
}

/** Finalizes it, too, and runs its scripts. */
export const completed = (psbt: Psbt, addresses: readonly Derived[]): Transaction =>
  extractTransaction(finalizePsbt(signedWith(psbt, addresses)).psbt);
