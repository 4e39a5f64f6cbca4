import { describe, expect, test } from 'vitest';
import { nobleEcc } from '../../../src/core/crypto/nobleEcc.ts';
import { judgeFate } from '../../../src/core/review/fate.ts';
import { payToMultisig, wrapInScriptHash, wrapInWitness } from '../../../src/core/script/build.ts';
import { buildTapTree, tapTweakHash } from '../../../src/core/script/tapTree.ts';
import { classifyScript, OP, parseHex } from '../../support/library.ts';
import { concat } from '../../support/naiveSighash.ts';
import { SECRETS } from '../../support/spends.ts';

const [KEY = parseHex(''), OTHER = KEY] = SECRETS.map((secret) => nobleEcc.publicKey(secret));
const LONG = nobleEcc.publicKey(SECRETS[0] ?? KEY, false);
const NO_KEY = concat([2], new Uint8Array(32).fill(0xff));
const push = (data: Uint8Array): Uint8Array =>
  data.length < 76
    ? concat([data.length], data)
    : concat([OP.PUSHDATA1 + 1, data.length & 0xff, data.length >> 8], data);
const bytes = (...opcodes: readonly number[]): Uint8Array => Uint8Array.from(opcodes);

const small = (value: number): number => OP['16'] - 16 + value;
const nops = (count: number): Uint8Array => new Uint8Array(count).fill(OP.NOP);

const fateOfScript = (scriptPubKey: Uint8Array, scripts: Parameters<typeof judgeFate>[1] = {}): string =>
  judgeFate({ scriptPubKey, template: classifyScript(scriptPubKey) }, scripts, nobleEcc) ?? 'unknown';

describe('the fate of coins', () => {
  const ONE = OP['1'];
  test.each([
    ['a key', concat(push(KEY), [OP.CHECKSIG]), 'unknown'],
    ['bytes that are no key', concat(push(NO_KEY), [OP.CHECKSIG]), 'burnt'],
    ['a key of 65 bytes', concat(push(LONG), [OP.CHECKSIG]), 'unknown'],
    ['a multisig with enough keys', payToMultisig(2, [KEY, OTHER, NO_KEY]), 'unknown'],
    ['a multisig with too few keys', payToMultisig(2, [KEY, NO_KEY, NO_KEY]), 'burnt'],
    ['a multisig of none', bytes(0, ...push(KEY), ONE, OP.CHECKMULTISIG), 'open'],
    ['true', bytes(ONE), 'open'],
    ['false', bytes(0), 'burnt'],
    ['anything that is true', bytes(OP.NOP), 'open'],
    ['two items', bytes(OP.EQUAL), 'open'],
    ['a false item', bytes(OP.NOT), 'open'],
    ['a true item and a branch', bytes(OP.IF, ONE, OP.ENDIF), 'open'],
    ['a lock', bytes(ONE, OP.CHECKSEQUENCEVERIFY), 'open'],
    ['a hash whose preimage may be unknown', concat([OP.SHA256], push(new Uint8Array(32)), [OP.EQUAL]), 'unknown'],
    ['a verified false', bytes(0, OP.VERIFY, ONE), 'burnt'],
    ['a verified true', bytes(ONE, OP.VERIFY, ONE), 'open'],
    ['false, but no longer on top', bytes(0, OP.NOT), 'open'],
    ['a check of no key', concat(push(NO_KEY), [OP.CHECKSIGVERIFY, ONE]), 'burnt'],
    ['a check of a key', concat(push(KEY), [OP.CHECKSIGVERIFY, ONE]), 'unknown'],
    ['a check of a number', bytes(ONE, OP.CHECKSIGVERIFY, ONE), 'burnt'],
    ['a check of the number 16', bytes(OP['16'], OP.CHECKSIGVERIFY, ONE), 'burnt'],
    ['a failed check, negated', concat(push(NO_KEY), [OP.CHECKSIG, OP.NOT]), 'open'],
    ['no key, checked in a branch', concat([OP.IF], push(NO_KEY), [OP.ENDIF, OP.CHECKSIGVERIFY, ONE]), 'unknown'],
    ['a branch that does not end', bytes(ONE, OP.IF, ONE), 'burnt'],
    ['an end without a branch', bytes(ONE, OP.ENDIF), 'burnt'],
    ['an alternative without a branch', bytes(ONE, OP.ELSE), 'burnt'],
    ['a branch for false', bytes(OP.NOTIF, ONE, OP.ENDIF), 'open'],
    ['false before a branch', bytes(0, OP.IF, OP.ENDIF), 'open'],
    ['one false item, and no other', bytes(OP.DEPTH, ONE, OP.EQUALVERIFY, OP.NOT), 'open'],
    ['a height', bytes(ONE, OP.CHECKLOCKTIMEVERIFY), 'open'],
    ['no key, before something else', concat(push(NO_KEY), [OP.NOP]), 'open'],
    ['20 operations that leave a false item', concat(new Uint8Array(19).fill(OP.NOP), [OP.NOT]), 'open'],
    ['a false item after 200 operations, with which few spends are tried', concat(nops(200), [OP.NOT]), 'unknown'],
    ['a true item after 201 operations', nops(201), 'open'],
    ['a constant', bytes(small(2), OP.EQUAL), 'open'],
    ['another constant', bytes(OP['16'], OP.EQUAL), 'open'],
    ['a negative constant', bytes(OP['1NEGATE'], OP.EQUAL), 'open'],
    ['bytes that the script holds', concat(push(KEY), [OP.EQUAL]), 'open'],
    ['two items whose sum is a constant', bytes(OP.ADD, small(5), OP.EQUAL), 'open'],
    ['five items of any kind', bytes(OP.DEPTH, small(5), OP.EQUAL), 'open'],
    ['three items of any kind', bytes(OP['2DROP'], OP.DROP, ONE), 'open'],
    ['two constants', bytes(small(3), OP.EQUALVERIFY, small(4), OP.EQUAL), 'open'],
    ['three items whose sum is a constant', bytes(OP.ADD, OP.ADD, OP['16'], OP.EQUAL), 'open'],
    ['201 operations and a number', concat(new Uint8Array(201).fill(OP.NOP), [OP['16']]), 'open'],
    ['a disabled opcode in a branch', bytes(OP.IF, OP.CAT, OP.ENDIF, ONE), 'burnt'],
    ['VERIF in a branch', bytes(OP.IF, OP.VERIF, OP.ENDIF, ONE), 'burnt'],
    ['a reserved opcode in a branch', bytes(OP.IF, OP.RESERVED, OP.ENDIF, ONE), 'open'],
    ['a reserved opcode', bytes(OP.VER, ONE), 'burnt'],
    ['the last of the NOPs', bytes(OP.NOP10, ONE), 'open'],
    ['an undefined opcode', bytes(OP.NOP10 + 1, ONE), 'burnt'],
    ['a push of 520 bytes', concat(push(new Uint8Array(520)), [OP.DROP, ONE]), 'open'],
    ['a push of 521 bytes', concat(push(new Uint8Array(521)), [OP.DROP, ONE]), 'burnt'],
    ['201 operations', concat(new Uint8Array(201).fill(OP.NOP), [ONE]), 'open'],
    ['202 operations', concat(new Uint8Array(202).fill(OP.NOP), [ONE]), 'burnt'],
    ['a push that runs past the end', bytes(ONE, 5, 1), 'burnt'],
    ['a program of version 0 and 5 bytes', bytes(0, 5, 1, 1, 1, 1, 1), 'burnt'],
    ['data', bytes(OP.RETURN), 'burnt'],
    ['an anchor', bytes(ONE, 2, 0x4e, 0x73), 'open'],
    ['a program of a later version', concat([ONE + 1], push(new Uint8Array(32))), 'open'],
    ['taproot with a point', concat([ONE], push(KEY.slice(1))), 'unknown'],
    ['taproot without a point', concat([ONE], push(new Uint8Array(32).fill(0xff))), 'burnt'],
    ['a key hash', concat([OP.DUP, OP.HASH160], push(new Uint8Array(20)), [OP.EQUALVERIFY, OP.CHECKSIG]), 'unknown'],
    ['a witness key hash', concat([0], push(new Uint8Array(20))), 'unknown'],
  ])('%s', (_, scriptPubKey, fate) => {
    expect(fateOfScript(scriptPubKey)).toBe(fate);
  });

  test('of a script behind a hash depends on the script, where the records show it', () => {
    const keys = payToMultisig(1, [LONG]);
    const open = bytes(ONE);
    expect(fateOfScript(wrapInScriptHash(open))).toBe('unknown');
    expect(fateOfScript(wrapInScriptHash(open), { redeemScript: open })).toBe('open');
    expect(fateOfScript(wrapInScriptHash(keys), { redeemScript: keys })).toBe('unknown');
    expect(fateOfScript(wrapInWitness(open))).toBe('unknown');
    expect(fateOfScript(wrapInWitness(open), { witnessScript: open })).toBe('open');
    // Relay policy lets only compressed keys sign in a witness. BIP143 "Restrictions on public key type".
    expect(fateOfScript(wrapInWitness(keys), { witnessScript: keys })).toBe('burnt');
    const redeemScript = wrapInWitness(open);
    expect(fateOfScript(wrapInScriptHash(redeemScript), { redeemScript })).toBe('unknown');
    expect(fateOfScript(wrapInScriptHash(redeemScript), { redeemScript, witnessScript: open })).toBe('open');
    const keyHash = concat([0], push(new Uint8Array(20)));
    expect(fateOfScript(wrapInScriptHash(keyHash), { redeemScript: keyHash })).toBe('unknown');
  });

  test('of a redeem script depends on its size', () => {
    const sized = (size: number): Uint8Array => concat(push(new Uint8Array(size - 5)), [OP.DROP, ONE]);
    expect(fateOfScript(wrapInScriptHash(sized(520)), { redeemScript: sized(520) })).toBe('open');
    expect(fateOfScript(wrapInScriptHash(sized(521)), { redeemScript: sized(521) })).toBe('burnt');
  });

  describe('of taproot outputs', () => {
    const H = parseHex('50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0');
    const internal = KEY.slice(1);
    const x = OTHER.slice(1);
    const noPoint = NO_KEY.slice(1);
    const fateOfTree = (
      leaves: readonly (readonly [Uint8Array, number?])[],
      tapInternalKey: Uint8Array = internal,
    ): string => {
      const tapTree = leaves.map(([script, leafVersion = 0xc0], i) => {
        return { depth: Math.min(i + 1, leaves.length - 1), leafVersion, script };
      });
      const tweak = tapTweakHash(tapInternalKey, buildTapTree(tapTree).merkleRoot);
      const outputKey = nobleEcc.tweakPublicKey(tapInternalKey, tweak)?.publicKey ?? KEY;
      const records = { tapInternalKey, ...(leaves.length > 0 && { tapTree }) };
      // Of another output, the records say nothing.
      expect(fateOfScript(concat([ONE], push(x)), records)).toBe('unknown');
      return fateOfScript(concat([ONE], push(outputKey)), records);
    };
    const key = concat(push(x), [OP.CHECKSIG]);
    const LEAVING_TWO = bytes(OP['2DUP'], OP['2DROP']);

    test.each<[string, Uint8Array, string]>([
      ['a key', key, 'unknown'],
      ['true', bytes(ONE), 'open'],
      ['OP_SUCCESS', bytes(80), 'open'],
      ['OP_SUCCESS behind a key', concat(key, [OP.CAT]), 'open'],
      ['OP_SUCCESS behind a push that runs past the end', bytes(5, 1, 80), 'unknown'],
      ['OP_SUCCESS within a push', concat(push(bytes(80)), [OP.DROP], key), 'unknown'],
      ['a lock', bytes(ONE, OP.CHECKSEQUENCEVERIFY), 'open'],
      ['two equal items', bytes(OP.EQUAL), 'open'],
      ['a key of an undefined size', concat(push(KEY), [OP.CHECKSIG]), 'open'],
      ['a number in place of a key', bytes(ONE, OP.CHECKSIG), 'open'],
      ['one of one key', bytes(0, ...push(x), OP.CHECKSIGADD, ONE, OP.NUMEQUAL), 'unknown'],
      ['none of one key', bytes(0, ...push(x), OP.CHECKSIGADD, 0, OP.NUMEQUAL), 'open'],
      ['202 operations', concat(nops(202), [ONE]), 'open'],
      ['two items, where one must be left', LEAVING_TWO, 'unknown'],
    ])('with a leaf: %s', (_, script, fate) => {
      expect(fateOfTree([[script]])).toBe(fate);
      expect(fateOfTree([[key], [script], [key]])).toBe(fate);
      expect(fateOfTree([[script]], H)).toBe(fate === 'unknown' && isLost(script) ? 'burnt' : fate);
    });
    const isLost = (script: Uint8Array): boolean => script[0] === 5 || script === LEAVING_TWO;

    test.each([0xc2, 0x50, 0])('with a leaf of the undefined version %i', (version) => {
      expect(fateOfTree([[key, version]])).toBe('open');
    });

    test('with the key of which nobody knows the private key', () => {
      expect(fateOfScript(concat([ONE], push(H)))).toBe('burnt');
      expect(fateOfTree([], H)).toBe('burnt');
      expect(fateOfTree([])).toBe('unknown');
      expect(fateOfTree([[key]], H)).toBe('unknown');
      for (const script of [
        bytes(0),
        bytes(OP.RETURN),
        bytes(ONE, 0xff),
        concat(push(noPoint), [OP.CHECKSIG]),
        concat(bytes(ONE), push(x), bytes(ONE, OP.CHECKMULTISIG)),
        concat(bytes(0, ONE), push(x), bytes(ONE, OP.CHECKMULTISIGVERIFY, ONE)),
        concat(push(new Uint8Array(521)), [OP.DROP], key),
      ]) {
        expect(fateOfTree([[script]], H)).toBe('burnt');
        expect(fateOfTree([[script]])).toBe('unknown');
        expect(fateOfTree([[script], [key]], H)).toBe('unknown');
      }
    });
  });
});
