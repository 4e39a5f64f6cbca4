import type { ErrorCode, ErrorData } from './errors/errorData.ts';
import { errorText } from './errors/errorText.ts';

export type {
  ErrorCode,
  ErrorData,
  PsbtMapKind,
  PsbtPlace,
  PsbtValueFault,
  SighashScriptFault,
} from './errors/errorData.ts';

/** The arguments of `BtcError`, by code. */
type ErrorArgs = { [C in ErrorCode]: [code: C, data: ErrorData[C]] }[ErrorCode];

/**
 * The only error this library throws besides `RpcError`. Switch on `code`, or narrow with `isBtcError`; `message` is a sentence
 * for people.
 */
export class BtcError extends Error {
  override readonly name = 'BtcError';
  readonly code: ErrorCode;
  readonly data: ErrorData[ErrorCode];

  constructor(...[code, data]: ErrorArgs) {
    super(errorText(code, data));
    this.code = code;
    this.data = data;
  }
}

/**
 * Tells whether a caught value is a `BtcError`, with this code if one is given; then `data` has the type of the code.
 * @example
 * ```ts
 * import { accountFromWords, isBtcError } from 'countersign';
 *
 * try {
 *   accountFromWords('abandon abandon abandon');
 * } catch (error) {
 *   if (isBtcError(error, 'words/count')) console.log(error.data.count); // 3
 * }
 * ```
 */
export function isBtcError(error: unknown): error is BtcError;
export function isBtcError<C extends ErrorCode>(
  error: unknown,
  code: C,
): error is BtcError & { readonly code: C; readonly data: ErrorData[C] };
export function isBtcError(error: unknown, code?: ErrorCode): boolean {
  return error instanceof BtcError && (code === undefined || error.code === code);
}

/**
 * The error with which a node would have replied.
 *
 * - `code`: the node's numeric error code, e.g. -22
 * - `message`: the node's text, byte for byte, in the chosen dialect
 * - `cause`: the underlying `BtcError`, if any
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the result of a call, or `undefined` if it throws a BtcError; for callers with their own error text. */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof BtcError) return undefined;
    throw error;
  }
}
