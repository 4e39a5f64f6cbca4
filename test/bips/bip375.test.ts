import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { concatBytes, equalBytes } from '../../src/core/bytes/compare.ts';
import { hash160, sha256 } from '../../src/core/crypto/hash.ts';
import { nobleEcc } from '../../src/core/crypto/nobleEcc.ts';
import { lacksScripts } from '../../src/core/psbt/format/version.ts';
import { beginSession } from '../../src/core/psbt/session.ts';
import { verifySilentPayments } from '../../src/core/psbt/silentPayments/verify.ts';
import { shared } from '../support/corpus.ts';
import { type Psbt, type PsbtInput, parsePsbt } from '../support/library.ts';
import { refusalOf } from '../support/refusal.ts';

interface Vector {
  readonly description: string;
  readonly psbt: string;
}

const FILE = 'vectors/bips/bip-0375/bip375_test_vectors.json';
const vectors: { readonly valid: readonly Vector[]; readonly invalid: readonly Vector[] } = shared
  ? JSON.parse(readFileSync(join(shared, FILE), 'utf8'))
  : { valid: [], invalid: [] };

/**
 * The witness programs of the vectors are the first 20 bytes of the SHA256 of a key, where BIP141 has its HASH160: no key
 * spends these coins, which is why their signatures are invalid. Shares, proofs and scripts do not depend on it.
 */
function mendScript(script: Uint8Array, { bip32Derivations = [] }: PsbtInput): Uint8Array {
  const named = bip32Derivations.find(({ pubkey }) => equalBytes(sha256(pubkey).slice(0, 20), script.slice(2)));
  return named ? concatBytes(script.slice(0, 2), hash160(named.pubkey)) : script;
}

function mend(psbt: Psbt): Psbt {
  const inputs = psbt.inputs.map((input) => {
    const { witnessUtxo } = input;
    if (!witnessUtxo) return input;
    return { ...input, witnessUtxo: { ...witnessUtxo, scriptPubKey: mendScript(witnessUtxo.scriptPubKey, input) } };
  });
  return { ...psbt, inputs };
}

/** Lists the status of each silent payment, with what lacks or is wrong, and the input. */
function verdicts(psbt: Psbt): readonly string[] {
  const session = lacksScripts(psbt) ? undefined : beginSession(psbt);
  return verifySilentPayments(psbt, { ecc: nobleEcc, ...(session && { session }) }).map(({ status, fault }) => {
    return fault ? `${status}: ${fault.reason} ${fault.inputIndex ?? 'all'}` : status;
  });
}

const isProgrammed = (psbt: Psbt): boolean =>
  psbt.inputs.some((input, i) => !equalBytes(scriptOf(input), scriptOf(mend(psbt).inputs[i] ?? {})));
const scriptOf = ({ witnessUtxo }: PsbtInput): Uint8Array => witnessUtxo?.scriptPubKey ?? new Uint8Array(0);

/** What is not proven of the valid vectors, with the programs mended. */
const VALID: Readonly<Record<string, readonly string[]>> = {
  // Only tells that OP_2 alone is not a witness program: the PSBT has no input with a key.
  'input eligibility: bare OP_2 script is not a segwit v2 witness program': ['refuted: no-key all'],
  'in progress: one P2TR input / one sp output with no ECDH shares when PSBT_OUT_SCRIPT field is not set': [
    'open: share 0',
  ],
  'in progress: two inputs / one sp output, input 1 missing ECDH share when PSBT_OUT_SCRIPT field is not set': [
    'open: share 1',
  ],
  'in progress: one input / two sp outputs, input 0 missing ECDH share for output 0 when PSBT_OUT_SCRIPT field is not set':
    ['open: share 0', 'proven'],
  // Two spend keys of one scan key: a stranger's would hide the payment, and no payer says that both are of one receiver.
  'can finalize: two sp outputs - output 0 uses label=3 / output 1 uses label=1': [
    'conditional: receivers all',
    'conditional: receivers all',
  ],
};

/** The verdicts of invalid vectors, or the code with which decoding refuses them. */
const INVALID: Readonly<Record<string, readonly string[] | string>> = {
  'psbt structure: missing PSBT_OUT_SP_V0_INFO field when PSBT_OUT_SP_V0_LABEL set': 'psbt/field-required',
  'psbt structure: incorrect byte length for PSBT_OUT_SP_V0_INFO field': 'psbt/value-size',
  'psbt structure: incorrect byte length for PSBT_IN_SP_ECDH_SHARE field': 'psbt/value-invalid',
  'psbt structure: incorrect byte length for PSBT_IN_SP_DLEQ field': 'psbt/value-invalid',
  'psbt structure: PSBT_GLOBAL_TX_MODIFIABLE field is non-zero when PSBT_OUT_SCRIPT set for sp output': [
    'refuted: modifiable all',
  ],
  'psbt structure: missing PSBT_OUT_SCRIPT field when sending to non-sp output': 'psbt/field-required',
  'ecdh coverage: only one ineligible P2SH multisig input when PSBT_OUT_SCRIPT set for sp output': [
    'refuted: no-key all',
  ],
  'ecdh coverage: missing PSBT_IN_SP_ECDH_SHARE field for input 0 when PSBT_OUT_SCRIPT set for sp output': [
    'claimed: share 0',
  ],
  'ecdh coverage: missing PSBT_IN_SP_DLEQ field for input when PSBT_IN_SP_ECDH_SHARE set': ['claimed: no-proof 0'],
  'ecdh coverage: missing PSBT_GLOBAL_SP_DLEQ field when PSBT_GLOBAL_SP_ECDH_SHARE set': ['claimed: no-proof all'],
  'ecdh coverage: invalid proof in PSBT_IN_SP_DLEQ field': ['refuted: proof 0'],
  'ecdh coverage: invalid proof in PSBT_GLOBAL_SP_DLEQ field': ['refuted: proof all'],
  'ecdh coverage: missing PSBT_IN_BIP32_DERIVATION field for input when PSBT_IN_SP_DLEQ set': ['claimed: key 0'],
  'ecdh coverage: output 1 missing ECDH share for scan key with one input / three sp outputs (different scan keys)': [
    'proven',
    'claimed: share 0',
    'proven',
  ],
  'ecdh coverage: input 1 missing ECDH share for output 1 with two inputs / two sp outputs (different scan keys)': [
    'proven',
    'claimed: share 1',
  ],
  'ecdh coverage: input 1 missing ECDH share for scan key with two inputs / one sp output': ['claimed: share 1'],
  'input eligibility: segwit version greater than 1 in transaction inputs with sp output': ['refuted: input 0'],
  'input eligibility: non-SIGHASH_ALL signature on input with sp output': ['refuted: sighash 0'],
  'output scripts: P2TR input with NUMS internal key cannot derive sp output': ['refuted: no-key all'],
  'output scripts: PSBT_OUT_SCRIPT does not match derived sp output': ['refuted: script all'],
  'output scripts: two sp outputs (same scan / different spend keys) not sorted lexicographically by spend key': [
    'refuted: script all',
    'refuted: script all',
  ],
  'output scripts: k values assigned to wrong output indices with three sp outputs (same scan / spend keys)': [
    // A receiver who misses one of them may stop before the others.
    'refuted: script all',
    'refuted: script all',
    'refuted: script all',
  ],
};

describe.skipIf(!shared)('the vectors of BIP375', () => {
  test.each(vectors.valid)('valid: $description', ({ description, psbt: text }) => {
    const psbt = mend(parsePsbt(text));
    const count = psbt.outputs.filter(({ spV0Info }) => spV0Info).length;
    expect(verdicts(psbt)).toEqual(VALID[description] ?? Array(count).fill('proven'));
  });

  test('with the programs that they state, do not show the keys of their coins', () => {
    const programmed = vectors.valid.map(({ psbt }) => parsePsbt(psbt)).filter(isProgrammed);
    expect(programmed).toHaveLength(16);
    for (const psbt of programmed) expect(verdicts(psbt).every((each) => /: key \d$/.test(each))).toBe(true);
  });

  test.each(vectors.invalid)('invalid: $description', ({ description, psbt: text }) => {
    const expected = INVALID[description] ?? [];
    if (typeof expected === 'string') expect(refusalOf(() => parsePsbt(text)).code).toBe(expected);
    else expect(verdicts(mend(parsePsbt(text)))).toEqual(expected);
  });

  test('are all listed', () => {
    const listed = [...Object.keys(VALID), ...Object.keys(INVALID)];
    const descriptions = [...vectors.valid, ...vectors.invalid].map(({ description }) => description);
    expect(listed.filter((each) => !descriptions.includes(each))).toEqual([]);
    expect([vectors.valid.length, vectors.invalid.length]).toEqual([20, 22]);
  });
});
