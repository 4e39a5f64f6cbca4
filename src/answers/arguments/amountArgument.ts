import { RpcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { RPC_TYPE_ERROR } from '../method/errorCodes.ts';

const DECIMALS = 8;
const MAX_DIGITS = 18;
const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Returns satoshi, or the amount times 10 to the power of `decimals`, of which it may have no more.
 * @throws RpcError -3
 * @see Core `AmountFromValue`, `ParseFixedPoint`
 */
export function parseAmountArgument(
  value: JsonValue | undefined,
  { maxMoney }: Network,
  decimals: number = DECIMALS,
): bigint {
  if (value?.type !== 'number' && value?.type !== 'string') throw wrong('Amount is not a number or string');
  const amount = parseFixedPoint(value.type === 'number' ? value.text : value.value, decimals);
  if (amount === undefined) throw wrong('Invalid amount');
  if (amount < 0n || amount > maxMoney) throw wrong('Amount out of range');
  return amount;
}

/** Multiplies by 10 to the power of `decimals`; returns `undefined` unless that is an integer of at most 18 digits. */
export function parseFixedPoint(text: string, decimals: number = DECIMALS): bigint | undefined {
  const [matched, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const digits = whole === '0' ? fraction : whole + fraction;
  const significant = withoutTrailingZeros(digits);
  const zeros = Number(exponent) - fraction.length + (digits.length - significant.length) + decimals;
  if (zeros < 0 || zeros >= MAX_DIGITS) return undefined;
  const magnitude = significant.replace(/^0+/, '') + '0'.repeat(zeros);
  if (magnitude.length > MAX_DIGITS && significant !== '') return undefined;
  // An amount of zero may have no digits left, and `BigInt` does not take a sign alone.
  return BigInt(`${sign}0${magnitude}`);
}

/** Takes linear time, unlike a regular expression. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

const wrong = (message: string): RpcError => new RpcError(RPC_TYPE_ERROR, message);
