import { describe, expect, test } from 'vitest';
import { cosigners, seedWords } from '../../../examples/fixtures.ts';
import { seedOfWords } from '../../../src/core/keys/seedWords.ts';
import { accountFromDescriptors, accountFromWords, buildPsbt, signWith } from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import type { PageSession } from '../../../src/shell/page/protocol.ts';
import {
  decodePsbt,
  decodeRawTransaction,
  decodeTransaction,
  derivePath,
  type Ecc,
  encodeTransaction,
  finalizePsbt,
  formatDescriptor,
  formatHex,
  formatPsbt,
  formatXprv,
  masterKey,
  networks,
  nobleEcc,
  type Psbt,
  parseHex,
  parsePath,
  parsePsbt,
  stringifyRpc,
  toPsbtV2,
} from '../../support/library.ts';
import { documentOf, fundingOf, MULTISIG, multisigOf, paymentOf } from '../../support/pageSessions.ts';
import { refusalOf } from '../../support/refusal.ts';

const network = 'regtest';
const watching = accountFromDescriptors(MULTISIG, { network });
const signedBy = (signer: 0 | 1 | 2, psbt: Psbt): Psbt =>
  signWith(accountFromDescriptors(multisigOf(signer), { network }), psbt).psbt;
const sessionWith = (psbt: Psbt): PageSession => {
  const session = createPageSession({ network });
  session.open({ content: formatPsbt(psbt) });
  return session;
};
const OTHER = 'Another transaction is open. Close it before opening this one.';

describe('PSBTs of one transaction', () => {
  const psbt = paymentOf(watching, 0);

  test('are not complete before they are signed, whatever else is known of their coins', () => {
    const whole = (signatures: string) => ({ kind: 'incomplete', reasons: [`Input 0 is not ${signatures}signed.`] });
    const verify = (content: Psbt) => {
      const session = createPageSession({ network });
      session.open({ content: formatPsbt(content) });
      return session.verify();
    };
    const coinless = { ...psbt, inputs: psbt.inputs.map(({ nonWitnessUtxo: _, witnessUtxo: __, ...input }) => input) };
    expect(verify(psbt)).toEqual(whole(''));
    expect(verify(coinless)).toEqual(whole(''));
    expect(verify(signedBy(0, psbt))).toEqual(whole('completely '));
  });

  test('show the steps of a script, and why it fails', () => {
    const session = sessionWith(signedBy(0, psbt));
    const unsigned = session.trace(0);
    expect(unsigned.isValid).toBe(false);
    expect(unsigned.explanation.join(' ')).toContain(
      'WITNESS_PROGRAM_WITNESS_EMPTY. The witness is empty: the input is not signed.',
    );
    expect(() => session.trace(1)).toThrow('There is no input 1: the last one is 0');
    session.open({ content: formatPsbt(signedBy(2, psbt)) });
    expect(session.trace(0)).toMatchObject({ isValid: true, steps: expect.stringContaining('Valid after ') });
    const coinless = { ...psbt, inputs: psbt.inputs.map(({ nonWitnessUtxo: _, witnessUtxo: __, ...input }) => input) };
    expect(() => sessionWith(coinless).trace(0)).toThrow(
      'Not all coins are known: open the transactions they come from',
    );
  });

  test('are combined, in either version', () => {
    for (const second of [signedBy(2, psbt), signedBy(2, toPsbtV2(psbt))]) {
      const session = sessionWith(signedBy(0, psbt));
      const opened = session.open({ content: formatPsbt(second) });
      expect(opened).toMatchObject({ kind: 'psbt', isCombined: true, document: { parts: 2, warnings: [] } });
      expect(documentOf(opened).final?.hex).toBe(
        signWith(accountFromDescriptors(multisigOf(2), { network }), signedBy(0, psbt)).hex,
      );
      expect(session.verify()).toEqual({ kind: 'valid', reasons: [] });
    }
  });

  test('are not combined if they are the same', () => {
    const session = sessionWith(psbt);
    const view = session.open({ content: formatPsbt(psbt) });
    expect(view).toMatchObject({ kind: 'psbt', isCombined: false, document: { parts: 1 } });
  });

  test('that differ in a record say so, and keep the first', () => {
    const inputs = psbt.inputs.map((input) => ({
      ...input,
      witnessUtxo: { value: 99_999n, scriptPubKey: watching.receive(3).scriptPubKey },
    }));
    const session = sessionWith(psbt);
    const { warnings } = documentOf(session.open({ content: formatPsbt({ ...psbt, inputs }) }));
    expect(warnings).toEqual([
      'The PSBT that was added differs from the open one in some records (witnessUtxo): those of the open one are kept.',
    ]);
    expect(session.document()?.review.inputs[0]?.value).toBe('100000');
  });

  test('and of another one are refused, and nothing is lost', () => {
    const session = sessionWith(signedBy(0, psbt));
    const before = session.exported({ kind: 'psbt' }).text;
    const other = formatPsbt(paymentOf(watching, 0, 2));
    expect(session.open({ content: other })).toEqual({ kind: 'refused', reason: OTHER });
    expect(session.exported({ kind: 'psbt' }).text).toBe(before);
    session.closeDocument();
    expect(session.open({ content: other }).kind).toBe('psbt');
  });
});

describe('a signed transaction', () => {
  const me = accountFromWords(seedWords, { network });
  const psbt = paymentOf(me);
  const { hex = '' } = signWith(me, psbt);

  test('completes the PSBT that it was made of', () => {
    const session = sessionWith(psbt);
    expect(session.open({ content: hex })).toMatchObject({
      kind: 'transaction',
      document: { kind: 'psbt', final: { hex } },
    });
  });

  test('that is not valid leaves the PSBT as it is', () => {
    const session = sessionWith(psbt);
    const tx = decodeTransaction(parseHex(hex));
    const [signature = new Uint8Array(0), key = new Uint8Array(0)] = tx.inputs[0]?.witness ?? [];
    const damaged = {
      ...tx,
      inputs: tx.inputs.map((input) => ({
        ...input,
        witness: [signature.map((byte, i) => (i === 9 ? byte ^ 1 : byte)), key],
      })),
    };
    expect(session.open({ content: encodeTransaction(damaged) })).toEqual({
      kind: 'refused',
      reason: 'Input 0 of this signed transaction does not validly spend its coin: the open PSBT stays as it is.',
    });
    expect(session.document()?.final).toBeUndefined();
    session.closeDocument();
    expect(session.open({ content: encodeTransaction(damaged) }).kind).toBe('transaction');
    expect(session.verify()).toEqual({
      kind: 'invalid',
      reasons: [expect.stringMatching(/^Input 0 does not validly spend its coin: /)],
    });
  });

  test('alone has coins that are unknown until the transaction that they come from is opened', () => {
    const session = createPageSession({ network });
    session.open({ content: hex });
    const funding = fundingOf(me, 1);
    expect(session.verify()).toEqual({
      kind: 'unknown',
      reasons: [expect.stringMatching(/^Input 0 spends an unknown coin \([0-9a-f]{64}, output 0\): open /)],
    });
    expect(session.open({ content: encodeTransaction(funding) })).toMatchObject({
      kind: 'previous-transaction',
      inputs: [0],
    });
    expect(session.verify()).toEqual({ kind: 'valid', reasons: [] });
    expect(session.document()).toMatchObject({ kind: 'transaction', review: { feeTrust: 'proven' } });
  });

  test('is verified with the coins of a PSBT that was open before', () => {
    const session = sessionWith(psbt);
    session.closeDocument();
    session.open({ content: hex });
    expect(session.verify()).toEqual({ kind: 'valid', reasons: [] });
    expect(session.nodeJson()).toBe(
      stringifyRpc(decodeRawTransaction([hex], { network, dialect: 'core-32' }), { indent: 2 }),
    );
  });

  test('of another PSBT is refused', () => {
    expect(sessionWith(paymentOf(watching)).open({ content: hex })).toEqual({ kind: 'refused', reason: OTHER });
  });

  test('proves the amounts of a PSBT that is opened later', () => {
    const session = createPageSession({ network });
    session.open({ content: encodeTransaction(fundingOf(me, 1)) });
    session.closeDocument();
    const { review } = documentOf(session.open({ content: formatPsbt(psbt) }));
    expect(review.feeReason).toBe('previous-transactions');
  });
});

describe('a review', () => {
  const me = accountFromWords(seedWords, { network });

  test('refuses, and of the refusals only those by name are overridden', () => {
    const psbt = paymentOf(me, 2, 2);
    const absurd = { ...psbt, outputs: psbt.outputs.map((output) => ({ ...output, amount: 1000n })) };
    const session = sessionWith(absurd);
    session.addKeys({ text: seedWords, network });
    expect(session.document()?.review.isRefused).toBe(true);
    expect(refusalOf(() => session.sign([])).code).toBe('policy/refused');
    expect(refusalOf(() => session.sign(['burn', 'dust'])).code).toBe('policy/refused');
    expect(session.document()?.final).toBeUndefined();
    expect(session.sign(['fee-absurd']).final?.hex).toBe(
      signWith(me, absurd, { policy: { 'fee-absurd': 'warn' } }).hex,
    );
  });

  test('of a hash type that is accepted by its name signs with it', () => {
    const psbt = paymentOf(me);
    const none = { ...psbt, inputs: psbt.inputs.map((input) => ({ ...input, sighashType: 2 })) };
    const session = sessionWith(none);
    session.addKeys({ text: seedWords, network });
    expect(refusalOf(() => session.sign([])).code).toBe('policy/refused');
    const document = session.sign(['sighash-unnamed']);
    expect(document.final?.hex).toBe(signWith(me, none, { sighashType: 2, finalize: true }).hex);
    expect(document.openReason).toBe('outputs-open');
    const { text } = session.exported({ kind: 'psbt' });
    expect(text).toBe(formatPsbt(signWith(me, none, { sighashType: 2 }).psbt));
    expect(parsePsbt(text).inputs[0]).toMatchObject({ sighashType: 2, partialSigs: [{}] });
  });

  test('of a transaction that pays more than it spends is never final', () => {
    const psbt = paymentOf(me);
    const outputs = psbt.outputs.map((output) => ({ ...output, amount: 1_000_000n }));
    const session = sessionWith({
      ...psbt,
      inputs: psbt.inputs.map((input) => ({ ...input, sighashType: 0x83 })),
      outputs,
    });
    session.addKeys({ text: seedWords, network });
    const document = session.sign(['sighash-unnamed', 'fee-negative']);
    expect([document.final, document.openReason]).toEqual([undefined, 'inputs-missing']);
    expect(refusalOf(() => session.exported({ kind: 'transaction' })).code).toBe('page/refused');
  });

  test('does not take a file without keys for the signer’s own', () => {
    const stranger = accountFromDescriptors(`wpkh(${cosigners[0].xpub})`, { network });
    const psbt = buildPsbt({
      inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(3) }],
      outputs: { [me.receive(5).address]: 10_000n },
      change: stranger.change(0),
      feeRate: 2,
    });
    const session = sessionWith(psbt);
    session.open({ name: 'stranger.txt', content: `wpkh(${cosigners[0].xpub})` });
    expect(session.document()?.review.outputs.map(({ owner: { kind, root } }) => [kind, root])).toEqual([
      ['none', 'none'],
      ['account', 'listed'],
    ]);
    session.addKeys({ text: seedWords, network });
    expect(session.document()).toMatchObject({
      review: {
        isRefused: true,
        outputs: [{ role: 'payment' }, { role: 'payment', stays: false }],
        findings: expect.arrayContaining([
          expect.objectContaining({
            ...{ check: 'wallet-foreign', action: 'refuse' },
            text: expect.stringContaining('Output 1 pays to “stranger.txt”'),
          }),
        ]),
      },
    });
  });

  test('says of a wallet file that another of its keys spends without the user', () => {
    const session = sessionWith(paymentOf(me));
    session.addKeys({ text: seedWords, network });
    const own = me.descriptors.map((descriptor) => formatDescriptor(descriptor, networks[network]));
    const mine = own[0]?.replace(/^\w+\(|\)#.*$/g, '');
    const opened = session.open({ name: 'w.txt', content: `wsh(or_i(pk(${mine}),pk(${cosigners[0].xpub})))` });
    expect(opened).toMatchObject({ kind: 'wallet', wallet: { isShared: true } });
    expect(session.open({ content: `wsh(sortedmulti(2,${mine},${cosigners[0].xpub}))` })).toMatchObject({
      wallet: { isShared: false },
    });
    expect(
      session.open({ content: `wsh(or_d(pk(${mine}),and_v(v:pkh(${cosigners[0].xpub}),older(1))))` }),
    ).toMatchObject({
      wallet: {
        isShared: false,
        control: { alone: 'at once', others: 'after about 1 block (10 minutes), counted from each payment' },
      },
    });
  });

  describe('does not take the private keys of a file for the signer’s own, beside others', () => {
    const [theirs] = multisigOf(0).match(/tprv[^/]+/) ?? [];
    const mine = accountFromWords(seedWords, { network, purpose: 84 });
    const [own = ''] = mine.descriptors.map((descriptor) => formatDescriptor(descriptor, networks[network]));
    const xpub = own.replace(/^\w+\(|\)#.*$/g, '');
    const seed = masterKey(seedOfWords(seedWords));
    const xprv = `${formatXprv(derivePath(seed, parsePath('m/84h/1h/0h')), networks[network])}/<0;1>/*`;

    test.each([
      ['alone', `wpkh(${theirs}/<0;1>/*)`],
      ['beside an own one', `wsh(or_d(pk(${theirs}/<0;1>/*),pkh(${xpub})))`],
      ['beside an own one in a tree', `tr(${theirs}/<0;1>/*,pk(${xpub}))`],
    ])('%s: change to it is refused', (_, evil) => {
      const stranger = accountFromDescriptors(evil, { network });
      const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: mine.receive(3) };
      const { address } = mine.receive(5);
      const psbt = buildPsbt({
        inputs: [coin],
        outputs: { [address]: 10_000n },
        change: stranger.change(0),
        feeRate: 2,
      });
      const session = sessionWith(psbt);
      session.addKeys({ text: evil, network });
      session.addKeys({ text: seedWords, network });
      const { review } = session.document() ?? {};
      expect(review?.outputs[1]).toMatchObject({ role: 'payment', stays: false });
      expect(review?.findings).toContainEqual(expect.objectContaining({ check: 'wallet-foreign', action: 'refuse' }));
    });

    test('and refuses such a file once keys are open', () => {
      for (const text of [seedWords, `wpkh(${xprv})`]) {
        const session = createPageSession({ network });
        session.addKeys({ text, network });
        const { message } = refusalOf(() => session.addKeys({ text: `wpkh(${theirs}/<0;1>/*)`, network }));
        expect(message).toMatch(/^This file holds private keys, which its author has, too: close the other keys first/);
      }
    });

    test('but of a file that has all private keys', () => {
      const session = sessionWith(paymentOf(mine));
      session.addKeys({ text: `wpkh(${xprv})`, network });
      const { outputs, findings } = session.document()?.review ?? {};
      expect(findings).toEqual([]);
      expect(outputs?.[1]).toMatchObject({ role: 'change', stays: true, owner: { root: 'key' } });
    });
  });

  test('names the wallet of each descriptor', () => {
    const session = sessionWith(paymentOf(watching));
    session.addKeys({ text: seedWords, network });
    session.open({ name: 'Family', content: MULTISIG });
    expect(session.document()?.review.inputs[0]?.owner.text).toBe('“Family”, receive 3, not registered');
  });

  test('is made once, until keys or the network change', () => {
    let count = 0;
    const ecc: Ecc = {
      ...nobleEcc,
      publicKey: (...args) => {
        count += 1;
        return nobleEcc.publicKey(...args);
      },
    };
    const session = createPageSession({ network, ecc });
    session.addKeys({ text: seedWords, network });
    session.open({ content: formatPsbt(paymentOf(me)) });
    const [before, view] = [count, session.document()];
    session.exported({ kind: 'json' });
    session.codes({ kind: 'psbt', code: 'ur', density: 300, from: 0, count: 2 });
    session.nodeJson();
    session.verify();
    expect(session.document()).toBe(view);
    expect(count).toBe(before);
    session.open({ content: MULTISIG });
    expect(session.document()).not.toBe(view);
  });

  test('without a key at hand signs nothing', () => {
    const session = sessionWith(paymentOf(me));
    session.addKeys({ text: multisigOf(0), network });
    expect(refusalOf(() => session.sign([])).code).toBe('account/nothing-signed');
  });

  test('comes with the JSON of a node', () => {
    const psbt = paymentOf(me);
    const session = sessionWith(psbt);
    expect(session.nodeJson()).toBe(
      stringifyRpc(decodePsbt([formatPsbt(psbt)], { network, dialect: 'core-32' }), { indent: 2 }),
    );
    expect(JSON.parse(session.exported({ kind: 'json' }).text)).toEqual(session.document()?.review);
  });
});

test('an exported PSBT of several signers is final as the library’s', () => {
  const psbt = paymentOf(watching);
  const session = sessionWith(psbt);
  for (const signer of [0, 1] as const) {
    const { id } = session.addKeys({ text: multisigOf(signer), network });
    session.sign([]);
    session.removeWallet(id);
  }
  const exported = parsePsbt(session.exported({ kind: 'psbt' }).content);
  expect(finalizePsbt(exported).isComplete).toBe(true);
  expect(formatHex(session.exported({ kind: 'transaction' }).content)).toBe(
    formatHex(new TextEncoder().encode(session.document()?.final?.hex ?? '')),
  );
  expect(session.exported({ kind: 'transaction' }).fileName).toMatch(/^transaction-[0-9a-f]{8}-final\.txn$/);
});
