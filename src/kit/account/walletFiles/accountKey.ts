import { HARDENED, isHardened } from '../../../core/keys/path.ts';
import { keyParts } from '../../../core/keys/writtenKeys.ts';
import { unlabelledLines } from './descriptorLines.ts';
import { type KeyOfFile, networksOfKeys, readKey, singleKeyDescriptor } from './keyText.ts';
import {
  BIP48_SCRIPTS,
  type JsonRecord,
  type MultisigScript,
  refuseFile,
  textIn,
  type WalletDraft,
  type WalletFileFormat,
} from './walletFile.ts';

const FORMAT = 'extended-key';

export function isKeyLines(text: string): boolean {
  const lines = unlabelledLines(text);
  return lines.length > 0 && lines.every((line) => keyParts(line.text)?.extended !== undefined);
}

/** Reads extended keys, one a line, as Electrum and many signers show that of an account. */
export function parseKeyLines(text: string): WalletDraft {
  const read = unlabelledLines(text).map((line) => {
    const { extended = '', fingerprint, steps: path = '', path: behind = '' } = keyParts(line.text) ?? {};
    if (behind !== '') {
      refuseFile(
        FORMAT,
        `${line.place} has a path behind the key, but no kind of addresses: write it as a descriptor such as pkh(KEY${behind}) or wpkh(KEY${behind})`,
      );
    }
    const origin = fingerprint === undefined ? undefined : { fingerprint, path };
    const key = readKey({ format: FORMAT, place: line.place, text: extended, ...(origin && { origin }) });
    return { key, draft: accountDraft(FORMAT, key, { place: line.place }) };
  });
  return {
    networks: networksOfKeys(
      FORMAT,
      read.map(({ key }) => key),
    ),
    descriptors: read.flatMap(({ draft }) => draft.descriptors),
    signers: read.flatMap(({ draft }) => draft.signers),
  };
}

export const isKeyRecord = (record: JsonRecord): boolean =>
  ['xfp', 'xpub', 'path'].every((name) => textIn(record, name));

/** Reads the JSON in which BlueWallet exports the key of an account. */
export function parseKeyRecord(record: JsonRecord): WalletDraft {
  const [fingerprint = '', text = '', path = ''] = ['xfp', 'xpub', 'path'].map((name) => textIn(record, name));
  const key = readKey({ format: FORMAT, place: '"xpub"', text, origin: { fingerprint, path } });
  return { networks: networksOfKeys(FORMAT, [key]), ...accountDraft(FORMAT, key, { place: '"xpub"' }) };
}

/** @see SLIP-0132 */
const PURPOSES = { 'p2sh-p2wpkh': 49, p2wpkh: 84 } as const;

const isMultisig = (script: KeyOfFile['script'] | MultisigScript): script is MultisigScript =>
  script === 'p2sh' || script === 'p2sh-p2wsh' || script === 'p2wsh';

/** Says for which multisigs a key is, by its path; `undefined` if the path is not that of a signer. */
function signerScript([purpose, , , script]: readonly number[]): MultisigScript | 'any' | undefined {
  switch (purpose) {
    case 45 + HARDENED:
      return 'p2sh';
    case 48 + HARDENED:
      return BIP48_SCRIPTS.get((script ?? HARDENED) - HARDENED) ?? 'any';
    case 87 + HARDENED:
      return 'any';
    default:
      return undefined;
  }
}

/**
 * Tells by the prefix of an account's key, the purpose in its path, or else the purpose `usual`, whether it has addresses, or
 * is one signer's key of a multisig.
 */
export function accountDraft(
  format: WalletFileFormat,
  key: KeyOfFile,
  { place, usual }: { readonly place: string; readonly usual?: number },
): Required<Pick<WalletDraft, 'descriptors' | 'signers'>> {
  const ofPath = signerScript(key.path);
  const isSigner = isMultisig(key.script) || ofPath !== undefined;
  if (!isSigner) return { descriptors: [{ text: accountDescriptor(format, key, usual), place }], signers: [] };
  if (key.isPrivate) refuseFile(format, `${place} is the private key of a signer: give it as a key, not as a wallet`);
  const script = key.script === 'any' ? ofPath : key.script;
  const isOfPath = ofPath === undefined || ofPath === 'any' || ofPath === script;
  if (script === 'any' || script === undefined) return { descriptors: [], signers: [{ text: key.expression, place }] };
  if (!isMultisig(script) || !isOfPath) {
    const other = ofPath === 'any' ? 'multisigs' : ofPath?.toUpperCase();
    refuseFile(
      format,
      `${place} has a prefix for ${script.toUpperCase()}, but a path for ${other}: export the key again`,
    );
  }
  return { descriptors: [], signers: [{ text: key.expression, place, script }] };
}

function accountDescriptor(
  format: WalletFileFormat,
  { script, expression, depth, path: [first] }: KeyOfFile,
  usual: number | undefined,
): string {
  if (depth === 0) {
    refuseFile(
      format,
      'it is a master key, whose addresses may lie below an account or right below the key: write it as a descriptor, such as wpkh(KEY/<0;1>/*) for those right below it',
    );
  }
  const stated = script === 'p2sh-p2wpkh' || script === 'p2wpkh' ? PURPOSES[script] : undefined;
  const ofPath = first !== undefined && isHardened(first) ? first - HARDENED : undefined;
  if (stated !== undefined && ofPath !== undefined && ofPath !== stated) {
    refuseFile(format, `its prefix says BIP${stated}, but its path BIP${ofPath}`);
  }
  const purpose = stated ?? ofPath ?? usual;
  return (
    (purpose === undefined ? undefined : singleKeyDescriptor(purpose, expression)) ??
    refuseFile(
      format,
      'neither its prefix nor its path says which addresses it has: write it as a descriptor such as wpkh(KEY/<0;1>/*)',
    )
  );
}
