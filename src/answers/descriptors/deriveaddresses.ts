import { pubkeyHashAddress, templateAddress } from '../../core/address/address.ts';
import { addressRules } from '../../core/address/addressRules.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { createDeriver, isRanged, singlePaths } from '../../core/descriptors/derive.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { RpcError } from '../../core/errors.ts';
import { classifyScript } from '../../core/script/template.ts';
import { parseDescriptorArgument, type Range, range, withDescriptorErrors } from '../arguments/descriptorArgument.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY, RPC_MISC_ERROR } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import { optional, string } from '../method/parameters.ts';
import { either, list, text } from '../method/results.ts';
import { has } from '../method/values.ts';

export const deriveaddresses = method({
  name: 'deriveaddresses',
  category: 'util',
  about: 'Derives the addresses of a descriptor.',
  params: [
    string('descriptor', 'the descriptor, with its checksum', { isSecret: true }),
    optional(range('range', 'for descriptors with a wildcard: the last index, or [first,last]')),
  ],
  result: either(
    list(text(), 'the addresses'),
    list(list(text()), 'for a multipath descriptor: the addresses of each of its descriptors'),
  ),
  examples: ["deriveaddresses 'wpkh([d34db33f/84h/0h/0h]xpub6CUGRUo.../0/*)#checksum' '[0,2]'"],
  run: (args, context) => {
    const text = args.descriptor;
    const indexes = args.range;
    const descriptor = parseDescriptorArgument(text, context, { requireChecksum: true });
    const hasRange = addressRules[context.dialect.generation].takesNullForRange
      ? has(args, 'range')
      : indexes !== undefined;
    if (!isRanged(descriptor) && hasRange)
      throw invalidParameter('Range should not be specified for an un-ranged descriptor');
    if (isRanged(descriptor) && !hasRange) throw invalidParameter('Range must be specified for a ranged descriptor');
    const [first = [], ...others] = singlePaths(descriptor).map((single) =>
      withDescriptorErrors(() => deriveAddresses(single, indexes ?? { first: 0, last: 0 }, context)),
    );
    return others.length === 0 ? first : [first, ...others];
  },
});

function deriveAddresses(descriptor: Descriptor, { first, last }: Range, context: RpcContext): readonly string[] {
  const derive = createDeriver(descriptor, { ecc: context.ecc });
  const addresses: string[] = [];
  for (let index = first; index <= last; index += 1) {
    const { scriptPubKeys } = derive(index);
    for (const script of scriptPubKeys) {
      const address = scriptAddress(script, context);
      if (address !== undefined) addresses.push(address);
      // The P2PK script of `combo` has no address, which is not an error.
      else if (scriptPubKeys.length === 1 || classifyScript(script).type !== 'pubkey') {
        throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Descriptor does not have a corresponding address');
      }
    }
  }
  if (addresses.length === 0) throw new RpcError(RPC_MISC_ERROR, 'Unexpected empty result');
  return addresses;
}

function scriptAddress(script: Uint8Array, { network, dialect }: RpcContext): string | undefined {
  const template = classifyScript(script, dialect.templates);
  if (template.type === 'pubkey' && addressRules[dialect.generation].bareKeysHaveAddresses) {
    return pubkeyHashAddress(hash160(template.pubkey), network);
  }
  return templateAddress(template, network);
}
