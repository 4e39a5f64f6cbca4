import { joinBytes } from '../../bytes/joinBytes.ts';
import { hash160 } from '../../crypto/hash.ts';
import { encodePush } from '../../script/build.ts';
import {
  OP_0,
  OP_0NOTEQUAL,
  OP_1,
  OP_ADD,
  OP_BOOLAND,
  OP_BOOLOR,
  OP_CHECKLOCKTIMEVERIFY,
  OP_CHECKMULTISIG,
  OP_CHECKMULTISIGVERIFY,
  OP_CHECKSEQUENCEVERIFY,
  OP_CHECKSIG,
  OP_CHECKSIGADD,
  OP_CHECKSIGVERIFY,
  OP_DUP,
  OP_ELSE,
  OP_ENDIF,
  OP_EQUAL,
  OP_EQUALVERIFY,
  OP_FROMALTSTACK,
  OP_HASH160,
  OP_HASH256,
  OP_IF,
  OP_IFDUP,
  OP_NOTIF,
  OP_NUMEQUAL,
  OP_NUMEQUALVERIFY,
  OP_RIPEMD160,
  OP_SHA256,
  OP_SIZE,
  OP_SWAP,
  OP_TOALTSTACK,
  OP_VERIFY,
} from '../../script/opcodes.ts';
import type { Context, Fragment, HashName, Leaf, Miniscript, Pair, Wrapper } from './fragment.ts';
import { numberPush } from './scriptSize.ts';
import { unfold } from './tree.ts';

/** `isVerified`: the last opcode must be the -VERIFY form. */
interface Expression<K> {
  readonly node: Miniscript<K>;
  readonly isVerified: boolean;
}
type Part<K> = Uint8Array | Expression<K>;
type Parts<K> = readonly Part<K>[];

/**
 * In a tapscript, `keyBytes` may return 33 bytes or 32.
 * @see BIP379 "Translation Table"; Bitcoin Core `Node::ToScript`
 */
export function encodeMiniscript<K>(root: Miniscript<K>, keyBytes: (key: K) => Uint8Array): Uint8Array {
  const encodeKey = (key: K): Uint8Array => keyOfContext(keyBytes(key), root.context);
  const start: Expression<K> = { node: root, isVerified: false };
  const parts = unfold<Expression<K>, Uint8Array>(start, ({ node: { fragment }, isVerified }) => {
    if ('sub' in fragment) return partsOfWrapper(fragment.kind, fragment.sub, isVerified);
    return 'subs' in fragment ? partsOfSubs(fragment, isVerified) : partsOfLeaf(fragment, encodeKey, isVerified);
  });
  return joinBytes(parts);
}

const keyOfContext = (key: Uint8Array, context: Context): Uint8Array =>
  context === 'tapscript' && key.length === 33 ? key.slice(1) : key;

const ops = (...opcodes: readonly number[]): Uint8Array => Uint8Array.from(opcodes);
const plain = <K>(node: Miniscript<K>): Expression<K> => ({ node, isVerified: false });

function partsOfWrapper<K>(kind: Wrapper, sub: Miniscript<K>, isVerified: boolean): Parts<K> {
  switch (kind) {
    case 'a':
      return [ops(OP_TOALTSTACK), plain(sub), ops(OP_FROMALTSTACK)];
    case 's':
      return [ops(OP_SWAP), { node: sub, isVerified }];
    case 'c':
      return [plain(sub), ops(isVerified ? OP_CHECKSIGVERIFY : OP_CHECKSIG)];
    case 'd':
      return [ops(OP_DUP, OP_IF), plain(sub), ops(OP_ENDIF)];
    case 'v':
      return [{ node: sub, isVerified: true }, sub.type.x ? ops(OP_VERIFY) : ops()];
    case 'j':
      return [ops(OP_SIZE, OP_0NOTEQUAL, OP_IF), plain(sub), ops(OP_ENDIF)];
    case 'n':
      return [plain(sub), ops(OP_0NOTEQUAL)];
    default:
      return kind satisfies never;
  }
}

const AROUND: Readonly<Record<Exclude<Pair, 'and_v'>, readonly [Uint8Array, Uint8Array, Uint8Array]>> =
  /* @__PURE__ */ (() => ({
    and_b: [ops(), ops(), ops(OP_BOOLAND)],
    or_b: [ops(), ops(), ops(OP_BOOLOR)],
    or_c: [ops(), ops(OP_NOTIF), ops(OP_ENDIF)],
    or_d: [ops(), ops(OP_IFDUP, OP_NOTIF), ops(OP_ENDIF)],
    or_i: [ops(OP_IF), ops(OP_ELSE), ops(OP_ENDIF)],
  }))();

function partsOfSubs<K>(
  fragment: Extract<Fragment<K>, { readonly subs: readonly Miniscript<K>[] }>,
  isVerified: boolean,
): Parts<K> {
  if (fragment.kind === 'thresh') {
    const subs = fragment.subs.flatMap((sub, i): Parts<K> => (i === 0 ? [plain(sub)] : [plain(sub), ops(OP_ADD)]));
    return [...subs, numberPush(fragment.required), ops(isVerified ? OP_EQUALVERIFY : OP_EQUAL)];
  }
  const [x, y] = fragment.subs;
  if (fragment.kind === 'and_v') return [plain(x), { node: y, isVerified }];
  if (fragment.kind === 'andor') {
    return [plain(x), ops(OP_NOTIF), plain(fragment.subs[2]), ops(OP_ELSE), plain(y), ops(OP_ENDIF)];
  }
  const [before, between, behind] = AROUND[fragment.kind];
  return [before, plain(x), between, plain(y), behind];
}

const HASH_OPCODES: Readonly<Record<HashName, number>> = {
  sha256: OP_SHA256,
  hash256: OP_HASH256,
  ripemd160: OP_RIPEMD160,
  hash160: OP_HASH160,
};

function partsOfLeaf<K>(
  fragment: Leaf<K>,
  encodeKey: (key: K) => Uint8Array,
  isVerified: boolean,
): readonly Uint8Array[] {
  const either = (opcode: number, verifying: number): Uint8Array => ops(isVerified ? verifying : opcode);
  switch (fragment.kind) {
    case '0':
      return [ops(OP_0)];
    case '1':
      return [ops(OP_1)];
    case 'pk_k':
      return [encodePush(encodeKey(fragment.key))];
    case 'pk_h':
      return [ops(OP_DUP, OP_HASH160), encodePush(hash160(encodeKey(fragment.key))), ops(OP_EQUALVERIFY)];
    case 'older':
      return [numberPush(fragment.lock), ops(OP_CHECKSEQUENCEVERIFY)];
    case 'after':
      return [numberPush(fragment.lock), ops(OP_CHECKLOCKTIMEVERIFY)];
    case 'hash': {
      const start = [ops(OP_SIZE), numberPush(32), ops(OP_EQUALVERIFY, HASH_OPCODES[fragment.name])];
      return [...start, encodePush(fragment.hash), either(OP_EQUAL, OP_EQUALVERIFY)];
    }
    case 'multi': {
      const keys = fragment.keys.map((key) => encodePush(encodeKey(key)));
      const count = numberPush(fragment.keys.length);
      return [numberPush(fragment.required), ...keys, count, either(OP_CHECKMULTISIG, OP_CHECKMULTISIGVERIFY)];
    }
    case 'multi_a': {
      const keys = fragment.keys.flatMap((key, i) => [
        encodePush(encodeKey(key)),
        ops(i === 0 ? OP_CHECKSIG : OP_CHECKSIGADD),
      ]);
      return [...keys, numberPush(fragment.required), either(OP_NUMEQUAL, OP_NUMEQUALVERIFY)];
    }
    default:
      return fragment satisfies never;
  }
}
