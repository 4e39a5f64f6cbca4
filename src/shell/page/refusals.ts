import { BtcError, RpcError } from '../../core/errors.ts';

/** `message` must hold no secret. @throws `page/refused` */
export function refuse(message: string): never {
  throw new BtcError('page/refused', {}, message);
}

/** Stands for the exception's own text, which may quote a secret. */
const FAULT =
  'This is a bug in the page, not in your data. Nothing was signed or changed. Reload the page, and report the steps that led here';

export const faultText = (error: unknown): string =>
  error instanceof BtcError || error instanceof RpcError ? error.message : FAULT;

export const sentence = (text: string): string => {
  const whole = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};
