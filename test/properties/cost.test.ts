import { Point } from '@noble/secp256k1';
import { describe, expect, test, vi } from 'vitest';
import {
  createDescriptorProvider,
  createRpc,
  decodePsbtBytes,
  derivePath,
  type Ecc,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  formatBase64,
  formatDescriptor,
  formatXpub,
  masterKey,
  musig2Shares,
  networks,
  neuter,
  nobleEcc,
  type Psbt,
  parseDescriptor,
  RpcError,
  reviewPsbt,
  signingRequests,
  singlePaths,
  updatePsbt,
} from '../support/library.ts';
import { WORST, WORST_SIZE } from '../support/worstPsbts.ts';

/**
 * Counts the work that PSBTs made to be slow cause: signatures verified and recovered, keys tweaked, points added.
 * Nothing here is timed.
 */

interface Work {
  verified: number;
  recovered: number;
  /** Of keys that a descriptor or an aggregate key is derived to, and of output keys. */
  tweaked: number;
  /** Additions of points by noble, those of the tweaks as well. */
  added: number;
}

/** The arithmetic that is asked for, counted; signatures are found invalid without looking at them. */
function counting(): { readonly ecc: Ecc; readonly work: Work } {
  const work = { verified: 0, recovered: 0, tweaked: 0, added: 0 };
  const ecc: Ecc = {
    ...nobleEcc,
    verifyEcdsa: () => {
      work.verified += 1;
      return false;
    },
    verifySchnorr: () => {
      work.verified += 1;
      return false;
    },
    ecdsaKeys: () => {
      work.recovered += 1;
      return [];
    },
    tweakPublicKey: (publicKey, tweak) => {
      work.tweaked += 1;
      return nobleEcc.tweakPublicKey(publicKey, tweak);
    },
  };
  return { ecc, work };
}

const NETWORK = networks.regtest;
const xpub = formatXpub(neuter(derivePath(masterKey(new Uint8Array(32).fill(7)), [0])), NETWORK);
const descriptor = parseDescriptor(`wpkh(${xpub}/<0;1>/*)`, NETWORK);
const [single = descriptor] = singlePaths(descriptor);

const method =
  (name: string, ...params: readonly unknown[]) =>
  (psbt: Psbt, ecc: Ecc): void => {
    const rpc = createRpc({ network: 'regtest', dialect: 'core-31', ecc });
    try {
      rpc.call(name, [formatBase64(encodePsbt(psbt)), ...params]);
    } catch (error) {
      expect(error).toBeInstanceOf(RpcError);
    }
  };
const DESCRIPTORS = [{ desc: formatDescriptor(single, NETWORK), range: [0, 1] }];
const ROLES: Readonly<Record<string, (psbt: Psbt, ecc: Ecc) => unknown>> = {
  decodepsbt: method('decodepsbt'),
  analyzepsbt: method('analyzepsbt'),
  finalizepsbt: method('finalizepsbt'),
  utxoupdatepsbt: method('utxoupdatepsbt', DESCRIPTORS),
  descriptorprocesspsbt: method('descriptorprocesspsbt', DESCRIPTORS),
  reviewPsbt: (psbt, ecc) => reviewPsbt(psbt, { ecc, network: NETWORK, descriptors: [descriptor] }),
  updatePsbt: (psbt, ecc) => updatePsbt(psbt, { ecc, provider: createDescriptorProvider([]) }),
  signingRequests: (psbt, ecc) => [...signingRequests(psbt, { ecc })],
  finalizePsbt: (psbt, ecc) => finalizePsbt(psbt, { ecc }),
  extractTransaction: (psbt, ecc) => {
    expect(() => extractTransaction(psbt, { ecc })).toThrow();
  },
  musig2Shares: (psbt, ecc) => musig2Shares(psbt, { ecc }),
};

/** The signatures that a PSBT holds, and no other, are worth a verification. */
const signatureCount = ({ inputs }: Psbt): number =>
  inputs.reduce((sum, input) => {
    const { partialSigs = [], tapScriptSigs = [], tapKeySig, finalScriptWitness, musig2PartialSigs = [] } = input;
    const single = (tapKeySig ? 1 : 0) + (finalScriptWitness ? 1 : 0);
    return sum + partialSigs.length + tapScriptSigs.length + musig2PartialSigs.length + single;
  }, 0);

const NO_PLACE = new Set(['signatures by keys that have no place', 'long paths to leaves of other coins']);

describe.each(Object.entries(WORST))('%s', (name, make) => {
  const psbt = decodePsbtBytes(encodePsbt(make()));
  const inputs = psbt.inputs.length;

  test('fills the size', () => {
    const { length } = encodePsbt(psbt);
    expect(length).toBeLessThanOrEqual(WORST_SIZE);
    expect(length).toBeGreaterThan(WORST_SIZE / 2);
  });

  test.each(Object.entries(ROLES))('costs %s no more than it is worth', (_, role) => {
    const { ecc, work } = counting();
    const add = vi.spyOn(Point.prototype, 'add');
    try {
      role(psbt, ecc);
      work.added = add.mock.calls.length;
    } finally {
      add.mockRestore();
    }
    expect(work.verified).toBeLessThanOrEqual(NO_PLACE.has(name) ? 0 : signatureCount(psbt));
    expect(work.recovered).toBeLessThanOrEqual(inputs);
    expect(work.tweaked).toBeLessThanOrEqual(500 + 8 * (inputs + psbt.outputs.length));
    // A participant is added up in 50 to 80 additions, of which noble does 100 in a millisecond.
    expect(work.added).toBeLessThanOrEqual(100_000 + 500 * inputs);
  });
});
