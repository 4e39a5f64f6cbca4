import type { ErrorCode, ErrorData } from './errorData.ts';

export type { ErrorCode, ErrorData, PsbtMapKind, PsbtPlace, PsbtValueFault, SighashScriptFault } from './errorData.ts';

/** A program that loads the library as ESM and as CommonJS has two copies of each class; marks identify both. */
const BTC_ERROR = /* @__PURE__ */ Symbol.for('countersign.BtcError');
const RPC_ERROR = /* @__PURE__ */ Symbol.for('countersign.RpcError');

function mark(error: Error, kind: symbol): void {
  Object.defineProperty(error, kind, { value: true });
}

function isMarked(value: unknown, kind: symbol): boolean {
  return typeof value === 'object' && value !== null && kind in value;
}

/** True before the mark is set, too, for compilers that test the class of what they construct. */
const isMadeBy = ({ prototype }: { readonly prototype: object }, value: unknown): boolean =>
  Object.prototype.isPrototypeOf.call(prototype, value as object);

type ErrorArgs = { [C in ErrorCode]: [code: C, data: ErrorData[C], message: string] }[ErrorCode];

/**
 * The library's error. Switch on `code`, or narrow with `isBtcError`. `message` is one English line, without keys or
 * seed words. A Worker passes on only `message` and `cause`, which has the code and the data, too; `BtcError.from` reads both.
 */
export class BtcError extends Error {
  override readonly name = 'BtcError';
  readonly code: ErrorCode;
  readonly data: ErrorData[ErrorCode];

  constructor(...[code, data, message]: ErrorArgs) {
    super(message, { cause: { code, data } });
    this.code = code;
    this.data = data;
    mark(this, BTC_ERROR);
  }

  /**
   * Reads an error that crossed a Worker (`postMessage`, `structuredClone`), or what `JSON.parse` makes of one; `undefined` for
   * anything else.
   *
   * @example
   * ```ts
   * import { BtcError, parseHex } from 'countersign';
   *
   * try {
   *   parseHex('0');
   * } catch (error) {
   *   BtcError.from(JSON.parse(JSON.stringify(error)))?.code; // hex/invalid
   * }
   * ```
   */
  static from(value: unknown): BtcError | undefined {
    if (value instanceof BtcError) return value;
    const { message, cause, ...json } = { ...membersOf(value), ...errorMembers(value) };
    const { code, data } = { ...json, ...membersOf(cause) };
    if (typeof code !== 'string' || typeof message !== 'string' || typeof data !== 'object' || data === null) {
      return undefined;
    }
    return new BtcError(...([code, withAmounts(data), message] as ErrorArgs));
  }

  /** Writes amounts as texts such as `60000n`, since JSON has no bigint. */
  toJSON(): { readonly name: string; readonly message: string; readonly code: string; readonly data: object } {
    const entries = Object.entries(this.data).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? `${value}n` : value,
    ]);
    return { name: this.name, message: this.message, code: this.code, data: Object.fromEntries(entries) };
  }

  static override [Symbol.hasInstance](value: unknown): value is BtcError {
    return isMarked(value, BTC_ERROR) || isMadeBy(BtcError, value);
  }
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});

/** An error hides these two from spreading. */
const errorMembers = (value: unknown): Members =>
  value instanceof Error ? { message: value.message, cause: value.cause } : {};

/** Reads what `toJSON` writes. */
const withAmounts = (data: object): object =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' && /^[0-9]{1,20}n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    ]),
  );

/**
 * Tells whether a caught value is a `BtcError`, with this code if one is given; narrows the type of `data`.
 * @example
 * ```ts
 * import { accountFromWords, isBtcError } from 'countersign';
 *
 * try {
 *   accountFromWords('abandon abandon abandon');
 * } catch (error) {
 *   if (isBtcError(error, 'words/count')) error.data.count; // 3
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
 * The error that a node would return: its numeric `code`, such as -22, and its `message`, byte for byte. `cause` is the
 * underlying `BtcError`, if any.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    mark(this, RPC_ERROR);
  }

  static override [Symbol.hasInstance](value: unknown): value is RpcError {
    return isMarked(value, RPC_ERROR) || isMadeBy(RpcError, value);
  }
}

const LONGEST = 200;

export function shortened(text: string, most: number = LONGEST): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

/** Returns `undefined` if the call throws a `BtcError`. */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof BtcError) return undefined;
    throw error;
  }
}
