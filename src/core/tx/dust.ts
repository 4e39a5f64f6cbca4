import { compactSizeLength } from '../bytes/writer.ts';
import { parseWitnessProgram } from '../script/template.ts';

/** Virtual bytes of the cheapest input that spends an output. */
const INPUT_SIZE = 148;
const WITNESS_INPUT_SIZE = 67;

/** In satoshi per virtual byte. @see Core `DUST_RELAY_TX_FEE` */
export const DUST_FEE_RATE = 3;

/**
 * Returns the least value of an output that is not dust, in satoshi: the cost of the output and of an input that spends
 * it, at a fee rate in satoshi per virtual byte.
 * @see Bitcoin Core `GetDustThreshold`
 */
export function dustThreshold(scriptPubKey: Uint8Array, rate: number): number {
  const { length } = scriptPubKey;
  const inputSize = parseWitnessProgram(scriptPubKey) ? WITNESS_INPUT_SIZE : INPUT_SIZE;
  return Math.ceil((8 + compactSizeLength(length) + length + inputSize) * rate);
}
