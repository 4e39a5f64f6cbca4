import { describe, expect, test } from 'vitest';
import { taggedHash } from '../../../src/core/crypto/hash.ts';
import { wrapInScriptHash, wrapInWitness } from '../../../src/core/script/build.ts';
import { taprootOutput } from '../../../src/kit/account/taprootOutput.ts';
import {
  type InputSighash,
  legacySighash,
  OP,
  parseTxid,
  SIGHASH,
  type SighashRequest,
  segwitV0Sighash,
  sha256d,
  sighashForInput,
  sighashMidstate,
  type Transaction,
  taprootSighash,
} from '../../support/library.ts';
import { concat } from '../../support/naiveSighash.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';
import { kinds } from '../../support/spends.ts';

const NOTHING = new Uint8Array(0);
const inputOf = (byte: string): Transaction['inputs'][number] => ({
  outpoint: { txid: parseTxid(byte.repeat(32)), vout: 1 },
  scriptSig: NOTHING,
  sequence: 0xffff_fffd,
  witness: [],
});
const tx: Transaction = {
  version: 2,
  inputs: [inputOf('11'), inputOf('22')],
  outputs: [{ value: 1000n, scriptPubKey: Uint8Array.of(OP.RETURN) }],
  locktime: 7,
};

function request(kind: keyof typeof kinds, more: Partial<SighashRequest> = {}): SighashRequest {
  const { scriptPubKey = NOTHING, known } = kinds[kind] ?? {};
  const prevouts = tx.inputs.map((_, i) => ({ value: 5000n + BigInt(i), scriptPubKey }));
  return { tx, inputIndex: 0, prevouts, ...known, ...more };
}
const scriptOf = (kind: string): Uint8Array => kinds[kind]?.scriptPubKey ?? NOTHING;

describe('sighashForInput', () => {
  test.each([
    ['pk', 'legacy', 1],
    ['pkh', 'legacy', 1],
    ['multi', 'legacy', 1],
    ['sh(multi)', 'legacy', 1],
    ['wpkh', 'segwit-v0', 1],
    ['sh(wpkh)', 'segwit-v0', 1],
    ['wsh(multi)', 'segwit-v0', 1],
    ['sh(wsh(multi))', 'segwit-v0', 1],
    ['rawtr', 'taproot-key-path', 0],
    ['tr(,pk)', 'taproot-script-path', 0],
  ])('for %s uses the algorithm %s and the default hash type %i', (kind, algorithm, sighashType) => {
    const given = request(kind);
    expect(sighashForInput(given)).toMatchObject({ algorithm, sighashType });
    const other = sighashForInput({ ...given, sighashType: SIGHASH.NONE | SIGHASH.ANYONECANPAY });
    expect(other.sighashType).toBe(0x82);
    expect(other.digest).not.toEqual(sighashForInput(given).digest);
    const prevouts = knownOf(given);
    const shared = { ...given, prevouts, midstate: sighashMidstate(tx, prevouts) };
    expect(sighashForInput(shared)).toEqual(sighashForInput(given));
  });

  const knownOf = ({ prevouts }: SighashRequest) => prevouts.flatMap((prevout) => prevout ?? []);

  test('returns the digests of the three digest functions', () => {
    const common = { tx, inputIndex: 1, sighashType: SIGHASH.ALL };
    const legacy = sighashForInput(request('pkh', { inputIndex: 1 }));
    expect(legacy.digest).toEqual(legacySighash({ ...common, scriptCode: scriptOf('pkh') }));
    const nested = sighashForInput(request('sh(wpkh)', { inputIndex: 1 }));
    expect(nested.digest).toEqual(segwitV0Sighash({ ...common, scriptCode: scriptOf('pkh'), value: 5001n }));
    const given = request('rawtr', { inputIndex: 1 });
    const taproot = taprootSighash({ ...common, sighashType: 0, prevouts: knownOf(given) });
    expect(sighashForInput(given).digest).toEqual(taproot);
  });

  test('returns the hashed message on request', () => {
    const preimageOf = (given: SighashRequest): InputSighash => sighashForInput({ ...given, withPreimage: true });
    for (const kind of ['pkh', 'wpkh']) {
      for (const inputIndex of [0, 1]) {
        const { digest, preimage = NOTHING } = preimageOf(request(kind, { inputIndex }));
        expect(sha256d(preimage)).toEqual(digest);
      }
    }
    expect(preimageOf(request('rawtr')).preimage?.slice(0, 2)).toEqual(Uint8Array.of(0, 0));
    expect(sighashForInput(request('pkh'))).not.toHaveProperty('preimage');
  });

  test('commits to the annex of a taproot input', () => {
    const annex = Uint8Array.of(0x50, 1, 2);
    for (const kind of ['rawtr', 'tr(,pk)']) {
      const { digest, preimage } = sighashForInput(request(kind, { annex, withPreimage: true }));
      expect(digest).not.toEqual(sighashForInput(request(kind)).digest);
      expect(taggedHash('TapSighash')(preimage ?? NOTHING)).toEqual(digest);
    }
    const prevouts = knownOf(request('rawtr'));
    const place = { tx, inputIndex: 0, prevouts, sighashType: 0 };
    expect(sighashForInput(request('rawtr', { annex })).digest).toEqual(taprootSighash({ ...place, annex }));
  });

  test('takes any script that no rule names as its own scriptCode', () => {
    const scriptPubKey = Uint8Array.of(OP.NOP, OP['1']);
    const prevouts = tx.inputs.map(() => ({ value: 1n, scriptPubKey }));
    const digest = legacySighash({ tx, inputIndex: 0, scriptCode: scriptPubKey, sighashType: SIGHASH.ALL });
    expect(sighashForInput({ tx, inputIndex: 0, prevouts })).toMatchObject({ algorithm: 'legacy', digest });
  });

  test('takes scripts up to the size that can run', () => {
    const sized = (size: number, wrap: (script: Uint8Array) => Uint8Array): (() => InputSighash) => {
      const scriptCode = new Uint8Array(size).fill(OP.NOP);
      const prevouts = tx.inputs.map(() => ({ value: 1n, scriptPubKey: wrap(scriptCode) }));
      return () => sighashForInput({ tx, inputIndex: 0, prevouts, scriptCode });
    };
    const bare = (script: Uint8Array): Uint8Array => script;
    for (const [limit, wrap] of [
      [520, wrapInScriptHash],
      [10_000, wrapInWitness],
      [10_000, bare],
    ] as const) {
      expect(sized(limit, wrap)().digest).toHaveLength(32);
      expect(refusalOf(sized(limit + 1, wrap)).data).toMatchObject({ reason: 'too-large' });
    }
  });

  test('accepts either script of nested P2WPKH, and the script that a scriptPubKey implies', () => {
    const { digest } = sighashForInput(request('sh(wpkh)'));
    expect(sighashForInput(request('sh(wpkh)', { scriptCode: scriptOf('pkh') })).digest).toEqual(digest);
    expect(sighashForInput(request('wpkh', { scriptCode: scriptOf('pkh') })).algorithm).toBe('segwit-v0');
    expect(sighashForInput(request('pkh', { scriptCode: scriptOf('pkh') })).algorithm).toBe('legacy');
  });

  test('needs the prevouts of other inputs only for taproot', () => {
    const [own] = request('wpkh').prevouts;
    expect(sighashForInput(request('wpkh', { prevouts: [own, undefined] })).algorithm).toBe('segwit-v0');
    const [taproot] = request('rawtr').prevouts;
    const refused = (prevouts: SighashRequest['prevouts'], found: number): void =>
      expectRefusal(() => sighashForInput(request('rawtr', { prevouts })), 'sighash/prevouts', { expected: 2, found });
    refused([taproot, undefined], 1);
    refused([undefined, taproot], 1);
    refused([taproot], 1);
    refused([], 0);
    const more = [...request('wpkh').prevouts, ...request('wpkh').prevouts];
    const data = { expected: 2, found: 4 };
    expectRefusal(() => sighashForInput(request('wpkh', { prevouts: more })), 'sighash/prevouts', data);
  });
});

describe('a midstate keeps ECDSA digests', () => {
  const key = { inputIndex: 1, scriptCode: Uint8Array.of(OP['1']), sighashType: 1, value: 5n };
  const { ecdsaDigest } = sighashMidstate(tx);
  let computed = 0;
  const digestOf = (given: typeof key): Uint8Array =>
    ecdsaDigest(given, () => {
      computed += 1;
      return Uint8Array.of(computed);
    });

  test('for the same input, script, hash type and amount', () => {
    for (const sighashType of [1, 2, 3, 0x81, 0x82, 0x83]) digestOf({ ...key, sighashType });
    const before = computed;
    for (const sighashType of [1, 2, 3, 0x81, 0x82, 0x83]) digestOf({ ...key, sighashType });
    expect(computed).toBe(before);
  });

  test('for nothing else', () => {
    const first = digestOf(key);
    for (const other of [
      { ...key, value: 6n },
      { ...key, sighashType: 2 },
      { ...key, sighashType: 0x41 },
      { ...key, sighashType: 0x42 },
      { ...key, inputIndex: 0 },
      { ...key, scriptCode: Uint8Array.of(OP['1'], OP.NOP) },
    ]) {
      expect(digestOf(other)).not.toEqual(first);
      expect(digestOf(other)).toEqual(digestOf({ ...other }));
    }
  });
});

describe('sighashForInput refuses', () => {
  const refused = (
    kind: string,
    more: Partial<SighashRequest>,
    code: Parameters<typeof expectRefusal>[1],
    data: object,
  ) => expectRefusal(() => sighashForInput(request(kind, more)), code, data);

  test('an input index out of range', () => {
    for (const inputIndex of [2, -1, 0.5])
      refused('pkh', { inputIndex }, 'sighash/input-index', { inputIndex, inputs: 2 });
  });

  test('hash types that the algorithm does not define', () => {
    for (const sighashType of [0, 4, 0x80, 0x84, 0x41, 256, -1]) {
      refused('pkh', { sighashType }, 'sighash/type', { sighashType, algorithm: 'legacy' });
      refused('wpkh', { sighashType }, 'sighash/type', { sighashType, algorithm: 'segwit-v0' });
      if (sighashType !== 0) refused('rawtr', { sighashType }, 'sighash/type', { sighashType, algorithm: 'taproot' });
    }
  });

  test('SINGLE for an input without an output of the same index', () => {
    for (const kind of ['pkh', 'wpkh', 'rawtr']) {
      for (const sighashType of [3, 0x83]) {
        refused(kind, { inputIndex: 1, sighashType }, 'sighash/single-without-output', { inputIndex: 1, outputs: 1 });
        expect(sighashForInput(request(kind, { sighashType })).sighashType).toBe(sighashType);
      }
    }
    const data = { inputIndex: 1, outputs: 1 };
    const midstate = sighashMidstate(
      tx,
      request('rawtr').prevouts.flatMap((prevout) => prevout ?? []),
    );
    const digest = (): Uint8Array =>
      taprootSighash({ tx, inputIndex: 1, sighashType: 3, prevouts: midstate.prevouts ?? [], midstate });
    expectRefusal(digest, 'sighash/single-without-output', data);
  });

  test('scripts that are missing, that the prevout does not commit to, or that are too large to run', () => {
    const fault = (kind: string, scriptType: string, reason: string, scriptCode?: Uint8Array): void => {
      const given = { ...request(kind), scriptCode };
      const { scriptCode: _none, ...without } = given;
      const changed = scriptCode ? { ...without, scriptCode } : without;
      expectRefusal(() => sighashForInput(changed), 'sighash/script-code', { inputIndex: 0, scriptType, reason });
    };
    const wrong = Uint8Array.of(OP['1']);
    fault('sh(multi)', 'scripthash', 'missing');
    fault('wsh(multi)', 'witness_v0_scripthash', 'missing');
    fault('sh(wsh(multi))', 'scripthash', 'missing');
    fault('sh(wsh(multi))', 'scripthash', 'missing', scriptOf('wsh(multi)'));
    fault('sh(multi)', 'scripthash', 'hash-mismatch', wrong);
    fault('wsh(multi)', 'witness_v0_scripthash', 'hash-mismatch', wrong);
    fault('sh(wpkh)', 'scripthash', 'hash-mismatch', scriptOf('pk'));
    fault('pkh', 'pubkeyhash', 'not-used', wrong);
    fault('wpkh', 'witness_v0_keyhash', 'not-used', wrong);
    const large = new Uint8Array(10_001).fill(OP.NOP);
    const prevouts = tx.inputs.map(() => ({ value: 1n, scriptPubKey: large }));
    const data = { inputIndex: 0, scriptType: 'nonstandard', reason: 'too-large' };
    expectRefusal(() => sighashForInput({ tx, inputIndex: 0, prevouts }), 'sighash/script-code', data);
  });

  test('leaves and annexes for other outputs than taproot, and annexes without their tag', () => {
    const leaf = { script: NOTHING };
    const scriptType = 'pubkeyhash';
    refused('pkh', { leaf }, 'sighash/leaf', { inputIndex: 0, scriptType, reason: 'not-taproot' });
    refused('sh(multi)', { leaf }, 'sighash/leaf', { inputIndex: 0, scriptType: 'scripthash', reason: 'not-taproot' });
    refused('pkh', { annex: Uint8Array.of(0x50) }, 'sighash/leaf', {
      inputIndex: 0,
      scriptType,
      reason: 'not-taproot',
    });
    const taproot = { inputIndex: 0, scriptType: 'witness_v1_taproot', reason: 'annex-tag' };
    refused('rawtr', { annex: NOTHING }, 'sighash/leaf', taproot);
    refused('rawtr', { annex: Uint8Array.of(0x51) }, 'sighash/leaf', taproot);
  });

  test('a control block by which the coin does not commit to the leaf', () => {
    const script = Uint8Array.of(OP['1']);
    const { scriptPubKey, derived } = taprootOutput([script, Uint8Array.of(OP.NOP)]);
    const [spent, other] = derived.taproot?.leafScripts ?? [];
    const prevouts = tx.inputs.map(() => ({ value: 1n, scriptPubKey }));
    const digestOf = (leaf: NonNullable<SighashRequest['leaf']>) =>
      sighashForInput({ tx, inputIndex: 0, prevouts, leaf }).digest;
    const controlBlock = spent?.controlBlock ?? NOTHING;
    const flipped = controlBlock.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
    expect(digestOf({ script, controlBlock })).toEqual(digestOf({ script }));
    const data = { inputIndex: 0, scriptType: 'witness_v1_taproot', reason: 'not-committed' };
    for (const wrong of [other?.controlBlock ?? NOTHING, controlBlock.slice(1), flipped, NOTHING])
      expectRefusal(() => digestOf({ script, controlBlock: wrong }), 'sighash/leaf', data);
    expectRefusal(() => digestOf({ script, leafVersion: 0xc2, controlBlock }), 'sighash/leaf', data);
  });

  test('prevouts that no signature can spend', () => {
    const scripts: readonly [Uint8Array, string][] = [
      [Uint8Array.of(OP.RETURN), 'nulldata'],
      [Uint8Array.of(OP['1'], 2, 0x4e, 0x73), 'anchor'],
      [concat([OP['1'] + 1, 32], new Uint8Array(32)), 'witness_unknown'],
      [concat([0, 5], new Uint8Array(5)), 'nonstandard'],
    ];
    for (const [scriptPubKey, scriptType] of scripts) {
      const prevouts = tx.inputs.map(() => ({ value: 1n, scriptPubKey }));
      const data = { inputIndex: 0, scriptType };
      expectRefusal(() => sighashForInput({ tx, inputIndex: 0, prevouts }), 'sighash/unsignable', data);
      const isProgram = scriptType !== 'nulldata';
      const nested = tx.inputs.map(() => ({ value: 1n, scriptPubKey: wrapInScriptHash(scriptPubKey) }));
      const given = { tx, inputIndex: 0, prevouts: nested, scriptCode: scriptPubKey };
      if (isProgram) {
        expectRefusal(() => sighashForInput(given), 'sighash/unsignable', { inputIndex: 0, scriptType: 'scripthash' });
      }
    }
  });

  test('scripts with a text that says what to do', () => {
    const textOf = (kind: string, scriptCode?: Uint8Array): string => {
      const { scriptCode: _known, ...given } = request(kind);
      return refusalOf(() => sighashForInput({ ...given, ...(scriptCode && { scriptCode }) })).message;
    };
    const wrong = new Uint8Array(10_001);
    expect(textOf('sh(multi)')).toMatch(/pass the script .* as scriptCode$/);
    expect(textOf('sh(multi)', wrong)).toMatch(/commits to another script than scriptCode$/);
    expect(textOf('pkh', wrong)).toMatch(/leave out scriptCode$/);
    const prevouts = tx.inputs.map(() => ({ value: 1n, scriptPubKey: wrong }));
    expect(refusalOf(() => sighashForInput({ tx, inputIndex: 0, prevouts })).message).toMatch(/too large to run$/);
    const undefinedType = refusalOf(() => sighashForInput(request('wpkh', { sighashType: 4 })));
    expect(undefinedType.message).toBe('The sighash type 4 is not defined for segwit-v0');
  });

  test('the midstate of another transaction or of other prevouts', () => {
    const other = sighashMidstate({ ...tx });
    refused('pkh', { midstate: other }, 'sighash/midstate', { of: 'another transaction' });
    refused('wpkh', { midstate: other }, 'sighash/midstate', { of: 'another transaction' });
    refused('rawtr', { midstate: other }, 'sighash/midstate', { of: 'another transaction' });
    refused('rawtr', { midstate: sighashMidstate(tx) }, 'sighash/midstate', { of: 'other prevouts' });
    expectRefusal(() => sighashMidstate(tx, []), 'sighash/prevouts', { expected: 2, found: 0 });
  });
});
