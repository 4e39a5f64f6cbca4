import { bodyWithoutChecksum } from './keyText.ts';
import { heightIn, type JsonRecord, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'specter';

/** Tells whether a JSON object has the descriptor that Specter exports. */
export function isSpecter(record: JsonRecord): boolean {
  return typeof record['descriptor'] === 'string' || typeof record['recv_descriptor'] === 'string';
}

/**
 * Reads the JSON that Specter, Sparrow for Specter, Fully Noded and wallets made with BDK export: a descriptor, the wallet's
 * name, and the height of the block in which to start. The descriptor is that of the receive addresses, or has keys alone;
 * the change addresses differ from it in the last step, 1 in place of 0.
 * @throws `walletfile/invalid`
 * @see https://github.com/Fonta1n3/FullyNoded/blob/master/Docs/Wallets/Wallet-Export-Spec.md
 */
export function parseSpecter(record: JsonRecord): WalletDraft {
  const name = textIn(record, 'label') ?? textIn(record, 'name');
  const receive = withChains(textIn(record, 'descriptor') ?? textIn(record, 'recv_descriptor') ?? '');
  const change = textIn(record, 'change_descriptor') ?? changeOf(receive);
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
/** Before the function of the descriptor; the name may hold the same sign. */
const DESCRIPTOR = /&(?=[a-z_]{2,12}\()/;

/** Tells whether a text is the command that adds a wallet to a Specter DIY. */
export function isSpecterCommand(text: string): boolean {
  return COMMAND.test(text) && DESCRIPTOR.test(text) && !text.includes('\n');
}

/**
 * Reads the command that adds a wallet to a Specter DIY: a name and a descriptor, whose two chains may be `{0,1}`.
 * @throws `walletfile/invalid`
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

/** Describes the change addresses of a receive descriptor whose paths all end in `/0/*`. */
function changeOf(receive: string): string | undefined {
  const body = receive.replace(/#[^#]*$/, '');
  const ends = body.match(/\/[^/,(){}]*\/\*/g) ?? [];
  if (ends.length === 0 || ends.some((end) => end !== '/0/*')) return undefined;
  return body.replaceAll('/0/*', '/1/*');
}

/** An extended key and what follows it. */
const EXTENDED_KEY = /(?<![0-9A-Za-z])([A-Za-z]{4}[1-9A-HJ-NP-Za-km-z]{100,115})([,)}/])/g;

/**
 * Adds the steps of receive and change addresses to a descriptor whose extended keys have none, as Specter does.
 * @throws `walletfile/invalid` if the descriptor has a single address
 */
function withChains(text: string): string {
  if (text.includes('*')) return text;
  const body = bodyWithoutChecksum(FORMAT, text, PLACE);
  const next = new Set([...body.matchAll(EXTENDED_KEY)].map(([, , after]) => after));
  if (next.size === 0 || next.has('/')) {
    refuseFile(FORMAT, `${PLACE} is that of a single address; a wallet has extended keys, each followed by /<0;1>/*`);
  }
  return body.replace(EXTENDED_KEY, '$1/<0;1>/*$2');
}
