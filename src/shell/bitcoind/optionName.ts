import { InitError } from './initError.ts';
import type { OptionRow } from './optionTable.ts';
import { isOn, type Setting } from './settings.ts';

/** A name as it was given: `regtest.nolisten` negates `listen` in the section `regtest`. */
export interface GivenName {
  readonly section: string;
  readonly name: string;
  readonly isNegated: boolean;
}

/** @see Bitcoin Core `InterpretKey` */
export function parseName(text: string): GivenName {
  const dot = text.indexOf('.');
  const key = text.slice(dot + 1);
  const isNegated = key.startsWith('no');
  return { section: text.slice(0, Math.max(dot, 0)), name: isNegated ? key.slice(2) : key, isNegated };
}

export interface GivenValue {
  readonly value: Setting;
  readonly warning?: string;
}

/** @see Bitcoin Core `InterpretValue` */
export function interpretValue({ name, isNegated }: GivenName, text: string | undefined, row: OptionRow): GivenValue {
  if (isNegated) {
    if (row.isNeverNegated) throw new InitError(`Negating of -${name} is meaningless and therefore forbidden`);
    if (text === undefined || isOn(text)) return { value: { type: 'bool', value: false } };
    const warning = `Parsed potentially confusing double-negative -${name}=${text}`;
    return { value: { type: 'bool', value: true }, warning };
  }
  if (text === undefined && row.needsValue) {
    throw new InitError(`Can not set -${name} with no value. Please specify value with -${name}=value.`);
  }
  return { value: { type: 'string', value: text ?? '' } };
}
