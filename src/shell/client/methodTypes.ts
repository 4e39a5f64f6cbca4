import type { StatelessMethods } from '../../answers/createRpc.ts';
import type { DialectName, IfInDialect } from '../../answers/dialect/dialectNames.ts';
import type { CallAnswer, Methods, Params } from '../../answers/method/call.ts';
import type { Positional } from '../../answers/method/callerTypes.ts';
import type { IsChosen } from '../../answers/method/results.ts';
import type { OwnMethod, RpcMethods } from '../../node/registry.ts';

type VersionOf<D> = D extends `core-${infer V}` ? V : Exclude<D, 'documented'>;

/** A release of Bitcoin Core, or of Litecoin Core. */
export type NodeVersion = VersionOf<DialectName>;

/** The dialect of a release. */
export type DialectOf<V extends NodeVersion> = V extends DialectName ? V : `core-${Exclude<V, DialectName>}`;

/** The methods that nodes have, too. */
export type CoreMethods = Omit<RpcMethods, OwnMethod>;

/** The methods that a dialect `D` has, as functions of arguments by position. `A` is the type of amounts. */
export type RemoteMethods<D extends DialectName, A> = {
  readonly [N in keyof CoreMethods as IfInDialect<CoreMethods[N], D, N>]: CoreMethods[N]['result'] extends IsChosen
    ? <const X extends Positional<Params<CoreMethods[N]>, D>>(
        ...params: X
      ) => Promise<CallAnswer<CoreMethods, N, D, A, X>>
    : (...params: Positional<Params<CoreMethods[N]>, D>) => Promise<CallAnswer<CoreMethods, N, D, A>>;
};

/** The methods that need neither node nor wallet, as functions of arguments by position. */
export type LocalMethods<D extends DialectName, M extends Methods = StatelessMethods> = {
  readonly [N in keyof M as IfInDialect<M[N], D, N>]: (
    ...params: Positional<Params<M[N]>, D>
  ) => CallAnswer<M, N & string, D>;
};
