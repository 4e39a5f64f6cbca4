import { describe, expect, test } from 'vitest';
import { pointsOf } from '../../../src/core/crypto/noblePoints.ts';
import { inputOutpoint } from '../../../src/core/psbt/format/inputCoin.ts';
import { inputHash, paymentTweak, secretFactor } from '../../../src/core/silentPayments/sharedSecret.ts';
import { createAccount } from '../../../src/kit/account/account.ts';
import {
  accountFromDescriptors,
  accountFromWords,
  buildPsbt,
  reviewWith,
  signWith,
  silentPaymentsFromWords,
} from '../../../src/kit/account/index.ts';
import {
  concatBytes,
  decodeTransaction,
  equalBytes,
  formatDescriptor,
  formatPsbt,
  nobleEcc,
  type Psbt,
  type PsbtReview,
  parseHex,
  SIGHASH,
  tapTweakHash,
  toPsbtV0,
} from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

// What an attacker tried to have called change.

const network = 'regtest';
const MINE = `${'abandon '.repeat(11)}about`;
const OTHERS = `${'zoo '.repeat(11)}wrong`;
const me = accountFromWords(MINE, { network });
const silent = silentPaymentsFromWords(MINE, { network });
const payment = { to: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', value: 50_000n };
const coinOf = (from: ReturnType<typeof me.receive>, txid = '11') => ({
  txid: txid.repeat(32),
  vout: 0,
  value: 1_000_000n,
  from,
});
const checksOf = ({ findings }: PsbtReview): readonly string[] => findings.map(({ check }) => check);
const isChange = ({ outputs }: PsbtReview): boolean => {
  const last = outputs.at(-1);
  return last?.owner.kind === 'silent' && last.role === 'change' && last.stays;
};

describe('an output that a silent payment record leads to', () => {
  /** Chooses the address of a stranger so that the last output, which is taproot, provably pays it. */
  function disguised(psbt: Psbt, keySum: Uint8Array): Psbt {
    const points = pointsOf(nobleEcc);
    const scanSecret = new Uint8Array(32).fill(9);
    const outpoints = psbt.inputs.flatMap((_, i) => inputOutpoint(psbt, i) ?? []);
    const shared = points.multiply(keySum, secretFactor(inputHash(outpoints, keySum), scanSecret));
    const [tweakPoint = new Uint8Array(0)] = [nobleEcc.publicKey(paymentTweak(shared ?? new Uint8Array(33), 0))];
    const { script = new Uint8Array(0), tapBip32Derivations = [], amount = 0n } = psbt.outputs.at(-1) ?? {};
    const negated = concatBytes(Uint8Array.of(tweakPoint[0] === 2 ? 3 : 2), tweakPoint.slice(1));
    const spendKey = points.add([concatBytes(Uint8Array.of(2), script.slice(2)), negated]) ?? new Uint8Array(0);
    const spV0Info = { scanKey: nobleEcc.publicKey(scanSecret), spendKey };
    const inputs = psbt.inputs.map((input) => ({
      ...input,
      tapBip32Derivations: [...(input.tapBip32Derivations ?? []), ...tapBip32Derivations],
    }));
    return { ...psbt, inputs, outputs: [...psbt.outputs.slice(0, -1), { amount, spV0Info }] };
  }

  test('is a payment to its address, even if its script is an own one', () => {
    const taproot = accountFromWords(MINE, { network, purpose: 86 });
    const from = taproot.receive(0);
    const plain = buildPsbt({
      inputs: [coinOf(from)],
      outputs: [payment],
      change: taproot.change(2_000_000_001),
      feeRate: 2,
      version: 2,
    });
    expect(checksOf(reviewWith(taproot, plain))).toContain('path-far');
    const key = concatBytes(Uint8Array.of(2), from.scriptPubKey.slice(2));
    const { review } = signWith(taproot, formatPsbt(disguised(plain, key)));
    expect(review.outputs[1]?.scriptPubKey).toEqual(taproot.change(2_000_000_001).scriptPubKey);
    expect(review.outputs[1]).toMatchObject({ owner: { kind: 'none' }, role: 'payment', stays: false });
    expect(review.outputs[1]?.silentPayment?.status).toBe('proven');
    expect(review.leaves).toBe(1_000_000n);
  });
});

describe('silent change', () => {
  test('is a payment where others control spent coins, too', () => {
    const [a = '', b = ''] = [MINE, OTHERS].map((words) => {
      const [descriptor] = accountFromWords(words, { network }).descriptors;
      return descriptor ? (/\((.*)\)/.exec(formatDescriptor(descriptor, me.network))?.[1] ?? '') : '';
    });
    const vault = accountFromDescriptors(`wsh(sortedmulti(2,${a},${b}))`, { network });
    const both = createAccount({ ...me.holds, wallets: [...(vault.holds.wallets ?? []), ...(me.holds.wallets ?? [])] });
    const inputs = [coinOf(vault.receive(0)), coinOf(me.receive(0), '22')];
    const psbt = buildPsbt({ inputs, outputs: [payment], change: silent.change(), fee: 1000n });
    const own = buildPsbt({ inputs: inputs.slice(1), outputs: [payment], change: silent.change(), fee: 1000n });
    const changes = [psbt, own].map((each) => signWith(both, each, { finalize: false }).review);
    expect(changes.map(isChange)).toEqual([false, true]);
    expect(changes[0]?.outputs[1]).toMatchObject({ owner: { kind: 'silent' }, role: 'own', stays: false });
    expect(changes[0]?.outputs[1]?.silentPayment?.status).toBe('conditional');
  });

  test('is a payment where no own coin is spent', () => {
    const payer = accountFromWords(OTHERS, { network });
    const psbt = buildPsbt({
      inputs: [coinOf(payer.receive(0))],
      outputs: [payment],
      change: silent.address(0),
      feeRate: 2,
    });
    const signed = signWith(payer, psbt, { finalize: false }).psbt;
    // Nothing proves the coin of another to those who do not sign for it.
    expect(reviewWith(me, signed).outputs[1]?.silentPayment).toEqual({
      address: silent.address(0),
      status: 'conditional',
    });
    expect(reviewWith(me, signed)).toMatchObject({ leaves: undefined, stays: 0n });
  });

  test('is conditional where a coin may have another script', () => {
    const inputs = [coinOf(me.receive(0)), coinOf(me.receive(1), '22')];
    const { review } = signWith(me, buildPsbt({ inputs, outputs: [payment], change: silent.change(), feeRate: 2 }));
    expect(checksOf(review)).toContain('silent-payment-conditional');
    expect(isChange(review)).toBe(false);
    expect(review.outputs.at(-1)?.silentPayment?.status).toBe('conditional');
    const [one] = inputs.slice(0, 1);
    const alone = buildPsbt({ inputs: one ? [one] : [], outputs: [payment], change: silent.change(), feeRate: 2 });
    expect(isChange(signWith(me, alone).review)).toBe(true);
  });

  test('is a payment where a signature leaves the outputs open', () => {
    const psbt = buildPsbt({
      inputs: [coinOf(me.receive(0))],
      outputs: [payment],
      change: silent.change(),
      feeRate: 2,
    });
    const computed = signWith(me, psbt, { finalize: false }).psbt;
    expect(isChange(reviewWith(me, computed))).toBe(true);
    const open = reviewWith(me, computed, { sighashType: SIGHASH.NONE });
    expect([isChange(open), open.leaves]).toEqual([false, 1_000_000n]);
    expect(open.outputs[1]?.silentPayment?.status).toBe('conditional');
    expect(checksOf(open)).toContain('silent-payment-conditional');
  });

  test('is not what has the label of change alone, and is refuted by false origins', () => {
    const { records } = silentPaymentsFromWords(OTHERS, { network }).change();
    const { spV0Info, spV0Label = 0 } = records;
    const change = { ...silent.change(), records: { spV0Info, spV0Label } };
    const psbt = buildPsbt({ inputs: [coinOf(me.receive(0))], outputs: [payment], change, feeRate: 2 });
    expect(reviewWith(me, psbt).outputs[1]).toMatchObject({ owner: { kind: 'none' }, role: 'payment', stays: false });
    const [claim] = psbt.inputs[0]?.bip32Derivations ?? [];
    const bip32Derivations = claim ? [{ ...claim, pubkey: spV0Info.scanKey }] : [];
    const lying = { ...change, records: { ...change.records, bip32Derivations } };
    const lie = buildPsbt({ inputs: [coinOf(me.receive(0))], outputs: [payment], change: lying, feeRate: 2 });
    for (const account of [me, accountFromDescriptors(descriptorText(), { network })]) {
      expect(checksOf(reviewWith(account, lie))).toContain('change-refuted');
    }
  });

  const descriptorText = (): string => {
    const [descriptor] = me.descriptors;
    return descriptor ? formatDescriptor(descriptor, me.network) : '';
  };

  test('leaves PSBTs of version 0 without the origins of its keys', () => {
    const psbt = buildPsbt({
      inputs: [coinOf(me.receive(0))],
      outputs: [payment],
      change: silent.change(),
      feeRate: 2,
    });
    const old = toPsbtV0(signWith(me, psbt, { finalize: false }).psbt);
    expect(old.outputs[1]).toEqual({});
  });

  test('takes no longer for many labels and outputs', () => {
    const labels = Array.from({ length: 100 }, (_, i) => i + 1);
    const owner = silentPaymentsFromWords(MINE, { network, labels });
    const psbt = buildPsbt({
      inputs: [coinOf(me.receive(0))],
      outputs: [payment],
      change: silent.change(),
      feeRate: 2,
    });
    const { records } = silent.change();
    const others = labels.map((byte) => ({
      amount: 1000n,
      spV0Info: { ...records.spV0Info, spendKey: nobleEcc.publicKey(new Uint8Array(32).fill(byte)) },
    }));
    let multiplications = 0;
    const publicKey: typeof nobleEcc.publicKey = (...args) => {
      multiplications += 1;
      return nobleEcc.publicKey(...args);
    };
    const counting = { ...nobleEcc, publicKey };
    const counted = silentPaymentsFromWords(MINE, { network, labels, ecc: counting });
    const before = multiplications;
    reviewWith(counted, { ...psbt, outputs: [...psbt.outputs, ...others] });
    expect(multiplications - before).toBeLessThan(5 * labels.length);
    expect(owner.address(1)).toBe(counted.address(1));
  });
});

describe('coins of silent payments', () => {
  const paid = buildPsbt({
    inputs: [coinOf(me.receive(0))],
    outputs: { [silent.address()]: 60_000n },
    change: me.change(0),
    feeRate: 2,
  });
  const tx = decodeTransaction(parseHex(signWith(me, paid).hex ?? ''));
  const coins = silent.findCoins(tx, [me.receive(0)]);

  test('have change in other wallets of the same words', () => {
    for (const inputs of [coins, [...coins, coinOf(me.receive(2), '33')]]) {
      const review = reviewWith(
        me,
        buildPsbt({ inputs, outputs: [{ ...payment, value: 20_000n }], change: me.change(0), feeRate: 2 }),
      );
      expect(checksOf(review)).toEqual(inputs === coins ? [] : ['amount-unproven']);
      expect(review.outputs[1]).toMatchObject({
        owner: { place: { chain: 1, index: 0 } },
        role: 'change',
        stays: true,
      });
    }
  });

  test.each([
    ['nothing', [null]],
    ['a block without transactions', [{ height: 1, tx: [null] }]],
    ['inputs that are not a list', [{ height: 1, tx: [{ hex: '00', vin: null }] }]],
    ['an input that is null', [{ height: 1, tx: [{ hex: '00', vin: [null] }] }]],
    ['a coin without a script', [{ height: 1, tx: [{ hex: '00', vin: [{ prevout: {} }] }] }]],
    ['a number for a transaction', [{ height: 1, tx: [{ hex: 7, vin: [] }] }]],
    ['no height', [{ tx: [] }]],
    [
      'a block twice',
      [
        { height: 1, tx: [] },
        { height: 1, tx: [] },
      ],
    ],
  ])('are not found in %s', (_, blocks) => {
    expect(refusalOf(() => silent.coinsIn(blocks as never)).code).toBe('argument/invalid');
  });
});

describe('an own coin that is a lie', () => {
  const taproot = accountFromWords(MINE, { network, purpose: 86 });

  test('proves nothing of the others, although taproot would commit to them', () => {
    const inputs = [coinOf(me.receive(0)), coinOf(taproot.receive(0), '22')];
    const psbt = buildPsbt({ inputs, outputs: [payment], change: silent.change(), feeRate: 2 });
    const { review } = signWith(me, psbt, { finalize: false });
    expect(checksOf(review)).toContain('silent-payment-conditional');
    expect(isChange(review)).toBe(false);
  });

  test('does not hide who else controls it behind the record of a silent payment', () => {
    const [mine, theirs] = [MINE, OTHERS].map((words) => accountFromWords(words, { network, purpose: 86 }));
    const key = (account: typeof mine) => {
      const [descriptor] = account?.descriptors ?? [];
      return descriptor ? (/\((.*)\)/.exec(formatDescriptor(descriptor, me.network))?.[1] ?? '') : '';
    };
    const vault = accountFromDescriptors(`tr(${key(mine)},pk(${key(theirs)}))`, { network });
    const from = vault.receive(0);
    const change = taproot.change(0);
    const psbt = buildPsbt({
      inputs: [coinOf(from), coinOf(taproot.receive(0), '22')],
      outputs: [payment],
      change,
      feeRate: 2,
      version: 2,
    });
    const { tapInternalKey = new Uint8Array(0), tapMerkleRoot, witnessUtxo } = psbt.inputs[0] ?? {};
    const claim = psbt.inputs[0]?.tapBip32Derivations?.find(({ pubkey }) => equalBytes(pubkey, tapInternalKey));
    if (!claim || !witnessUtxo || !tapMerkleRoot) throw new Error('no records');
    const { fingerprint, path } = claim;
    const spendKey = concatBytes(Uint8Array.of(2), tapInternalKey);
    const hidden = {
      ...psbt,
      inputs: [
        {
          ...{ previousTxid: psbt.inputs[0]?.previousTxid, outputIndex: 0, witnessUtxo, sequence: 0xfffffffd },
          spTweak: tapTweakHash(tapInternalKey, tapMerkleRoot),
          spSpendBip32Derivations: [{ spendKey, fingerprint, path }],
        },
        ...psbt.inputs.slice(1),
      ],
    } as Psbt;
    for (const each of [psbt, hidden]) {
      const review = reviewWith(taproot, each);
      expect(review.inputs[0]?.owner.kind).toBe('key');
      expect(checksOf(review)).toContain('owner-unknown');
      expect(review.outputs[1]).toMatchObject({ owner: { kind: 'account' }, role: 'own', stays: false });
    }
  });

  test('does not count as that of one key if its key is an aggregate', () => {
    const [a, b] = [MINE, OTHERS].map((words) => {
      const [descriptor] = accountFromWords(words, { network, purpose: 86 }).descriptors;
      return descriptor ? (/\((.*)\/<0;1>/.exec(formatDescriptor(descriptor, me.network))?.[1] ?? '') : '';
    });
    const vault = accountFromDescriptors(`tr(musig(${a},${b})/<0;1>/*)`, { network });
    const inputs = [coinOf(vault.receive(0)), coinOf(taproot.receive(0), '22')];
    const both = createAccount({
      ...me.holds,
      wallets: [...(vault.holds.wallets ?? []), ...(taproot.holds.wallets ?? [])],
    });
    const review = reviewWith(both, buildPsbt({ inputs, outputs: [payment], change: taproot.change(0), feeRate: 2 }));
    expect(review.outputs[1]).toMatchObject({ owner: { kind: 'account' }, role: 'own', stays: false });
  });
});
