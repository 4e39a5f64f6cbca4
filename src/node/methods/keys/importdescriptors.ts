import { isAbsent, readValue } from '../../../answers/arguments/argumentValues.ts';
import { parseDescriptorArgument, range } from '../../../answers/arguments/descriptorArgument.ts';
import {
  invalidParameter,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_MISC_ERROR,
  RPC_TYPE_ERROR,
  RPC_WALLET_ERROR,
  walletError,
} from '../../../answers/method/errorCodes.ts';
import { array, bool, int64, lenient, object, optional, reading, string } from '../../../answers/method/parameters.ts';
import { list } from '../../../answers/method/results.ts';
import { has } from '../../../answers/method/values.ts';
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
  rescanFor,
  TIMESTAMP,
} from '../importResult.ts';
import { parseLabel } from '../walletArguments.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

const REQUEST = lenient(
  object(
    '',
    [
      reading(string('desc', 'the descriptor, with its checksum', { isSecret: true }), (value, { dialect }) => {
        if (value) return readValue(value, 'string', dialect).value;
        throw invalidParameter('Descriptor not found.');
      }),
      optional(bool('active', 'whether new addresses come from it', { countsNull: true }), false),
      optional(range('range', 'the indexes of its wildcards', { countsNull: true })),
      optional(int64('next_index', 'the index of the next new address', { countsNull: true })),
      TIMESTAMP,
      optional(bool('internal', 'whether its addresses are for change', { countsNull: true }), false),
      optional(
        reading(string('label', 'a label for its address'), (value, { dialect }) =>
          isAbsent(value) ? '' : parseLabel(readValue(value, 'string', dialect).value),
        ),
      ),
    ],
    'a descriptor',
  ),
);

type Request = ReturnType<typeof REQUEST.read>;

export const importdescriptors = walletMethod({
  name: 'importdescriptors',
  checksLate: true,
  about: 'Imports descriptors, each with the time of its first use, and rescans the submitted blocks from there.',
  params: [array('requests', REQUEST, 'the descriptors', { isSecret: true, shownAs: 'requests' })],
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
      const timestamp = request.timestamp ?? now;
      const answer = importOne(request, timestamp, context);
      lowest = Math.min(lowest, timestamp);
      return { timestamp, answer };
    });
    return rescanFor(imports, lowest, context);
  },
});

/** Errors for wrong types, which fail the whole call. */
const ENDING: readonly number[] = [RPC_MISC_ERROR, RPC_TYPE_ERROR];

function importOne(request: Request, timestamp: number, context: WalletContext): ImportedJson {
  return importAnswer((warnings) => importRequest(request, timestamp, { ...context, warnings }), ENDING);
}

interface ImportContext extends WalletContext {
  /** Of this request. */
  readonly warnings: string[];
}

/** @see Bitcoin Core 31 `ProcessDescriptorImport` */
function importRequest(request: Request, timestamp: number, context: ImportContext): void {
  const { desc: text, active: isActive, label } = request;
  const whole = parseDescriptorArgument(text, context, { requireChecksum: true });
  const singles = singlePaths(whole);
  const [first = whole] = singles;
  const isInternal = parseInternal(request, singles);
  const indexes = checkedIndexes(request, { singles, first, isInternal }, context);
  if (context.wallet.row.disablesPrivateKeys && secretsIn(whole).length > 0) {
    throw walletError('Cannot import private keys to a wallet with private keys disabled');
  }
  for (const [position, descriptor] of singles.entries()) {
    const isChange = singles.length === 2 ? position === 1 : isInternal;
    importSingle(descriptor, { ...indexes, text, isActive, timestamp, isInternal: isChange, label }, context);
  }
}

function parseInternal(request: Request, singles: readonly Descriptor[]): boolean {
  if (!has(request, 'internal')) return false;
  if (singles.length > 1) {
    const message = "Cannot have multipath descriptor while also specifying 'internal'";
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, message);
  }
  return request.internal;
}

interface Kind {
  readonly singles: readonly Descriptor[];
  readonly first: Descriptor;
  readonly isInternal: boolean;
}

function checkedIndexes(request: Request, kind: Kind, context: ImportContext): Indexes {
  const { active: isActive } = request;
  const { first } = kind;
  const indexes = parseIndexes(request, first, context);
  if (isActive && !isRanged(first)) throw invalidParameter('Active descriptors must be ranged');
  if (has(request, 'label')) assertLabel(request, kind, context);
  if (isActive && first.kind === 'combo') throw walletError('Combo descriptors cannot be set to active');
  return indexes;
}

function assertLabel(request: Request, { singles, first, isInternal }: Kind, { dialect }: WalletContext): void {
  const { readsLabelTerms } = walletMethodRules[dialect.generation];
  if (singles.length > 1) throw invalidParameter('Multipath descriptors should not have a label');
  if (readsLabelTerms ? isRanged(first) : has(request, 'range'))
    throw invalidParameter('Ranged descriptors should not have a label');
  if (readsLabelTerms ? isInternal : has(request, 'internal'))
    throw invalidParameter('Internal addresses should not have a label');
}

interface Indexes {
  readonly first: number;
  readonly end: number;
  readonly next: number;
}

const MAX_LAST = 2 ** 31 - 1;

function parseIndexes(request: Request, descriptor: Descriptor, { node, warnings }: ImportContext): Indexes {
  if (!isRanged(descriptor)) {
    if (has(request, 'range')) throw invalidParameter('Range should not be specified for an un-ranged descriptor');
    return { first: 0, end: 1, next: 0 };
  }
  const { range: parsedRange } = request;
  // Core keeps the index after the last one in an int32, and aborts if it overflows.
  if (parsedRange && parsedRange.last >= MAX_LAST) throw invalidParameter('End of range is too high');
  if (!parsedRange) warnings.push('Range not given, using default keypool range');
  const [first, end] = parsedRange ? [parsedRange.first, parsedRange.last + 1] : [0, node.rules.keypool];
  const { next_index: next = first } = request;
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
