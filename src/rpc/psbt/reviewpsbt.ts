import { reviewUpdated, updateWithAccount } from '../../account/accountPsbt.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { isBtcError } from '../../errors.ts';
import type { Policy } from '../../review/policy.ts';
import { type ReviewJson, reviewToJson } from '../../review/reviewJson.ts';
import { formatReview } from '../../review/reviewText.ts';
import { NO_PROVIDER } from '../../signing/signingProvider.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import { parseDescriptorArgument } from '../descriptors/descriptorArgument.ts';
import type { RpcContext } from '../dialect.ts';
import { invalidParameter } from '../errorCodes.ts';
import { type JsonValue, memberOf } from '../json/jsonValue.ts';
import type { RpcMethod } from '../method.ts';
import { parseSighashType } from '../rawtransaction/signingArguments.ts';
import { withCoins } from './fillUtxos.ts';
import { parsePsbt, withPsbtErrors } from './psbtText.ts';

/** The answer of `reviewpsbt`. */
export interface ReviewedPsbtJson extends ReviewJson {
  /** The review in words, line by line. */
  readonly text: readonly string[];
}

/** Our own method, which no node has: the review of the command line, for programs. */
export const reviewpsbt: RpcMethod<ReviewedPsbtJson> = {
  name: 'reviewpsbt',
  needs: 'nothing',
  params: [
    { name: 'psbt', type: 'string' },
    { name: 'descriptors', type: 'array', isOptional: true, isSecret: true },
    { name: 'policy', type: 'object', isOptional: true },
    { name: 'sighashtype', type: 'string', isOptional: true },
  ],
  usesChain: true,
  help: `Shows what a PSBT would do: its payments, change and fee, who has signed, and anything suspicious. Signs nothing.

Arguments:
1. psbt           (string, required) the PSBT in base64
2. descriptors    (array, optional) your descriptors; only outputs derived from them are reported as verified change
3. policy         (object, optional) refuse, warn or allow what a check finds
     { "check": "action", ... }
4. sighashtype    (string, optional) review for signing with this sighash type

Result:
isRefused         whether the policy refuses to sign
inputs, outputs, fee, findings, ...    amounts in satoshi, as strings
text              the review in words, line by line

Examples:
> countersign reviewpsbt --file spend.psbt --descriptors-file wallet.json`,
  run: (args, context) => {
    const { network, dialect, chain, ecc = nobleEcc } = context;
    const given = parsePsbt(readValue(args[0], 'string', dialect).value, context);
    const items = readOptional(args[1], 'array', dialect)?.items ?? [];
    const descriptors = items.map((item) => parseDescriptorArgument(descriptorText(item, context), context));
    const policy = policyOf(readOptional(args[2], 'object', dialect), context);
    const sighash = readOptional(args[3], 'string', dialect);
    const options = { policy, ...(sighash && { sighashType: parseSighashType(sighash, dialect) }) };
    const keys = { network, descriptors, masters: [], ecc };
    return withPsbtErrors(context, () =>
      withPolicyErrors(() => {
        const psbt = chain ? withCoins(given, chain, NO_PROVIDER) : given;
        const review = reviewUpdated(updateWithAccount(psbt, keys, options), network, options);
        return { ...reviewToJson(review), text: formatReview(review).trimEnd().split('\n') };
      }),
    );
  },
};

/** Reads a descriptor, given as a text or as an object with `desc`. @throws RpcError -8, -3 */
function descriptorText(item: JsonValue, { dialect }: RpcContext): string {
  const desc = item.type === 'object' ? memberOf(item.members, 'desc') : item;
  if (!desc) throw invalidParameter('Descriptor needs to be provided in scan object');
  return readValue(desc, 'string', dialect).value;
}

function policyOf(value: Extract<JsonValue, { type: 'object' }> | undefined, { dialect }: RpcContext): Policy {
  const rules = value?.members.map(([name, action]) => [name, readValue(action, 'string', dialect).value] as const);
  return Object.fromEntries(rules ?? []) as Policy;
}

/** Turns a policy that the review does not know into an RPC error. */
function withPolicyErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isBtcError(error, 'policy/invalid') ? invalidParameter(error.message) : error;
  }
}
