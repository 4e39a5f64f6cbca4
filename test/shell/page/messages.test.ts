import { describe, expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromWalletFile, accountFromWords } from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import { quorumOf, WORDS } from '../../support/holderPsbts.ts';
import { formatPsbt, messagePsbt, verifyMessage } from '../../support/library.ts';

const network = 'regtest';
const { scriptPubKey, address } = accountFromWords(seedWords, { network }).receive(0);

test('the page shows a message with its text, and its signature in the place of a transaction', () => {
  const session = createPageSession({ network });
  session.addKeys({ text: seedWords, network });
  session.open({ content: formatPsbt(messagePsbt('hello', scriptPubKey)) });
  const { review, canSign } = session.document() ?? expect.fail('no document');
  expect(review.purpose).toMatchObject({
    kind: 'message',
    text: 'hello',
    address,
  });
  expect(review.report.find(({ key }) => key === 'signs')?.text).toMatch(/: "hello"$/);
  expect([review.findings, canSign]).toEqual([[], true]);
  const { final, signature = '' } = session.sign([]);
  expect(final).toBe(undefined);
  expect(verifyMessage({ message: 'hello', signature, address, network }).kind).toBe('valid');
});

const legacy = accountFromWords(seedWords, { network: 'main', purpose: 44 }).receive(3).address;
const segwit = accountFromWords(seedWords, { network: 'main' }).receive(0).address;

function openKeys() {
  const session = createPageSession();
  session.addKeys({ text: seedWords, network: 'main' });
  return session;
}

describe('a message as text', () => {
  test.each([
    [segwit, 'bip322', /^smp/],
    [legacy, 'legacy', /^[A-Za-z0-9+/]{87}=$/],
  ] as const)('is signed for %s in the form that its verifiers know, and is verified', (from, usual, form) => {
    const session = openKeys();
    const message = 'I agree\nto \u202eall';
    const prepared = session.prepareMessage({ address: ` ${from} `, message });
    expect(prepared).toEqual({ address: from, message, network: 'main', forms: ['bip322', 'legacy'], usual });
    const { signature, block } = session.signMessage(usual);
    expect(signature).toMatch(form);
    expect(verifyMessage({ message, signature, address: from }).kind).toBe('valid');
    expect(session.exported({ kind: 'message' })).toMatchObject({ fileName: 'signed-message.txt', text: block });
    const anyone = createPageSession();
    expect(anyone.open({ content: block })).toEqual({ kind: 'signed-message', text: block });
    expect(anyone.verifyMessage(block)).toMatchObject({ kind: 'valid', address: from, message });
    expect(anyone.verifyMessage({ message: 'I disagree', address: from, signature })).toMatchObject({
      kind: 'invalid',
      reason: expect.stringMatching(/^ \(BIP322, simple\): .*for another message|^ \(legacy\): .*for another message/),
    });
  });

  test('is signed as a wallet asks for it', () => {
    const session = openKeys();
    const text = 'signmessage m/84h/0h/0h/0/1490 ascii:hello';
    expect(session.open({ content: text })).toEqual({ kind: 'message-request', text });
    const { address: asked } = session.prepareMessage({ request: text });
    expect(asked).toBe(accountFromWords(seedWords).receive(1490).address);
    const { signature } = session.signMessage('bip322');
    expect(verifyMessage({ message: 'hello', signature, address: asked }).kind).toBe('valid');
  });

  test('is not signed before it is shown, nor once keys are gone', () => {
    const session = openKeys();
    expect(() => session.signMessage('bip322')).toThrow('No message is prepared');
    session.prepareMessage({ address: segwit, message: '' });
    session.wipe();
    expect(() => session.signMessage('bip322')).toThrow('No message is prepared');
    expect(() => session.prepareMessage({ address: segwit, message: '' })).toThrow(
      'No private key for Bitcoin is open',
    );
  });

  test.each([
    [
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'hello',
      /not among the first 1000 .*: it may not be yours\. .*such as m\/84h\/0h\/0h\/0\/1490\.$/,
    ],
    ['nonsense', 'hello', /not a valid address/],
    [segwit, seedWords, /not for others to read: it is seed words/],
  ])('is refused for %s', (from, message, reason) => {
    const session = openKeys();
    expect(() => session.prepareMessage({ address: from, message })).toThrow(reason);
  });

  test('for an address of a multisig is refused until its wallet and enough keys are open', () => {
    const session = createPageSession();
    session.addKeys({ text: WORDS.alice, network: 'main', purpose: 48 });
    const wallet = quorumOf(2, ['alice', 'bob', 'mallory']);
    const { address: shared } = accountFromWalletFile(wallet).receive(0);
    const prepare = () => session.prepareMessage({ address: shared, message: 'hello' });
    expect(prepare).toThrow(/^The address is of no wallet that is open here: it may not be yours\./);
    session.open({ content: wallet });
    prepare();
    expect(() => session.signMessage('bip322')).toThrow(
      /^The keys that are open here do not suffice .*: a shared wallet/,
    );
    session.addKeys({ text: WORDS.bob, network: 'main', purpose: 48 });
    prepare();
    const { signature } = session.signMessage('bip322');
    expect(verifyMessage({ message: 'hello', signature, address: shared }).kind).toBe('valid');
  });
});
