import { MAX_OPS } from '../../script/opcodeRules.ts';
import { MAX_STACK_ITEMS, MAX_WITNESS_ITEMS } from './bounds.ts';
import type { Leaf, Miniscript, Pair, Wrapper } from './fragment.ts';
import { choose, type Ways } from './satisfy.ts';
import { OWN_SIZES } from './scriptSize.ts';

/**
 * Each number is a maximum of its own.
 *
 * - `taken`: stack size at the start minus that at the end (Core: `netdiff`)
 * - `peak`: highest stack size minus that at the end (Core: `exec`)
 * - `bytes`: of the witness, counting one for each length
 * - `checkedKeys`: of executed CHECKMULTISIGs; each counts as an opcode
 *
 * @see Bitcoin Core `miniscript::internal::SatInfo`, `Ops`, `WitnessSize`
 */
interface Run {
  readonly taken: number;
  readonly peak: number;
  readonly bytes: number;
  readonly checkedKeys: number;
}
type MaybeRun = Run | undefined;

export interface Resources {
  readonly ops: number;
  readonly yes: MaybeRun;
  readonly no: MaybeRun;
}

const run = (taken: number, peak: number, bytes = 0): Run => ({ taken, peak, bytes, checkedKeys: 0 });
const NOTHING = /* @__PURE__ */ run(0, 0);
const PUSH = /* @__PURE__ */ run(-1, 0);
const DUP = PUSH;
const SIZE = PUSH;
/** IF, an operator with two inputs and one output, or VERIFY. */
const POP = /* @__PURE__ */ run(1, 1);
const EQUALVERIFY = /* @__PURE__ */ run(2, 2);
const TOO_MUCH = /* @__PURE__ */ run(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);

const branch = (bytes = 0): Run => ({ ...POP, bytes });

function sequence(...runs: readonly MaybeRun[]): MaybeRun {
  return runs.reduce(
    (a, b) =>
      a &&
      b && {
        taken: a.taken + b.taken,
        peak: Math.max(b.peak, b.taken + a.peak),
        bytes: a.bytes + b.bytes,
        checkedKeys: a.checkedKeys + b.checkedKeys,
      },
    NOTHING,
  );
}

function either(a: MaybeRun, b: MaybeRun): MaybeRun {
  if (!a || !b) return a ?? b;
  return {
    taken: Math.max(a.taken, b.taken),
    peak: Math.max(a.peak, b.peak),
    bytes: Math.max(a.bytes, b.bytes),
    checkedKeys: Math.max(a.checkedKeys, b.checkedKeys),
  };
}

export function computeResources<K>({ fragment, context }: Miniscript<K>, subs: readonly Resources[]): Resources {
  if (!('sub' in fragment || 'subs' in fragment)) {
    const [signature, key] = context === 'wsh' ? [73, 34] : [66, 33];
    return ofLeaf(fragment, signature, key);
  }
  const inner = subs.reduce((sum, { ops }) => sum + ops, 0);
  if (fragment.kind === 'thresh') return { ops: inner + subs.length, ...ofThresh(fragment.required, subs) };
  const [x = NEVER, y = NEVER, z = NEVER] = subs;
  if ('sub' in fragment) {
    const { kind, sub } = fragment;
    // Each byte that a wrapper adds is an opcode.
    const own = kind === 'v' ? Number(sub.type.x) : OWN_SIZES[kind];
    return { ops: inner + own, ...ofWrapped(kind, x) };
  }
  return {
    ops: inner + OWN_SIZES[fragment.kind],
    ...(fragment.kind === 'andor' ? ofAndor(x, y, z) : ofPair(fragment.kind, x, y)),
  };
}

type Runs = Pick<Resources, 'yes' | 'no'>;
const NEVER: Resources = { ops: 0, yes: undefined, no: undefined };

/** Sizes of witness items, with their lengths. */
function ofLeaf<K>(leaf: Leaf<K>, signature: number, pubkey: number): Resources {
  switch (leaf.kind) {
    case '0':
      return { ops: 0, yes: undefined, no: PUSH };
    case '1':
      return { ops: 0, yes: PUSH, no: undefined };
    case 'pk_k':
      return { ops: 0, yes: { ...PUSH, bytes: signature }, no: { ...PUSH, bytes: 1 } };
    case 'pk_h': {
      const both = sequence({ ...DUP, bytes: pubkey }, PUSH, EQUALVERIFY);
      return { ops: 3, yes: sequence(run(0, 0, signature), both), no: sequence(run(0, 0, 1), both) };
    }
    case 'older':
    case 'after':
      return { ops: 1, yes: PUSH, no: undefined };
    case 'hash':
      // Ignores dissatisfaction: a third party could replace the wrong preimage.
      return { ops: 4, yes: sequence({ ...SIZE, bytes: 33 }, PUSH, EQUALVERIFY, PUSH, POP), no: undefined };
    case 'multi': {
      const { required, keys } = leaf;
      const both = { ...run(required, required + keys.length + 2), checkedKeys: keys.length };
      return { ops: 1, yes: { ...both, bytes: required * signature + 1 }, no: { ...both, bytes: required + 1 } };
    }
    case 'multi_a': {
      const { required, keys } = leaf;
      const both = run(keys.length - 1, keys.length, keys.length);
      const yes = { ...both, bytes: required * signature + keys.length - required };
      return { ops: keys.length + 1, yes, no: both };
    }
    default:
      return leaf satisfies never;
  }
}

function ofWrapped(kind: Wrapper, x: Resources): Runs {
  switch (kind) {
    case 'c':
      return { yes: sequence(x.yes, POP), no: sequence(x.no, POP) };
    case 'd':
      return { yes: sequence(DUP, branch(2), x.yes), no: sequence(DUP, branch(1)) };
    case 'v':
      return { yes: sequence(x.yes, POP), no: undefined };
    case 'j':
      return { yes: sequence(SIZE, branch(), x.yes), no: sequence(SIZE, branch(1)) };
    default:
      return { yes: x.yes, no: x.no };
  }
}

function ofPair(kind: Pair, x: Resources, y: Resources): Runs {
  switch (kind) {
    case 'and_v':
      return { yes: sequence(x.yes, y.yes), no: undefined };
    case 'and_b':
      return { yes: sequence(x.yes, y.yes, POP), no: sequence(x.no, y.no, POP) };
    case 'or_b': {
      const yes = either(sequence(x.yes, y.no), sequence(x.no, y.yes));
      return { yes: sequence(yes, POP), no: sequence(x.no, y.no, POP) };
    }
    case 'or_c':
      return { yes: either(sequence(x.yes, branch()), sequence(x.no, branch(), y.yes)), no: undefined };
    case 'or_d':
      return {
        yes: either(sequence(x.yes, DUP, branch()), sequence(x.no, branch(), y.yes)),
        no: sequence(x.no, branch(), y.no),
      };
    case 'or_i':
      return {
        yes: either(sequence(branch(2), x.yes), sequence(branch(1), y.yes)),
        no: either(sequence(branch(2), x.no), sequence(branch(1), y.no)),
      };
    default:
      return kind satisfies never;
  }
}

function ofAndor(x: Resources, y: Resources, z: Resources): Runs {
  return {
    yes: either(sequence(x.yes, branch(), y.yes), sequence(x.no, branch(), z.yes)),
    no: sequence(x.no, branch(), z.no),
  };
}

const WAYS: Ways<MaybeRun> = {
  nothing: NOTHING,
  impossible: undefined,
  isPossible: (way) => way !== undefined,
  join: sequence,
  either,
};

function ofThresh(required: number, subs: readonly Resources[]): Runs {
  // A part that leaves a choice takes a witness item, and no stack holds more.
  if (subs.filter(({ yes }) => yes).length > MAX_STACK_ITEMS) return { yes: TOO_MUCH, no: TOO_MUCH };
  const added = subs.map(({ yes, no }, i) =>
    i === 0 ? { yes, no } : { yes: sequence(yes, POP), no: sequence(no, POP) },
  );
  const most = choose(added, WAYS);
  return { yes: sequence(most[required], PUSH, POP), no: sequence(most[0], PUSH, POP) };
}

export interface SpendSize {
  /** Counts one byte for each length. */
  readonly bytes: number;
  readonly items: number;
  readonly peakItems: number;
  readonly ops: number;
}

export function computeSpendSize<K>({ type }: Miniscript<K>, { ops, yes }: Resources): SpendSize | undefined {
  const result = type.base === 'V' ? 0 : 1; // A V expression leaves no item on the stack.
  return (
    yes && { bytes: yes.bytes, items: yes.taken + result, peakItems: yes.peak + result, ops: ops + yes.checkedKeys }
  );
}

/** @see Bitcoin Core `CheckOpsLimit`, `CheckStackSize` */
export function staysWithinLimits<K>(node: Miniscript<K>, resources: Resources): boolean {
  const size = computeSpendSize(node, resources);
  if (!size) return true;
  if (node.context === 'tapscript') return size.peakItems <= MAX_STACK_ITEMS;
  return size.ops <= MAX_OPS && size.items <= MAX_WITNESS_ITEMS;
}
