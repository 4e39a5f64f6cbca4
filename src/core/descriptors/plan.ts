import { assertBytes, isBytes } from '../bytes/assertBytes.ts';
import { bytesKey, compareBySize, concatBytes, equalBytes } from '../bytes/compare.ts';
import { assertKnownOptions, assertShape, type OptionNames } from '../bytes/knownOptions.ts';
import type { EccOption } from '../crypto/eccOption.ts';
import { hash160 } from '../crypto/hash.ts';
import { meetsLock } from '../interpreter/transactionChecker.ts';
import { payToPubkeyHash, pushMinimally } from '../script/build.ts';
import { leafKeysIn } from '../script/keysIn.ts';
import { isUnspendableKey, TAPSCRIPT_LEAF_VERSION } from '../script/tapTree.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import { scriptsById, unwrap } from '../script/unwrap.ts';
import { ECDSA_SIZE, inputWeight, LOW_R_ECDSA_SIZE, SCHNORR_SIZE, spendSize } from '../tx/spendSize.ts';
import { createDeriver, type Derived } from './derive.ts';
import { foldPolicy } from './miniscript/foldPolicy.ts';
import {
  decodeMiniscript,
  findWay,
  type HashName,
  type Ingredients,
  type Lock,
  type Miniscript,
  type Way,
} from './miniscript/index.ts';
import type { LeafScript } from './taprootSpend.ts';
import type { Descriptor } from './types.ts';

/** Keys, preimages and time at a spender's hand. */
export interface Assets {
  /**
   * The public keys that sign: 33 or 65 bytes, or x-only. Of an aggregate key, all participants. Default: any key may sign, and the
   * plan is the largest of all ways.
   */
  readonly keys?: readonly Uint8Array[];
  /** The hashes, as in the script, whose preimages the spender has. Default: none with `keys`, else all. */
  readonly hashes?: readonly Uint8Array[];
  /** The script of the only leaf to spend by. Default: the key path, or the leaf with the smallest witness. */
  readonly leaf?: Uint8Array;
  /** The nSequence of the input, version 2. Default: all relative locks are waited for. */
  readonly sequence?: number;
  /** The nLockTime of the transaction. Default: all absolute locks are waited for. */
  readonly locktime?: number;
  /** Schnorr signatures have a hash type of their own, rather than DEFAULT. Default false. */
  readonly namesHashType?: boolean;
}

const ASSETS: OptionNames<Assets> = {
  keys: true,
  hashes: true,
  leaf: true,
  sequence: true,
  locktime: true,
  namesHashType: true,
};

/** How an output is spent. */
export interface Plan {
  /** Public keys in the order of the script, x-only in taproot; the participants of an aggregate key. */
  readonly signers: readonly Uint8Array[];
  readonly preimages: readonly { readonly name: HashName; readonly hash: Uint8Array }[];
  readonly locks: readonly Lock[];
  /** The nSequence that relative locks need. */
  readonly sequence?: number;
  /** The nLockTime that absolute locks need. */
  readonly locktime?: number;
  /** The leaf, unless the spend is by the key path or not of taproot. */
  readonly leaf?: LeafScript;
  /** With zeros in place of signatures and preimages. An ECDSA signature has 71 bytes by a private key of the descriptor, else 72. */
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
}

/** An output, its scripts and its keys. */
export type PlannedOutput = Pick<Derived, 'scriptPubKeys' | 'scripts' | 'keys' | 'aggregates' | 'taproot'>;

/**
 * Plans how to spend the output of a descriptor at an index; of several outputs, the first. Returns `undefined` if the assets do
 * not suffice (`lackingAssets` says why), and for a script that is neither a usual one nor miniscript. A leaf that is not a
 * miniscript counts as spent by a signature of each key that it checks.
 * @throws `argument/invalid`; as `createDeriver`
 * @see BIP379 "Satisfaction"; BIP341
 */
export function plan(
  descriptor: Descriptor,
  assets: Assets = {},
  { index = 0, ...options }: EccOption & { readonly index?: number } = {},
): Plan | undefined {
  return planOutput(createDeriver(descriptor, options)(index), assets);
}

/** A signature, a preimage or time that the assets lack, or so many of several. */
export type Lack =
  | { readonly kind: 'signature'; readonly publicKey: Uint8Array }
  | { readonly kind: 'preimage'; readonly name: HashName; readonly hash: Uint8Array }
  | { readonly kind: 'lock'; readonly of: Lock['kind']; readonly lock: number }
  | { readonly kind: 'some'; readonly required: number; readonly of: readonly Lack[] };

/**
 * Says why assets have no plan: the signatures, preimages and locks that they lack of the ways to spend the output; `undefined`
 * if they suffice. Where nothing helps, as for an unspendable key, it is `some` with nothing to choose from.
 * @throws as `plan`
 */
export function lackingAssets(
  descriptor: Descriptor,
  assets: Assets,
  { index = 0, ...options }: EccOption & { readonly index?: number } = {},
): Lack | undefined {
  const output = createDeriver(descriptor, options)(index);
  if (planOutput(output, assets)) return undefined;
  const lack = lackOf(output, assets, createSolver(output, assets));
  // A script that only a malleable witness satisfies has no plan either.
  return lack === MET ? HOPELESS : lack;
}

const MET: Lack = { kind: 'some', required: 0, of: [] };
const HOPELESS: Lack = { kind: 'some', required: 1, of: [] };

function lackOf(output: PlannedOutput, { leaf }: Assets, solver: Solver): Lack {
  const [scriptPubKey] = output.scriptPubKeys;
  if (!scriptPubKey) return HOPELESS;
  const template = classifyScript(scriptPubKey);
  if (template.type !== 'witness_v1_taproot') return lackOfScript(scriptPubKey, output, solver);
  const { taproot } = output;
  const byKey = leaf ? [] : [lackOfKey(taproot?.internalKey ?? template.program, solver.schnorr)];
  const byLeaf = leavesToSpend(taproot, leaf).map(({ script }) => {
    const root = decodeLeaf(script, solver);
    if (root) return lackOfPolicy(root, solver, solver.schnorr);
    const keys = leafKeysIn(script).map((key) => lackOfKey(key, solver.schnorr));
    return keys.length > 0 ? someOf(keys.length, keys) : HOPELESS;
  });
  return someOf(1, [...byKey, ...byLeaf]);
}

function lackOfScript(scriptPubKey: Uint8Array, output: PlannedOutput, solver: Solver): Lack {
  const { template, inner, witnessScript } = unwrapOutput(scriptPubKey, output);
  const named = inner.type === 'witness_v0_keyhash' ? classifyScript(payToPubkeyHash(inner.program)) : template;
  switch (named.type) {
    case 'pubkey':
      return lackOfKey(named.pubkey, solver.ecdsa);
    case 'pubkeyhash':
      return lackOfKey(solver.publicKey(named.hash) ?? named.hash, solver.ecdsa);
    case 'multisig':
      return someOf(
        named.required,
        named.pubkeys.map((key) => lackOfKey(key, solver.ecdsa)),
      );
    default: {
      const root = witnessScript && decodeMiniscript(witnessScript, solver.publicKey);
      return root ? lackOfPolicy(root, solver, solver.ecdsa) : HOPELESS;
    }
  }
}

const lackOfPolicy = (root: Miniscript, solver: Solver, sign: Solver['ecdsa']): Lack =>
  foldPolicy<Uint8Array, Lack>(root, {
    key: (key) => lackOfKey(key, sign),
    preimage: (name, hash) => (solver.preimage(name, hash) ? MET : { kind: 'preimage', name, hash }),
    lock: (kind, lock) => (solver.isMet(kind, lock) ? MET : { kind: 'lock', of: kind, lock }),
    some: someOf,
  });

function lackOfKey(publicKey: Uint8Array, sign: Solver['ecdsa']): Lack {
  if (isUnspendableKey(publicKey)) return HOPELESS;
  return sign(publicKey) ? MET : { kind: 'signature', publicKey };
}

/** Leaves out what is there, and what nothing can meet. */
function someOf(required: number, parts: readonly Lack[]): Lack {
  const left = required - parts.filter((part) => part === MET).length;
  if (left <= 0) return MET;
  const of = parts.filter((part) => part !== MET && part !== HOPELESS);
  if (of.length < left) return HOPELESS;
  const [only] = of;
  return only && of.length === 1 ? only : { kind: 'some', required: left, of };
}

/** Plans how to spend a derived output. @throws `argument/invalid` */
export function planOutput(output: PlannedOutput, assets: Assets): Plan | undefined {
  assertKnownOptions(assets, ASSETS);
  const { keys, hashes, leaf } = assets;
  assertShape('keys', isBytesList(keys), BYTES_LIST);
  assertShape('hashes', isBytesList(hashes), BYTES_LIST);
  if (leaf !== undefined) assertBytes('leaf', leaf);
  const [scriptPubKey] = output.scriptPubKeys;
  if (!scriptPubKey) return undefined;
  const solver = createSolver(output, assets);
  const template = classifyScript(scriptPubKey);
  const plans =
    template.type === 'witness_v1_taproot'
      ? taprootPlans(template.program, output, assets, solver)
      : scriptPlans(scriptPubKey, output, solver);
  return plans.reduce<Plan | undefined>((best, each) => {
    const isSmaller = best && weight(each) < weight(best);
    return best && isSmaller !== (solver.extreme === 'smallest') ? best : each;
  }, undefined);
}

const BYTES_LIST = 'a list of Uint8Arrays: use parseHex';
const isBytesList = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.every(isBytes));

const weight = ({ scriptSig, witness }: Plan): number => inputWeight(spendSize(scriptSig, witness));

/** Placeholders for signatures and preimages, by which a way tells who made them. */
interface Solver {
  readonly ecdsa: (publicKey: Uint8Array) => Uint8Array | undefined;
  readonly schnorr: (publicKey: Uint8Array) => Uint8Array | undefined;
  readonly preimage: Ingredients['preimage'];
  readonly isMet: Ingredients['isMet'];
  readonly publicKey: (hash: Uint8Array) => Uint8Array | undefined;
  readonly extreme: 'smallest' | 'largest';
  readonly plan: (
    way: Way,
    input: { readonly scriptSig?: Uint8Array; readonly witness: readonly Uint8Array[] },
  ) => Plan;
}

const NOTHING = new Uint8Array(0);

const xOnly = (publicKey: Uint8Array): Uint8Array => (publicKey.length === 32 ? publicKey : publicKey.slice(1, 33));

function createSolver({ keys, aggregates }: PlannedOutput, assets: Assets): Solver {
  const { namesHashType = false, sequence, locktime } = assets;
  const signers = new Map<Uint8Array, readonly Uint8Array[]>();
  const preimages = new Map<Uint8Array, Plan['preimages'][number]>();
  const byHash = new Map(
    keys.flatMap(({ publicKey }) =>
      [publicKey, xOnly(publicKey)].map((form) => [bytesKey(hash160(form)), publicKey] as const),
    ),
  );
  const own = new Set(keys.filter(({ secretKey }) => secretKey).map(({ publicKey }) => bytesKey(publicKey)));
  const named = assets.keys && new Set(assets.keys.map((key) => bytesKey(xOnly(key))));
  const hashes = assets.hashes && new Set(assets.hashes.map((hash) => bytesKey(hash)));
  const participants = (publicKey: Uint8Array): readonly Uint8Array[] | undefined => {
    if (aggregates.length === 0) return undefined;
    // A key below an aggregate has its fingerprint. @see BIP328
    const key = keys.find((each) => equalBytes(xOnly(each.publicKey), xOnly(publicKey)));
    return aggregates.find(
      ({ aggregatePubkey }) =>
        equalBytes(xOnly(aggregatePubkey), xOnly(publicKey)) ||
        (key && equalBytes(key.origin.fingerprint, hash160(aggregatePubkey).slice(0, 4))),
    )?.participants;
  };
  const placeholder = (publicKey: Uint8Array, size: number): Uint8Array | undefined => {
    if (isUnspendableKey(publicKey)) return undefined;
    const isNamed = (key: Uint8Array): boolean => !named || named.has(bytesKey(xOnly(key)));
    const parts = participants(publicKey);
    if (!isNamed(publicKey) && !parts?.every(isNamed)) return undefined;
    const item = new Uint8Array(size);
    signers.set(item, parts ?? [publicKey]);
    return item;
  };
  const tx = { version: 2, locktime: locktime ?? 0, inputs: [], outputs: [] };
  const txIn = { outpoint: NO_OUTPOINT, sequence: sequence ?? 0, scriptSig: NOTHING, witness: [] };
  return {
    ecdsa: (publicKey) => placeholder(publicKey, own.has(bytesKey(publicKey)) ? LOW_R_ECDSA_SIZE : ECDSA_SIZE),
    schnorr: (publicKey) => placeholder(publicKey, SCHNORR_SIZE + Number(namesHashType)),
    preimage: (name, hash) => {
      if (hashes ? !hashes.has(bytesKey(hash)) : named) return undefined;
      const item = new Uint8Array(32);
      preimages.set(item, { name, hash });
      return item;
    },
    isMet: (kind, lock) =>
      (kind === 'older' ? sequence : locktime) === undefined || meetsLock(tx, txIn, { kind, lock }),
    publicKey: (hash) => byHash.get(bytesKey(hash)),
    extreme: named ? 'smallest' : 'largest',
    plan: ({ items, locks }, { scriptSig = NOTHING, witness }) => {
      const most = (kind: Lock['kind']): number | undefined =>
        locks.reduce<number | undefined>(
          (high, each) => (each.kind === kind ? Math.max(high ?? 0, each.lock) : high),
          undefined,
        );
      const [older, after] = [most('older'), most('after')];
      return {
        signers: items.flatMap((item) => signers.get(item) ?? []),
        preimages: items.flatMap((item) => preimages.get(item) ?? []),
        locks,
        ...(older !== undefined && { sequence: older }),
        ...(after !== undefined && { locktime: after }),
        scriptSig,
        witness,
      };
    },
  };
}

const NO_OUTPOINT = { txid: new Uint8Array(32), vout: 0 } as Parameters<typeof meetsLock>[1]['outpoint'];

function taprootPlans(
  outputKey: Uint8Array,
  { taproot }: PlannedOutput,
  { leaf }: Assets,
  solver: Solver,
): readonly Plan[] {
  const signature = leaf ? undefined : solver.schnorr(taproot?.internalKey ?? outputKey);
  const keyPath = signature && { items: [signature], locks: [] };
  const byKey = keyPath && solver.plan(keyPath, { witness: keyPath.items });
  // As a signer does, who prefers the key path.
  if (byKey && solver.extreme === 'smallest') return [byKey];
  const byLeaf = leavesToSpend(taproot, leaf).flatMap((each): readonly Plan[] => {
    const root = decodeLeaf(each.script, solver);
    const way = root
      ? findWay(root, { ...solver, sign: solver.schnorr }, solver.extreme)
      : unreadWay(each.script, solver);
    if (!way) return [];
    return [{ ...solver.plan(way, { witness: [...way.items, each.script, each.controlBlock] }), leaf: each }];
  });
  return byKey ? [byKey, ...byLeaf] : byLeaf;
}

/** Signs with each key that a leaf checks, as the finalizer tries for a leaf that is not a miniscript. */
function unreadWay(script: Uint8Array, { schnorr }: Solver): Way | undefined {
  const keys = leafKeysIn(script);
  const items = keys.flatMap((key) => schnorr(key) ?? []);
  return items.length > 0 && items.length === keys.length ? { items: items.reverse(), locks: [] } : undefined;
}

/** Lists the tapscripts, or the one that is named. */
const leavesToSpend = (taproot: PlannedOutput['taproot'], leaf: Assets['leaf']): readonly LeafScript[] =>
  shortest(taproot?.leafScripts ?? []).filter(
    ({ script, leafVersion }) => leafVersion === TAPSCRIPT_LEAF_VERSION && (!leaf || equalBytes(script, leaf)),
  );

const decodeLeaf = (script: Uint8Array, { publicKey }: Solver): Miniscript | undefined =>
  decodeMiniscript(script, (hash) => publicKey(hash)?.slice(1), 'tapscript');

const unwrapOutput = (scriptPubKey: Uint8Array, { scripts }: PlannedOutput): ReturnType<typeof unwrap> =>
  unwrap(
    scriptPubKey,
    scriptsById((hash) => scripts.find((script) => equalBytes(hash160(script), hash))),
  );

/** Lists each script once, with its shortest control block. */
function shortest(leaves: readonly LeafScript[]): readonly LeafScript[] {
  const byScript = new Map<string, LeafScript>();
  for (const leaf of [...leaves].sort((a, b) => compareBySize(b.controlBlock, a.controlBlock))) {
    byScript.set(bytesKey(leaf.script), leaf);
  }
  return [...byScript.values()];
}

function scriptPlans(scriptPubKey: Uint8Array, output: PlannedOutput, solver: Solver): readonly Plan[] {
  const { template, inner, redeemScript, witnessScript } = unwrapOutput(scriptPubKey, output);
  const pushed = redeemScript ? [redeemScript] : [];
  const scriptSig = (items: readonly Uint8Array[]): Uint8Array => concatBytes(...items.map(pushMinimally));
  if (inner.type === 'witness_v0_keyhash') {
    const way = templateWay(classifyScript(payToPubkeyHash(inner.program)), solver);
    return way ? [solver.plan(way, { scriptSig: scriptSig(pushed), witness: way.items })] : [];
  }
  if (witnessScript) {
    const way = templateWay(template, solver) ?? miniscriptWay(witnessScript, solver);
    return way ? [solver.plan(way, { scriptSig: scriptSig(pushed), witness: [...way.items, witnessScript] })] : [];
  }
  const way = templateWay(template, solver);
  return way ? [solver.plan(way, { scriptSig: scriptSig([...way.items, ...pushed]), witness: [] })] : [];
}

function miniscriptWay(script: Uint8Array, solver: Solver): Way | undefined {
  const root = decodeMiniscript(script, solver.publicKey);
  return root && findWay(root, { ...solver, sign: solver.ecdsa }, solver.extreme);
}

function templateWay(template: ScriptTemplate, { ecdsa, publicKey }: Solver): Way | undefined {
  switch (template.type) {
    case 'pubkey': {
      const signature = ecdsa(template.pubkey);
      return signature && { items: [signature], locks: [] };
    }
    case 'pubkeyhash': {
      const key = publicKey(template.hash);
      const signature = key && ecdsa(key);
      return signature && { items: [signature, key], locks: [] };
    }
    case 'multisig': {
      const { required, pubkeys } = template;
      const signatures = pubkeys.flatMap((key) => ecdsa(key) ?? []);
      // Any of them may sign, so that the largest count.
      const largest = [...signatures].sort((a, b) => b.length - a.length).slice(0, required);
      if (largest.length < required) return undefined;
      return { items: [NOTHING, ...signatures.filter((each) => largest.includes(each))], locks: [] };
    }
    case 'anchor':
      return { items: [], locks: [] };
    default:
      return undefined;
  }
}
