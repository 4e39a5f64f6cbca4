import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { isBtcError } from '../../core/errors.ts';
import { heldKeysIn } from '../../core/holder/heldKey.ts';
import { createHolder } from '../../core/holder/holder.ts';
import { openJob, reviewJob } from '../../core/job/job.ts';
import type { Policy } from '../../core/review/policy.ts';
import { type ReviewJson, reviewToJson } from '../../core/review/text/reviewJson.ts';
import { formatReview } from '../../core/review/text/reviewText.ts';
import { NO_PROVIDER } from '../../core/signing/signingProvider.ts';
import type { SighashName } from '../arguments/argumentTypes.ts';
import { readValue } from '../arguments/argumentValues.ts';
import { parseDescriptorArgument } from '../arguments/descriptorArgument.ts';
import { parseSighashType } from '../arguments/signingArguments.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { JsonMember } from '../json/jsonValue.ts';
import { findMember, type JsonValue } from '../json/jsonValue.ts';
import { invalidParameter } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import { array, choice, object, of, optional, string } from '../method/parameters.ts';
import { typed } from '../method/results.ts';
import { withCoins } from './fillUtxos.ts';
import { parsePsbt, withPsbtErrors } from './psbtText.ts';

/** The answer of `reviewpsbt`. */
export interface ReviewedPsbtJson extends ReviewJson {
  /** The review in words, line by line. */
  readonly text: readonly string[];
}

/** Our own method, which no node has. */
export const reviewpsbt = method({
  name: 'reviewpsbt',
  usesChain: true,
  about:
    'Shows what a PSBT would do: its payments, change and fee, who has signed, and anything suspicious. Signs nothing.',
  params: [
    string('psbt', 'the PSBT in base64'),
    optional(
      array(
        'descriptors',
        of<string | { readonly desc: string }>(),
        'your descriptors; only outputs derived from them are reported as verified change',
        { isSecret: true },
      ),
    ),
    optional(
      object(
        'policy',
        of<Policy>(),
        `refuse, warn or allow what a check finds
     { "check": "action", ... }`,
      ),
    ),
    optional(choice('sighashtype', of<SighashName>(), 'review for signing with this sighash type')),
  ],
  result: typed<ReviewedPsbtJson>(
    'the review: isRefused, inputs, outputs, fee, findings and more, with amounts in satoshi as strings, and text, which says it in words',
  ),
  examples: ['reviewpsbt --file spend.psbt --descriptors-file wallet.json'],
  run: (args, context) => {
    const { network, dialect, chain, ecc = nobleEcc } = context;
    const decoded = parsePsbt(args.psbt, context);
    const items = args.descriptors ?? [];
    const descriptors = items.map((item) => parseDescriptorArgument(descriptorText(item, context), context));
    const policy = parsePolicy(args.policy ?? [], context);
    const sighashName = args.sighashtype;
    const options = {
      policy,
      ...(sighashName !== undefined && { sighashType: parseSighashType(sighashName, dialect) }),
    };
    const wallets = descriptors.map((descriptor) => ({ descriptor }));
    const holder = createHolder({ network, ecc, keys: heldKeysIn(descriptors), wallets });
    return withPsbtErrors(context, () =>
      withPolicyErrors(() => {
        const psbt = chain ? withCoins(decoded, chain, NO_PROVIDER) : decoded;
        const review = reviewJob(openJob(psbt, holder, options), options);
        return { ...reviewToJson(review), text: formatReview(review).trimEnd().split('\n') };
      }),
    );
  },
});

function descriptorText(item: JsonValue, { dialect }: RpcContext): string {
  const desc = item.type === 'object' ? findMember(item.members, 'desc') : item;
  if (!desc) throw invalidParameter('Descriptor needs to be provided in scan object');
  return readValue(desc, 'string', dialect).value;
}

function parsePolicy(members: readonly JsonMember[], { dialect }: RpcContext): Policy {
  const rules = members.map(([name, action]) => [name, readValue(action, 'string', dialect).value] as const);
  return Object.fromEntries(rules) as Policy;
}

function withPolicyErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isBtcError(error, 'policy/invalid') ? invalidParameter(error.message) : error;
  }
}
