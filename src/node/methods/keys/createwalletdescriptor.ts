import { readValue } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidAddressOrKey, walletError } from '../../../answers/method/errorCodes.ts';
import type { Param } from '../../../answers/method/param.ts';
import { bool, choice, optional, options, string } from '../../../answers/method/parameters.ts';
import { list, members, text } from '../../../answers/method/results.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { type ExtendedKey, formatXpub, parseExtendedKey } from '../../../core/keys/bip32.ts';
import type { Side } from '../../wallet/keys/activeDescriptors.ts';
import { OUTPUT_KINDS } from '../../wallet/records/newAddresses.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { activateDescriptor, walletDescriptor } from '../newKeys.ts';
import { collectHdKeys, findPrivateKey } from './gethdkeys.ts';

/** Declares an extended public key. @throws RpcError -5 */
export const hdkey = (about: string): Param<'hdkey', ExtendedKey, string> => ({
  ...string('hdkey', about),
  read: (value, { dialect, network, ecc }) => {
    const { value: text } = readValue(value, 'string', dialect);
    const key = unlessRefused(() => parseExtendedKey(text, network, { ecc }));
    if (key && !key.secretKey) return key;
    throw invalidAddressOrKey('Unable to parse HD key. Please provide a valid xpub');
  },
});

export const createwalletdescriptor = lasting(
  walletMethod({
    name: 'createwalletdescriptor',
    checksLate: true,
    about: 'Adds descriptors for a type of address, and makes them the ones that new addresses come from.',
    params: [
      choice('type', OUTPUT_KINDS, 'the kind of the addresses'),
      options(
        'options',
        [
          optional(bool('internal', 'whether the descriptor is for change; by default both are added')),
          optional(hdkey('the extended public key; by default the one of the active descriptors')),
        ],
        '',
      ),
    ],
    result: members({ descs: list(text(), 'the new descriptors, without private keys') }),
    examples: ['createwalletdescriptor bech32m --wallet-dir wallets'],
    run: (args, context) => {
      const { wallet } = context;
      const name = args.type;
      const kind = OUTPUT_KINDS.find((each) => each === name);
      if (!kind) throw invalidAddressOrKey(`Unknown address type '${withoutSecrets(name)}'`);
      const sides = sidesOf(args.options.internal);
      assertUnlocked(wallet);
      const master = withPrivateKey(args.options.hdkey ?? activeKey(wallet), context);
      const added = sides.flatMap((side) => {
        const descriptor = walletDescriptor(master, { kind, side }, context);
        if (wallet.descriptors?.find(descriptor)) return [];
        activateDescriptor(master, { kind, side }, context);
        return wallet.descriptors?.find(descriptor)?.text ?? [];
      });
      if (added.length === 0) throw walletError('Descriptor already exists');
      return { descs: added };
    },
  }),
  { since: 'core-29' },
);

function sidesOf(isInternal: boolean | undefined): readonly Side[] {
  if (isInternal === undefined) return ['external', 'internal'];
  return [isInternal ? 'internal' : 'external'];
}

function activeKey(wallet: WalletContext['wallet']): ExtendedKey {
  const [only, ...others] = collectHdKeys(wallet, 'active').values();
  if (only && others.length === 0) return only.key;
  throw invalidAddressOrKey(
    "Unable to determine which HD key to use from active descriptors. Please specify with 'hdkey'",
  );
}

function withPrivateKey(key: ExtendedKey, context: WalletContext): ExtendedKey {
  const master = findPrivateKey(key, context.wallet);
  if (master) return master;
  throw invalidAddressOrKey(`Private key for ${formatXpub(key, context.network)} is not known`);
}
