import { dialects } from '../answers/dialect/dialect.ts';
import type { DialectName } from '../answers/dialect/dialectNames.ts';
import type { AnyMethod, RpcMethod, RpcSignature } from '../answers/method/method.ts';
import * as statelessMethods from '../answers/statelessMethods.ts';
import { withoutSecrets } from '../core/encoding/redaction.ts';
import { type GenerationName, isWithin, type Lifetime } from '../core/generations.ts';
import type { NodeContext, WalletContext } from './methods/context.ts';
import * as statefulMethods from './statefulMethods.ts';

/** All methods by name, for the types of a client. */
export type RpcMethods = typeof statelessMethods & typeof statefulMethods;

/** The names of methods that no node has. */
export type OwnMethod = {
  [N in keyof RpcMethods]: RpcMethods[N] extends { readonly isOwn: true } ? N : never;
}[keyof RpcMethods];

type RegisteredMethod = RpcMethod | AnyMethod<NodeContext, 'node'> | AnyMethod<WalletContext, 'wallet'>;

const ALL: ReadonlyMap<string, RegisteredMethod> = new Map(
  Object.entries<RegisteredMethod>({ ...statelessMethods, ...statefulMethods }),
);

export const allMethods = (): readonly RpcSignature[] => [...ALL.values()];

export const methodsIn = (generation: GenerationName): readonly RpcSignature[] =>
  allMethods().filter((method) => isWithin(generation, method));

export const findMethod = (name: string): RegisteredMethod | undefined => ALL.get(name);

/** Returns a method's name for an error text; an unknown name may be a secret. */
export const shownName = (name: string): string => (ALL.has(name) ? name : withoutSecrets(name, 'name'));

export const dialectsWith = (lifetime: Lifetime): readonly DialectName[] =>
  Object.values(dialects)
    .filter(({ generation }) => isWithin(generation, lifetime))
    .map(({ name }) => name);
