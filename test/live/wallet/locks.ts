import { formatAddress, formatHex, networks, OP } from '../../support/library.ts';
import { concat, hash160, plainPush, sha256 } from '../scripts/bytes.ts';
import { type Key, makeKey, wifOf } from '../signing/keys.ts';
import type { Dice } from './random.ts';

/** A scriptPubKey with everything needed to spend it. */
export interface Lock {
  readonly kind: string;
  readonly scriptPubKey: Uint8Array;
  readonly redeemScript?: Uint8Array;
  readonly witnessScript?: Uint8Array;
  readonly keys: readonly Key[];
  /** True if our keys can spend it. */
  readonly isOpenable: boolean;
  /** The address as wallets show it: for P2PK, that of the key hash. */
  readonly address: string | undefined;
}

const NETWORK = networks['litecoin-regtest'];

const addressOf = (scriptPubKey: Uint8Array): string | undefined => formatAddress(scriptPubKey, NETWORK);

const toKey = ({ publicKey }: Key): Uint8Array => concat(plainPush(publicKey), [OP.CHECKSIG]);
const toKeyHash = ({ publicKey }: Key): Uint8Array =>
  concat([OP.DUP, OP.HASH160, 20], hash160(publicKey), [OP.EQUALVERIFY, OP.CHECKSIG]);
const toWitnessKeyHash = ({ publicKey }: Key): Uint8Array => concat([0, 20], hash160(publicKey));
const toScriptHash = (script: Uint8Array): Uint8Array => concat([OP.HASH160, 20], hash160(script), [OP.EQUAL]);
const toWitnessScriptHash = (script: Uint8Array): Uint8Array => concat([0, 32], sha256(script));

function toSome(needed: number, keys: readonly Key[]): Uint8Array {
  const pushes = keys.map(({ publicKey }) => plainPush(publicKey));
  return concat([OP.RESERVED + needed], ...pushes, [OP.RESERVED + keys.length, OP.CHECKMULTISIG]);
}

/** Wraps a script in all ways: bare, P2SH, P2WSH, and P2SH-P2WSH. */
function wrapped(kind: string, script: Uint8Array, keys: readonly Key[], bareAddress?: string): Lock[] {
  const program = toWitnessScriptHash(script);
  const lock = (name: string, scriptPubKey: Uint8Array, more: Partial<Lock> = {}): Lock => {
    const address = addressOf(scriptPubKey);
    return { kind: name, scriptPubKey, keys, isOpenable: true, address, ...more };
  };
  const isWitnessSafe = keys.every(({ form }) => form === 'compressed');
  return [
    lock(kind, script, { address: bareAddress ?? addressOf(script) }),
    lock(`sh(${kind})`, toScriptHash(script), { redeemScript: script }),
    lock(`wsh(${kind})`, program, { witnessScript: script, isOpenable: isWitnessSafe }),
    lock(`sh(wsh(${kind}))`, toScriptHash(program), {
      redeemScript: program,
      witnessScript: script,
      isOpenable: isWitnessSafe,
    }),
  ];
}

function locksOfKey(key: Key): Lock[] {
  const script = toWitnessKeyHash(key);
  const isOpenable = key.form === 'compressed';
  const hashed = addressOf(toKeyHash(key));
  return [
    ...wrapped('pk', toKey(key), [key], hashed),
    ...wrapped('pkh', toKeyHash(key), [key]),
    { kind: 'wpkh', scriptPubKey: script, keys: [key], isOpenable, address: addressOf(script) },
    {
      kind: 'sh(wpkh)',
      scriptPubKey: toScriptHash(script),
      redeemScript: script,
      keys: [key],
      isOpenable,
      address: addressOf(toScriptHash(script)),
    },
  ];
}

/** Makes locks without keys of ours: anyone can spend, unspendable, or foreign. */
function oddLocks(dice: Dice): Lock[] {
  const odd = (kind: string, scriptPubKey: Uint8Array, isOpenable = false): Lock => ({
    ...{ kind, scriptPubKey, keys: [], isOpenable, address: addressOf(scriptPubKey) },
  });
  const program = Uint8Array.from({ length: 32 }, () => dice.below(256));
  return [
    odd('anyone', Uint8Array.of(OP['1']), true),
    odd('data', Uint8Array.of(OP.RETURN, 2, dice.below(256), dice.below(256))),
    odd('data alone', Uint8Array.of(OP.RETURN)),
    odd('empty', new Uint8Array(0)),
    odd('broken', Uint8Array.of(OP.PUSHDATA1, 9)),
    odd('tr', concat([OP['1'], 32], program)),
    odd('future', concat([OP['1'] + 1, 4], program.slice(0, 4))),
    odd('stranger', concat([0, 20], program.slice(0, 20))),
    odd('strange script', concat([OP.HASH160, 20], program.slice(0, 20), [OP.EQUAL])),
  ];
}

/** Makes locks of all kinds from a few keys, so that they share keys. */
export function makeLocks(dice: Dice, keyCount: number): readonly Lock[] {
  const secret = (): Uint8Array => sha256(Uint8Array.from({ length: 16 }, () => dice.below(256)));
  const keys = Array.from({ length: keyCount }, () =>
    makeKey(secret(), dice.chance(0.15) ? 'uncompressed' : 'compressed'),
  );
  const shared = Array.from({ length: Math.ceil(keyCount / 2) }, () => {
    const members = dice.some(keys, 3);
    return wrapped('multi', toSome(1 + dice.below(members.length), members), members);
  });
  return [...keys.flatMap(locksOfKey), ...shared.flat(), ...oddLocks(dice)];
}

export const wifsOf = ({ keys }: Pick<Lock, 'keys'>): string[] => keys.map((key) => wifOf(key));
export const publicKeysOf = ({ keys }: Pick<Lock, 'keys'>): string[] =>
  keys.map(({ publicKey }) => formatHex(publicKey));
