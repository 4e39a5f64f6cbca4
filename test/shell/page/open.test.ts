import { describe, expect, test } from 'vitest';
import { cosigners, masterXprv, seedWords } from '../../../examples/fixtures.ts';
import {
  type Account,
  accountFromDescriptors,
  accountFromKey,
  accountFromWords,
  signWith,
  silentPaymentsFromWords,
} from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import type { OpenedView } from '../../../src/shell/page/protocol.ts';
import { computedPayment, hiding, PAYER_WORDS, payee, uriOf } from '../../support/hiddenPayment.ts';
import { encodeAccountUr, encodeBbqr, encodeDescriptorUr, encodeUr, formatPsbt } from '../../support/library.ts';
import { noise } from '../../support/noise.ts';
import { MULTISIG, multisigOf, paymentOf } from '../../support/pageSessions.ts';
import { refusalOf } from '../../support/refusal.ts';
import { WALLET_FILES, walletFile } from '../../support/walletFiles.ts';

const network = 'regtest';
const opened = (content: string | Uint8Array, name?: string): OpenedView =>
  createPageSession({ network }).open({ content, ...(name !== undefined && { name }) });
const addressesOf = ({ receive }: Account): readonly string[] => [0, 1, 2].map((index) => receive(index).address);
const WIF = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
const SINGLE =
  "wpkh([73c5da0a/84'/1'/0']tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M/<0;1>/*)";

describe('what a session opens', () => {
  test.each([
    ['seed words', seedWords, 'words'],
    [
      'numbered seed words',
      seedWords
        .split(' ')
        .map((word, i) => `${i + 1} ${word}`)
        .join('\n'),
      'words',
    ],
    ['an extended private key', masterXprv, 'extended-key'],
    ['a private key in wallet import format', WIF, 'wif'],
    ['a descriptor with a private key', multisigOf(1), 'descriptors'],
    ['a wallet file with private keys', walletFile('core-listdescriptors-private.json'), 'wallet-file'],
  ])('is the secret that %s is, which stays inside', (_, text, secret) => {
    expect(opened(text)).toEqual({ kind: 'secret', secret });
    expect(opened(new TextEncoder().encode(`\ufeff${text}\n`))).toEqual({ kind: 'secret', secret });
  });

  test('is a secret that is used once the user has said how', () => {
    const session = createPageSession({ network });
    session.open({ content: seedWords });
    expect(session.wallets()).toEqual([]);
    const { firstAddresses } = session.addKeys({ network, passphrase: 'x' });
    expect(firstAddresses).toEqual(addressesOf(accountFromWords(seedWords, { network, passphrase: 'x' })));
    expect(refusalOf(() => session.addKeys({ network })).code).toBe('page/refused');
  });

  test.each(WALLET_FILES.filter((name) => !/private|electrum-(?:standard|changes)/.test(name)))(
    'is the wallet of %s',
    (name) => {
      const session = createPageSession();
      const view = session.open({ name, content: walletFile(name) });
      if (view.kind !== 'wallet') throw new Error(JSON.stringify(view));
      expect(view.wallet).toMatchObject({ hasPrivateKeys: false, publicKeys: [] });
      expect(view.wallet.firstAddresses).toHaveLength(3);
      expect(view.wallet.descriptors.join()).not.toMatch(/prv/);
      expect(session.wallets()).toEqual([view.wallet]);
      expect(session.open({ content: walletFile(name) })).toMatchObject({ wallet: { id: view.wallet.id } });
    },
  );

  test.each([
    ['an address', 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk'],
    ['an address in capital letters', 'BCRT1Q6RZ28MCFAXTMD6V789L9RRLRUSDPRR9PZ3CPPK'],
  ])('is %s, and whose it is', (_, content) => {
    const session = createPageSession({ network });
    expect(session.open({ content })).toMatchObject({ kind: 'address', search: { kind: 'fault' } });
    const { id } = session.addKeys({ text: seedWords, network });
    const owner = { walletId: id, chain: 'receive', index: 0 };
    expect(session.open({ content })).toMatchObject({ search: { kind: 'found', owner } });
  });

  test('is a payment URI, with what the open transaction makes of it', () => {
    const session = createPageSession({ network });
    const account = accountFromWords(seedWords, { network });
    const content = `bitcoin:${account.receive(0).address}?amount=0.1&label=x`;
    const asked = { kind: 'payment', payment: { amount: '10000000', label: 'x', network } };
    expect(session.open({ content })).toMatchObject({ ...asked, payment: { owner: undefined, found: undefined } });
    const { id } = session.addKeys({ text: seedWords, network });
    session.open({ content: formatPsbt(paymentOf(account)) });
    expect(session.open({ content: content.toUpperCase().replace('LABEL=X', 'LABEL=x') })).toMatchObject({
      ...asked,
      payment: { owner: { walletId: id, chain: 'receive', index: 0 }, found: { kind: 'missing' } },
    });

    expect(session.open({ content: `bitcoin:${account.receive(7).address}` })).toMatchObject({
      payment: { found: { kind: 'paid' } },
    });
    expect(session.open({ content: `bitcoin:${account.receive(7).address}?amount=1` })).toMatchObject({
      payment: { found: { kind: 'other-amount' } },
    });
  });

  test('shows no secret that stands in a payment URI', () => {
    const session = createPageSession({ network });
    const content = `bitcoin:${accountFromWords(seedWords, { network }).receive(0).address}?label=${encodeURIComponent(seedWords)}&message=Rent`;
    const shown = JSON.stringify(session.open({ content }));
    expect(shown).toContain('Rent');
    expect(shown).not.toContain('abandon');
  });

  test('is a transaction in hex, binary or JSON', () => {
    const hex =
      signWith(accountFromWords(seedWords, { network }), paymentOf(accountFromWords(seedWords, { network }))).hex ?? '';
    for (const content of [
      hex,
      hex.toUpperCase(),
      `${hex}\n`,
      Uint8Array.from(Buffer.from(hex, 'hex')),
      JSON.stringify({ hex }),
    ]) {
      expect(opened(content)).toMatchObject({ kind: 'transaction', document: { final: { hex } } });
    }
  });

  test.each([
    ['', 'This is empty.'],
    [' \n', 'This is empty.'],
    ['hello', 'This is neither a PSBT, nor a transaction, a wallet file, a key or an address.'],
    [new Uint8Array(1000), 'This is neither a PSBT, nor a transaction, a wallet file, a key or an address.'],
    ['bitcoin:?amount=1', 'The payment URI names nobody to pay: it needs an address.'],
    ['bitcoin:bc1qxxx', 'The payment URI has an address that is not valid: it may be mistyped.'],
    ['0123456789', 'This is hex, but not of a PSBT or a transaction.'],
    ['{"psbt":"x"}', 'This is JSON whose PSBT is neither valid base64 nor valid hex: copy all of it.'],
    ['{"hex":"00"}', 'This is JSON whose "hex" is not a transaction.'],
    ['{"psbt":', 'This is JSON that is incomplete: it may be cut off or damaged; export it again.'],
    [
      '7f'.repeat(32),
      'This is hex of a hash, such as a transaction id, or of a key or seed: give the whole transaction, or a key as seed words, extended key or WIF.',
    ],
    ['cHNidP8B', 'The data ends too early, at offset 6 (record 0 of the global map): copy all of it.'],
    [new Uint8Array(33_000_000), 'This is larger than 32 MB, too large for a PSBT, transaction or wallet file.'],
  ])('is refused with a reason: %#', (content, reason) => {
    expect(opened(content)).toEqual({ kind: 'refused', reason });
  });
});

test('a code is new to a scan once, and again after the scan has begun anew', () => {
  const session = createPageSession({ network });
  const [first = '', second = ''] = encodeBbqr(noise(100), { type: 'psbt', frameSize: 60 });
  const isNew = (code: string): unknown => {
    const view = session.scanText(code);
    return view.status === 'partial' && view.isNew;
  };
  expect([first, first, second, first].map(isNew)).toEqual([true, false, true, false]);
  session.resetScan();
  expect(isNew(first)).toBe(true);
});

describe('codes of other wallets', () => {
  const scanned = (code: string): unknown => {
    const view = createPageSession({ network }).scanText(code);
    return view.status === 'complete' ? view.opened : view;
  };

  test('are opened as descriptors', () => {
    const code = encodeDescriptorUr(MULTISIG).frame(1);
    const { count } = encodeDescriptorUr(MULTISIG);
    const session = createPageSession({ network });
    const { frame } = encodeDescriptorUr(MULTISIG);
    for (let i = 1; i < count; i += 1) session.scanText(frame(i));
    expect(code).toContain('UR:CRYPTO-OUTPUT/');
    expect(session.scanText(frame(count))).toMatchObject({ status: 'complete', opened: { kind: 'wallet' } });
    const expected = accountFromDescriptors(MULTISIG, { network }).receive(0).address;
    expect(session.wallets()[0]?.firstAddresses[0]).toBe(expected);
  });

  test('are opened as an account', () => {
    const { count, frame } = encodeAccountUr([SINGLE], { fragmentSize: 2000 });
    expect(count).toBe(1);
    expect(scanned(frame(1))).toMatchObject({
      kind: 'wallet',
      wallet: { firstAddresses: addressesOf(accountFromWords(seedWords, { network })) },
    });
  });

  test('that the page cannot use are refused by their type', () => {
    const code = encodeUr(Uint8Array.of(1, 2, 3), { type: 'bytes' })
      .frame(1)
      .replace('BYTES', 'ETH-SIGN-REQUEST');
    expect(scanned(code)).toEqual({
      kind: 'refused',
      reason:
        'The code holds a UR of the type eth-sign-request, which is not supported: show a PSBT, a transaction or a wallet.',
    });
  });
});

describe('keys of a session', () => {
  test('have the addresses of the library', () => {
    const session = createPageSession({ network });
    const { id } = session.addKeys({ text: masterXprv, network, purpose: 49, account: 2 });
    const account = accountFromKey(masterXprv, { network, purpose: 49, account: 2 });
    const wanted = [5, 6, 7].map((index) => ({ index, address: account.change(index).address }));
    expect(session.addresses({ walletId: id, chain: 'change', from: 5, count: 3 })).toEqual(wanted);
    expect(session.findAddress(wanted[2]?.address ?? '')).toMatchObject({
      owner: { walletId: id, chain: 'change', index: 7 },
    });
    const stranger = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
    expect(session.findAddress(stranger).kind).toBe('not-found');
  });

  test('of silent payments have an address, with labels or without', () => {
    const session = createPageSession({ network });
    const { id, hasSilentPayments } = session.addKeys({ text: seedWords, network, purpose: 86 });
    const me = silentPaymentsFromWords(seedWords, { network });
    expect(hasSilentPayments).toBe(true);
    const wanted = [undefined, 1, 2].map((label, index) => ({ index, address: me.address(label) }));
    expect(session.addresses({ walletId: id, chain: 'silent', from: 0, count: 3 })).toEqual(wanted);
    for (const { index, address } of wanted) {
      expect(session.findAddress(address)).toMatchObject({ owner: { walletId: id, chain: 'silent', index } });
      expect(session.open({ content: address })).toMatchObject({ search: { owner: { index } } });
    }
    const other = silentPaymentsFromWords(seedWords, { network, account: 1 }).address();
    expect(session.findAddress(other).kind).toBe('not-found');
    expect(session.findAddress(other.replace(/.$/, 'b'))).toMatchObject({
      reason: expect.stringContaining('not a valid address'),
    });
    const { id: watching, hasSilentPayments: has } = session.addKeys({ text: SINGLE, network });
    expect(has).toBe(false);
    const range = { walletId: watching, chain: 'silent', from: 0, count: 1 } as const;
    expect(refusalOf(() => session.addresses(range)).message).toContain('no silent payment addresses');
  });

  test('of a multisig show what to give to the other signers', () => {
    const session = createPageSession({ network });
    const { id, descriptors, publicKeys, firstAddresses } = session.addKeys({ text: seedWords, network, purpose: 48 });
    expect([descriptors, firstAddresses]).toEqual([[], []]);
    expect(publicKeys.map((key) => key.slice(0, 29))).toEqual([
      '[73c5da0a/48h/1h/0h/1h]tpubDF',
      '[73c5da0a/48h/1h/0h/2h]tpubDF',
    ]);
    expect(session.exported({ kind: 'descriptors', walletId: id }).text).toBe(publicKeys.join('\n'));
    expect(
      session.codes({ kind: 'descriptors', walletId: id, code: 'ur', density: 1000, from: 0, count: 1 }).type,
    ).toBe('crypto-account');
  });

  test('export descriptors with public keys from which the same addresses follow', () => {
    for (const text of [multisigOf(0), `tr(${masterXprv}/86h/1h/0h/<0;1>/*)`, `pkh(${cosigners[0].xprv})`]) {
      const [session, watching] = [createPageSession({ network }), createPageSession({ network })];
      const { id, firstAddresses } = session.addKeys({ text, network });
      const exported = session.exported({ kind: 'descriptors', walletId: id });
      expect(watching.open({ content: exported.content })).toMatchObject({
        kind: 'wallet',
        wallet: { hasPrivateKeys: false, firstAddresses },
      });
      const { type, count } = session.codes({
        kind: 'descriptors',
        walletId: id,
        code: 'ur',
        density: 400,
        from: 0,
        count: 0,
      });
      const scanning = createPageSession({ network });
      for (let from = 0; from < count; from += 1) {
        scanning.scanText(
          session.codes({ kind: 'descriptors', walletId: id, code: 'ur', density: 400, from, count: 1 }).codes[0]
            ?.text ?? '',
        );
      }
      expect([type, scanning.wallets()[0]?.firstAddresses]).toEqual(['crypto-output', firstAddresses]);
    }
  });

  test.each([
    ['abandon abandon', {}, 'words/count'],
    [seedWords.replace('about', 'abuot'), {}, 'words/unknown'],
    [seedWords.replace('about', 'abandon'), {}, 'words/checksum'],
    ['01'.repeat(32), {}, 'page/refused'],
    [WIF, { network: 'main' }, 'wif/network'],
    [WIF, { passphrase: 'x' }, 'argument/invalid'],
    [masterXprv, { network: 'main' }, 'xkey/network'],
    [`${masterXprv.slice(0, -1)}x`, {}, 'base58/invalid'],
    [MULTISIG, { network: 'main' }, 'page/refused'],
    [MULTISIG, { account: 1 }, 'page/refused'],
    ['', {}, 'page/refused'],
    ['{}', {}, 'page/refused'],
  ] as const)('are refused if they are wrong: %#', (text, form, code) => {
    const session = createPageSession({ network });
    expect(refusalOf(() => session.addKeys({ text, network, ...form })).code).toBe(code);
    expect(session.wallets()).toEqual([]);
  });

  test('decide the network, until the user does', () => {
    const session = createPageSession();
    const psbt = formatPsbt(paymentOf(accountFromWords(seedWords, { network: 'signet' })));
    session.open({ content: psbt });
    expect(session.document()?.network).toBe('main');
    const mixed = expect.objectContaining({ check: 'network-mixed', action: 'refuse' });
    expect(session.document()?.review.findings).toContainEqual(mixed);
    session.addKeys({ text: seedWords, network: 'signet' });
    expect(session.document()?.network).toBe('signet');
    expect(session.document()?.review.findings).toEqual([]);
    expect(session.setNetwork('testnet4')?.network).toBe('testnet4');
    session.addKeys({ text: masterXprv, network: 'regtest', at: 'account' });
    expect(session.document()?.network).toBe('testnet4');
  });

  test('with another passphrase are told apart by the fingerprint', () => {
    const session = createPageSession({ network });
    session.open({ content: formatPsbt(paymentOf(accountFromWords(seedWords, { network }))) });
    session.addKeys({ text: seedWords, passphrase: 'wrong', network });
    expect(session.document()?.canSign).toBe(false);
    expect(session.document()?.warnings.join()).toMatch(
      /^The PSBT needs keys of the master key 73c5da0a; yours is [0-9a-f]{8}: /,
    );
  });

  test('are gone after they were removed or wiped', () => {
    const session = createPageSession({ network });
    session.open({ content: formatPsbt(paymentOf(accountFromWords(seedWords, { network }))) });
    const { id } = session.addKeys({ text: seedWords, network });
    session.removeWallet(id);
    expect([session.wallets(), session.document()?.canSign]).toEqual([[], false]);
    session.addKeys({ text: seedWords, network });
    session.open({ content: WIF });
    session.wipe();
    expect([session.wallets(), session.document()]).toEqual([[], undefined]);
    expect(refusalOf(() => session.addKeys({ network })).code).toBe('page/refused');
    expect(refusalOf(() => session.sign([])).message).toBe('No PSBT or transaction is open');
  });
});

describe('a payment request', () => {
  const found = (to: readonly string[], uri: string) => {
    const session = createPageSession({ network });
    session.addKeys({ text: PAYER_WORDS, network, purpose: 84 });
    session.open({ content: formatPsbt(computedPayment(...to)) });
    const opened = session.open({ content: uri });
    return opened.kind === 'payment' ? opened.payment.found : opened;
  };

  test('is paid by a silent payment only if its receiver finds it', () => {
    const [address, asked] = [payee.address(), uriOf(payee.address())];
    expect(found([address], asked)).toEqual({ kind: 'paid', outputIndex: 0, address });
    expect(found([address, hiding], asked)).toEqual({ kind: 'conditional', outputIndex: 0, address });
  });

  test('of the wallet that pays is named so', () => {
    const { address } = accountFromWords(PAYER_WORDS, { network }).change(0);
    expect(found([payee.address()], `bitcoin:${address}`)).toEqual({
      kind: 'paid',
      outputIndex: 1,
      address,
      isOwn: true,
    });
  });
});

describe('the texts of QR codes in a file', () => {
  const frames = encodeBbqr(noise(100), { type: 'psbt', frameSize: 60 });
  const others = encodeBbqr(noise(130), { type: 'transaction', frameSize: 60 });

  test.each([
    ['one of several', frames.slice(1), 'This is one of the QR codes of a content: scan them all with the camera.'],
    ['mixed', [frames[0], others[0]], 'These are QR codes of different contents: open them one after the other.'],
    [
      'two contents',
      [...frames, ...others],
      'These are the QR codes of several contents: open them one after the other.',
    ],
    ['cut', [frames[0], frames[1]?.slice(0, 6)], 'One of these QR codes cannot be read: it may be cut off.'],
    ['a code in a code', ['p1of1 p1of2 x'], 'This is one of the QR codes of a content: scan them all with the camera.'],
  ])('are refused with a reason if they are %s', (_, lines, reason) => {
    expect(opened(lines.join('\n'))).toEqual({ kind: 'refused', reason });
  });
});
