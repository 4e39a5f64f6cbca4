import { assertText } from '../../core/bytes/assertText.ts';
import { BtcError } from '../../core/errors.ts';

/** A message with its signature, as signers write them into a file. */
export interface SignedMessageFile {
  /** As it stands in the file: its line breaks and spaces are signed, too. */
  readonly message: string;
  readonly address: string;
  readonly signature: string;
}

const BEGIN = /^-----BEGIN (?:[A-Z0-9]+ ){1,3}SIGNED MESSAGE-----$/;
const SIGNATURE = /^-----BEGIN (?:[A-Z0-9]+ ){0,3}SIGNATURE-----$/;
const END = /^-----END (?:[A-Z0-9]+ ){1,3}(?:SIGNATURE|SIGNED MESSAGE)-----$/;
const BASE64 = /^[0-9A-Za-z+/]{20,}={0,2}$/;

/** In characters. */
const LONGEST = 2_000_000;

/**
 * Reads a signed message as Coldcard, Sparrow and many others exchange it: between lines such as `-----BEGIN BITCOIN SIGNED
 * MESSAGE-----`, with the address and the signature below. Verify it with `verifyMessage`.
 *
 * @throws `message/file`
 */
export function parseSignedMessage(text: string): SignedMessageFile {
  assertText('signed message', text);
  if (text.length > LONGEST) throw noFile('is too long');
  const lines = text.split('\n');
  const plain = lines.map((line) => line.trim());
  const begin = plain.findIndex((line) => BEGIN.test(line));
  if ([BEGIN, SIGNATURE, END].some((mark) => plain.filter((line) => mark.test(line)).length > 1)) {
    throw noFile('has more than one signed message, or a message with such lines: cut the others out');
  }
  if (begin < 0) throw noFile('has no line such as "-----BEGIN BITCOIN SIGNED MESSAGE-----"');
  const end = plain.findIndex((line) => END.test(line));
  const mark = plain.findIndex((line) => SIGNATURE.test(line));
  if (mark <= begin || end < mark)
    throw noFile('has no signature between lines such as "-----BEGIN BITCOIN SIGNATURE-----"');
  const below = plain.slice(mark + 1, end).filter((line) => line !== '' && !/^(?:Version|Comment):/i.test(line));
  const [named = '', signature = '', ...more] = below;
  const address = named.replace(/^Address: */i, '');
  if (!/^\w+$/.test(address) || !BASE64.test(signature)) throw noFile('lacks its address or its signature');
  if (more.length > 0) throw noFile('has more than one address and one signature below its message');
  const message = lines
    .slice(begin + 1, mark)
    .join('\n')
    .replace(/\r$/, '');
  return { message, address, signature };
}

/**
 * Formats a signed message as Coldcard writes it.
 *
 * @throws `message/file` for an address or signature that spans lines
 */
export function formatSignedMessage({ message, address, signature }: SignedMessageFile): string {
  if (/\s/.test(address + signature)) throw noFile('needs its address and its signature on one line each');
  if (message.endsWith('\r')) throw noFile('cannot hold a message that ends with a carriage return');
  if (message.split('\n').some((line) => [BEGIN, SIGNATURE, END].some((mark) => mark.test(line.trim())))) {
    throw noFile('cannot hold a message with a line such as "-----BEGIN BITCOIN SIGNATURE-----"');
  }
  return [
    '-----BEGIN BITCOIN SIGNED MESSAGE-----',
    message,
    '-----BEGIN BITCOIN SIGNATURE-----',
    address,
    signature,
    '-----END BITCOIN SIGNATURE-----',
    '',
  ].join('\n');
}

const noFile = (reason: string): BtcError =>
  new BtcError('message/file', { reason }, `The file with a signed message ${reason}`);
