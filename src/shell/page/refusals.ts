import { BtcError, RpcError } from '../../core/errors.ts';

/** Refuses what the user asks for. `message`: as that of `BtcError`, without secrets. @throws `page/refused` */
export function refuse(message: string): never {
  throw new BtcError('page/refused', {}, message);
}

/** Says that an exception is a fault of the page. Its own text is not shown: it may quote a secret. */
const FAULT =
  'This is a bug in the page, not in your data. Nothing was signed or changed. Reload the page, and report the steps that led here';

/** Returns the text about an exception that the user may read. */
export const faultText = (error: unknown): string =>
  error instanceof BtcError || error instanceof RpcError ? error.message : FAULT;

/** Makes a sentence of an error's message. */
export const sentence = (text: string): string => {
  const whole = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};
