import { type GenerationName, isWithin, type Lifetime } from '../../core/generations.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Param } from './param.ts';
import type { ReadArguments } from './parameters.ts';
import type { Draft, Result } from './results.ts';

/** The answer of a method. */
export type RpcAnswer = object | string | number | boolean | null;

/** `wallet` is the one that the request names. */
export type Needs = 'nothing' | 'node' | 'wallet';

/** The headings of a node's help; it does not list `hidden` ones. @see Bitcoin Core `CRPCCommand` */
export type Category =
  | 'blockchain'
  | 'control'
  | 'generating'
  | 'hidden'
  | 'mining'
  | 'network'
  | 'rawtransactions'
  | 'signer'
  | 'util'
  | 'wallet'
  | 'zmq';

/** A method and its help, in our words, as those of nodes change from version to version. */
export interface RpcSignature extends Lifetime {
  readonly name: string;
  readonly needs: Needs;
  readonly category: Category;
  /** The releases that hide it. */
  readonly isHiddenIn?: Lifetime;
  /** No node has it. */
  readonly isOwn?: true;
  readonly params: readonly Param[];
  /** 0.21's first type check passes null for any argument, as in its signing methods. */
  readonly takesNull?: true;
  /** 0.21 checks the type of an argument only when the method reads it. */
  readonly checksLate?: true;
  /** Looks up outputs in the chain and mempool of the node, if any. */
  readonly usesChain?: true;
  readonly about: string;
  /** A node's own help, for a method whose error it is. */
  readonly helpOf?: (generation: GenerationName) => string;
  readonly result: Result;
  /** As a shell takes them, without `countersign`. */
  readonly examples: readonly string[];
}

export interface Method<
  N extends string,
  P extends readonly Param[],
  C extends RpcContext,
  R extends Result,
  K extends Needs,
> extends RpcSignature {
  readonly name: N;
  readonly needs: K;
  readonly params: P;
  readonly result: R;
  readonly run: (args: ReadArguments<P>, context: C) => Draft<R>;
}

export interface AnyMethod<C extends RpcContext = never, K extends Needs = Needs> extends RpcSignature {
  readonly needs: K;
  readonly run: (args: never, context: C) => unknown;
}

export type RpcMethod = AnyMethod<RpcContext, 'nothing'>;

/** Binds what the methods need, and therefore the context in which they run. */
export const declareMethods =
  <C extends RpcContext, K extends Needs>(needs: K) =>
  <const N extends string, const P extends readonly Param[], R extends Result>(
    declaration: Omit<Method<N, P, C, R, K>, 'needs'>,
  ): Method<N, P, C, R, K> => ({ ...declaration, needs });

/** Declares a method of ours. */
export const own = <X extends object>(declared: X): X & { readonly isOwn: true } => ({ ...declared, isOwn: true });

/** Returns the category of a method in a release. */
export const categoryIn = (generation: GenerationName, { category, isHiddenIn }: RpcSignature): Category =>
  isHiddenIn && isWithin(generation, isHiddenIn) ? 'hidden' : category;

export const method = declareMethods<RpcContext, 'nothing'>('nothing');
