import { formatAddress } from '../../core/address/address.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { decodeUtf8WithoutMark } from '../../core/bytes/utf8.ts';
import { printable, quotedLine } from '../../core/encoding/printable.ts';
import { isHolders, type Owner } from '../../core/holder/owner.ts';
import { formatPath } from '../../core/keys/path.ts';
import { outputPayee } from '../../core/report/payee.ts';
import type { InputReview } from '../../core/review/inputReview.ts';
import type { OutputReview } from '../../core/review/outputs.ts';
import { BITCOIN_SIGN } from '../../core/review/paymentName.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { listPushes } from '../../core/script/instructions.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { PictureWords } from './words.ts';

type Context = Pick<PsbtReview, 'network'> & { readonly words: PictureWords };

export function coinName({ owner, scriptPubKey, outpoint }: InputReview, context: Context): string {
  const name = isHolders(owner) ? ownName(owner) : '';
  if (name !== '') return name;
  if (scriptPubKey) return payee(scriptPubKey, context);
  return outpoint ? `${formatTxid(outpoint.txid)}:${outpoint.vout}` : '';
}

export function outputName(output: OutputReview, context: Context): string {
  const { owner, role, scriptPubKey } = output;
  if (role === 'data') return dataText(scriptPubKey);
  const name = isHolders(owner) ? ownName(owner) : '';
  if (name !== '') return name;
  const paid = outputPayee(output, context.network);
  if (!('address' in paid)) return payee(scriptPubKey, context);
  return paid.name === undefined ? paid.address : `${BITCOIN_SIGN}${paid.name}`;
}

/** Names the wallet of an owner and the place in it; empty if a key at hand is all that is known. */
function ownName(owner: Owner): string {
  if (owner.kind === 'wallet') return `${owner.wallet.title}, ${owner.place.position}/${owner.place.index}`;
  if (owner.kind !== 'account') return '';
  const path = formatPath(owner.place.path).slice(1);
  return [owner.title ?? '', path].filter((part) => part !== '').join(', ');
}

const payee = (scriptPubKey: Uint8Array, { network, words }: Context): string =>
  formatAddress(scriptPubKey, network) ?? `${words.script} ${formatHex(scriptPubKey)}`.trim();

/** Quotes what is text, and shows the rest in hex. */
function dataText(scriptPubKey: Uint8Array): string {
  const pushes = listPushes(scriptPubKey).filter(({ length }) => length > 0);
  const contents = pushes.map((push) => {
    const text = decodeUtf8WithoutMark(push);
    return text !== undefined && printable(text) === text ? quotedLine(text) : formatHex(push);
  });
  return contents.join(' ');
}

/** Keeps the beginning and the end, which tell addresses and places apart. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  // Whoever owns the end of a payment name owns the name.
  if (text.startsWith(BITCOIN_SIGN)) return `…${characters.slice(1 - most).join('')}`;
  const end = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - end).join('')}…${characters.slice(-end).join('')}`;
}

/** More marks on one letter would cover the lines around it. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;
/** What XML cannot hold: halves of characters, and no characters. */
const NO_XML = /[\p{Cs}\ufffe\uffff]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes a text of a stranger into XML, without what controls how others are shown. */
export const xmlText = (text: string): string =>
  printable(text)
    .replace(NO_XML, '?')
    .replace(PILED_MARKS, '$1')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
