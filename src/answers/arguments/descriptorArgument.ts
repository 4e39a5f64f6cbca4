import { assertRange, createDeriverWith, type Derived, isRanged, singlePaths } from '../../core/descriptors/derive.ts';
import { collectSecrets } from '../../core/descriptors/deriveKey.ts';
import { descriptorRules } from '../../core/descriptors/descriptorRules.ts';
import { keyExpressions } from '../../core/descriptors/keyExpressions.ts';
import { parseDescriptor, TRAILING } from '../../core/descriptors/parseDescriptor.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { seedWordsAdvice, withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError, RpcError } from '../../core/errors.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { signingDialects } from '../dialect/signingDialect.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { ArgumentFor } from '../method/callerTypes.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY } from '../method/errorCodes.ts';
import type { Param, ParamTraits } from '../method/param.ts';
import { anyOf, object, optional, rangeParam, reading, string } from '../method/parameters.ts';
import { isAbsent, parseInt64, readValue } from './argumentValues.ts';

export function parseDescriptorArgument(
  text: string,
  { network, dialect, ecc }: RpcContext,
  options: { readonly requireChecksum?: boolean } = {},
): Descriptor {
  const rules = descriptorRules[dialect.generation];
  return withDescriptorErrors(
    () => parseDescriptor(text, network, { ...options, rules, ecc }),
    signingDialects[dialect.name].explainsErrors ? text : undefined,
  );
}

/** Takes `text`, the descriptor, for the dialect that adds advice. */
export function withDescriptorErrors<T>(work: () => T, text?: string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, descriptorErrorText(error, text), { cause: error });
  }
}

const CANNOT_DERIVE = 'Cannot derive script without private keys';

function descriptorErrorText({ code, data, message }: BtcError, text: string | undefined): string {
  const { reason, hint } = data as { readonly reason?: string; readonly hint?: string };
  if (code === 'descriptor/underivable' || code === 'xkey/underivable') return CANNOT_DERIVE;
  // Core's error for text after a descriptor is empty.
  if (reason === TRAILING && text === undefined) return '';
  const advice = text === undefined ? undefined : (seedWordsAdvice(text) ?? hint);
  return `${reason ?? message}${advice === undefined ? '' : ` (${advice})`}`;
}

/** Both ends included. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** The indexes of wildcards, both ends included. */
export type RangeArgument = number | readonly [first: number, last: number];

/** Declares the indexes of wildcards. */
export const range = <const N extends string>(
  name: N,
  about: string,
  traits?: ParamTraits,
): Param<N, Range, RangeArgument> => rangeParam(name, about, parseRange, traits);

/** Takes `end` or `[begin,end]`. @throws RpcError -8 @see Core `ParseDescriptorRange` */
export function parseRange(value: JsonValue | undefined): Range {
  const numbers = value?.type === 'array' ? value.items : [{ type: 'number', text: '0' } as const, value];
  const [first, last] = numbers;
  if (numbers.length !== 2 || first?.type !== 'number' || last?.type !== 'number') {
    throw invalidParameter('Range must be specified as end or as [begin,end]');
  }
  const range = { first: parseInt64(first), last: parseInt64(last) };
  if (value?.type === 'array' && range.first > range.last) {
    throw invalidParameter('Range specified as [begin,end] must not have begin after end');
  }
  try {
    assertRange(range.first, range.last);
  } catch (error) {
    throw error instanceof BtcError ? invalidParameter((error.data as { readonly reason: string }).reason) : error;
  }
  return range;
}

export interface DerivedRange {
  readonly descriptor: Descriptor;
  readonly derived: readonly Derived[];
}

const DEFAULT_RANGE: Range = { first: 0, last: 1000 };

/** A descriptor, with the indexes to derive. */
export interface ScanObject {
  readonly text: string;
  readonly range: Range;
}

/** The text of a descriptor in an object. */
export const DESC = reading(string('desc', 'the descriptor', { isSecret: true }), (value, { dialect }) => {
  if (!isAbsent(value)) return readValue(value, 'string', dialect).value;
  throw invalidParameter('Descriptor needs to be provided in scan object');
});

const SCAN_MEMBERS = object(
  '',
  [DESC, optional(range('range', 'the indexes of its wildcards', { default: '1000' }))],
  'with the indexes to derive',
);

/** A descriptor, alone or with the indexes to derive. */
export const SCAN_OBJECT = reading(
  anyOf('', [string('', 'a descriptor'), SCAN_MEMBERS], ''),
  (value, context): ScanObject => {
    if (value?.type === 'string') return { text: value.value, range: DEFAULT_RANGE };
    if (value?.type !== 'object') throw invalidParameter('Scan object needs to be either a string or an object');
    const { desc, range: indexes = DEFAULT_RANGE } = SCAN_MEMBERS.read(value, context);
    return { text: desc, range: indexes };
  },
);

/** A descriptor, with the indexes to derive; by default 0 to 1000. */
export type DescriptorArgument = ArgumentFor<typeof SCAN_OBJECT>;

/**
 * Derives with the private keys of all descriptors before, too.
 * @throws RpcError -5, -8
 * @see Core `EvalDescriptorStringOrObject`
 */
export function derivedRanges(items: Iterable<ScanObject>, context: RpcContext): readonly DerivedRange[] {
  const secrets = new Map<string, Uint8Array>();
  return Array.from(items, (item) => deriveRange(item, context, secrets));
}

/** Lists the scripts of descriptors. @throws RpcError -5, -8 */
export const derivedScripts = (items: Iterable<ScanObject>, context: RpcContext): readonly Uint8Array[] =>
  derivedRanges(items, context).flatMap(({ derived }) => derived.flatMap(({ scriptPubKeys }) => scriptPubKeys));

/** Adds its private keys to `secrets`. */
function deriveRange({ text, range }: ScanObject, context: RpcContext, secrets: Map<string, Uint8Array>): DerivedRange {
  const descriptor = parseDescriptorArgument(text, context);
  for (const [publicKey, secretKey] of collectSecrets(keyExpressions(descriptor))) secrets.set(publicKey, secretKey);
  const { first, last } = isRanged(descriptor) ? range : { first: 0, last: 0 };
  return withReason(text, () => {
    const derivers = singlePaths(descriptor).map((single) => createDeriverWith(single, secrets, context.ecc));
    const derived: Derived[] = [];
    for (let index = first; index <= last; index += 1) for (const derive of derivers) derived.push(derive(index));
    return { descriptor, derived };
  });
}

function withReason<T>(text: string, work: () => T): T {
  try {
    return withDescriptorErrors(work);
  } catch (error) {
    if (!(error instanceof RpcError) || error.message !== CANNOT_DERIVE) throw error;
    throw new RpcError(error.code, `${CANNOT_DERIVE}: '${withoutSecrets(text)}'`, { cause: error });
  }
}
