import { inputOutpoint } from '../../core/psbt/format/inputCoin.ts';
import type { Psbt, PsbtInput } from '../../core/psbt/format/types.ts';
import { parseWitnessProgram } from '../../core/script/template.ts';
import { scriptsById, unwrap } from '../../core/script/unwrap.ts';
import type { SigningProvider } from '../../core/signing/signingProvider.ts';
import type { ChainOutputs } from '../chainOutputs.ts';

/**
 * Adds the whole previous transaction if the node has it, else the output alone if it is segwit.
 * @see Core `ProcessPSBT`
 */
export function withCoins(
  psbt: Psbt,
  { coin, transaction }: ChainOutputs,
  provider: Pick<SigningProvider, 'script'>,
): Psbt {
  const inputs = psbt.inputs.map((input, index): PsbtInput => {
    const outpoint = inputOutpoint(psbt, index);
    if (!outpoint || input.nonWitnessUtxo) return input;
    const nonWitnessUtxo = transaction(outpoint);
    if (nonWitnessUtxo) return { ...input, nonWitnessUtxo };
    const witnessUtxo = coin(outpoint);
    return witnessUtxo && isSegwit(witnessUtxo.scriptPubKey, provider) ? { ...input, witnessUtxo } : input;
  });
  return { ...psbt, inputs };
}

/** @see Core `IsSegWitOutput` */
function isSegwit(scriptPubKey: Uint8Array, provider: Pick<SigningProvider, 'script'>): boolean {
  const { redeemScript = scriptPubKey } = unwrap(scriptPubKey, scriptsById(provider.script));
  return parseWitnessProgram(redeemScript) !== undefined;
}
