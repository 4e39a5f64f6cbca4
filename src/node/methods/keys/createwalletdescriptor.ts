import type { AddressType } from '../../../answers/arguments/argumentTypes.ts';
import { readValue } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { findMember, type JsonMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidAddressOrKey, walletError } from '../../../answers/method/errorCodes.ts';
import { choice, json, named, of, optional } from '../../../answers/method/parameters.ts';
import { list, members, text } from '../../../answers/method/results.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { type ExtendedKey, formatXpub, parseExtendedKey } from '../../../core/keys/bip32.ts';
import type { Side } from '../../wallet/keys/activeDescriptors.ts';
import { OUTPUT_KINDS } from '../../wallet/records/newAddresses.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { activateDescriptor, walletDescriptor } from '../newKeys.ts';
import { collectHdKeys, findPrivateKey } from './gethdkeys.ts';

export const createwalletdescriptor = lasting(
  walletMethod({
    name: 'createwalletdescriptor',
    checksLate: true,
    about: 'Adds descriptors for a type of address, and makes them the ones that new addresses come from.',
    params: [
      choice('type', of<AddressType>(), 'legacy, p2sh-segwit, bech32 or bech32m'),
      named(
        optional(
          json(
            'options',
            of<{ readonly internal?: boolean; readonly hdkey?: string }>(),
            { type: 'object' },
            `
     { "internal": bool,    only the descriptor for change, or only the one for receiving; default both
       "hdkey": "xpub" }    the extended key; default: the one of the active descriptors`,
          ),
        ),
        ['internal', 'hdkey'],
      ),
    ],
    result: members({ descs: list(text(), 'the new descriptors, without private keys') }),
    examples: ['createwalletdescriptor bech32m --wallet-dir wallets'],
    run: (args, context) => {
      const { wallet } = context;
      const name = args.type;
      const kind = OUTPUT_KINDS.find((each) => each === name);
      if (!kind) throw invalidAddressOrKey(`Unknown address type '${withoutSecrets(name)}'`);
      const members = args.options?.type === 'object' ? args.options.members : [];
      const sides = parseSides(optionalMember(members, 'internal'), context);
      const hdkey = optionalMember(members, 'hdkey');
      assertUnlocked(wallet);
      const master = withPrivateKey(hdkey ? parseXpub(hdkey, context) : activeKey(wallet), context);
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

function optionalMember(members: readonly JsonMember[], name: string): JsonValue | undefined {
  const value = findMember(members, name);
  return value?.type === 'null' ? undefined : value;
}

function parseSides(internal: JsonValue | undefined, { dialect }: WalletContext): readonly Side[] {
  if (!internal) return ['external', 'internal'];
  return [readValue(internal, 'bool', dialect).value ? 'internal' : 'external'];
}

/** @throws RpcError -5 */
export function parseXpub(text: JsonValue, { dialect, network, ecc }: WalletContext): ExtendedKey {
  const { value } = readValue(text, 'string', dialect);
  const key = unlessRefused(() => parseExtendedKey(value, network, { ecc }));
  if (key && !key.secretKey) return key;
  throw invalidAddressOrKey('Unable to parse HD key. Please provide a valid xpub');
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
