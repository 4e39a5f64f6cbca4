import { describe, expect, test } from 'vitest';
import {
  type Account,
  accountFromDescriptors,
  accountFromKey,
  buildPsbt,
  type SpendInput,
  signWith,
  taprootOutput,
} from '../../../src/kit/account/index.ts';
import { startRegtest } from '../../../src/shell/regtest/index.ts';
import {
  addInput,
  addOutput,
  encodeScript,
  finalizePsbt,
  formatHex,
  formatPsbt,
  formatWif,
  networks,
  nobleEcc,
  type Psbt,
  parseHex,
  parseTxid,
  SIGHASH,
  sha256,
  toPsbtV2,
} from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const network = 'regtest';
const secret = (fill: number) => new Uint8Array(32).fill(fill);
const wif = (fill: number) => formatWif({ secretKey: secret(fill), isCompressed: true }, networks.regtest);
const publicKey = (fill: number) => nobleEcc.publicKey(secret(fill));
const xOnly = (fill: number) => publicKey(fill).slice(1);
const PREIMAGE = secret(0x77);
const HASH = sha256(PREIMAGE);
const NOWHERE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

const chain = startRegtest();
chain.mine(1);

const coinAt = (from: Exclude<SpendInput['from'], string>, sats = 100_000n): SpendInput => {
  const address = (from as { address: string }).address;
  return { ...chain.fund(address, sats), value: sats, from };
};

/** Pays all of a coin at a rate, signs it, and has a node accept it. */
function sweep(
  owner: Account,
  input: SpendInput,
  options: Parameters<typeof signWith>[2] & { locktime?: number } = {},
) {
  const { locktime = 0, ...signing } = options;
  const psbt = buildPsbt({ inputs: [input], outputs: {}, change: NOWHERE, feeRate: 1, network, locktime });
  const signed = signWith(owner, psbt, signing);
  return { ...signed, ...(signed.hex && { txid: chain.rpc.call('sendrawtransaction', [signed.hex]) }) };
}

describe('a swap', () => {
  const hash = formatHex(HASH);
  const policies = {
    wsh: (claimer: string, refunder: string) =>
      `wsh(andor(pk(${claimer}),sha256(${hash}),and_v(v:pk(${refunder}),after(50))))`,
    tr: (claimer: string, refunder: string) =>
      `tr(50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0,{and_v(v:sha256(${hash}),pk(${claimer})),and_v(v:pk(${refunder}),after(50))})`,
  };
  const keys = [1, 2].map((fill) => formatHex(publicKey(fill)));
  const [claimer = '', refunder = ''] = keys;

  test.each(Object.entries(policies))('in %s is claimed with its preimage', (_, policy) => {
    const owner = accountFromDescriptors(policy(wif(1), refunder), { network });
    const input = { ...coinAt(owner.receive(0)), keys: [publicKey(1)], hashes: [HASH] };
    const without = sweep(owner, input);
    expect([without.isComplete, without.inputs[0]?.quorums.some(({ needed }) => needed?.kind === 'preimage')]).toEqual([
      false,
      true,
    ]);
    const claim = sweep(owner, input, { preimages: [PREIMAGE] });
    expect(claim).toMatchObject({ isComplete: true, review: { fee: BigInt(sizeOf(claim.hex)) } });
  });

  test.each(Object.entries(policies))('in %s is refunded after its time', (_, policy) => {
    const owner = accountFromDescriptors(policy(claimer, wif(2)), { network });
    const input = { ...coinAt(owner.receive(0)), keys: [publicKey(2)] };
    chain.mine(50);
    const refund = sweep(owner, input, { locktime: 50 });
    expect(refund).toMatchObject({ isComplete: true, review: { fee: BigInt(sizeOf(refund.hex)) } });
  });

  test('refuses a preimage of another hash, and one that is not bytes', () => {
    const owner = accountFromDescriptors(policies.wsh(wif(1), refunder), { network });
    const input = { ...coinAt(owner.receive(0)), keys: [publicKey(1)], hashes: [HASH] };
    expect(refusalOf(() => sweep(owner, input, { preimages: [PREIMAGE, secret(1)] })).data).toEqual({
      argument: 'preimages[1]',
      reason: 'has none of the hashes in the scripts of the PSBT',
    });
    const text = [formatHex(PREIMAGE)] as unknown as readonly Uint8Array[];
    expect(refusalOf(() => sweep(owner, input, { preimages: text })).message).toBe(
      'The option preimages[0] must be a Uint8Array: use parseHex',
    );
  });

  const sizeOf = (hex = '') => Number(chain.rpc.call('decoderawtransaction', [hex]).vsize);
});

describe('an inscription', () => {
  const envelope = (key: Uint8Array) =>
    encodeScript([
      key,
      'OP_CHECKSIG',
      0,
      'OP_IF',
      new TextEncoder().encode('ord'),
      1,
      new TextEncoder().encode('text/plain'),
      0,
      new Uint8Array(520).fill(0x61),
      'OP_ENDIF',
    ]);
  const owner = accountFromKey(wif(3), { network, purpose: 86 });

  test('is committed to and revealed', () => {
    const leaf = envelope(xOnly(3));
    const commitment = taprootOutput([leaf, encodeScript([xOnly(4), 'OP_CHECKSIG'])], { network });
    const reveal = sweep(owner, { ...coinAt(commitment), leaf });
    expect(reveal).toMatchObject({ isComplete: true, inputs: [{ isTried: true }] });
    const { vsize } = chain.rpc.call('decoderawtransaction', [reveal.hex ?? '']);
    expect(reveal.review.fee).toBe(BigInt(vsize));
    expect(chain.rpc.call('getrawmempool', [])).toContain(reveal.txid);
  });

  test('is left open by a node, which finalizes no such leaf', () => {
    const leaf = envelope(xOnly(3));
    const commitment = taprootOutput(leaf, { network });
    const psbt = buildPsbt({ inputs: [coinAt(commitment)], outputs: {}, change: NOWHERE, feeRate: 1, network });
    const { psbt: signed } = signWith(owner, psbt, { finalize: false });
    expect(chain.rpc.call('finalizepsbt', [formatPsbt(signed)]).complete).toBe(false);
    expect(finalizePsbt(signed)).toMatchObject({ isComplete: true, inputs: [{ triedLeaf: leaf }] });
  });

  test('whose leaf needs more than signatures stays open, with its signatures', () => {
    const leaf = encodeScript(['OP_SHA256', HASH, 'OP_EQUALVERIFY', 'OP_NOP', xOnly(3), 'OP_CHECKSIG']);
    const psbt = buildPsbt({
      inputs: [{ ...coinAt(taprootOutput(leaf, { network })), weight: 400 }],
      outputs: {},
      change: NOWHERE,
      feeRate: 1,
      network,
    });
    const { psbt: signed, isComplete, inputs } = signWith(owner, psbt);
    expect([isComplete, signed.inputs[0]?.tapScriptSigs?.length, inputs[0]?.isUnread]).toEqual([false, 1, true]);
  });

  test('of several keys is signed in the order of the script', () => {
    const leaf = encodeScript([xOnly(3), 'OP_CHECKSIGVERIFY', 'OP_NOP', xOnly(5), 'OP_CHECKSIG']);
    const input = { ...coinAt(taprootOutput([leaf, leaf], { network })), leaf };
    const { psbt } = sweep(owner, input);
    const both = signWith(accountFromKey(wif(5), { network, purpose: 86 }), psbt);
    expect(both).toMatchObject({ isComplete: true, inputs: [{ isTried: true }] });
    chain.rpc.call('sendrawtransaction', [both.hex ?? '']);
  });
});

test.each([
  [[Uint8Array.of(1), 2, -1, 1000], '51524f02e803'],
  [['OP_RETURN', new Uint8Array(600)], `6a4d5802${'00'.repeat(600)}`],
  [[new Uint8Array(76)], `4c4c${'00'.repeat(76)}`],
  [[], ''],
] as const)('scripts push in the shortest form: %#', (parts, hex) => {
  expect(formatHex(encodeScript(parts))).toBe(hex);
});

test.each([
  [[new Uint8Array(521)], 'has more than 520 bytes, which no script may push: split it'],
  [['OP_PUSHDATA1'], 'is a push: give the bytes to push'],
  [['CHECKSIG'], 'is not the name of an opcode, such as OP_CHECKSIG'],
  [[1.5], 'must be a whole number of at most 32 bits: push others as bytes'],
  [[null], 'must be the name of an opcode, a number or a Uint8Array'],
] as const)('scripts refuse parts that they cannot have: %#', (parts, reason) => {
  expect(refusalOf(() => encodeScript(parts as never)).data).toEqual({ argument: 'parts[0]', reason });
});

test.each([
  [[], {}, 'scripts'],
  ['51', {}, 'scripts'],
  [[parseHex('51')], {}, 'scripts'],
  [parseHex('51'), { internalKey: new Uint8Array(32) }, 'internalKey'],
  [parseHex('51'), { internalKey: publicKey(1) }, 'internalKey'],
])('taproot outputs refuse what is not a tree or a key: %#', (scripts, options, argument) => {
  expect(refusalOf(() => taprootOutput(scripts as never, { network, ...options })).data).toMatchObject({ argument });
});

test('taproot outputs have at most 128 branches above a script', () => {
  const nested = (depth: number): Parameters<typeof taprootOutput>[0] => {
    let tree: Parameters<typeof taprootOutput>[0] = parseHex('51');
    for (let i = 0; i < depth; i += 1) tree = [tree, parseHex('52')];
    return tree;
  };
  expect(taprootOutput(nested(128)).derived.taproot?.leafScripts).toHaveLength(129);
  expect(refusalOf(() => taprootOutput(nested(129))).data).toMatchObject({ argument: 'scripts' });
});

describe('an offer', () => {
  const WARN = { 'fee-negative': 'warn' } as const;
  const seller = accountFromKey(wif(6), { network });
  const buyer = accountFromKey(wif(7), { network, purpose: 86 });

  test('signed SINGLE|ANYONECANPAY takes inputs and outputs once it is of version 2', () => {
    const input = coinAt(seller.receive(0), 10_000n);
    const payments = { [seller.receive(0).address]: 50_000n };
    const offer = buildOffer(input, payments);
    const signed = signWith(seller, offer, { sighashType: SIGHASH.SINGLE | SIGHASH.ANYONECANPAY, policy: WARN });
    expect(signed.openReason).toBe('inputs-missing');
    const open = toPsbtV2(signed.psbt);
    expect(open.global.txModifiable).toBe(0b111);
    const coin = coinAt(buyer.receive(0), 100_000n);
    const taken = addOutput(
      addInput(
        open,
        { txid: parseTxid(coin.txid), vout: coin.vout },
        {
          witnessUtxo: { value: 100_000n, scriptPubKey: buyer.receive(0).scriptPubKey },
        },
      ),
      { value: 59_000n, scriptPubKey: buyer.receive(0).scriptPubKey },
    );
    const { hex } = signWith(buyer, taken, { policy: WARN });
    chain.rpc.call('sendrawtransaction', [hex ?? '']);
  });

  test.each([
    [SIGHASH.ALL, undefined],
    [SIGHASH.ALL | SIGHASH.ANYONECANPAY, 0b001],
    [SIGHASH.NONE, 0b010],
    [SIGHASH.SINGLE, 0b110],
    [SIGHASH.NONE | SIGHASH.ANYONECANPAY, 0b011],
  ])('of hash type %i has the flags %s', (sighashType, flags) => {
    const psbt = buildPsbt({
      inputs: [coinAt(seller.receive(0))],
      outputs: { [NOWHERE]: 99_000n },
      fee: 1000n,
      network,
    });
    expect(toPsbtV2(psbt).global.txModifiable).toBe(undefined);
    const { psbt: signed } = signWith(seller, psbt, { sighashType, finalize: false, policy: WARN });
    expect(toPsbtV2(signed).global.txModifiable).toBe(flags);
  });

  /** Pays more than its input holds, which `buildPsbt` refuses. */
  function buildOffer(input: SpendInput, payments: Record<string, bigint>): Psbt {
    const psbt = buildPsbt({ inputs: [{ ...input, value: 60_000n }], outputs: payments, fee: 10_000n, network });
    const [record] = psbt.inputs;
    const scriptPubKey = record?.witnessUtxo?.scriptPubKey ?? new Uint8Array(0);
    return { ...psbt, inputs: [{ ...record, witnessUtxo: { value: 10_000n, scriptPubKey } }] };
  }
});
