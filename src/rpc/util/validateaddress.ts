import { formatHex } from '../../bytes/hex.ts';
import { formatMwebAddress } from '../../encoding/mwebAddress.ts';
import { addressRules } from '../../generations.ts';
import { addressText, type Destination, parseDestination } from '../addressArgument.ts';
import { readValue } from '../argumentValues.ts';
import type { RpcContext } from '../dialect.ts';
import type { RpcMethod } from '../method.ts';
import { addressFault } from '../views/addressFault.ts';
import { addressKind } from '../views/addressJson.ts';
import type { ValidatedAddressJson } from '../views/jsonTypes.ts';

/** @see Bitcoin Core `validateaddress` */
export const validateaddress: RpcMethod<ValidatedAddressJson> = {
  name: 'validateaddress',
  needs: 'nothing',
  params: [{ name: 'address', type: 'string' }],
  checksLate: true,
  help: `Tells whether a text is an address of the network, and of which kind.

Arguments:
1. address         (string, required) the address

Result:
isvalid            whether the address is valid; if not, core-31 also answers:
error_locations    the characters of a bech32 address that are probably wrong, counted from 0
error              what is wrong
                   and of a valid address, every dialect:
address            the address in its usual spelling
scriptPubKey       the script that it pays to, in hex
isscript           whether it is the hash of a script
iswitness, witness_version, witness_program
                   whether it is a segwit address, and of which program

Examples:
> countersign validateaddress bc1q...`,
  run: (args, context) => {
    const text = readValue(args[0], 'string', context.dialect).value;
    const destination = parseDestination(text, context);
    return destination ? validOf(destination, context) : invalidOf(text, context);
  },
};

function validOf({ scriptPubKey, mwebKeys }: Destination, context: RpcContext): ValidatedAddressJson {
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

function invalidOf(text: string, { network, dialect }: RpcContext): ValidatedAddressJson {
  if (!addressRules[dialect.generation].explainsAddresses) return { isvalid: false };
  const { message, locations } = addressFault(text, network);
  return { isvalid: false, error_locations: locations, error: message };
}
