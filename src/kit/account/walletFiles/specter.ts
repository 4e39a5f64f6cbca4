import { keysInText, replaceKeys } from '../../../core/keys/writtenKeys.ts';
import { bodyWithoutChecksum } from './keyText.ts';
import { heightIn, type JsonRecord, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'specter';

export function isSpecter(record: JsonRecord): boolean {
  return typeof record['descriptor'] === 'string' || typeof record['recv_descriptor'] === 'string';
}

/**
 * Reads the JSON of Specter, Sparrow for Specter, Fully Noded and BDK wallets: a receive descriptor, or one without
 * paths.
 * @see https://github.com/Fonta1n3/FullyNoded/blob/master/Docs/Wallets/Wallet-Export-Spec.md
 */
export function parseSpecter(record: JsonRecord): WalletDraft {
  const name = textIn(record, 'label') ?? textIn(record, 'name');
  const receive = withChains(textIn(record, 'descriptor') ?? textIn(record, 'recv_descriptor') ?? '');
  const change = textIn(record, 'change_descriptor') ?? changeDescriptor(receive);
  return {
    ...(name && { name }),
    ...heightIn(record, 'blockheight'),
    descriptors: [
      { text: receive, place: PLACE },
      ...(change ? [{ text: change, place: 'its change descriptor', isChange: true }] : []),
    ],
  };
}

const COMMAND = /^(?:add|import)wallet[ \t]/;
/** The name may hold `&`, too. */
const DESCRIPTOR = /&(?=[a-z_]{2,12}\()/;

export function isSpecterCommand(text: string): boolean {
  return COMMAND.test(text) && DESCRIPTOR.test(text) && !text.includes('\n');
}

/**
 * Reads the command of Specter DIY, in which `{0,1}` stands for both chains.
 * @see https://github.com/cryptoadvance/specter-diy/blob/master/docs/communication.md
 */
export function parseSpecterCommand(command: string): WalletDraft {
  const [name = '', ...rest] = command.replace(COMMAND, '').split(DESCRIPTOR);
  const descriptor = rest.join('&');
  const body = bodyWithoutChecksum(FORMAT, descriptor, PLACE);
  const text = withChains(body.replace(/\/\{(\d{1,10}),(\d{1,10})\}/g, '/<$1;$2>'));
  return { ...(name.trim() && { name: name.trim() }), descriptors: [{ text, place: PLACE }] };
}

const PLACE = 'its descriptor';

/** Returns `undefined` unless all paths end in `/0/*`. */
function changeDescriptor(receive: string): string | undefined {
  const body = receive.replace(/#[^#]*$/, '');
  const ends = body.match(/\/[^/,(){}]*\/\*/g) ?? [];
  if (ends.length === 0 || ends.some((end) => end !== '/0/*')) return undefined;
  return body.replaceAll('/0/*', '/1/*');
}

/** Adds both chains to extended keys without a path, as Specter does. */
function withChains(text: string): string {
  if (text.includes('*')) return text;
  const body = bodyWithoutChecksum(FORMAT, text, PLACE);
  const keys = keysInText(body).filter(({ extended }) => extended !== undefined);
  if (keys.length === 0 || keys.some(({ path }) => path !== '')) {
    refuseFile(FORMAT, `${PLACE} is that of a single address; a wallet has extended keys, each followed by /<0;1>/*`);
  }
  return replaceKeys(body, ({ extended }, whole) => (extended === undefined ? whole : `${whole}/<0;1>/*`));
}
