import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter, RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { array, bool, optional, options } from '../../../answers/method/parameters.ts';
import { list } from '../../../answers/method/results.ts';
import { has } from '../../../answers/method/values.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { RpcError } from '../../../core/errors.ts';
import type { Side } from '../../wallet/keys/activeDescriptors.ts';
import { storeSecret } from '../../wallet/keys/vault.ts';
import { extractDestination, findOwnership } from '../../wallet/queries/ownership.ts';
import type { WalletEvent } from '../../wallet/records/events.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import {
  applyToWallet,
  assertLegacy,
  type ImportedJson,
  importAnswer,
  importedResult,
  importTimes,
  rescanFor,
} from '../importResult.ts';
import type { ImportRequest } from './importRequest.ts';
import { IMPORT_REQUEST, type LegacyImport, parseDescriptorImport, parseScriptImport } from './importRequest.ts';

export const importmulti = lasting(
  walletMethod({
    name: 'importmulti',
    checksLate: true,
    about: 'Imports addresses, scripts, keys and descriptors into a 0.21 wallet, each with the time of its first use.',
    params: [
      array('requests', IMPORT_REQUEST, 'what to import', {
        isSecret: true,
        isChecked: true,
        shownAs: 'requests',
      }),
      options(
        'options',
        [optional(bool('rescan', 'whether to rescan the submitted blocks', { countsNull: true }), true)],
        '',
        { isChecked: true, refusesNull: true, shownAs: 'options' },
      ),
    ],
    result: list(importedResult, 'for each request'),
    examples: ['importmulti \'[{"scriptPubKey":{"address":"..."},"timestamp":"now"}]\''],
    run: (args, context) => {
      const { requests, options: given } = args;
      assertLegacy(context);
      const rescans = given.rescan;
      assertUnlocked(context.wallet);
      const { now, tip } = importTimes(context);
      const times = requests.map(({ timestamp = now }) => timestamp);
      const imports = requests.map((request, i) => {
        const { [i]: timestamp = 1 } = times;
        return { timestamp, answer: importOne(request, timestamp, context) };
      });
      if (!rescans) return imports.map(({ answer }) => answer);
      return rescanFor(
        imports,
        times.reduce((a, b) => Math.min(a, b), tip),
        context,
      );
    },
  }),
  { until: 'core-29' },
);

function importOne(request: ImportRequest, timestamp: number, context: WalletContext): ImportedJson {
  return importAnswer((warnings) => {
    const { internal: isInternal } = request;
    if (isInternal && has(request, 'label')) throw invalidParameter('Internal addresses should not have a label');
    const { label, keypool: isPooled } = request;
    if (isPooled && !context.wallet.row.disablesPrivateKeys) {
      throw invalidParameter('Keys can only be imported to the keypool when private keys are disabled');
    }
    const parsed = chooseParser(request)(request, context, warnings);
    assertImportable(parsed, context);
    const side = isInternal ? 'internal' : 'external';
    const terms = { timestamp, label: isInternal ? undefined : label, ...(isPooled && ({ pool: side } as const)) };
    importAll(parsed, terms, context);
  });
}

function chooseParser(request: ImportRequest): typeof parseScriptImport {
  const [hasScript, hasDescriptor] = [has(request, 'scriptPubKey'), has(request, 'desc')];
  if (hasScript && hasDescriptor) {
    throw invalidParameter('Both a descriptor and a scriptPubKey should not be provided.');
  }
  if (!hasScript && !hasDescriptor) throw invalidParameter('Either a descriptor or scriptPubKey must be provided.');
  return hasScript ? parseScriptImport : parseDescriptorImport;
}

function assertImportable({ privateKeys, outputs }: LegacyImport, { wallet }: WalletContext): void {
  if (wallet.row.disablesPrivateKeys && privateKeys.size > 0) {
    throw new RpcError(RPC_WALLET_ERROR, 'Cannot import private keys to a wallet with private keys disabled');
  }
  const own = outputs.find((script) => findOwnership(wallet, script) === 'own');
  if (!own) return;
  throw new RpcError(
    RPC_WALLET_ERROR,
    `The wallet already contains the private key for this address or script ("${formatHex(own)}")`,
  );
}

interface ImportTerms {
  readonly timestamp: number;
  readonly label: string | undefined;
  /** The side of the keypool that takes the public keys. */
  readonly pool?: Side;
}

/** @see Bitcoin Core 0.21 `ImportScripts`, `ImportPrivKeys`, `ImportPubKeys`, `ImportScriptPubKeys` */
export function importAll(
  { scripts, privateKeys, publicKeys, order, origins, outputs, isSolvable }: LegacyImport,
  { timestamp, label, pool }: ImportTerms,
  context: WalletContext,
): void {
  const { wallet, node } = context;
  const { legacy, vault } = wallet;
  if (!legacy) return;
  const newScripts = scripts.filter((script) => !legacy.hasScript(hash160(script)));
  const newKeys = [...privateKeys.values()].filter(({ publicKey }) => !legacy.hasKey(hash160(publicKey)));
  applyToWallet(context, [
    ...newScripts.map(
      (script): WalletEvent => ({
        type: 'script',
        script,
        ...(timestamp > 0 && { timestamp }),
      }),
    ),
    ...newKeys.map((key): WalletEvent => {
      const secret = storeSecret(vault, key, node.random);
      return { type: 'key', publicKey: key.publicKey, secret, timestamp };
    }),
    ...origins.map(({ publicKey, origin }): WalletEvent => ({ type: 'origin', publicKey, origin })),
  ]);
  // One at a time, since earlier imports may include the key.
  for (const name of order) {
    const publicKey = publicKeys.get(name);
    if (!publicKey || legacy.provider.publicKey(hash160(publicKey))) continue;
    applyToWallet(context, [
      { type: 'public-key', publicKey, timestamp },
      ...(pool ? [{ type: 'pool-key', publicKey, side: pool } as const] : []),
    ]);
  }
  watchOutputs(outputs, { isSolvable, timestamp, label }, context);
}

export function watchOutputs(
  outputs: readonly Uint8Array[],
  {
    isSolvable,
    timestamp,
    label,
  }: { readonly isSolvable: boolean; readonly timestamp: number; readonly label: string | undefined },
  context: WalletContext,
): void {
  const { wallet } = context;
  for (const output of outputs) {
    if (isSolvable && findOwnership(wallet, output) !== 'no') continue;
    applyToWallet(context, [{ type: 'watch', script: output, timestamp }]);
  }
  if (label === undefined) return;
  const destinations = outputs.flatMap((output) => extractDestination(wallet, output) ?? []);
  applyToWallet(
    context,
    destinations.map((script) => ({ type: 'label', script, label })),
  );
}
