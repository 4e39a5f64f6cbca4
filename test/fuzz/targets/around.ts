import { formatLabels, mergeLabels, parseLabels } from '../../../src/kit/labels/index.ts';
import { formatSignedMessage, parseMessageRequest, parseSignedMessage } from '../../../src/kit/message/index.ts';
import { formatPaymentUri, parsePaymentUri } from '../../../src/kit/payment/index.ts';
import { formatPath } from '../../support/library.ts';
import { mutateText } from '../mutate.ts';
import { attempt, holds, same, type Target, textOf, textTarget } from '../target.ts';

// What wallets exchange around a signature: payment URIs, labels, files with signed messages.

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const URIS = [
  `bitcoin:${ADDRESS}?amount=0.0015&label=Coffee%20beans&message=x`,
  `BITCOIN:?BC=${ADDRESS.toUpperCase()}&bc=bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0&pop=app%3a`,
  `bitcoin:${ADDRESS}?lightning=lnbc1&lno=lno1&pay=x&req-x=1&unknown`,
];
const LABELS = [
  `{"type":"addr","ref":"${ADDRESS}","label":"Rent","heights":[1,2]}\n{"type":"tx","ref":"${'f9'.repeat(32)}","label":"x"}\n`,
  `{"type":"output","ref":"${'f9'.repeat(32)}:1","spendable":false,"value":1}\n`,
];
const MESSAGES = [
  `-----BEGIN BITCOIN SIGNED MESSAGE-----\nhello\n-----BEGIN BITCOIN SIGNATURE-----\n${ADDRESS}\n${'A'.repeat(88)}\n-----END BITCOIN SIGNATURE-----\n`,
  `-----BEGIN BITCOIN SIGNED MESSAGE-----\r\n\r\n-----BEGIN SIGNATURE-----\r\nVersion: x\r\nAddress: 1x\r\n\r\n${'B'.repeat(88)}\r\n-----END BITCOIN SIGNED MESSAGE-----`,
];

/** A read payment URI is written as one that reads the same, unless it requires what was not served. */
function runUri(text: string): void {
  const uri = attempt(['payment-uri/invalid', 'address/network'], () => parsePaymentUri(text));
  if (!uri) return;
  same(textOf(parsePaymentUri(formatPaymentUri(uri))), textOf(uri), 'a payment URI is written as it was read');
  holds(
    uri.others.every(({ key }) => !key.startsWith('req-')),
    'nothing that is required is ignored',
  );
}

function runLabels(text: string): void {
  const records = attempt(['labels/'], () => parseLabels(text));
  if (!records) return;
  same(textOf(parseLabels(formatLabels(records))), textOf(records), 'labels are written as they were read');
  const { records: merged } = mergeLabels(records);
  same(textOf(mergeLabels(merged, records).records), textOf(merged), 'labels are merged once');
}

function runFile(text: string): void {
  const file = attempt(['message/file'], () => parseSignedMessage(text));
  if (!file) return;
  const again = attempt(['message/file'], () => parseSignedMessage(formatSignedMessage(file)));
  if (again) same(textOf(again), textOf(file), 'a file with a signed message is written as it was read');
}

const REQUESTS = [
  'hello\nm/84h/0h/0h/0/5\np2wpkh\n',
  '{"msg":"hello","subpath":"m/44h/0h/0h/0/0","addr_fmt":"p2pkh"}',
  "signmessage m/49'/0'/0'/0/0 ascii:hello",
];

function runRequest(text: string): void {
  const request = attempt(['message/request'], () => parseMessageRequest(text));
  if (!request) return;
  const { message, path, kind } = request;
  const json = JSON.stringify({ msg: message, subpath: `m${formatPath(path)}`, addr_fmt: kind });
  same(textOf(parseMessageRequest(json)), textOf(request), 'a request is the same in the form of JSON');
}

export const AROUND_TARGETS: readonly Target[] = [
  textTarget('payment-uri', { generate: (source) => mutateText(source, source.pick(URIS), URIS), run: runUri }),
  textTarget('labels', { generate: (source) => mutateText(source, source.pick(LABELS), LABELS), run: runLabels }),
  textTarget('signed-message-file', {
    generate: (source) => mutateText(source, source.pick(MESSAGES), MESSAGES),
    run: runFile,
  }),
  textTarget('message-request', {
    generate: (source) => mutateText(source, source.pick(REQUESTS), REQUESTS),
    run: runRequest,
  }),
];
