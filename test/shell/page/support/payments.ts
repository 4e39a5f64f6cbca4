import { seedWords } from '../../../../examples/fixtures.ts';
import { type Account, accountFromWords } from '../../../../src/kit/account/index.ts';
import type { Psbt } from '../../../support/library.ts';
import { paymentOf } from '../../../support/pageSessions.ts';

/** A wallet of seed words on the main network. */
export const account: Account = accountFromWords(seedWords, { network: 'main' });

/** The keys of the wallet as a person types them. */
export const keys = { text: seedWords, network: 'main', purpose: 84 } as const;

/** Makes a PSBT that the policy refuses twice: for a hash type (NONE) that the user did not choose, and an absurd fee. */
export function refusedPayment(from: Account = account): Psbt {
  const psbt = paymentOf(from, 2, 3);
  return {
    ...psbt,
    inputs: psbt.inputs.map((input) => ({ ...input, sighashType: 2 })),
    outputs: psbt.outputs.slice(0, 1).map((output) => ({ ...output, amount: 1000n })),
    outputCount: 1,
  } as Psbt;
}
