import { expect, test } from 'vitest';
import { payeeText } from '../../../src/core/report/english.ts';
import { payeeOf } from '../../../src/core/report/payee.ts';
import { accountFromWords, buildPsbt, signWith, silentPaymentsFromWords } from '../../../src/kit/account/index.ts';
import { parseWalletFile } from '../../../src/kit/account/walletFiles/parseWalletFile.ts';
import { createWallets } from '../../../src/shell/page/pageWallets.ts';
import { reviewDocument } from '../../../src/shell/page/reviewDocument.ts';
import { quorumOf, STRANGER, single, spend, WORDS } from '../../support/holderPsbts.ts';
import {
  decodeTransaction,
  formatReview,
  type NetworkName,
  networks,
  nobleEcc,
  type Psbt,
  parseHex,
} from '../../support/library.ts';

// Whose a coin is, in the words of the text, the JSON and the page: one text, of core.

const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const out = [{ script: STRANGER }];

/** Spends a coin of silent payments of Alice on regtest. */
function silentSpend(): Psbt {
  const network = 'regtest';
  const sender = accountFromWords(WORDS.mallory, { network });
  const me = silentPaymentsFromWords(WORDS.alice, { network });
  const coin = { txid: '11'.repeat(32), vout: 0, value: 1_000_000n, from: sender.receive(0) };
  const outputs = [{ to: me.address(), value: 60_000n }];
  const { hex = '' } = signWith(sender, buildPsbt({ inputs: [coin], outputs, change: sender.change(0), feeRate: 2 }));
  const inputs = me.findCoins(decodeTransaction(parseHex(hex)), [{ scriptPubKey: sender.receive(0).scriptPubKey }]);
  return buildPsbt({
    inputs,
    outputs: [{ to: sender.receive(5).address, value: 50_000n }],
    change: sender.change(1),
    feeRate: 2,
  });
}

interface Row {
  readonly psbt: Psbt;
  readonly keys?: true;
  readonly wallet?: string;
  readonly registers?: true;
  readonly network?: NetworkName;
}

const ROWS: readonly (readonly [kind: string, row: Row, text: RegExp])[] = [
  ['account', { psbt: spend({ coins: [{ of: single('alice') }], outputs: out }), keys: true }, /84h\/0h\/0h\/0\/0$/],
  [
    'registered',
    { psbt: spend({ coins: [{ of: FAMILY }], outputs: out }), keys: true, wallet: FAMILY, registers: true },
    /^"Family" [0-9a-f]{8}, receive 0$/,
  ],
  [
    'listed',
    { psbt: spend({ coins: [{ of: FAMILY }], outputs: out }), wallet: FAMILY },
    /, receive 0, not proven: no key at hand$/,
  ],
  [
    'unregistered',
    { psbt: spend({ coins: [{ of: FAMILY }], outputs: out }), keys: true, wallet: FAMILY },
    /, receive 0, not registered$/,
  ],
  [
    'key',
    { psbt: spend({ coins: [{ of: FAMILY }], outputs: out }), keys: true },
    /^a key at hand can sign for it, among others$/,
  ],
  ['silent', { psbt: silentSpend(), keys: true, network: 'regtest' }, /^silent payments$/],
  ['none', { psbt: spend({ coins: [{ of: single('bob') }], outputs: out }), keys: true }, /^not known to be yours$/],
];

test.each(ROWS)('a coin is called the same in text, JSON and page: %s', (kind, row, expected) => {
  const { psbt, keys, wallet, registers, network = 'main' } = row;
  const wallets = createWallets(nobleEcc);
  if (keys) wallets.addKeys({ text: WORDS.alice, network });
  if (wallet !== undefined) {
    const { id } = wallets.addFile(parseWalletFile(wallet, { network }), 'family.txt');
    if (registers) wallets.register({ walletId: id, name: 'Family', replaces: [] });
  }
  const document = { name: undefined, psbt, parts: 1, notes: [] };
  const { review, view } = reviewDocument(document, { wallets, network: networks[network] });
  const [input] = view.review.inputs;
  if (!input) throw new Error('no input');
  const { text } = input.owner;
  expect(text).toMatch(expected);
  expect(input.isOwn).toBe(kind !== 'none');
  const lines = formatReview(review).replace(/\s+/g, ' ');
  if (input.isOwn) expect(lines).toContain(`yours (${text}), `);
  else expect(lines).not.toContain('yours (');
});

test.each([
  ['6a0568656c6c6f', '"hello"'],
  ['6a0568656c6c6f03796f75', '"hello" "you"'],
  [`6a0c${'e282ac'.repeat(4)}`, '"€€€€"'],
  ['6a03010203', undefined],
  ['6a04e280ae41', undefined],
  ['6a', undefined],
  ['6a4c', undefined],
])('data %s is shown as text if it is printable', (scriptPubKey, expected) => {
  const payee = payeeOf(parseHex(scriptPubKey), networks.main);
  if (expected === undefined) expect(payee.kind).toBe('script');
  else expect(payeeText(payee)).toBe(`data: ${expected}`);
});
