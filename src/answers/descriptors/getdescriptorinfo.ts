import { splitChecksum } from '../../core/descriptors/checksum.ts';
import { hasPrivateKeys, isRanged, isSolvable, singlePaths } from '../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { parseDescriptorArgument } from '../arguments/descriptorArgument.ts';
import { method } from '../method/method.ts';
import { string } from '../method/parameters.ts';
import type { DescriptorInfoJson } from '../views/jsonTypes.ts';

export const getdescriptorinfo = method({
  name: 'getdescriptorinfo',
  about: 'Checks a descriptor and shows it in canonical form.',
  params: [string('descriptor', 'the descriptor, with or without its checksum', { isSecret: true })],
  result: `descriptor             the descriptor without private keys, with its checksum; of a multipath descriptor, the first one
multipath_expansion    all descriptors of a multipath descriptor
checksum               the checksum of the descriptor as given
isrange                whether it has a wildcard, so that it has a script at every index
issolvable             whether it says how its outputs can be spent
hasprivatekeys         whether it contains a private key`,
  examples: ["getdescriptorinfo 'wpkh([d34db33f/84h/0h/0h]xpub6CUGRUo.../0/*)'"],
  run: (args, context): DescriptorInfoJson => {
    const text = args.descriptor;
    const descriptor = parseDescriptorArgument(text, context);
    const [first = '', ...others] = singlePaths(descriptor).map((single) => formatDescriptor(single, context.network));
    return {
      descriptor: first,
      ...(others.length > 0 && { multipath_expansion: [first, ...others] }),
      checksum: splitChecksum(text, false).checksum,
      isrange: isRanged(descriptor),
      issolvable: isSolvable(descriptor),
      hasprivatekeys: hasPrivateKeys(descriptor),
    };
  },
});
