import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { isBtcError } from '../../core/errors.ts';
import { heldKeysIn } from '../../core/holder/heldKey.ts';
import { createHolder } from '../../core/holder/holder.ts';
import { openJob, reviewJob } from '../../core/job/job.ts';
import { type ReviewJson, reviewToJson } from '../../core/report/reviewJson.ts';
import { formatReview } from '../../core/report/reviewText.ts';
import { POLICY_ACTIONS } from '../../core/review/finding.ts';
import type { Policy } from '../../core/review/policy.ts';
import { NO_PROVIDER } from '../../core/signing/signingProvider.ts';
import { DESC, parseDescriptorArgument } from '../arguments/descriptorArgument.ts';
import { parseSighashType, SIGHASH_NAMES } from '../arguments/signingArguments.ts';
import { invalidParameter } from '../method/errorCodes.ts';
import { method, own } from '../method/method.ts';
import { anyOf, array, choice, object, optional, string, userKeys } from '../method/parameters.ts';
import { typed } from '../method/results.ts';
import { withCoins } from './fillUtxos.ts';
import { parsePsbt, withPsbtErrors } from './psbtText.ts';

/** The answer of `reviewpsbt`. */
export interface ReviewedPsbtJson extends ReviewJson {
  /** The review in words, line by line. */
  readonly text: readonly string[];
}

export const reviewpsbt = own(
  method({
    name: 'reviewpsbt',
    category: 'rawtransactions',
    usesChain: true,
    about:
      'Shows what a PSBT would do: its payments, change and fee, who has signed, and anything suspicious. Signs nothing.',
    params: [
      string('psbt', 'the PSBT in base64'),
      optional(
        array(
          'descriptors',
          anyOf('', [string('descriptor', 'a descriptor'), object('', [DESC], '')], ''),
          'your descriptors; only outputs derived from them are reported as verified change',
          { isSecret: true },
        ),
      ),
      optional(
        userKeys(
          'policy',
          choice('check', POLICY_ACTIONS, 'refuse, warn or allow what it finds'),
          'what to do, by check',
        ),
      ),
      optional(choice('sighashtype', SIGHASH_NAMES, 'review for signing with this sighash type')),
    ],
    result: typed<ReviewedPsbtJson>(
      'the review: isRefused, inputs, outputs, fee, findings and more, with amounts in satoshi as strings, and text, which says it in words',
    ),
    examples: ['reviewpsbt --file spend.psbt --descriptors-file wallet.json'],
    run: (args, context) => {
      const { network, dialect, chain, ecc = nobleEcc } = context;
      const decoded = parsePsbt(args.psbt, context);
      const items = args.descriptors?.map((item) => (typeof item === 'string' ? item : item.desc)) ?? [];
      const descriptors = items.map((text) => parseDescriptorArgument(text, context));
      const policy: Policy = Object.fromEntries(args.policy ?? []);
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
  }),
);

function withPolicyErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isBtcError(error, 'policy/invalid') ? invalidParameter(error.message) : error;
  }
}
