import fc from 'fast-check';
import { script as anyScript, bytes } from '../../support/arbitraries.ts';
import { OP } from '../../support/library.ts';
import { concat, hash160, plainPush, pushNumber, sha256 } from '../scripts/bytes.ts';
import { mostly, piece } from '../scripts/stackItems.ts';
import type { Key } from './keys.ts';

/** The scripts of a coin. */
export interface Lock {
  /** A description for the log, such as `sh(wsh(pkh))`. */
  readonly kind: string;
  readonly scriptPubKey: Uint8Array;
  readonly redeemScript?: Uint8Array;
  readonly witnessScript?: Uint8Array;
}

/** A script before it is wrapped. */
export interface Inner {
  readonly name: string;
  readonly script: Uint8Array;
}

const code = (...parts: readonly (Uint8Array | number)[]): Uint8Array => piece([], ...parts).code;
const program = (version: number, data: Uint8Array): Uint8Array => concat([version], plainPush(data));

export const pk = ({ publicKey }: Key): Inner => ({ name: 'pk', script: code(publicKey, OP.CHECKSIG) });
export const pkh = ({ publicKey }: Key): Inner => ({
  name: 'pkh',
  script: code(OP.DUP, OP.HASH160, hash160(publicKey), OP.EQUALVERIFY, OP.CHECKSIG),
});
export const wpkh = ({ publicKey }: Key): Inner => ({ name: 'wpkh', script: program(0, hash160(publicKey)) });
export const multi = (required: number, keys: readonly Key[]): Inner => {
  const pushed = keys.map(({ publicKey }) => plainPush(publicKey));
  const counts = [required, keys.length].map(pushNumber);
  return { name: 'multi', script: concat(counts[0] ?? [], ...pushed, counts[1] ?? [], [OP.CHECKMULTISIG]) };
};
export const opTrue: Inner = { name: 'op_true', script: Uint8Array.of(OP['1']) };

const NAMES = {
  bare: (name: string) => name,
  sh: (name: string) => `sh(${name})`,
  wsh: (name: string) => `wsh(${name})`,
  'sh(wsh)': (name: string) => `sh(wsh(${name}))`,
};
export type Wrapper = keyof typeof NAMES;
export const WRAPPERS = Object.keys(NAMES) as readonly Wrapper[];

export function wrap({ name, script }: Inner, wrapper: Wrapper): Lock {
  const kind = NAMES[wrapper](name);
  if (wrapper === 'bare') return { kind, scriptPubKey: script };
  const isWitness = wrapper !== 'sh';
  const outer = isWitness ? program(0, sha256(script)) : script;
  const witness = isWitness && { witnessScript: script };
  if (wrapper === 'wsh') return { kind, scriptPubKey: outer, ...witness };
  return { kind, scriptPubKey: code(OP.HASH160, hash160(outer), OP.EQUAL), redeemScript: outer, ...witness };
}

/** Nonstandard scripts: some are always true, and some resemble standard ones. */
function oddScript(keys: readonly Key[]): fc.Arbitrary<Uint8Array> {
  const anyKey = fc.constantFrom(...keys);
  return fc.oneof(
    fc
      .constantFrom([OP['1']], [], [OP['0']], [OP.NOP], [OP.DUP], [OP['1'], OP['1']], [OP.RETURN], [OP['1'], OP.VERIFY])
      .map((opcodes) => Uint8Array.from(opcodes)),
    anyKey.map(({ publicKey }) => code(publicKey, OP.CHECKSIGVERIFY, OP['1'])),
    anyKey.map(({ publicKey }) => code(publicKey, OP.CHECKSIG, OP.NOT)),
    anyKey.map(({ publicKey }) => code(OP.CODESEPARATOR, publicKey, OP.CHECKSIG)),
    anyKey.map(({ publicKey }) => code(publicKey, OP.SWAP, OP.CHECKSIG)),
    fc.tuple(anyKey, anyKey).map(([a, b]) => code(a.publicKey, OP.CHECKSIGVERIFY, b.publicKey, OP.CHECKSIG)),
    // Multisig with counts that are mostly invalid.
    fc
      .tuple(fc.nat({ max: 4 }), fc.nat({ max: 20 }), fc.subarray([...keys]))
      .map(([m, n, some]) =>
        code(pushNumber(m), ...some.map(({ publicKey }) => publicKey), pushNumber(n), OP.CHECKMULTISIG),
      ),
    // A key with a non-minimal push.
    anyKey.map(({ publicKey }) => concat([OP.PUSHDATA1, publicKey.length], publicKey, [OP.CHECKSIG])),
    anyKey.map(({ publicKey }) =>
      concat([OP['1'], OP.PUSHDATA1, publicKey.length], publicKey, [OP['1'], OP.CHECKMULTISIG]),
    ),
    anyScript,
  );
}

/** Other witness programs: taproot with a known key, MWEB, and unknown versions. */
function programs(keys: readonly Key[]): fc.Arbitrary<Inner> {
  return fc.oneof(
    fc.constantFrom(...keys).map(({ publicKey }) => ({ name: 'tr', script: program(OP['1'], publicKey.slice(1, 33)) })),
    fc
      .tuple(fc.constantFrom(OP.RESERVED + 8, OP.RESERVED + 9), bytes(32))
      .map(([version, data]) => ({ name: 'mweb', script: program(version, data) })),
    fc
      .tuple(fc.constantFrom(OP['0'], OP['1'], OP.RESERVED + 2, OP['16']), bytes(2, 40))
      .map(([version, data]) => ({ name: 'program', script: program(version, data) })),
  );
}

function multis(keys: readonly Key[]): fc.Arbitrary<Inner> {
  const anyKey = fc.constantFrom(...keys);
  const few = fc.array(anyKey, { minLength: 1, maxLength: 5 });
  return mostly(few, fc.array(anyKey, { minLength: 6, maxLength: 17 }), 12).chain((some) =>
    fc.integer({ min: 1, max: some.length }).map((required) => multi(required, some)),
  );
}

/** Makes locks of all kinds that these keys can spend, and some unspendable ones. */
export function lockOf(keys: readonly Key[]): fc.Arbitrary<Lock> {
  const anyKey = fc.constantFrom(...keys);
  const inner = fc.oneof(
    { weight: 3, arbitrary: anyKey.map(pk) },
    { weight: 4, arbitrary: anyKey.map(pkh) },
    { weight: 9, arbitrary: multis(keys) },
    { weight: 1, arbitrary: oddScript(keys).map((script) => ({ name: 'odd', script })) },
  );
  const wrapper = fc.constantFrom(...WRAPPERS);
  const keyHash = mostly(fc.constantFrom<Wrapper>('bare', 'sh'), wrapper, 5);
  const nulldata = bytes(0, 40).map((data) => ({ name: 'nulldata', script: code(OP.RETURN, data) }));
  const wrapped = fc.tuple(inner, wrapper).map(([made, how]) => wrap(made, how));
  return fc.oneof(
    { weight: 20, arbitrary: wrapped },
    { weight: 4, arbitrary: fc.tuple(anyKey.map(wpkh), keyHash).map(([made, how]) => wrap(made, how)) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.oneof(programs(keys), nulldata), keyHash).map(([made, how]) => wrap(made, how)),
    },
    // Double wrapping is unspendable.
    {
      weight: 1,
      arbitrary: fc
        .tuple(wrapped, wrapper)
        .map(([{ scriptPubKey }, how]) => wrap({ name: 'wrapped', script: scriptPubKey }, how)),
    },
  );
}
