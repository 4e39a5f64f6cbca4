import type { EcdsaVersion, SignatureChecker } from '../../../core/interpreter/checker.ts';
import { transactionChecker } from '../../../core/interpreter/transactionChecker.ts';
import { verifyScript } from '../../../core/interpreter/verifyScript.ts';
import { ECDSA_SIZE, inputWeight, spendSize } from '../../../core/tx/spendSize.ts';
import { outpointKey } from '../../../core/tx/txid.ts';
import type { OutpointKey, Transaction, TxIn, TxOut } from '../../../core/tx/types.ts';
import { isMine } from '../../wallet/queries/ownership.ts';
import type { WalletContext } from '../context.ts';

/**
 * Estimates the weights of the inputs that spend foreign coins from their signatures, as if these were longest.
 * @see Bitcoin Core `SignatureWeights`
 */
export function foreignWeights(
  tx: Transaction,
  spent: readonly TxOut[],
  context: WalletContext,
): ReadonlyMap<OutpointKey, number> {
  const weights = new Map<OutpointKey, number>();
  for (const [index, coin] of spent.entries()) {
    const input = tx.inputs[index];
    if (!input || isMine(context.wallet, coin.scriptPubKey)) continue;
    const { scriptSig, witness } = input;
    const growth = signatureGrowth(tx, { index, input, spent, coin }, context);
    weights.set(outpointKey(input.outpoint), inputWeight(spendSize(scriptSig, witness)) + growth);
  }
  return weights;
}

interface SpentCoin {
  readonly index: number;
  readonly input: TxIn;
  readonly coin: TxOut;
  readonly spent: readonly TxOut[];
}

/** Returns the weight by which the signatures that a script checks fall short of the longest ones. */
function signatureGrowth(
  tx: Transaction,
  { index, input, coin: { value, scriptPubKey }, spent }: SpentCoin,
  { ecc }: WalletContext,
): number {
  let growth = 0;
  const usual = transactionChecker({ tx, inputIndex: index, value, prevouts: spent, ...(ecc && { ecc }) });
  const unitsPerByte: Readonly<Record<EcdsaVersion, number>> = { base: 4, 'witness-v0': 1 };
  const checker: SignatureChecker = {
    ...usual,
    checkEcdsa: (signature, publicKey, scriptCode, version) => {
      const isValid = usual.checkEcdsa(signature, publicKey, scriptCode, version);
      if (isValid) growth += unitsPerByte[version] * (ECDSA_SIZE - signature.length);
      return isValid;
    },
  };
  verifyScript({ scriptSig: input.scriptSig, scriptPubKey, witness: input.witness, checker });
  return growth;
}
