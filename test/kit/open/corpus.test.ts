import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Opened, open } from '../../../src/kit/open/open.ts';
import { openedText } from '../../../src/kit/open/openedText.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import type { OpenedView, PageSession } from '../../../src/shell/page/protocol.ts';
import { type Run, run } from '../../support/io.ts';
import { BtcError } from '../../support/library.ts';

// Every entry says the same of a file: `open`, the command line and the page.

const VECTORS = new URL('../../../vectors/', import.meta.url);
const read = (file: string): Uint8Array => new Uint8Array(readFileSync(new URL(file, VECTORS)));

type Row = readonly [file: string, kind: Opened['kind'], says: string | undefined, address: string | undefined];

/** `says`: what follows "It is", or the error of what is refused. `address`: the first, on the main network. */
const ROWS: readonly Row[] = [
  ['open/address.txt', 'address', 'an address', undefined],
  ['open/annotated.txt', 'wallet', 'a wallet file (descriptor file)', 'bc1qxzv66jwlm5pphum53alctrsdr7stfahcs3g4zm'],
  ['open/bbqr-psbt.txt', 'code', 'a PSBT', undefined],
  ['open/bip38.txt', 'secret', 'a private key encrypted with a passphrase (BIP38)', undefined],
  [
    'open/bluewallet-cosigner.json',
    'signers',
    'one signer’s key for a multisig, which needs the keys of all its signers',
    undefined,
  ],
  [
    'open/bsms-round-1.txt',
    'refused',
    'The BSMS record (BIP129) is not valid: it is the key record of one signer (round 1); the wallet is in the descriptor record of round 2',
    undefined,
  ],
  [
    'open/ccxp-73C5DA0A.json',
    'signers',
    'one signer’s keys for a multisig, which needs the keys of all its signers',
    undefined,
  ],
  [
    'open/cobo-vault-multisig.txt',
    'wallet',
    'a wallet file (Coldcard multisig file)',
    'bc1qxzrzh4caw7e3genwtldtxntzj0ktfl7mhf2lh4fj8h7hnkvtvc4salvp85',
  ],
  [
    'open/codex32-shares.txt',
    'secret',
    'a codex32 string (BIP93), which stands for a seed',
    'bc1qupvje8ncdgxaxm0jh77y7wn660mhckyz35sudl',
  ],
  [
    'open/codex32.txt',
    'secret',
    'a codex32 string (BIP93), which stands for a seed',
    'bc1q7uzj59wd9d67gft8kqstg3v5hmaa7hyl9r8h8a',
  ],
  [
    'open/coldcard-cosigner.json',
    'signers',
    'one signer’s keys for a multisig, which needs the keys of all its signers',
    undefined,
  ],
  [
    'open/cosigner-zpub.txt',
    'signers',
    'one signer’s key for a multisig, which needs the keys of all its signers',
    undefined,
  ],
  [
    'open/cosigners.txt',
    'signers',
    'the keys of 2 signers for a multisig, which needs the keys of all its signers',
    undefined,
  ],
  [
    'open/electrum-4.0-multisig.txt',
    'wallet',
    'a wallet file (Coldcard multisig file)',
    'bc1qxzrzh4caw7e3genwtldtxntzj0ktfl7mhf2lh4fj8h7hnkvtvc4salvp85',
  ],
  ['open/electrum-private-keys.json', 'secret', 'a private key', undefined],
  [
    'open/fully-noded-multisig.json',
    'wallet',
    'a wallet file (Specter wallet file)',
    '3GSZaKT3LujScx6JeWejc6xjZsCDRzptsA',
  ],
  [
    'open/hash.txt',
    'unknown',
    'hex of a hash, such as a transaction id, or of a key or seed: give the whole transaction, or a key as seed words, extended key or WIF',
    undefined,
  ],
  ['open/hello.txt', 'unknown', undefined, undefined],
  [
    'open/json-73c5da0a-0-all.json',
    'wallet',
    'a wallet file (Coldcard generic JSON)',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  [
    'open/specter-diy-73c5da0a-0-all.txt',
    'wallet',
    'a wallet file (extended key)',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  [
    'open/keystone-taproot.json',
    'refused',
    'The Wasabi wallet file is not valid: its prefix says BIP84, but its path BIP86',
    undefined,
  ],
  ['open/labels.jsonl', 'labels', 'a label file (BIP329)', undefined],
  ['open/lightning-address.txt', 'payment', 'a payment URI', undefined],
  ['open/minikey.txt', 'secret', 'a minikey, which stands for a private key', '1CciesT23BNionJeXrbxmjc7ywfiyM4oLW'],
  [
    'open/musig.txt',
    'wallet',
    'a wallet file (descriptor file)',
    'bc1p87zjeep650f3t0z8nkx2z9zkklum0qg58nfdmys83n3nsa4cnk5qukpf04',
  ],
  [
    'open/nthkey-cosigner.json',
    'signers',
    'one signer’s key for a multisig, which needs the keys of all its signers',
    undefined,
  ],
  [
    'open/payment-mistyped.txt',
    'refused',
    'The payment URI has an address that is not valid: it may be mistyped',
    undefined,
  ],
  ['open/payment-upper.txt', 'payment', 'a payment URI', undefined],
  ['open/payment.txt', 'payment', 'a payment URI', undefined],
  [
    'open/private-descriptor.txt',
    'secret',
    'descriptors with private keys',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  [
    'open/psbt-cut.txt',
    'refused',
    'The data ends too early, at offset 949 (record 3 of output 1): copy all of it',
    undefined,
  ],
  [
    'open/psbt-damaged.json',
    'unknown',
    'JSON whose PSBT is neither valid base64 nor valid hex: copy all of it',
    undefined,
  ],
  ['open/psbt.b64', 'psbt', 'a PSBT', undefined],
  ['open/psbt.bin', 'psbt', 'a PSBT', undefined],
  ['open/psbt.hex', 'psbt', 'a PSBT', undefined],
  [
    'open/registered.txt',
    'wallet',
    'a wallet file (BIP388 wallet policy)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  ['open/script.txt', 'hex', 'hex, but not of a PSBT or a transaction', undefined],
  ['open/seed-electrum.txt', 'secret', 'seed words', 'bc1q4794m2uuw9jmjszmplfj4wvvr5j272fpnx2cse'],
  [
    'open/seed-qr-24.txt',
    'secret',
    'a SeedQR, which stands for seed words',
    'bc1q95e2x49uju6533dwardyf6kz0jtp3yjcak0c74',
  ],
  [
    'open/seed-qr-compact-24.bin',
    'secret',
    'a SeedQR, which stands for seed words',
    'bc1q0f925y444lcr8shjkzh4gfv6m6mhraz59n8959',
  ],
  [
    'open/seed-qr-compact.bin',
    'secret',
    'a SeedQR, which stands for seed words',
    'bc1q9fdnr2yt0xmesh2t93gz4qd6xt3l98g9wez42r',
  ],
  ['open/seed-qr.txt', 'secret', 'a SeedQR, which stands for seed words', 'bc1q9fdnr2yt0xmesh2t93gz4qd6xt3l98g9wez42r'],
  ['open/seed-words-mistyped.txt', 'secret', 'seed words', undefined],
  ['open/seed-words-numbered.txt', 'secret', 'seed words', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ['open/seed-words.txt', 'secret', 'seed words', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ['open/signed-message-coldcard.txt', 'message', 'a signed message', undefined],
  ['open/signed-message-opendime.txt', 'message', 'a signed message', undefined],
  ['open/signrawtransaction.json', 'transaction', 'a transaction', undefined],
  ['open/silent-address.txt', 'address', 'an address', undefined],
  [
    'open/silent-scan.txt',
    'wallet',
    'a wallet file (descriptor file)',
    'sp1qqfqnnv8czppwysafq3uwgwvsc638hc8rx3hscuddh0xa2yd746s7xqlh4r025th3htxgguxeck4qha04e0rhw33t8m2kpmqju28zzplwmgx2h7dd',
  ],
  [
    'open/silent-spend.txt',
    'secret',
    'descriptors with private keys',
    'sp1qqfqnnv8czppwysafq3uwgwvsc638hc8rx3hscuddh0xa2yd746s7xqlh4r025th3htxgguxeck4qha04e0rhw33t8m2kpmqju28zzplwmgx2h7dd',
  ],
  [
    'open/specter-diy.json',
    'wallet',
    'a wallet file (Specter wallet file)',
    'bc1q4zjpaj74z6eqllfcply9fr5sjy7qjarlg4al34vm6re06mksh0msevvy6q',
  ],
  ['open/transaction.txt', 'transaction', 'a transaction', undefined],
  [
    'open/ur-account-cosigner.txt',
    'code',
    'one signer’s key for a multisig, which needs the keys of all its signers',
    undefined,
  ],
  [
    'open/ur-output-sparrow.txt',
    'code',
    'a wallet file (descriptor file)',
    'bc1q4taqq6q6l8fvguva6ftvrz3qgdjy6p3w2s0ds0nl6qrjw7t0hfhqgrqcwd',
  ],
  ['open/ur-psbt.txt', 'code', 'a PSBT', undefined],
  ['open/ur-version-1-psbt.txt', 'code', 'a PSBT', undefined],
  ['open/walletprocesspsbt.json', 'psbt', 'a PSBT', undefined],
  ['open/wif-list.txt', 'secret', 'a private key', undefined],
  ['open/wif.txt', 'secret', 'a private key', '1GAehh7TsJAHuUAeKZcXf5CnwuGuGgyX2S'],
  ['open/xprv.txt', 'secret', 'an extended private key', undefined],
  ['open/zprv.txt', 'secret', 'an extended private key', 'bc1q59vf7wl76f2y5c32jnnkrpnfzpevq7a6zl9llx'],
  [
    'wallets/bsms-multisig.txt',
    'wallet',
    'a wallet file (BSMS record (BIP129))',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/caravan-multisig.json',
    'wallet',
    'a wallet file (Caravan wallet file)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/coldcard-export.json',
    'wallet',
    'a wallet file (Coldcard generic JSON)',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  [
    'wallets/coldcard-multisig-paths.txt',
    'wallet',
    'a wallet file (Coldcard multisig file)',
    '36vRQCCnvYDPM9NdXj5ymf45oqFPuKfjsN',
  ],
  [
    'wallets/coldcard-multisig.txt',
    'wallet',
    'a wallet file (Coldcard multisig file)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/core-importdescriptors.txt',
    'wallet',
    'a wallet file (descriptor list of Bitcoin Core)',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  ['wallets/core-listdescriptors-private.json', 'secret', 'a wallet file with private keys', undefined],
  [
    'wallets/core-listdescriptors.json',
    'wallet',
    'a wallet file (descriptor list of Bitcoin Core)',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  [
    'wallets/descriptors.txt',
    'wallet',
    'a wallet file (descriptor file)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/electrum-changes.json',
    'secret',
    'a wallet file with private keys',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  [
    'wallets/electrum-multisig.json',
    'wallet',
    'a wallet file (Electrum wallet file)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/electrum-standard.json',
    'secret',
    'a wallet file with private keys',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  ['wallets/electrum-zpub.txt', 'wallet', 'a wallet file (extended key)', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  [
    'wallets/liana-multisig.json',
    'wallet',
    'a wallet file (Liana backup)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/policy-multisig.json',
    'wallet',
    'a wallet file (BIP388 wallet policy)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/policy-taproot.json',
    'wallet',
    'a wallet file (BIP388 wallet policy)',
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  ],
  [
    'wallets/sparrow-multisig.txt',
    'wallet',
    'a wallet file (Sparrow descriptor file)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/sparrow-single.txt',
    'wallet',
    'a wallet file (Sparrow descriptor file)',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  ],
  [
    'wallets/sparrow-taproot.txt',
    'wallet',
    'a wallet file (Sparrow descriptor file)',
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  ],
  [
    'wallets/specter-diy.txt',
    'wallet',
    'a wallet file (Specter wallet file)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  [
    'wallets/specter-multisig.json',
    'wallet',
    'a wallet file (Specter wallet file)',
    'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  ],
  ['wallets/wasabi.json', 'wallet', 'a wallet file (Wasabi wallet file)', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
];

const SILENT =
  'This is an sp() descriptor of silent payments, which the page does not open: enter the seed words or the master key of the wallet instead';

/** What `inspect` decodes as a node does has the node's name. */
function nameIn(file: string, says: string | undefined): string {
  if (file.startsWith('open/ur-output')) return 'a descriptor';
  const text = new TextDecoder().decode(read(file));
  if (/^(?!sp\()[a-z]+\([^\n?]*\n?$/.test(text)) return 'a descriptor';
  return says === 'hex, but not of a PSBT or a transaction' ? 'a script' : `${says}`;
}

const nameOf = (file: string): string => file.replace(/^.*\//, '');
const called = async (file: string, ...line: readonly string[]): Promise<Run> =>
  run([...line, '--count', '1'], { files: { [nameOf(file)]: read(file) } });
const addressIn = ({ code, out }: Run): string | undefined => (code === 0 ? out.trim().split(/\s+/).at(-1) : undefined);
const opened = (file: string) => {
  const session = createPageSession({ network: 'main' });
  return { session, view: session.open({ content: read(file), name: nameOf(file) }) };
};
/** The kinds that the page opens. */
const SHOWN: ReadonlySet<string> = new Set(['psbt', 'transaction', 'wallet', 'secret', 'address', 'payment']);
const SHOWN_OF_CODES: ReadonlyMap<string, string> = new Map([
  ['a PSBT', 'psbt'],
  ['a wallet file (descriptor file)', 'wallet'],
  ['one signer’s key for a multisig, which needs the keys of all its signers', 'signer'],
]);
/** What the page calls a kind that it shows in a view of its own. */
const SHOWN_AS: ReadonlyMap<string, string> = new Map([
  ['signers', 'signer'],
  ['message', 'signed-message'],
]);

function refusalText(kind: string, says: string | undefined): string {
  if (says === undefined) return 'This is neither a PSBT, nor a transaction';
  return kind === 'refused' ? `${says}.` : `This is ${says}.`;
}

type Found = { readonly address: string | undefined } | { readonly refused: unknown };

function firstAddress(session: PageSession, view: OpenedView): Found {
  if (view.kind === 'wallet') return { address: view.wallet.firstAddresses[0] };
  if (view.kind !== 'secret') return { address: undefined };
  try {
    return { address: session.addKeys({ network: 'main' }).firstAddresses[0] };
  } catch (error) {
    return { refused: error instanceof BtcError ? error.message : error };
  }
}

const expectedOf = (view: OpenedView, address: string | undefined): unknown =>
  view.kind === 'secret' && address === undefined ? { refused: expect.stringMatching(/^[A-Z]/) } : { address };

test('the table has a row for each file', () => {
  const files = ['open', 'wallets'].flatMap((folder) =>
    readdirSync(new URL(folder, VECTORS)).map((name) => `${folder}/${name}`),
  );
  expect(ROWS.map(([file]) => file).sort()).toEqual(files.sort());
});

describe.each(ROWS)('%s', (file, kind, says, address) => {
  const isOfCodes = kind === 'code';

  test('is what open says', () => {
    const found = open(read(file));
    expect(found.kind).toBe(kind);
    const text = found.kind === 'refused' ? found.error.message : openedText(found);
    expect(text).toBe(isOfCodes ? 'a QR code' : says);
    if (found.kind !== 'code' && found.kind !== 'psbt' && found.kind !== 'transaction') {
      expect(open(new TextDecoder().decode(read(file))).kind).toBe(file.endsWith('.bin') ? 'unknown' : kind);
    }
  });

  test('is the same in "inspect"', async () => {
    const name = nameOf(file);
    const { code, error } = await run(['inspect', name], { files: { [name]: read(file) } });
    if (code === 0) return expect(error).toBe(`${name}: ${nameIn(file, says)}\n`);
    const end = kind === 'secret' ? /^; commands that sign take (?:it|them) with --(?:seed|keys)-file\n$/ : /^\n$/;
    const known = kind === 'refused' ? `error: ${name}: ${says}` : `error: ${name} is ${says ?? ''}`;
    expect(error.slice(0, known.length)).toBe(known);
    if (says !== undefined) expect(error.slice(known.length)).toMatch(end);
  });

  test('is the same in "addresses"', async () => {
    const given = await called(file, 'addresses', nameOf(file));
    if (given.code === 0) return expect(addressIn(given)).toBe(address);
    const fitsNoNetwork = file.startsWith('wallets/') && given.error.includes('not for main: name its network');
    if (fitsNoNetwork) return expect(address).toBeUndefined();
    expect(given.error).toContain(says ?? 'The format of the file is not supported');
    const option = /with (--(?:seed|keys)-file)/.exec(given.error)?.[1];
    if (option !== undefined) expect(addressIn(await called(file, 'addresses', option, nameOf(file)))).toBe(address);
  });

  test('is the same on the page', () => {
    const { session, view } = opened(file);
    const isSilent = address?.startsWith('sp1') === true;
    if (view.kind === 'refused') {
      const reason = isSilent ? SILENT : refusalText(kind, says);
      expect(view.reason.slice(0, reason.length)).toBe(reason);
      expect(SHOWN.has(kind) && !isSilent).toBe(false);
      return;
    }
    expect(view.kind).toBe(isOfCodes ? SHOWN_OF_CODES.get(`${says}`) : (SHOWN_AS.get(kind) ?? kind));
    const found = firstAddress(session, view);
    expect(found).toEqual(isSilent ? { refused: SILENT } : expectedOf(view, address));
  });
});
