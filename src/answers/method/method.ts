import type { GenerationName } from '../../core/generations.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Param, ReadArguments } from './parameters.ts';

/** The answer of a method. */
export type RpcAnswer = object | string | number | boolean | null;

/** The thing that a method works on, besides its arguments: `wallet` is the one that the request names. */
export type Needs = 'nothing' | 'node' | 'wallet';

/** Parameters of a method and its help: in our words, as those of nodes change from version to version. */
export interface RpcSignature {
  readonly name: string;
  readonly needs: Needs;
  /** The only generation that has it; by default all do. */
  readonly onlyIn?: GenerationName;
  readonly params: readonly Param[];
  /** True if 0.21's first type check passes null for any argument, as in its signing methods. */
  readonly takesNull?: true;
  /** True if 0.21 checks the type of an argument only when the method reads it. */
  readonly checksLate?: true;
  /** True if it looks up outputs in the chain and mempool of the node, if any. */
  readonly usesChain?: true;
  /** Says in one or more sentences what the method does. */
  readonly about: string;
  /** Describes its answer, in words or line by line. */
  readonly result?: string;
  /** Calls of the method as a shell takes them, without `countersign`. */
  readonly examples: readonly string[];
}

/** A method with its implementation. */
export interface Method<
  N extends string,
  P extends readonly Param[],
  C extends RpcContext,
  R extends RpcAnswer,
  K extends Needs,
> extends RpcSignature {
  readonly name: N;
  readonly needs: K;
  readonly params: P;
  /** Answers a call, whose arguments are checked as they are read. */
  readonly run: (args: ReadArguments<P>, context: C) => R;
}

/** A method whatever its parameters are. */
export interface AnyMethod<C extends RpcContext = never, K extends Needs = Needs> extends RpcSignature {
  readonly needs: K;
  readonly run: (args: never, context: C) => RpcAnswer;
}

/** A method that needs neither node nor wallet, whatever its parameters are. */
export type RpcMethod = AnyMethod<RpcContext, 'nothing'>;

/** Returns the function that declares methods which need the same thing, and therefore run in the same context. */
export const declareMethods =
  <C extends RpcContext, K extends Needs>(needs: K) =>
  <const N extends string, const P extends readonly Param[], R extends RpcAnswer>(
    declaration: Omit<Method<N, P, C, R, K>, 'needs'>,
  ): Method<N, P, C, R, K> => ({ ...declaration, needs });

/** Declares a method that needs neither node nor wallet. */
export const method = declareMethods<RpcContext, 'nothing'>('nothing');
