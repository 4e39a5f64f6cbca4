import { readFlag } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { findMember } from '../../../answers/json/jsonValue.ts';
import { invalidAddressOrKey, invalidParameter, walletError } from '../../../answers/method/errorCodes.ts';
import { json, named, of, optional, string } from '../../../answers/method/parameters.ts';
import { maybe, members, text } from '../../../answers/method/results.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { derivePath, type ExtendedKey, formatXprv, formatXpub, keyFingerprint } from '../../../core/keys/bip32.ts';
import { formatPath, isHardened, parsePathStep } from '../../../core/keys/path.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { parseXpub } from './createwalletdescriptor.ts';
import { collectHdKeys, findPrivateKey, hdKeyName } from './gethdkeys.ts';

export const derivehdkey = lasting(
  walletMethod({
    name: 'derivehdkey',
    checksLate: true,
    about: 'Derives an extended key from one of the wallet.',
    params: [
      string('path', 'the path from there, such as m/87h/0h/0h, with at least one hardened step'),
      named(
        optional(
          json(
            'options',
            of<{ readonly private?: boolean; readonly hdkey?: string }>(),
            { type: 'object' },
            `
     { "private": bool,    also the private key; default false
       "hdkey": "xpub" }   the key to derive from; default: the only one without a descriptor, or else the only active one`,
          ),
        ),
        ['private', 'hdkey'],
      ),
    ],
    result: members({
      origin: text('the fingerprint and the path, as in descriptors'),
      xpub: text(),
      xprv: maybe(text('only on request')),
    }),
    examples: ['derivehdkey m/87h/0h/0h --wallet-dir wallets'],
    run: ({ path: pathText, options }, context) => {
      const { wallet, network, dialect, ecc } = context;
      if (wallet.row.disablesPrivateKeys) throw walletError('derivehdkey is not available for watch-only wallets');
      const path = parseSteps(pathText);
      const given = options?.type === 'object' ? options.members : [];
      const isPrivate = readFlag(given, 'private', dialect);
      if (!path.some(isHardened)) throw invalidParameter('Derivation path requires at least one hardened step');
      assertUnlocked(wallet);
      const hdkey = findMember(given, 'hdkey');
      const parent = hdkey && hdkey.type !== 'null' ? knownKey(parseXpub(hdkey, context), context) : onlyKey(context);
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
