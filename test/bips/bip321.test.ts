import { describe, expect, test } from 'vitest';
import { isBtcError } from '../../src/index.ts';
import { type PaymentUri, parsePaymentUri } from '../../src/kit/payment/index.ts';

/** The addresses in the BIP are not valid on purpose: valid ones of the same kind take their places. */
const P2PKH = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
const SILENT =
  'sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwv';
const P2WPKH = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const P2TR = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
const TESTNET = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';

type Asked = Partial<PaymentUri>;

const lightning = { key: 'lightning', value: 'lnbc420bogusinvoice' };
const lno = { key: 'lno', value: 'lno1bogusoffer' };

describe('BIP321', () => {
  // "URIs".
  test.each<[string, Asked]>([
    [`bitcoin:${P2PKH}`, { addresses: [P2PKH] }],
    [`bitcoin:${P2PKH}?label=Luke-Jr`, { label: 'Luke-Jr' }],
    [`bitcoin:${P2PKH}?amount=20.3&label=Luke-Jr`, { amount: 2_030_000_000n, label: 'Luke-Jr' }],
    [
      `bitcoin:${P2PKH}?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz`,
      { amount: 5_000_000_000n, message: 'Donation for project xyz' },
    ],
    [`bitcoin:${P2PKH}?lightning=lnbc420bogusinvoice`, { addresses: [P2PKH], others: [lightning] }],
    ['bitcoin:?lightning=lnbc420bogusinvoice', { addresses: [], others: [lightning] }],
    ['bitcoin:?lno=lno1bogusoffer', { others: [lno] }],
    [`bitcoin:?lno=lno1bogusoffer&sp=${SILENT}`, { silentPayments: [SILENT], others: [lno] }],
    [`bitcoin:?sp=${SILENT}`, { addresses: [], silentPayments: [SILENT] }],
    [`bitcoin:${P2PKH}?sp=${SILENT}`, { addresses: [P2PKH], silentPayments: [SILENT] }],
    [
      `bitcoin:${P2PKH}?somethingyoudontunderstand=50&somethingelseyoudontget=999`,
      {
        others: [
          { key: 'somethingyoudontunderstand', value: '50' },
          { key: 'somethingelseyoudontget', value: '999' },
        ],
      },
    ],
    [`bitcoin:?bc=${P2WPKH}&bc=${P2TR}`, { addresses: [P2WPKH, P2TR] }],
    [
      `BITCOIN:${P2WPKH.toUpperCase()}?BC=${P2TR.toUpperCase()}`,
      { addresses: [P2WPKH.toUpperCase(), P2TR.toUpperCase()] },
    ],
    [
      `BITCOIN:?BC=${P2WPKH.toUpperCase()}&BC=${P2TR.toUpperCase()}`,
      { addresses: [P2WPKH.toUpperCase(), P2TR.toUpperCase()] },
    ],
    // "Proof of Payment".
    [`bitcoin:${P2PKH}?pop=initiatingapp%3a`, { pop: 'initiatingapp:' }],
    ['bitcoin:?lightning=lnbc420bogusinvoice&pop=callbackuri%3abody%3fpop=', { pop: 'callbackuri:body?pop=' }],
    [`bitcoin:${P2PKH}?lightning=lnbc420bogusinvoice&pop=app%3a%3f`, { pop: 'app:?' }],
    [`bitcoin:${P2PKH}?pop=https%3aiwantyouripaddress.com`, { pop: 'https:iwantyouripaddress.com' }],
  ])('reads %s', (text, asked) => {
    expect(parsePaymentUri(text)).toMatchObject(asked);
  });

  test('reads addresses of test networks in the parameter that is named as they begin', () => {
    expect(parsePaymentUri(`bitcoin:?tb=${TESTNET}`, { network: 'signet' }).addresses).toEqual([TESTNET]);
    expect(parsePaymentUri(`bitcoin:?tb=${TESTNET}`)).toMatchObject({
      addresses: [],
      others: [{ key: 'tb', value: TESTNET }],
    });
  });

  // "Invalid URIs", and two of the others.
  test.each([
    [`bitcoin:${P2PKH}?label=Luke-Jr&label=Matt`, 'duplicate', 'label'],
    [`bitcoin:${P2PKH}?amount=42&amount=10`, 'duplicate', 'amount'],
    [`bitcoin:${P2PKH}?amount=42&amount=42`, 'duplicate', 'amount'],
    [`bitcoin:${P2PKH}?pop=callback%3a&req-pop=callback%3a`, 'duplicate', 'pop'],
    [`bitcoin:?bc=${TESTNET}`, 'address', 'bc'],
    [
      `bitcoin:${P2PKH}?req-somethingyoudontunderstand=50&req-somethingelseyoudontget=999`,
      'required',
      'somethingyoudontunderstand',
    ],
    [`bitcoin:${P2PKH}?req-pop=https%3aevilwebsite.com`, 'required', 'pop'],
    // The BIP's own addresses.
    ['bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W', 'address', undefined],
    ['bitcoin:?sp=sp1qsilentpayment', 'address', 'sp'],
  ])('refuses %s', (text, reason, parameter) => {
    let data: unknown;
    try {
      parsePaymentUri(text);
    } catch (error) {
      if (isBtcError(error, 'payment-uri/invalid')) data = error.data;
    }
    expect(data).toEqual({ reason, ...(parameter && { parameter }) });
  });
});
