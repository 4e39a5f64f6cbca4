import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidAddressOrKey, invalidParameter, walletError } from '../../../answers/method/errorCodes.ts';
import { bool, optional, options, string } from '../../../answers/method/parameters.ts';
import { maybe, members, text } from '../../../answers/method/results.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { derivePath, type ExtendedKey, formatXprv, formatXpub, keyFingerprint } from '../../../core/keys/bip32.ts';
import { formatPath, isHardened, parsePathStep } from '../../../core/keys/path.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { hdkey } from './createwalletdescriptor.ts';
import { collectHdKeys, findPrivateKey, hdKeyName } from './gethdkeys.ts';

export const derivehdkey = lasting(
  walletMethod({
    name: 'derivehdkey',
    checksLate: true,
    about: 'Derives an extended key from one of the wallet.',
    params: [
      string('path', 'the path from there, such as m/87h/0h/0h, with at least one hardened step'),
      options(
        'options',
        [
          optional(bool('private', 'whether to show the private key, too', { countsNull: true }), false),
          optional(
            hdkey('the key to derive from; by default the only one without a descriptor, or else the only active one'),
          ),
        ],
        '',
      ),
    ],
    result: members({
      origin: text('the fingerprint and the path, as in descriptors'),
      xpub: text(),
      xprv: maybe(text('only on request')),
    }),
    examples: ['derivehdkey m/87h/0h/0h --wallet-dir wallets'],
    run: ({ path: pathText, options: given }, context) => {
      const { wallet, network, ecc } = context;
      if (wallet.row.disablesPrivateKeys) throw walletError('derivehdkey is not available for watch-only wallets');
      const path = parseSteps(pathText);
      const { private: isPrivate } = given;
      if (!path.some(isHardened)) throw invalidParameter('Derivation path requires at least one hardened step');
      assertUnlocked(wallet);
      const { hdkey: chosen } = given;
      const parent = chosen ? knownKey(chosen, context) : onlyKey(context);
      const master = findPrivateKey(parent, wallet);
      if (!master) throw invalidAddressOrKey(`Private key for ${formatXpub(parent, network)} is not known`);
      const child = unlessRefused(() => derivePath(master, path, { ecc }));
      if (!child) throw invalidParameter('Unable to derive HD key at the requested path');
      return {
        origin: `[${formatHex(keyFingerprint(master))}${formatPath(path)}]`,
        xpub: formatXpub(child, network),
        ...(isPrivate && { xprv: formatXprv(child, network) }),
      };
    },
  }),
  { since: 'core-32' },
);

/** @see Bitcoin Core `ParseHDKeypath` */
function parseSteps(text: string): readonly number[] {
  const steps = text === '' ? [] : text.replace(/(?<=.)\/$/, '').split('/');
  if (steps[0] === 'm') steps.shift();
  const path = unlessRefused(() => steps.map((step) => parsePathStep(step).child));
  if (path) return path;
  throw invalidParameter('Invalid BIP32 keypath');
}

function knownKey(key: ExtendedKey, { wallet }: WalletContext): ExtendedKey {
  const name = hdKeyName(key);
  if (collectHdKeys(wallet, 'unused').has(name) || collectHdKeys(wallet, 'active').has(name)) return key;
  throw invalidAddressOrKey('HD key is not used by an active or unused(KEY) descriptor');
}

function onlyKey({ wallet }: WalletContext): ExtendedKey {
  const [unused, ...moreUnused] = collectHdKeys(wallet, 'unused').values();
  if (moreUnused.length > 0)
    throw invalidAddressOrKey("Unable to determine which HD key to use. Please specify with 'hdkey'");
  if (unused) return unused.key;
  const [active, ...moreActive] = collectHdKeys(wallet, 'active').values();
  if (!active) throw invalidAddressOrKey('No active or unused(KEY) descriptor found');
  if (moreActive.length === 0) return active.key;
  throw invalidAddressOrKey(
    "Unable to determine which HD key to use from active descriptors. Please specify with 'hdkey'",
  );
}
