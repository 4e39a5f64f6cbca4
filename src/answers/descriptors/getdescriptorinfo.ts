import { splitChecksum } from '../../core/descriptors/checksum.ts';
import { hasPrivateKeys, isRanged, isSolvable, singlePaths } from '../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { parseDescriptorArgument } from '../arguments/descriptorArgument.ts';
import { method } from '../method/method.ts';
import { string } from '../method/parameters.ts';
import { type Answer, flag, list, maybe, members, text } from '../method/results.ts';

const descriptorInfoResult = members({
  descriptor: text('without private keys, with its checksum; of a multipath descriptor, the first one'),
  multipath_expansion: maybe(list(text(), 'all descriptors of a multipath descriptor'), { since: 'core-29' }),
  checksum: text('of the descriptor as given'),
  isrange: flag('whether it has a wildcard, so that it has a script at every index'),
  issolvable: flag('whether it says how its outputs can be spent'),
  hasprivatekeys: flag('whether it contains a private key'),
});

/** The answer of `getdescriptorinfo`. */
export type DescriptorInfoJson = Answer<typeof descriptorInfoResult>;

export const getdescriptorinfo = method({
  name: 'getdescriptorinfo',
  category: 'util',
  about: 'Checks a descriptor and shows it in canonical form.',
  params: [string('descriptor', 'the descriptor, with or without its checksum', { isSecret: true })],
  result: descriptorInfoResult,
  examples: ["getdescriptorinfo 'wpkh([d34db33f/84h/0h/0h]xpub6CUGRUo.../0/*)'"],
  run: (args, context) => {
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
