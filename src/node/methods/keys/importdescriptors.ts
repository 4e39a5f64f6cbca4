import type { DescriptorImport } from '../../../answers/arguments/argumentTypes.ts';
import { parseInt64, readFlag, readOptional, readValue } from '../../../answers/arguments/argumentValues.ts';
import { parseDescriptorArgument, parseRange } from '../../../answers/arguments/descriptorArgument.ts';
import { findMember, type JsonMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import {
  invalidParameter,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_MISC_ERROR,
  RPC_TYPE_ERROR,
  RPC_WALLET_ERROR,
  walletError,
} from '../../../answers/method/errorCodes.ts';
import { array, of } from '../../../answers/method/parameters.ts';
import { list } from '../../../answers/method/results.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { createDeriver, isRanged, singlePaths } from '../../../core/descriptors/derive.ts';
import { keyExpressions, withKeys, withoutSecretKeys } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../../../core/descriptors/types.ts';
import { descriptorWarnings } from '../../../core/descriptors/warnings.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError, unlessRefused } from '../../../core/errors.ts';
import { outputKind } from '../../wallet/keys/activeDescriptors.ts';
import { hasSecret, normalize, secretsIn } from '../../wallet/keys/descriptorKeys.ts';
import { findSecret, storeSecret } from '../../wallet/keys/vault.ts';
import { extractDestination } from '../../wallet/queries/ownership.ts';
import type { WalletEvent } from '../../wallet/records/events.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import {
  applyToWallet,
  type ImportedJson,
  importAnswer,
  importedResult,
  importTimes,
  parseTimestamp,
  rescanFor,
} from '../importResult.ts';
import { parseLabel } from '../walletArguments.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

export const importdescriptors = walletMethod({
  name: 'importdescriptors',
  checksLate: true,
  about: 'Imports descriptors, each with the time of its first use, and rescans the submitted blocks from there.',
  params: [
    array(
      'requests',
      of<DescriptorImport>(),
      `
     [{ "desc": "descriptor", "timestamp": n or "now", "active": bool, "range": n or [n,n], "next_index": n,
        "internal": bool, "label": "text" }, ...]`,
      { isSecret: true },
    ),
  ],
  result: list(importedResult, 'for each request'),
  examples: ['importdescriptors \'[{"desc":"wpkh([d34db33f/84h/0h/0h]xpub.../0/*)#...","timestamp":"now"}]\''],
  run: (args, context) => {
    const { wallet } = context;
    if (!wallet.descriptors) {
      throw new RpcError(RPC_WALLET_ERROR, 'importdescriptors is not available for non-descriptor wallets');
    }
    const requests = args.requests;
    assertUnlocked(wallet);
    const { now, tip } = importTimes(context);
    let lowest = tip;
    const imports = requests.map((request) => {
      const timestamp = parseTimestamp(request, now);
      const answer = importOne(request, timestamp, context);
      lowest = Math.min(lowest, timestamp);
      return { timestamp, answer };
    });
    return rescanFor(imports, lowest, context);
  },
});

/** A request; members that depend on the kind of descriptor are unparsed. */
interface Request {
  readonly text: string;
  readonly isActive: boolean;
  readonly label: string | undefined;
  readonly internal: JsonValue | undefined;
  readonly range: JsonValue | undefined;
  readonly next: JsonValue | undefined;
}

function parseRequest(members: readonly JsonMember[], { dialect }: WalletContext): Request {
  const has = (name: string): JsonValue | undefined => findMember(members, name);
  const [desc, labelValue] = [has('desc'), has('label')];
  if (!desc) throw invalidParameter('Descriptor not found.');
  const text = readValue(desc, 'string', dialect).value;
  const isActive = readFlag(members, 'active', dialect);
  const label = labelValue && parseLabel(readOptional(labelValue, 'string', dialect)?.value ?? '');
  return { text, isActive, label, internal: has('internal'), range: has('range'), next: has('next_index') };
}

/** Errors for wrong types, which fail the whole call. */
const ENDING: readonly number[] = [RPC_MISC_ERROR, RPC_TYPE_ERROR];

function importOne(item: JsonValue, timestamp: number, context: WalletContext): ImportedJson {
  const members = item.type === 'object' ? item.members : [];
  return importAnswer(
    (warnings) => importRequest(parseRequest(members, context), timestamp, { ...context, warnings }),
    ENDING,
  );
}

interface ImportContext extends WalletContext {
  /** Of this request. */
  readonly warnings: string[];
}

/** @see Bitcoin Core 31 `ProcessDescriptorImport` */
function importRequest(request: Request, timestamp: number, context: ImportContext): void {
  const { text, isActive, label = '' } = request;
  const whole = parseDescriptorArgument(text, context, { requireChecksum: true });
  const singles = singlePaths(whole);
  const [first = whole] = singles;
  const isInternal = parseInternal(request, singles, context);
  const indexes = checkedIndexes(request, { singles, first, isInternal }, context);
  if (context.wallet.row.disablesPrivateKeys && secretsIn(whole).length > 0) {
    throw walletError('Cannot import private keys to a wallet with private keys disabled');
  }
  for (const [position, descriptor] of singles.entries()) {
    const isChange = singles.length === 2 ? position === 1 : isInternal;
    importSingle(descriptor, { ...indexes, text, isActive, timestamp, isInternal: isChange, label }, context);
  }
}

function parseInternal({ internal }: Request, singles: readonly Descriptor[], { dialect }: WalletContext): boolean {
  if (!internal) return false;
  if (singles.length > 1) {
    const message = "Cannot have multipath descriptor while also specifying 'internal'";
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, message);
  }
  return readValue(internal, 'bool', dialect).value;
}

interface Kind {
  readonly singles: readonly Descriptor[];
  readonly first: Descriptor;
  readonly isInternal: boolean;
}

function checkedIndexes(request: Request, kind: Kind, context: ImportContext): Indexes {
  const { isActive, label } = request;
  const { first } = kind;
  const indexes = parseIndexes(request, first, context);
  if (isActive && !isRanged(first)) throw invalidParameter('Active descriptors must be ranged');
  if (label !== undefined) assertLabel(request, kind, context);
  if (isActive && first.kind === 'combo') throw walletError('Combo descriptors cannot be set to active');
  return indexes;
}

function assertLabel(
  { range, internal }: Request,
  { singles, first, isInternal }: Kind,
  { dialect }: WalletContext,
): void {
  const { readsLabelTerms } = walletMethodRules[dialect.generation];
  if (singles.length > 1) throw invalidParameter('Multipath descriptors should not have a label');
  if (readsLabelTerms ? isRanged(first) : range) throw invalidParameter('Ranged descriptors should not have a label');
  if (readsLabelTerms ? isInternal : internal) throw invalidParameter('Internal addresses should not have a label');
}

interface Indexes {
  readonly first: number;
  readonly end: number;
  readonly next: number;
}

const MAX_LAST = 2 ** 31 - 1;

function parseIndexes(
  { range, next: nextValue }: Request,
  descriptor: Descriptor,
  { node, dialect, warnings }: ImportContext,
): Indexes {
  if (!isRanged(descriptor)) {
    if (range) throw invalidParameter('Range should not be specified for an un-ranged descriptor');
    return { first: 0, end: 1, next: 0 };
  }
  const parsedRange = range && parseRange(range);
  // Core keeps the index after the last one in an int32, and aborts if it overflows.
  if (parsedRange && parsedRange.last >= MAX_LAST) throw invalidParameter('End of range is too high');
  if (!parsedRange) warnings.push('Range not given, using default keypool range');
  const [first, end] = parsedRange ? [parsedRange.first, parsedRange.last + 1] : [0, node.rules.keypool];
  const next = nextValue ? parseInt64(readValue(nextValue, 'number', dialect)) : first;
  if (next < first || next >= end) throw invalidParameter('next_index is out of range');
  return { first, end, next };
}

interface Plan extends Indexes {
  readonly text: string;
  readonly timestamp: number;
  readonly isActive: boolean;
  readonly isInternal: boolean;
  readonly label: string;
}

function importSingle(descriptor: Descriptor, plan: Plan, context: ImportContext): void {
  const { wallet, node, warnings } = context;
  const ecc = context.ecc ?? nobleEcc;
  const derived = unlessRefused(() => createDeriver(descriptor, { ecc })(0));
  const normalized = derived && normalize(descriptor, ecc);
  if (!derived || !normalized) {
    throw walletError(
      'Cannot expand descriptor. Probably because of hardened derivations without private keys provided',
    );
  }
  const { warnsOfLocks, expectsAggregateSecrets } = walletMethodRules[context.dialect.generation];
  if (warnsOfLocks) warnings.push(...descriptorWarnings(descriptor));
  if (!wallet.row.disablesPrivateKeys) checkSecrets(descriptor, warnings, expectsAggregateSecrets);
  if (descriptor.kind === 'unused') assertNewKey(descriptor, wallet);
  const publicDescriptor = withKeys(descriptor, withoutSecretKeys);
  assertUpdatable(publicDescriptor, plan, context);
  const kind = outputKind(descriptor);
  if (plan.isActive && !kind) warnings.push('Unknown output type, cannot set descriptor to active.');
  const { timestamp, isInternal, first, end, next } = plan;
  const labelled = isRanged(descriptor) || isInternal ? [] : derived.scriptPubKeys;
  applyToWallet(context, [
    {
      type: 'descriptor',
      descriptor: publicDescriptor,
      normalized,
      secrets: secretsIn(descriptor).map((key) => ({
        publicKey: key.publicKey,
        secret: storeSecret(wallet.vault, key, node.random),
      })),
      isActive: plan.isActive && kind !== undefined,
      timestamp,
      isInternal,
      first,
      end,
      next,
    },
    ...labelled
      .flatMap((script) => extractDestination(wallet, script) ?? [])
      .map((script): WalletEvent => ({ type: 'label', script, label: plan.label })),
  ]);
}

/**
 * A MuSig2 aggregate has a private key if all its participants have; with `expectsAggregates`, none has.
 * @see Bitcoin Core 32 `Descriptor::HavePrivateKeys`
 */
function checkSecrets(descriptor: Descriptor, warnings: string[], expectsAggregates: boolean): void {
  if (secretsIn(descriptor).length === 0) {
    throw walletError('Cannot import descriptor without private keys to a wallet with private keys enabled');
  }
  const isMissing = (key: KeyExpression): boolean => (expectsAggregates && key.kind === 'musig') || !hasSecret(key);
  if (!keyExpressions(descriptor).some(isMissing)) return;
  warnings.push('Not all private keys provided. Some wallet functionality may return unexpected errors');
}

function assertNewKey(descriptor: Descriptor, { row: { disablesPrivateKeys }, vault }: WalletContext['wallet']): void {
  if (disablesPrivateKeys) throw walletError('Cannot import unused() to wallet without private keys enabled');
  if (secretsIn(descriptor).some(({ publicKey }) => findSecret(vault, publicKey))) {
    throw walletError('Cannot import an unused() descriptor when its private key is already in the wallet');
  }
}

function assertUpdatable(descriptor: Descriptor, { first, end, text }: Plan, { wallet, dialect }: WalletContext): void {
  const existing = wallet.descriptors?.find(descriptor)?.source;
  if (!existing || !isRanged(descriptor) || (first <= existing.first && end >= existing.end)) return;
  const why = `new range must include current range = [${existing.first},${existing.end - 1}]`;
  if (!walletMethodRules[dialect.generation].namesRefusedUpdates) throw invalidParameter(why);
  throw walletError(`Could not add descriptor '${withoutSecrets(text)}': ${why}`);
}
