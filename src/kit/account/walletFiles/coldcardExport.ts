import { quoted } from '../../../core/encoding/redaction.ts';
import { networkNames } from '../../../core/network/networks.ts';
import { accountDraft } from './accountKey.ts';
import { readKey, singleKeyDescriptor } from './keyText.ts';
import { type DescriptorText, isRecord, type JsonRecord, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'coldcard';

/** Most usual first. */
const SECTIONS = [84, 86, 49, 44] as const;

/** One signer's keys: those of the sections of the generic export, and those beside their paths in the file for multisigs. */
const SIGNER_SECTION = /^bip(?:45|48_\d)$/;
const SIGNER_MEMBER = /^p2(?:wsh|sh|sh_p2wsh|wsh_p2sh)$/;

export function isColdcardExport(record: JsonRecord): boolean {
  return (
    'xfp' in record &&
    Object.keys(record).some((name) => /^bip\d\d$/.test(name) || SIGNER_SECTION.test(name) || SIGNER_MEMBER.test(name))
  );
}

/**
 * Reads what Coldcard and other signers export: the keys of accounts, and keys for multisigs with others.
 * @see https://github.com/Coldcard/firmware/blob/master/docs/generic-wallet-export.md
 */
export function parseColdcardExport(record: JsonRecord): WalletDraft {
  const fingerprint = textIn(record, 'xfp') ?? refuseFile(FORMAT, 'its "xfp" is not the fingerprint of a master key');
  const sections = SECTIONS.flatMap((purpose) => readSection(record, purpose, fingerprint));
  const descriptors = sections.map(({ descriptor }) => descriptor);
  const signers = Object.keys(record).flatMap((name) => readSigner(record, name, fingerprint));
  if (descriptors.length + signers.length === 0) refuseFile(FORMAT, 'it has no section such as "bip84"');
  const chain = textIn(record, 'chain');
  const repeats = sections.flatMap(({ repeated }) => (repeated ? [repeated] : []));
  if (chain === undefined) return { descriptors, signers, repeats };
  const networks = networkNames(({ coldcardName }) => coldcardName === chain);
  if (networks.length === 0) refuseFile(FORMAT, `its chain ${quoted(chain)} is not BTC, XTN or XRT`);
  return { descriptors, signers, repeats, networks };
}

function readSigner(record: JsonRecord, name: string, fingerprint: string): NonNullable<WalletDraft['signers']> {
  const section = record[name];
  const isSection = SIGNER_SECTION.test(name) && isRecord(section);
  const isMember = SIGNER_MEMBER.test(name) && typeof section === 'string';
  if (!isSection && !isMember) return [];
  const place = isSection ? `section ${name}` : `"${name}"`;
  const text = isSection ? textIn(section, 'xpub') : textIn(record, name);
  const path = isSection ? textIn(section, 'deriv') : textIn(record, `${name}_deriv`);
  if (text === undefined || path === undefined) {
    return refuseFile(FORMAT, `its ${place} has no ${text === undefined ? 'key' : 'derivation path'}`);
  }
  const key = readKey({ format: FORMAT, place, text, origin: { fingerprint, path } });
  const { signers } = accountDraft(FORMAT, key, { place });
  return signers.length > 0 ? signers : refuseFile(FORMAT, `its ${place} has a path that is not one of multisigs`);
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
