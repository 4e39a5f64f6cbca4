import { addressRules } from '../../core/address/addressRules.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { formatMwebAddress } from '../../core/encoding/mwebAddress.ts';
import { addressText, type Destination, parseDestination } from '../arguments/addressArgument.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { method } from '../method/method.ts';
import { string } from '../method/parameters.ts';
import { addressFault } from '../views/addressFault.ts';
import { addressKind } from '../views/addressJson.ts';
import type { ValidatedAddressJson } from '../views/jsonTypes.ts';

export const validateaddress = method({
  name: 'validateaddress',
  checksLate: true,
  about: 'Tells whether a text is an address of the network, and of which kind.',
  params: [string('address', 'the address')],
  result: `isvalid            whether the address is valid; if not, core-31 also answers:
error_locations    the characters of a bech32 address that are probably wrong, counted from 0
error              what is wrong
                   and of a valid address, every dialect:
address            the address in its usual spelling
scriptPubKey       the script that it pays to, in hex
isscript           whether it is the hash of a script
iswitness, witness_version, witness_program
                   whether it is a segwit address, and of which program`,
  examples: ['validateaddress bc1q...'],
  run: (args, context): ValidatedAddressJson => {
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
