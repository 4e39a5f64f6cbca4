import { hash160 } from '../../core/crypto/hash.ts';
import { analyzePsbt, type InputAnalysis, type PsbtAnalysis } from '../../core/psbt/roles/analyzer.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { roleOptions } from '../dialect/signingDialect.ts';
import { method } from '../method/method.ts';
import { string } from '../method/parameters.ts';
import type { Draft } from '../method/results.ts';
import { type Answer, amount, flag, hex, list, maybe, members, numeric, text } from '../method/results.ts';
import { psbtRoleRules } from '../views/psbtRules.ts';
import { parsePsbt, withPsbtErrors } from './psbtText.ts';

const analyzedInputResult = members({
  has_utxo: flag(),
  is_final: flag(),
  next: text('updater, signer, finalizer or extractor'),
  missing: maybe(
    members({
      pubkeys: maybe(list(hex(), 'the HASH160 of each')),
      redeemscript: maybe(hex('its HASH160')),
      witnessscript: maybe(hex('its SHA256')),
      signatures: maybe(list(hex(), "the HASH160 of each signer's public key")),
    }),
  ),
});

/** One input in the answer of `analyzepsbt`. */
export type AnalyzedInputJson = Answer<typeof analyzedInputResult>;

const analyzedPsbtResult = members({
  inputs: maybe(list(analyzedInputResult)),
  estimated_vsize: maybe(numeric('the virtual size of the signed transaction, if it can be estimated')),
  estimated_feerate: maybe(amount('per 1000 virtual bytes')),
  fee: maybe(amount('if all UTXOs are present')),
  next: text('creator, updater, signer, finalizer or extractor'),
  error: maybe(text('why the PSBT is invalid, if it is')),
});

/** The answer of `analyzepsbt`. */
export type AnalyzedPsbtJson = Answer<typeof analyzedPsbtResult>;

export const analyzepsbt = method({
  name: 'analyzepsbt',
  category: 'rawtransactions',
  about: 'Reports the state of a PSBT: what each input lacks, and which role comes next.',
  params: [string('psbt', 'the PSBT in base64')],
  result: analyzedPsbtResult,
  examples: ['analyzepsbt --file spend.psbt'],
  run: (args, context) => {
    const psbt = parsePsbt(args.psbt, context);
    const { network, bytesPerSigOp } = context;
    const options = { maxMoney: network.maxMoney, bytesPerSigOp, ...roleOptions(context) };
    return analysisJson(
      withPsbtErrors(context, () => analyzePsbt(psbt, options)),
      context.dialect,
    );
  },
});

function analysisJson(
  { inputs, next, fee, vsize, fault }: PsbtAnalysis,
  dialect: Dialect,
): Draft<typeof analyzedPsbtResult> {
  const rate = fee === undefined || vsize === undefined ? undefined : ratePerThousand(fee, BigInt(vsize), dialect);
  return {
    inputs: inputs.length > 0 ? inputs.map(inputDraft) : undefined,
    estimated_vsize: rate === undefined ? undefined : vsize,
    estimated_feerate: rate,
    fee,
    next,
    error: fault,
  };
}

/** Returns satoshi per 1000 vbytes. */
function ratePerThousand(fee: bigint, vsize: bigint, { generation }: Dialect): bigint {
  const rate = (fee * 1000n) / vsize;
  if (!psbtRoleRules[generation].roundsRatesDown) return BigInt.asIntN(64, rate * 1000n) / 1000n;
  return fee < 0n && (fee * 1000n) % vsize !== 0n ? rate - 1n : rate;
}

function inputDraft({ hasUtxo, isFinal, next, missing }: InputAnalysis): Draft<typeof analyzedInputResult> {
  const pubkeys = missing.flatMap((part) => (part.kind === 'key' ? [part.hash] : []));
  const signatures = missing.flatMap((part) => (part.kind === 'private-key' ? [hash160(part.publicKey)] : []));
  const redeemscript = missing.flatMap((part) => (part.kind === 'redeem-script' ? [part.hash] : [])).at(-1);
  const witnessscript = missing.flatMap((part) => (part.kind === 'witness-script' ? [part.program] : [])).at(-1);
  const isLacking = pubkeys.length > 0 || signatures.length > 0 || redeemscript || witnessscript;
  return {
    has_utxo: hasUtxo,
    is_final: isFinal,
    next,
    missing: isLacking
      ? {
          pubkeys: pubkeys.length > 0 ? pubkeys : undefined,
          redeemscript,
          witnessscript,
          signatures: signatures.length > 0 ? signatures : undefined,
        }
      : undefined,
  };
}
