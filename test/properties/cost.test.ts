import { HashMD } from '@noble/hashes/_md.js';
import { Point } from '@noble/secp256k1';
import { describe, expect, test } from 'vitest';
import { accountFromKey, parseWalletFile, signWith } from '../../src/kit/account/index.ts';
import { share, stride } from '../support/campaign.ts';
import {
  BtcError,
  createDeriver,
  createDescriptorProvider,
  createHolder,
  createRpc,
  decodePsbtBytes,
  derivePath,
  type Ecc,
  encodePsbt,
  encodeTransaction,
  extractTransaction,
  finalizePsbt,
  formatBase64,
  formatDescriptor,
  formatHex,
  formatXprv,
  formatXpub,
  type Holder,
  keySigner,
  musig2Shares,
  networks,
  neuter,
  nobleEcc,
  POLICY_DEFAULTS,
  type Policy,
  type Psbt,
  parseDescriptor,
  RpcError,
  reviewPsbt,
  signingRequests,
  signPsbt,
  singlePaths,
  updatePsbt,
} from '../support/library.ts';
import { MASTER, WORST, WORST_SIZE } from '../support/worstPsbts.ts';

/**
 * Counts the work that PSBTs made to be slow cause: signatures verified and recovered, keys tweaked, points added.
 * Only the search of texts is timed.
 */

interface Work {
  verified: number;
  recovered: number;
  /** Tweaks of derived keys and of output keys. */
  tweaked: number;
  /** Point additions by noble, including those of the tweaks. */
  added: number;
  /** Bytes hashed. */
  hashed: number;
}

/** Counts the requested arithmetic; finds every signature invalid without verifying it. */
function counting(areValid: boolean): { readonly ecc: Ecc; readonly work: Work } {
  const work = { verified: 0, recovered: 0, tweaked: 0, added: 0, hashed: 0 };
  const ecc: Ecc = {
    ...nobleEcc,
    verifyEcdsa: () => {
      work.verified += 1;
      return false;
    },
    verifySchnorr: () => {
      work.verified += 1;
      return areValid;
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

/**
 * Counts noble's point additions and the bytes it hashes, until the returned function is called. Mocks of Vitest would
 * also keep all arguments.
 */
function watchArithmetic(work: Work): () => void {
  const { add } = Point.prototype;
  const { update } = HashMD.prototype;
  Point.prototype.add = function (this: Point, other) {
    work.added += 1;
    return add.call(this, other);
  };
  HashMD.prototype.update = function (this: typeof HashMD.prototype, data) {
    work.hashed += data.length;
    return update.call(this, data);
  };
  return () => {
    Point.prototype.add = add;
    HashMD.prototype.update = update;
  };
}

/** Error texts show 1000 characters of a caller's text, and words around them. */
const LONGEST_MESSAGE = 2000;

const NETWORK = networks.regtest;
const xpub = formatXpub(neuter(derivePath(MASTER, [0])), NETWORK);
const descriptor = parseDescriptor(`wpkh(${xpub}/<0;1>/*)`, NETWORK);
const holderWith = (ecc: Ecc): Holder => createHolder({ network: NETWORK, ecc, wallets: [{ descriptor }] });
const [single = descriptor] = singlePaths(descriptor);

const ALLOW_ALL: Policy = Object.fromEntries(Object.keys(POLICY_DEFAULTS).map((check) => [check, 'allow']));

const method =
  (name: string, ...params: readonly unknown[]) =>
  (psbt: Psbt, ecc: Ecc): void =>
    ask(ecc, name, [formatBase64(encodePsbt(psbt)), ...params]);
/** Calls a method that takes several PSBTs with copies of this one. */
const methodOfMany =
  (name: string) =>
  (psbt: Psbt, ecc: Ecc): void => {
    const text = formatBase64(encodePsbt(psbt));
    ask(ecc, name, [[text, text]]);
  };
function ask(ecc: Ecc, name: string, params: readonly unknown[]): void {
  const rpc = createRpc({ network: 'regtest', dialect: 'core-32', ecc });
  try {
    rpc.call(name, params);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    expect(error.message.length).toBeLessThan(LONGEST_MESSAGE);
  }
}
const DESCRIPTORS = [{ desc: formatDescriptor(single, NETWORK), range: [0, 1] }];
const ROLES: Readonly<Record<string, (psbt: Psbt, ecc: Ecc) => unknown>> = {
  decodepsbt: method('decodepsbt'),
  analyzepsbt: method('analyzepsbt'),
  finalizepsbt: method('finalizepsbt'),
  utxoupdatepsbt: method('utxoupdatepsbt', DESCRIPTORS),
  descriptorprocesspsbt: method('descriptorprocesspsbt', DESCRIPTORS),
  combinepsbt: methodOfMany('combinepsbt'),
  joinpsbts: methodOfMany('joinpsbts'),
  converttopsbt: (psbt, ecc) => {
    const { unsignedTx } = psbt.global;
    expect(unsignedTx).toBeDefined();
    if (unsignedTx) ask(ecc, 'converttopsbt', [formatHex(encodeTransaction(unsignedTx)), true]);
  },
  signPsbt: (psbt, ecc) => {
    const provider = createDescriptorProvider([createDeriver(single, { ecc })(0)]);
    const options = { ecc, holder: holderWith(ecc), policy: ALLOW_ALL };
    signPsbt(psbt, keySigner(provider, { ecc }), options);
  },
  reviewPsbt: (psbt, ecc) => reviewPsbt(psbt, { ecc, holder: holderWith(ecc) }),
  updatePsbt: (psbt, ecc) => updatePsbt(psbt, { ecc, provider: createDescriptorProvider([]) }),
  signingRequests: (psbt, ecc) => [...signingRequests(psbt, { ecc })],
  finalizePsbt: (psbt, ecc) => finalizePsbt(psbt, { ecc }),
  extractTransaction: (psbt, ecc) => {
    try {
      extractTransaction(psbt, { ecc });
    } catch (error) {
      expect(error).toBeInstanceOf(BtcError);
    }
  },
  musig2Shares: (psbt, ecc) => musig2Shares(psbt, { ecc }),
  'an account': (psbt, ecc) => {
    const account = accountFromKey(formatXprv(MASTER, NETWORK), { network: NETWORK, at: 'account', ecc });
    try {
      signWith(account, psbt, { policy: ALLOW_ALL });
    } catch (error) {
      expect(error).toMatchObject({ name: 'BtcError', code: 'account/nothing-signed' });
    }
  },
};

/** The roles that a call takes: an account updates a PSBT, signs it with its review, and finalizes it. */
const STEPS: Readonly<Record<string, number>> = { 'an account': 3 };
/** The same for what keys and scripts are hashed: a review and signing each ask for the signers of all inputs. */
const HASHING_STEPS: Readonly<Record<string, number>> = { signPsbt: 2, 'an account': 4 };

/** The PSBTs with legacy inputs, each of whose digests covers the whole transaction. */
const LEGACY = new Set(['P2SH quorums of which all signed', 'legacy inputs beside many outputs']);
const transactionSize = ({ global: { unsignedTx } }: Psbt): number =>
  unsignedTx ? encodeTransaction(unsignedTx).length : 0;

/** Only the signatures in a PSBT justify a verification. */
const signatureCount = ({ inputs }: Psbt): number =>
  inputs.reduce((sum, input) => {
    const { partialSigs = [], tapScriptSigs = [], tapKeySig, finalScriptWitness, musig2PartialSigs = [] } = input;
    const single = (tapKeySig ? 1 : 0) + (finalScriptWitness ? Math.max(1, finalScriptWitness.length - 2) : 0);
    return sum + partialSigs.length + tapScriptSigs.length + musig2PartialSigs.length + single;
  }, 0);

/** The PSBTs whose signatures count as valid, since only then the scripts continue. */
const VALID = new Set(['final tapscripts of many checks']);
const NO_PLACE = new Set(['signatures by keys that have no place', 'long paths to leaves of other coins']);

/** Finds why the first twenty signatures are invalid, for a review and once signed: by verifications, each of a digest. */
const CAUSES = 2 * 20 * 8;

const ROLE_LIST = Object.entries(ROLES);

describe.each(Object.entries(WORST).map(([name, make], i) => [name, make, i] as const))('%s', (name, make, turn) => {
  const psbt = decodePsbtBytes(encodePsbt(make()));
  const inputs = psbt.inputs.length;

  test('uses the whole size', () => {
    const { length } = encodePsbt(psbt);
    expect(length).toBeLessThanOrEqual(WORST_SIZE);
    expect(length).toBeGreaterThan(WORST_SIZE / 2);
  });

  test.each(ROLE_LIST.filter((_, i) => (i + turn) % stride === share))(
    'costs %s no more than its size allows',
    (roleName, role) => {
      const { ecc, work } = counting(VALID.has(name));
      const stop = watchArithmetic(work);
      try {
        role(psbt, ecc);
      } finally {
        stop();
      }
      const steps = STEPS[roleName] ?? 1;
      expect(work.verified).toBeLessThanOrEqual(NO_PLACE.has(name) ? 0 : signatureCount(psbt) + CAUSES);
      expect(work.recovered).toBeLessThanOrEqual(inputs);
      expect(work.tweaked).toBeLessThanOrEqual(steps * (500 + 8 * (inputs + psbt.outputs.length)));
      // Adding a participant takes 50 to 80 additions; noble does 100 in a millisecond.
      expect(work.added).toBeLessThanOrEqual(steps * (100_000 + 500 * inputs));
      // Signing reuses the digests of the review.
      const legacyDigests = LEGACY.has(name) ? inputs * transactionSize(psbt) : 0;
      const causes = CAUSES * transactionSize(psbt);
      const hashed = 500_000 + (HASHING_STEPS[roleName] ?? 1) * 1_000_000 + steps * legacyDigests + causes;
      expect(work.hashed).toBeLessThanOrEqual(hashed);
    },
  );
});

/** Runs of groups too short to be masked one by one, which make the search for secrets look farthest. */
const RUNS = ['AAAAAAAAAAAAA1.', 'aaaaaaaaaaaaa1-', 'A1 ', '1_', '\\u', 'abandon ', '<', '#x', '[', '%20', '/'];
/** A limit that only superlinear work exceeds, also on a busy machine. */
const LONGEST_MS = 2_000;

describe.each(RUNS)('a text of 100 kB that repeats %j', (part) => {
  const text = part.repeat(100_000 / part.length);
  const chain = { bip84: { xpub, deriv: "m/84'/1'/0'" } };
  const taken: Readonly<Record<string, () => unknown>> = {
    decodescript: () => ask(nobleEcc, 'decodescript', [text]),
    getdescriptorinfo: () => ask(nobleEcc, 'getdescriptorinfo', [`wpkh(${text})`]),
    createrawtransaction: () => ask(nobleEcc, 'createrawtransaction', [[], { [text]: 1 }]),
    createpsbt: () => ask(nobleEcc, 'createpsbt', [[{ txid: text, vout: 0 }], {}]),
    'an unknown method': () => ask(nobleEcc, text, []),
    'a generic wallet file': () => parseWalletFile(JSON.stringify({ xfp: '73c5da0a', chain: text, ...chain })),
    'a descriptor file': () => parseWalletFile(`wpkh(${text})`),
    'a Specter file': () => parseWalletFile(JSON.stringify({ label: 'x', descriptor: `${text}(x)` })),
    'a Coldcard file': () => parseWalletFile(`Name: x\nPolicy: 1 of 1\nDerivation: ${text}\n73C5DA0A: ${xpub}\n`),
  };

  test.each(Object.entries(taken))('is refused in short by %s', (_, call) => {
    const start = performance.now();
    let message = '';
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(BtcError);
      message = error instanceof Error ? error.message : '';
    }
    expect(performance.now() - start).toBeLessThan(LONGEST_MS);
    expect(message.length).toBeLessThan(LONGEST_MESSAGE);
  });
});
