import type { Txid } from '../../core/tx/types.ts';
import { invalidParameter } from '../method/errorCodes.ts';
import type { Param, ParamTraits } from '../method/param.ts';
import { hexString, number, reading } from '../method/parameters.ts';
import { parseTxidArgument, parseVoutArgument, readValue } from './argumentValues.ts';

/** Declares a transaction id or the hash of a block; `shown` is its name in errors. */
export const hash = <const N extends string>(
  name: N,
  about: string,
  { shown = name, ...traits }: ParamTraits & { readonly shown?: string } = {},
): Param<N, Txid, string> => ({
  ...hexString(name, about, traits),
  read: (value, { dialect }) => parseTxidArgument(shown, readValue(value, 'string', dialect).value),
});

/** @see Bitcoin Core `AddInputs` */
export const VOUT = reading(number('vout', 'the output number'), (value) => {
  if (value?.type === 'number') return parseVoutArgument(value);
  throw invalidParameter('Invalid parameter, missing vout key');
});
