import {
  descriptorChecksum,
  formatHex,
  formatXprv,
  formatXpub,
  masterKey,
  networks,
  neuter,
  parseHex,
} from '../../support/library.ts';
import { type Key, wifOf } from '../signing/keys.ts';
import { type Lock, publicKeysOf, wifsOf } from './locks.ts';
import type { Dice } from './random.ts';
import type { World } from './world.ts';

/** Random imports of keys, scripts and addresses. */

export const LABELS = ['', 'alice', 'bob', 'a"b\\c', 'Ünï ☃', 'with\nlines\t', '*'];
const NETWORK = networks['litecoin-regtest'];

/**
 * Selects the keys whose private keys are never imported. For a public key in a descriptor, Core 0.21 saves the key
 * origin, and later fails to save the private key, which it then has only until it exits. Our wallets keep it.
 */
const isForeign = ({ publicKey }: Key): boolean => (publicKey.at(-1) ?? 0) % 3 === 0;
const ownWifsOf = (lock: Lock): string[] => wifsOf({ ...lock, keys: lock.keys.filter((key) => !isForeign(key)) });

type Members = Readonly<Record<string, unknown>>;

/** Returns the first arguments, at least `least` of them. */
const upTo = (dice: Dice, args: readonly unknown[], least: number): unknown[] =>
  args.slice(0, least + dice.below(args.length - least + 1));

const rarely = (dice: Dice, odd: readonly unknown[], usual: unknown): unknown =>
  dice.chance(0.04) ? dice.pick(odd) : usual;

const ODD = [null, 1, true, '', 'zz', [], {}];

export async function importKey(world: World, wallet: string): Promise<void> {
  const { dice, both, locks } = world;
  const wif = dice.pick(locks.flatMap(ownWifsOf));
  const args = [rarely(dice, ODD, wif), rarely(dice, ODD, dice.pick(LABELS)), rarely(dice, ODD, dice.chance(0.7))];
  await both.ask('importprivkey', upTo(dice, args, 1), wallet);
}

export async function importAddress(world: World, wallet: string): Promise<void> {
  const { dice, both, locks } = world;
  const { address, scriptPubKey, redeemScript, witnessScript } = dice.pick(locks);
  const script = formatHex(dice.pick([scriptPubKey, redeemScript ?? scriptPubKey, witnessScript ?? scriptPubKey]));
  const subject = dice.chance(0.6) && address !== undefined ? address : script;
  const label = rarely(dice, ODD, dice.pick(LABELS));
  const args = [rarely(dice, ODD, subject), label, rarely(dice, ODD, dice.chance(0.7)), dice.chance(0.4)];
  await both.ask('importaddress', upTo(dice, args, 1), wallet);
}

export async function importPublicKey(world: World, wallet: string): Promise<void> {
  const { dice, both, locks } = world;
  const key = dice.pick(publicKeysOf(dice.pick(locks.filter(({ keys }) => keys.length > 0))));
  const args = [rarely(dice, [...ODD, '02', `${key}00`], key), dice.pick(LABELS), dice.chance(0.7)];
  await both.ask('importpubkey', upTo(dice, args, 1), wallet);
}

/** Makes a request for a script, with much or little of the data needed to solve it. */
function scriptRequest(dice: Dice, lock: Lock, other: Lock): Members {
  const { scriptPubKey, address, redeemScript = other.redeemScript, witnessScript = other.witnessScript } = lock;
  const given = (probability: number, members: Members): Members => (dice.chance(probability) ? members : {});
  const wantsScript = lock.redeemScript ? 0.85 : 0.03;
  const wantsWitness = lock.witnessScript ? 0.85 : 0.03;
  const keys = ownWifsOf(dice.chance(0.95) ? lock : other);
  const publicKeys = publicKeysOf(dice.chance(0.95) ? lock : other);
  return {
    scriptPubKey: dice.chance(0.7) && address !== undefined ? { address } : formatHex(scriptPubKey),
    ...(redeemScript && given(wantsScript, { redeemscript: formatHex(redeemScript) })),
    ...(witnessScript && given(wantsWitness, { witnessscript: formatHex(witnessScript) })),
    ...given(0.5, { keys: dice.chance(0.9) ? keys : keys.slice(1) }),
    ...given(0.4, { pubkeys: dice.chance(0.9) ? publicKeys : publicKeys.slice(1) }),
    ...given(0.02, { range: 1 }),
  };
}

/** Formats a key expression, private or public, with or without an origin. */
function keyText(dice: Dice, lock: Lock): string {
  const origin = dice.chance(0.4)
    ? `[${dice.pick(['238ccf76', 'deadbeef'])}${dice.pick(['', "/84'/1'/2", '/0/1'])}]`
    : '';
  return origin + dice.pick(lock.keys.map((key) => (isForeign(key) ? formatHex(key.publicKey) : wifOf(key))));
}

function rangedKey(dice: Dice): string {
  const isPrivate = dice.chance(0.5);
  const master = masterKey(parseHex('00'.repeat(15) + dice.pick(isPrivate ? ['01', '02'] : ['03', '04'])));
  const path = dice.pick(['/0/*', '/1/*', '/*', "/0'/*", '/0', "/0/*'"]);
  return `${isPrivate ? formatXprv(master, NETWORK) : formatXpub(neuter(master), NETWORK)}${path}`;
}

/** Makes a descriptor for 0.21, valid or not. */
function descriptor(dice: Dice, lock: Lock): string {
  const key = (): string => (dice.chance(0.3) ? rangedKey(dice) : keyText(dice, lock));
  const body = dice.pick([
    ...[`pkh(${key()})`, `wpkh(${key()})`, `sh(wpkh(${key()}))`, `pk(${key()})`, `combo(${key()})`],
    ...[
      `sh(multi(1,${key()},${key()}))`,
      `wsh(multi(2,${key()},${key()}))`,
      `sh(wsh(sortedmulti(1,${key()},${key()})))`,
    ],
    ...[`multi(1,${key()})`, `wsh(pkh(${key()}))`, `sh(pk(${key()}))`],
    ...[
      `addr(${lock.address ?? ''})`,
      `raw(${formatHex(lock.scriptPubKey)})`,
      'wpkh(02)',
      `tr(${publicKeysOf(lock)[0] ?? ''})`,
    ],
  ]);
  const checksum = dice.chance(0.96) ? `#${descriptorChecksum(body) ?? ''}` : dice.pick(['', '#', '#aaaaaaaa', '#x']);
  return body + checksum;
}

function descriptorRequest(dice: Dice, lock: Lock): Members {
  const desc = descriptor(dice, lock);
  const isRanged = desc.includes('*');
  const range = dice.pick<unknown>([0, 1, 3, [0, 2], [2, 4], [4, 2], -1, [0], 2_000_000, 'x']);
  return {
    desc,
    ...(dice.chance(isRanged ? 0.9 : 0.05) && { range: dice.chance(0.8) ? dice.pick([1, 3, [1, 4]]) : range }),
  };
}

function request(world: World): Members {
  const { dice, locks, now, tip } = world;
  const lock = dice.pick(locks);
  const hasKeys = lock.keys.length > 0;
  const subject =
    hasKeys && dice.chance(0.4) ? descriptorRequest(dice, lock) : scriptRequest(dice, lock, dice.pick(locks));
  const timestamp = dice.pick<unknown>(['now', 0, 1, tip.time, tip.time - 9000, now + 9000, now - dice.below(50_000)]);
  const maybe = (name: string, probability: number): Members =>
    dice.chance(probability) ? { [name]: rarely(dice, ODD, dice.chance(0.8)) } : {};
  return {
    ...subject,
    ...(dice.chance(0.99) && {
      timestamp: dice.chance(0.98) ? timestamp : dice.pick<unknown>(['soon', null, 1.5, true]),
    }),
    ...(dice.chance(0.4) && { label: rarely(dice, ODD, dice.pick(LABELS)) }),
    ...maybe('internal', 0.2),
    ...maybe('watchonly', 0.3),
    ...maybe('keypool', 0.05),
  };
}

export async function importMany(world: World, wallet: string): Promise<void> {
  const { dice, both } = world;
  const requests = Array.from({ length: dice.below(5) }, () => rarely(dice, [null, 1, {}], request(world)));
  const options = dice.pick<unknown>([{ rescan: true }, { rescan: false }, {}, null]);
  const args = [rarely(dice, [null, 'x', {}], requests), rarely(dice, [[], 1, { rescan: 1 }, 'x'], options)];
  await both.ask('importmulti', upTo(dice, args, 1), wallet);
}
