import { describe, expect, test } from 'vitest';
import { readSuite, shared } from '../support/corpus.ts';
import {
  CURRENT_RULES,
  createSigningProvider,
  decodePsbtBytes,
  networks,
  nobleEcc,
  type Outpoint,
  parseAddress,
  parseBase64,
  parseHex,
  parseWif,
  type SigningProvider,
  signMessage,
  type TxOut,
  verifyMessage,
} from '../support/library.ts';

const network = networks.main;

const providerOf = (wifs: readonly string[], scripts: readonly string[]): SigningProvider =>
  createSigningProvider(
    { keys: wifs.map((wif) => parseWif(wif, network)), scripts: scripts.filter(Boolean).map(parseHex) },
    { rules: CURRENT_RULES, ecc: nobleEcc },
  );

/** The message signing examples in the text of BIP322. */
describe('the examples of BIP322', () => {
  const wif = 'L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k';
  const address = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
  const scriptPubKey = parseAddress(address, network);
  const SIGNED = [
    [
      '',
      'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    ],
    [
      'Hello World',
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    ],
  ] as const;

  test.each(SIGNED)('%j is signed with the same bytes, and verifies with and without prefix', (message, signature) => {
    const provider = providerOf([wif], []);
    expect(signMessage({ message, from: { scriptPubKey, provider } })).toBe(`smp${signature}`);
    for (const text of [signature, `smp${signature}`]) {
      expect(verifyMessage({ message, signature: text, address })).toEqual({
        ...{ kind: 'valid', format: 'simple' },
        ...{ locktime: 0, sequence: 0, coins: [] },
      });
      expect(verifyMessage({ message: `${message}.`, signature: text, address }).kind).toBe('invalid');
    }
    expect(verifyMessage({ message, signature: `ful${signature}`, address })).toEqual({
      kind: 'invalid',
      format: 'full',
      reason: 'encoding',
    });
  });
});

interface Signed {
  readonly message: string;
  readonly address: string;
  readonly private_keys: readonly string[];
  readonly type: string;
  readonly witness_script: string;
  readonly sig_script?: string;
  readonly bip322_signatures: readonly string[];
  readonly tx_version?: 0 | 2;
  readonly lock_time?: number;
  readonly sequence?: number;
  readonly additional_inputs?: readonly (readonly { readonly value: number; readonly pk_script: string }[])[];
}

interface Wrong {
  readonly description: string;
  readonly message: string;
  readonly address: string;
  readonly signature: string;
}

type Suite = Readonly<Partial<Record<'simple' | 'full' | 'proof_of_funds', readonly Signed[]>>> & {
  readonly error: readonly Wrong[];
};

/** Returns the outpoints that a proof spends. */
const outpointsOf = (signature: string): readonly Outpoint[] =>
  decodePsbtBytes(parseBase64(signature.slice(3))).global.unsignedTx?.inputs.map(({ outpoint }) => outpoint) ?? [];

/** Returns the coins of a proof, by the order of its inputs. */
function coinsOf({ additional_inputs: groups = [] }: Signed): readonly TxOut[] {
  return groups.flat().map((coin) => ({ value: BigInt(coin.value), scriptPubKey: parseHex(coin.pk_script) }));
}

describe.runIf(shared).each(['bip322_basic', 'bip322_generated'])('the vectors of %s', (name) => {
  const suite = shared ? readSuite<Suite>(name) : { error: [] };
  const signed = [...(suite.simple ?? []), ...(suite.full ?? []), ...(suite.proof_of_funds ?? [])];

  test('verify, and say from when on they are valid', () => {
    expect(signed.length).toBeGreaterThan(3);
    for (const row of signed) {
      for (const signature of row.bip322_signatures) {
        const { message, address, lock_time: locktime = 0, sequence = 0 } = row;
        const isProof = row.additional_inputs !== undefined;
        const outpoints = isProof ? outpointsOf(signature) : [];
        const coins = coinsOf(row);
        const coinOf = (of: Outpoint): TxOut | undefined =>
          coins[outpoints.findIndex(({ txid, vout }) => vout === of.vout && Buffer.from(txid).equals(of.txid)) - 1];
        const given = { message, signature, address };
        const outcome = verifyMessage({ ...given, coinOf });
        expect([row.message, outcome]).toMatchObject([row.message, { kind: 'valid', locktime, sequence }]);
        if (isProof) expect(verifyMessage(given)).toMatchObject({ kind: 'inconclusive', reason: 'coins' });
      }
    }
  });

  test('of errors are invalid', () => {
    expect(suite.error.length).toBeGreaterThan(5);
    const outcomes = suite.error.map(({ message, address, signature }) =>
      verifyMessage({ message, signature, address }),
    );
    expect(outcomes.filter(({ kind }) => kind !== 'invalid')).toEqual([]);
  });

  test('are signed anew, with a signature that verifies', () => {
    const again = signed.flatMap((row) => {
      if (row.additional_inputs || row.type.includes('time-lock')) return [];
      const scriptPubKey = parseAddress(row.address, network);
      const { message, tx_version: version = 0, lock_time: locktime = 0, sequence = 0 } = row;
      const provider = providerOf(row.private_keys, [row.witness_script, row.sig_script ?? '']);
      const signature = signMessage({ message, from: { scriptPubKey, provider }, version, locktime, sequence });
      expect([row.type, verifyMessage({ message, signature, address: row.address }).kind]).toEqual([row.type, 'valid']);
      return [row.bip322_signatures.includes(signature)];
    });
    expect(again.length).toBeGreaterThan(3);
    console.log(`${name}: ${again.filter(Boolean).length} of ${again.length} signatures have the same bytes`);
  });
});
