import type { Ecc } from '../../core/crypto/ecc.ts';
import { signingRules } from '../../core/signing/generationSigning.ts';
import type { SigningRules } from '../../core/signing/signingRules.ts';
import { type ByDialect, byDialect, type Dialect, type RpcContext } from './dialect.ts';

/** Rules by which a dialect signs, finalizes, combines, joins and words failures. */
export interface SigningDialect {
  /** `documented` adds a code and a hint to input errors, and advice to the texts on keys and descriptors. */
  readonly explainsErrors: boolean;
  /** Core signs for MAX_MONEY if an amount is unknown; `documented` does not, as such a signature is wrong. */
  readonly signsUnknownAmounts: boolean;
  /** `documented` signs for the taproot output whose internal key is the key; Core needs its descriptor. @see BIP86 */
  readonly tweaksKeys: boolean;
  /** Core signs PSBT inputs with SIGHASH_SINGLE and no output of their number; `documented` refuses to. */
  readonly signsLoneSingle: boolean;
  /** Core trusts final fields that it cannot verify; `documented` does not. */
  readonly trustsFinalFields: boolean;
  /** `combinepsbt` of Core keeps the sighash types of the first PSBT only; `documented` keeps all. */
  readonly keepsFirstSighashTypes: boolean;
  /**
   * `combinerawtransaction` of Core verifies no Schnorr signature, as it looks at one coin at a time, and drops them;
   * `documented` keeps valid ones.
   */
  readonly combinesSchnorr: boolean;
  /** `joinpsbts` of Core keeps taproot signatures, which are void in the new transaction; `documented` drops them. */
  readonly joinsTaprootSignatures: boolean;
  /** The default sighash type: Core 31 has DEFAULT, 0.21 and `documented` ALL. */
  readonly sighash: 'ALL' | 'DEFAULT';
  /** The default version of created PSBTs: Core 31 has 2, 0.21 supports only 0, and all software reads 0. */
  readonly psbtVersion: 0 | 2;
}

/** The rows of {@link SigningDialect}. */
export const signingDialects: ByDialect<SigningDialect> = byDialect<SigningDialect>({
  'core-0.21': {
    explainsErrors: false,
    signsUnknownAmounts: true,
    tweaksKeys: false,
    signsLoneSingle: true,
    trustsFinalFields: true,
    keepsFirstSighashTypes: true,
    combinesSchnorr: false,
    joinsTaprootSignatures: true,
    sighash: 'ALL',
    psbtVersion: 0,
  },
  'core-31': { sighash: 'DEFAULT', psbtVersion: 2 },
  documented: {
    explainsErrors: true,
    signsUnknownAmounts: false,
    tweaksKeys: true,
    signsLoneSingle: false,
    trustsFinalFields: false,
    keepsFirstSighashTypes: false,
    combinesSchnorr: true,
    joinsTaprootSignatures: false,
    sighash: 'ALL',
    psbtVersion: 0,
  },
});

export function signingRulesOf({ name, generation, templates }: Dialect): SigningRules {
  const { tweaksKeys, signsLoneSingle } = signingDialects[name];
  return { ...signingRules[generation], templates, tweaksKeys, signsLoneSingle };
}

/** Returns the options of PSBT roles that sign or verify. */
export function roleOptions({ dialect, ecc }: RpcContext): { rules: SigningRules; trustsFinal: boolean; ecc?: Ecc } {
  const { trustsFinalFields: trustsFinal } = signingDialects[dialect.name];
  return { rules: signingRulesOf(dialect), trustsFinal, ...(ecc && { ecc }) };
}
