import { type KeyOfFile, networksForKey, purposeInPath, readKey, singleKeyDescriptor } from './keyText.ts';
import { contentLines, refuseFile, type WalletDraft, type WalletFileFormat } from './walletFile.ts';

const FORMAT = 'extended-key';

const KEY_LINE = /^(?:\[([0-9a-fA-F]{8})((?:\/\d{1,10}['hH]?)*)\])?([A-Za-z]{4}[1-9A-HJ-NP-Za-km-z]{100,115})$/;

/** @see SLIP-0132 */
const PURPOSES = { 'p2sh-p2wpkh': 49, p2wpkh: 84 } as const;

export function isBareKey(text: string): boolean {
  const lines = contentLines(text);
  return lines.length === 1 && KEY_LINE.test(lines[0]?.text ?? '');
}

/** Reads an account's extended key, as Electrum and many signers show it. */
export function parseBareKey(text: string): WalletDraft {
  const [line] = contentLines(text);
  const [, fingerprint, path = '', keyText = ''] = KEY_LINE.exec(line?.text ?? '') ?? [];
  const place = line?.place ?? '';
  const key = readKey({ format: FORMAT, place, text: keyText, ...(fingerprint && { origin: { fingerprint, path } }) });
  return { networks: networksForKey(key), descriptors: [{ text: accountDescriptor(FORMAT, key, { path }), place }] };
}

/** Describes the addresses of an account by the prefix of its key, the purpose in its path, or the purpose `usual`. */
export function accountDescriptor(
  format: WalletFileFormat,
  { script, expression, depth }: KeyOfFile,
  { path = '', usual }: { readonly path?: string | undefined; readonly usual?: number },
): string {
  if (script === 'p2wsh' || script === 'p2sh-p2wsh') {
    refuseFile(
      format,
      'it is one key of a multisig, which needs the other signers’ keys: export the multisig wallet instead',
    );
  }
  if (depth === 0) {
    refuseFile(
      format,
      'it is a master key, whose addresses may lie below an account or right below the key: write it as a descriptor, such as wpkh(KEY/<0;1>/*) for those right below it',
    );
  }
  const stated = script === 'p2sh-p2wpkh' || script === 'p2wpkh' ? PURPOSES[script] : undefined;
  const ofPath = purposeInPath(path);
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
