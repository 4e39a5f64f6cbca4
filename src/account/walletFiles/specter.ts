import { heightIn, type JsonRecord, textIn, type WalletDraft } from './walletFile.ts';

/** Tells whether a JSON object has the descriptor that Specter exports. */
export function isSpecter(record: JsonRecord): boolean {
  return typeof record['descriptor'] === 'string' || typeof record['recv_descriptor'] === 'string';
}

/**
 * Reads the JSON that Specter, Fully Noded and wallets made with BDK export: a descriptor, the wallet's name, and the
 * height of the block in which to start. The descriptor is that of the receive addresses; the change addresses differ from
 * it in the last step, 1 in place of 0.
 * @see https://github.com/Fonta1n3/FullyNoded/blob/master/Docs/Wallets/Wallet-Export-Spec.md
 */
export function parseSpecter(record: JsonRecord): WalletDraft {
  const name = textIn(record, 'label') ?? textIn(record, 'name');
  const receive = textIn(record, 'descriptor') ?? textIn(record, 'recv_descriptor') ?? '';
  const change = textIn(record, 'change_descriptor') ?? changeOf(receive);
  return {
    ...(name && { name }),
    ...heightIn(record, 'blockheight'),
    descriptors: [
      { text: receive, place: 'its descriptor' },
      ...(change ? [{ text: change, place: 'its change descriptor', isChange: true }] : []),
    ],
  };
}

/** Describes the change addresses of a receive descriptor whose paths all end in `/0/*`. */
function changeOf(receive: string): string | undefined {
  const body = receive.replace(/#[^#]*$/, '');
  const ends = body.match(/\/[^/,(){}]*\/\*/g) ?? [];
  if (ends.length === 0 || ends.some((end) => end !== '/0/*')) return undefined;
  return body.replaceAll('/0/*', '/1/*');
}
