import { RpcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { RPC_TYPE_ERROR } from './errorCodes.ts';
import type { JsonValue } from './jsonValue.ts';

const DECIMALS = 8;
/** The most digits that an amount may have once its decimal point is gone. */
const MAX_DIGITS = 18;
const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Reads an amount in coins, from a number's own text or from a string.
 * @returns satoshi
 * @throws RpcError -3
 * @see Bitcoin Core `AmountFromValue`, `ParseFixedPoint`
 */
export function amountOf(value: JsonValue, { maxMoney }: Network): bigint {
  if (value.type !== 'number' && value.type !== 'string') throw wrong('Amount is not a number or string');
  const amount = parseFixedPoint(value.type === 'number' ? value.text : value.value);
  if (amount === undefined) throw wrong('Invalid amount');
  if (amount < 0n || amount > maxMoney) throw wrong('Amount out of range');
  return amount;
}

/** Decimal text times 10^8, if that is a whole number of at most 18 digits. */
function parseFixedPoint(text: string): bigint | undefined {
  const [matched, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const digits = whole === '0' ? fraction : whole + fraction;
  const significant = withoutTrailingZeros(digits);
  const zeros = Number(exponent) - fraction.length + (digits.length - significant.length) + DECIMALS;
  if (zeros < 0 || zeros >= MAX_DIGITS) return undefined;
  const magnitude = significant.replace(/^0+/, '') + '0'.repeat(zeros);
  if (magnitude.length > MAX_DIGITS && significant !== '') return undefined;
  // Of nothing but zeros no digit may be left, and a sign alone is no number.
  return BigInt(`${sign}0${magnitude}`);
}

/** By an expression, this would take the square of their number where another digit follows many zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

const wrong = (message: string): RpcError => new RpcError(RPC_TYPE_ERROR, message);
