import {
  classifyScript,
  createDeriver,
  createDescriptorProvider,
  formatAddress,
  networks,
  parseDescriptor,
  signLegacyMessage,
  signMessage,
  verifyLegacyMessage,
  verifyMessage,
} from '../../support/library.ts';
import { mutateText } from '../mutate.ts';
import { SECRET_KEYS } from '../shapes.ts';
import type { Source } from '../source.ts';
import { holds, type Json, jsonTarget, same, type Target, textOf } from '../target.ts';

const network = networks.regtest;
const WIF = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
const derived = ['pkh', 'wpkh', 'tr', 'sh(wpkh'].map((name) =>
  createDeriver(parseDescriptor(`${name}(${WIF})${name.includes('(') ? ')' : ''}`, network))(0),
);

/** A message, its signature and the address that signed. */
const SIGNED: readonly { readonly message: string; readonly signature: string; readonly address: string }[] =
  derived.flatMap((one) => {
    const [scriptPubKey = new Uint8Array(0)] = one.scriptPubKeys;
    const provider = createDescriptorProvider([one]);
    const isSegwit = classifyScript(scriptPubKey).type.startsWith('witness');
    const formats = isSegwit ? (['simple', 'full'] as const) : (['full'] as const);
    return formats.map((format) => ({
      message: 'hello',
      signature: signMessage({ message: 'hello', from: { scriptPubKey, provider }, format }),
      address: formatAddress(scriptPubKey, network) ?? '',
    }));
  });
const LEGACY = SECRET_KEYS.slice(0, 3).map((secretKey, i) =>
  signLegacyMessage('hello', { secretKey, isCompressed: i % 2 === 0 }, network),
);
const SIGNATURES = [...SIGNED.map(({ signature }) => signature), ...LEGACY];

function anySigned(source: Source): Json {
  const signed = source.pick(SIGNED);
  const signature = source.once(5) ? source.pick(SIGNATURES) : mutateText(source, signed.signature, SIGNATURES);
  return {
    ...signed,
    signature,
    message: source.once(5) ? mutateText(source, signed.message, ['\0']) : signed.message,
  };
}

/** Requires a verdict, the same each time, and no signature to be valid for another message. */
function runMessage(input: Json): void {
  if (typeof input !== 'object' || input === null) return;
  const { message, signature, address } = input as Readonly<Record<string, unknown>>;
  if (typeof message !== 'string' || typeof signature !== 'string' || typeof address !== 'string') return;
  const request = { message, signature, address, network };
  const outcome = verifyMessage(request);
  same(textOf(verifyMessage(request)), textOf(outcome), 'the same signature has the same outcome');
  if (outcome.kind !== 'valid') return;
  holds(verifyMessage({ ...request, message: `${message}!` }).kind !== 'valid', 'a signature is for one message');
}

function runLegacy(input: Json): void {
  if (typeof input !== 'string') return;
  const signature = new Uint8Array(Buffer.from(input, 'base64'));
  const isValid = verifyLegacyMessage({ message: 'hello', signature, keyHash: new Uint8Array(20), network });
  holds(!isValid, 'no signature is that of the key hash 0');
}

export const MESSAGE_TARGETS: readonly Target[] = [
  jsonTarget('message', { generate: anySigned, run: runMessage }),
  jsonTarget('message-legacy', {
    generate: (source) => mutateText(source, source.pick(LEGACY), LEGACY),
    run: runLegacy,
  }),
];
