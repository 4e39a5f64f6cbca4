import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidAddressOrKey, walletError } from '../../../answers/method/errorCodes.ts';
import { optional, string } from '../../../answers/method/parameters.ts';
import { members, text } from '../../../answers/method/results.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { type ExtendedKey, formatXpub, masterKey, parseExtendedKey } from '../../../core/keys/bip32.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { addDescriptor, newSecretKey } from '../newKeys.ts';

export const addhdkey = lasting(
  walletMethod({
    name: 'addhdkey',
    checksLate: true,
    about: 'Adds an extended key to the wallet, for createwalletdescriptor and derivehdkey.',
    params: [
      optional(string('hdkey', 'the extended private key; by default the wallet makes one', { isSecret: true })),
    ],
    result: members({ xpub: text('the extended public key') }),
    examples: ['addhdkey --wallet-dir wallets'],
    run: ({ hdkey }, context) => {
      const { wallet, network, node, ecc } = context;
      if (wallet.row.disablesPrivateKeys)
        throw walletError('addhdkey is not available for wallets without private keys');
      assertUnlocked(wallet);
      const key = hdkey === undefined ? masterKey(newSecretKey(node.random), { ecc }) : parseXprv(hdkey, context);
      const descriptor: Descriptor = {
        kind: 'unused',
        key: { kind: 'extended', key, path: [], wildcard: 'none', mark: 'h' },
      };
      if (wallet.descriptors?.find(descriptor)) throw walletError('HD key already exists');
      addDescriptor(descriptor, { isActive: false, isInternal: false, end: 0 }, context);
      return { xpub: formatXpub(key, network) };
    },
  }),
  { since: 'core-32' },
);

function parseXprv(text: string, { network, ecc }: WalletContext): ExtendedKey {
  const key = unlessRefused(() => parseExtendedKey(text, network, { ecc }));
  if (!key) throw invalidAddressOrKey('Could not parse HD key');
  if (key.secretKey) return key;
  throw invalidAddressOrKey('Extended public key (xpub) provided, but extended private key (xprv) is required');
}
