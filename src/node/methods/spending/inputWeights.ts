import { parseInt64 } from '../../../answers/arguments/argumentValues.ts';
import { INPUT_MEMBERS } from '../../../answers/arguments/constructTransaction.ts';
import { hash, VOUT } from '../../../answers/arguments/outpointArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { array, emptyIfAbsent, int64, object, optional, reading } from '../../../answers/method/parameters.ts';
import type { Values } from '../../../answers/method/values.ts';
import { has } from '../../../answers/method/values.ts';
import { MAX_STANDARD_WEIGHT } from '../../../core/tx/spendSize.ts';
import { outpointKey } from '../../../core/tx/txid.ts';
import type { OutpointKey } from '../../../core/tx/types.ts';

/** An input without scriptSig and witness. */
const LEAST = 165;

/** The weight of an input, which the wallet need not estimate. */
const WEIGHT = reading(int64('weight', 'the weight of the input, of at most 73 bytes for a signature'), (value) => {
  if (value?.type !== 'number') throw invalidParameter('Invalid parameter, missing weight key');
  return checkedWeight(parseInt64(value));
});

function checkedWeight(weight: number): number {
  if (weight < LEAST) {
    throw invalidParameter(
      'Invalid parameter, weight cannot be less than 165 (41 bytes (size of outpoint + sequence + empty scriptSig) * 4 (witness scaling factor)) + 1 (empty witness)',
    );
  }
  if (weight <= MAX_STANDARD_WEIGHT) return weight;
  throw invalidParameter(
    `Invalid parameter, weight cannot be greater than the maximum standard tx weight of ${MAX_STANDARD_WEIGHT}`,
  );
}

/** The coins to spend, whose weights may be stated. */
export const WEIGHED_INPUTS = optional(
  emptyIfAbsent(
    array(
      'inputs',
      object('', [...INPUT_MEMBERS, lasting(optional(WEIGHT), { since: 'core-29' })], ''),
      'coins to spend in any case',
    ),
  ),
);

export const INPUT_WEIGHTS = lasting(
  optional(
    array('input_weights', object('', [hash('txid', 'the transaction id'), VOUT, WEIGHT], ''), 'the weights of inputs'),
  ),
  { since: 'core-29' },
);

type Weighed = Values<(typeof INPUT_MEMBERS)[0] | typeof VOUT | typeof WEIGHT>;

/** Lists the weights that inputs state. @see Bitcoin Core `SetOptionsInputWeights` */
export function weightsIn(
  inputs: Iterable<Partial<Weighed> & Pick<Weighed, 'txid' | 'vout'>>,
): ReadonlyMap<OutpointKey, number> {
  const weights = new Map<OutpointKey, number>();
  for (const input of inputs) {
    if (!has(input, 'weight')) continue;
    const { txid, vout, weight } = input;
    weights.set(outpointKey({ txid, vout }), weight ?? 0);
  }
  return weights;
}
