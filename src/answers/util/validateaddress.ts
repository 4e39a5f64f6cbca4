import { addressRules } from '../../core/address/addressRules.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { formatMwebAddress } from '../../core/encoding/mwebAddress.ts';
import { addressText, type Destination, parseDestination } from '../arguments/addressArgument.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { method } from '../method/method.ts';
import { string } from '../method/parameters.ts';
import { type Answer, flag, hex, list, maybe, members, numeric, text } from '../method/results.ts';
import { addressFault } from '../views/addressFault.ts';
import { addressKind, addressKindMembers } from '../views/addressJson.ts';

const validatedAddressResult = members({
  isvalid: flag('whether the address is valid'),
  error_locations: maybe(
    list(numeric(), 'of an invalid address: the characters of a bech32 text that are probably wrong, counted from 0'),
    { since: 'core-29' },
  ),
  error: maybe(text('of an invalid address: what is wrong'), { since: 'core-29' }),
  address: maybe(text('of a valid address, as are all that follow: in its usual spelling')),
  scriptPubKey: maybe(hex('the script that it pays to')),
  ...addressKindMembers,
});

/** The answer of `validateaddress`; of an invalid address, only the first three members. */
export type ValidatedAddressJson = Answer<typeof validatedAddressResult>;

export const validateaddress = method({
  name: 'validateaddress',
  category: 'util',
  checksLate: true,
  about: 'Tells whether a text is an address of the network, and of which kind.',
  params: [string('address', 'the address')],
  result: validatedAddressResult,
  examples: ['validateaddress bc1q...'],
  run: (args, context) => {
    const text = args.address;
    const destination = parseDestination(text, context);
    return destination ? validAddressJson(destination, context) : invalidAddressJson(text, context);
  },
});

function validAddressJson({ scriptPubKey, mwebKeys }: Destination, context: RpcContext): ValidatedAddressJson {
  const { network, dialect } = context;
  if (mwebKeys) {
    const address = formatMwebAddress(network.mwebHrp ?? '', mwebKeys);
    return { isvalid: true, address, scriptPubKey: '', isscript: false, iswitness: false, ismweb: true };
  }
  return {
    isvalid: true,
    address: addressText(scriptPubKey, context) ?? '',
    scriptPubKey: formatHex(scriptPubKey),
    ...addressKind(scriptPubKey, dialect),
  };
}

function invalidAddressJson(text: string, { network, dialect }: RpcContext): ValidatedAddressJson {
  if (!addressRules[dialect.generation].explainsAddresses) return { isvalid: false };
  const { message, locations } = addressFault(text, network);
  return { isvalid: false, error_locations: locations, error: message };
}
