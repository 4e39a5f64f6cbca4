import { quoted } from '../../../core/encoding/redaction.ts';
import { networkNames } from '../../../core/network/networks.ts';
import { readKey, singleKeyDescriptor } from './keyText.ts';
import { type DescriptorText, isRecord, type JsonRecord, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'coldcard';

/** Most usual first. */
const SECTIONS = [84, 86, 49, 44] as const;

const MULTISIG_MEMBERS = /^(?:bip48_\d|bip45|p2wsh|p2sh|p2sh_p2wsh|p2wsh_p2sh)$/;

export function isColdcardExport(record: JsonRecord): boolean {
  return 'xfp' in record && Object.keys(record).some((name) => /^bip\d\d$/.test(name) || MULTISIG_MEMBERS.test(name));
}

/**
 * Reads what Coldcard and other signers export, without multisig keys, which need the other signers' keys.
 * @see https://github.com/Coldcard/firmware/blob/master/docs/generic-wallet-export.md
 */
export function parseColdcardExport(record: JsonRecord): WalletDraft {
  const fingerprint = textIn(record, 'xfp') ?? refuseFile(FORMAT, 'its "xfp" is not the fingerprint of a master key');
  const sections = SECTIONS.flatMap((purpose) => readSection(record, purpose, fingerprint));
  const descriptors = sections.map(({ descriptor }) => descriptor);
  if (descriptors.length === 0) {
    const isCosigner = Object.keys(record).some((name) => MULTISIG_MEMBERS.test(name));
    refuseFile(
      FORMAT,
      isCosigner
        ? 'it has one signer’s keys for a multisig, which need the other signers’ keys: export the multisig wallet instead'
        : 'it has no section such as "bip84"',
    );
  }
  const chain = textIn(record, 'chain');
  const repeats = sections.flatMap(({ repeated }) => (repeated ? [repeated] : []));
  if (chain === undefined) return { descriptors, repeats };
  const networks = networkNames(({ coldcardName }) => coldcardName === chain);
  if (networks.length === 0) refuseFile(FORMAT, `its chain ${quoted(chain)} is not BTC, XTN or XRT`);
  return { descriptors, repeats, networks };
}

/** `repeated`: stated by newer files. */
interface Section {
  readonly descriptor: DescriptorText;
  readonly repeated?: DescriptorText;
}

function readSection(record: JsonRecord, purpose: number, fingerprint: string): readonly Section[] {
  const name = `bip${purpose}`;
  const section = record[name];
  if (section === undefined) return [];
  if (!isRecord(section)) return refuseFile(FORMAT, `its section ${name} is not an object`);
  const text = textIn(section, 'xpub') ?? refuseFile(FORMAT, `its section ${name} has no "xpub"`);
  const path = textIn(section, 'deriv') ?? refuseFile(FORMAT, `its section ${name} has no derivation path ("deriv")`);
  const key = readKey({ format: FORMAT, place: `section ${name}`, text, origin: { fingerprint, path } });
  if (key.isPrivate) refuseFile(FORMAT, `its section ${name} has a private key in place of a public one`);
  const first = textIn(section, 'first');
  const stated = textIn(section, 'desc');
  return [
    {
      descriptor: {
        text: singleKeyDescriptor(purpose, key.expression) ?? '',
        place: `section ${name}`,
        ...(first && { firstAddress: { address: first, place: `"first" of section ${name}` } }),
      },
      ...(stated && { repeated: { text: stated, place: `"desc" of section ${name}` } }),
    },
  ];
}
