import { bodyWithoutChecksum } from './keyText.ts';
import { refuseFile, type WalletDraft } from './walletFile.ts';

const FORMAT = 'bsms';
const VERSION = 'BSMS 1.0';

const MAX_EXPANDED = 1_000_000;

export function isBsms(text: string): boolean {
  return /^BSMS\b/.test(text);
}

/**
 * Reads a descriptor record, with the wallet's first address to check it. Refuses a signer's key record.
 * @see BIP129 "Round 2", "Descriptor Template"
 */
export function parseBsms(text: string): WalletDraft {
  const [version, record = '', restrictions, address, ...more] = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (version !== VERSION) refuseFile(FORMAT, `line 1 has an unsupported version; ${VERSION} is supported`);
  if (/^(?:00|[0-9a-fA-F]{16}|[0-9a-fA-F]{32})$/.test(record)) {
    refuseFile(
      FORMAT,
      'it is the key record of one signer (round 1); the wallet is in the descriptor record of round 2',
    );
  }
  if (!record.includes('(')) refuseFile(FORMAT, 'line 2 has no descriptor');
  if (restrictions === undefined) {
    return refuseFile(FORMAT, 'line 3 is missing: the path restrictions, or "No path restrictions"');
  }
  if (!address) return refuseFile(FORMAT, 'line 4 is missing: the first address');
  if (more.some((line) => line !== '')) refuseFile(FORMAT, 'text follows its line 4');
  const [first = '', ...others] = expand(record, restrictions);
  return {
    descriptors: [
      { text: first, place: 'line 2', firstAddress: { address, place: 'line 4' } },
      ...others.map((other) => ({ text: other, place: 'line 2' })),
    ],
  };
}

const RESTRICTION = /^(?:\/\d{1,10})*\/(?:\d{1,10}|\*)$/;

/** @see BIP388 "Descriptor template" */
const USUAL_PATHS = '/0/*,/1/*';

function expand(record: string, restrictions: string): readonly string[] {
  const isTemplate = record.includes('/**');
  const isFree = restrictions === '' || /^no path restrictions$/i.test(restrictions);
  if (isFree && !isTemplate) return [record];
  const paths = (isFree ? USUAL_PATHS : restrictions).split(',').map((path) => path.trim());
  if (!paths.every((path) => RESTRICTION.test(path))) {
    refuseFile(FORMAT, 'line 3 has a path restriction other than unhardened steps such as /0/*');
  }
  if (new Set(paths).size < paths.length) refuseFile(FORMAT, 'line 3 has the same path restriction twice');
  if (!isTemplate) return [record];
  const body = bodyWithoutChecksum(FORMAT, record, 'line 2');
  const slots = body.split('/**').length - 1;
  const size = paths.reduce((sum, path) => sum + body.length + slots * path.length, 0);
  if (size > MAX_EXPANDED) refuseFile(FORMAT, 'line 3 has too many path restrictions');
  return paths.map((path) => body.replaceAll('/**', path));
}
