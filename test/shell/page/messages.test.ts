import { expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromWords } from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
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
