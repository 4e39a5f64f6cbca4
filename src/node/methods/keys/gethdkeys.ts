import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { bool, optional, options } from '../../../answers/method/parameters.ts';
import { type Answer, flag, list, maybe, members, text } from '../../../answers/method/results.ts';
import { bytesKey, compareBytes } from '../../../core/bytes/compare.ts';
import { withSecretKey } from '../../../core/crypto/concealed.ts';
import { keyExpressions } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../../../core/descriptors/types.ts';
import { RpcError } from '../../../core/errors.ts';
import { type ExtendedKey, formatXprv, formatXpub } from '../../../core/keys/bip32.ts';
import type { OwnedDescriptor } from '../../wallet/keys/ownedDescriptor.ts';
import { findSecret } from '../../wallet/keys/vault.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

const hdKeyResult = members({
  xpub: text(),
  has_private: flag('whether the wallet has the private key'),
  xprv: maybe(text('only on request')),
  descriptors: list(members({ desc: text(), active: flag() })),
});

type HdKeyJson = Answer<typeof hdKeyResult>;

export const gethdkeys = lasting(
  walletMethod({
    name: 'gethdkeys',
    checksLate: true,
    about: 'Lists the extended keys of the wallet, with the descriptors that use them.',
    params: [
      options(
        'options',
        [
          optional(bool('active_only', 'whether to list only keys of active descriptors', { countsNull: true }), false),
          optional(bool('private', 'whether to show the private keys, too', { countsNull: true }), false),
        ],
        '',
      ),
    ],
    result: list(hdKeyResult),
    examples: ['gethdkeys --wallet-dir wallets'],
    run: (args, context) => {
      const { wallet } = context;
      const { active_only: isActiveOnly, private: isPrivate } = args.options;
      if (isPrivate) assertUnlocked(wallet);
      const used = collectHdKeys(wallet, isActiveOnly ? 'active' : 'all');
      return [...used.values()].sort(compareKeys).map((use) => shownKey(use, isPrivate, context));
    },
  }),
  { since: 'core-29' },
);

export interface KeyUse {
  readonly key: ExtendedKey;
  readonly owners: Set<OwnedDescriptor>;
}

/** Names an extended key by public key and chain code. */
export const hdKeyName = ({ publicKey, chainCode }: ExtendedKey): string => bytesKey(publicKey) + bytesKey(chainCode);

/** Finds the extended keys of descriptors: all, the active ones, or those without scripts. */
export function collectHdKeys(
  { descriptors }: WalletContext['wallet'],
  which: 'all' | 'active' | 'unused' = 'all',
): ReadonlyMap<string, KeyUse> {
  const uses = new Map<string, KeyUse>();
  for (const owned of descriptors?.descriptors() ?? []) {
    if (which === 'active' && !descriptors?.findSide(owned)) continue;
    if (which === 'unused' && owned.source.descriptor.kind !== 'unused') continue;
    for (const key of extendedKeys(owned.source.descriptor)) {
      const name = hdKeyName(key);
      const use = uses.get(name) ?? { key, owners: new Set() };
      use.owners.add(owned);
      uses.set(name, use);
    }
  }
  return uses;
}

function extendedKeys(descriptor: Descriptor): readonly ExtendedKey[] {
  const within = (key: KeyExpression): readonly ExtendedKey[] => {
    if (key.kind === 'musig') return key.participants.flatMap(within);
    return key.kind === 'extended' ? [key.key] : [];
  };
  return keyExpressions(descriptor).flatMap(within);
}

/** Returns the key with its private key, if the wallet has it. The wallet must not be locked. */
export function findPrivateKey(key: ExtendedKey, { vault }: WalletContext['wallet']): ExtendedKey | undefined {
  const secretKey = findSecret(vault, key.publicKey);
  return secretKey && withSecretKey({ ...key }, secretKey);
}

/** @see Bitcoin Core `CExtPubKey::operator<` */
const compareKeys = ({ key: a }: KeyUse, { key: b }: KeyUse): number =>
  compareBytes(a.publicKey, b.publicKey) || compareBytes(a.chainCode, b.chainCode);

/** @throws RpcError -1 */
function shownKey({ key, owners }: KeyUse, isPrivate: boolean, { wallet, network, dialect }: WalletContext): HdKeyJson {
  const { descriptors, vault } = wallet;
  const hasPrivate = [...owners].some(({ held }) => held.has(bytesKey(key.publicKey)));
  const secretKey = isPrivate && hasPrivate ? findSecret(vault, key.publicKey) : undefined;
  if (isPrivate && !secretKey && !walletMethodRules[dialect.generation].listsForeignKeys) {
    throw new RpcError(RPC_MISC_ERROR, 'map::at');
  }
  const listed = [...owners].map((owned) => ({
    desc: owned.text,
    active: descriptors?.findSide(owned) !== undefined,
  }));
  return {
    xpub: formatXpub(key, network),
    has_private: hasPrivate,
    ...(secretKey && { xprv: formatXprv(withSecretKey({ ...key }, secretKey), network) }),
    descriptors: listed.sort((a, b) => (a.desc < b.desc ? -1 : 1)),
  };
}
