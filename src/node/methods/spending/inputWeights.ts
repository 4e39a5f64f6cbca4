import {
  parseInt64,
  parseTxidArgument,
  parseVoutArgument,
  readOptional,
  readValue,
} from '../../../answers/arguments/argumentValues.ts';
import { findMember, type JsonMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { outpointKey } from '../../../core/tx/txid.ts';
import type { OutpointKey } from '../../../core/tx/types.ts';
import { MAX_STANDARD_WEIGHT } from '../../../kit/funding/spendSize.ts';
import type { WalletContext } from '../context.ts';

/** An input without scriptSig and witness. */
const LEAST = 165;

export function parseWeights(
  value: JsonValue | undefined,
  { dialect }: WalletContext,
): ReadonlyMap<OutpointKey, number> | undefined {
  const items = readOptional(value, 'array', dialect)?.items;
  return items && new Map(items.map((item) => parseWeight(readValue(item, 'object', dialect).members)));
}

function parseWeight(members: readonly JsonMember[]): readonly [OutpointKey, number] {
  const txidValue = findMember(members, 'txid');
  const txid = parseTxidArgument('txid', txidValue?.type === 'string' ? txidValue.value : '');
  const voutValue = findMember(members, 'vout');
  if (voutValue?.type !== 'number') throw invalidParameter('Invalid parameter, missing vout key');
  const vout = parseVoutArgument(voutValue);
  const weightValue = findMember(members, 'weight');
  if (weightValue?.type !== 'number') throw invalidParameter('Invalid parameter, missing weight key');
  const weight = parseInt64(weightValue);
  if (weight < LEAST) {
    throw invalidParameter(
      'Invalid parameter, weight cannot be less than 165 (41 bytes (size of outpoint + sequence + empty scriptSig) * 4 (witness scaling factor)) + 1 (empty witness)',
    );
  }
  if (weight <= MAX_STANDARD_WEIGHT) return [outpointKey({ txid, vout }), weight];
  throw invalidParameter(
    `Invalid parameter, weight cannot be greater than the maximum standard tx weight of ${MAX_STANDARD_WEIGHT}`,
  );
}

/** Adds the weights that inputs state to the options. @see Bitcoin Core `SetOptionsInputWeights` */
export function withInputWeights(options: readonly JsonMember[], inputs: JsonValue | undefined): readonly JsonMember[] {
  if (findMember(options, 'input_weights')) {
    throw invalidParameter('Input weights should be specified in inputs rather than in options.');
  }
  const items = inputs?.type === 'array' ? inputs.items : [];
  if (items.length === 0) return options;
  const weighed = items.filter((item) => item.type === 'object' && findMember(item.members, 'weight') !== undefined);
  return [...options, ['input_weights', { type: 'array', items: weighed }]];
}
