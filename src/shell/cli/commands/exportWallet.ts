import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import type { Account } from '../../../kit/account/account.ts';
import { publicDescriptor } from '../../../kit/account/publicKeys.ts';
import type { SilentPaymentAccount } from '../../../kit/account/silentPaymentAccount.ts';
import type { MultisigScript } from '../../../kit/account/walletFiles/walletFile.ts';
import { signerKeys } from '../../../kit/open/accountOfKey.ts';
import type { OpenedKey } from '../../../kit/open/openKeys.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import type { CommandLine } from '../options.ts';
import { parseCodeFormat, showCodes } from '../output/showCodes.ts';
import { walletCodes } from '../output/walletCodes.ts';
import { writeNote } from '../output/writeNote.ts';

interface ExportLine extends CommandLine {
  readonly json: boolean;
  readonly qr: string | undefined;
}

const CONTRADICTIONS = ['json', 'uri', 'change', 'start', 'count'];

function assertAlone(line: ExportLine): void {
  const other = CONTRADICTIONS.find((name) => line.optionNames.has(name));
  if (other !== undefined) throw new UsageError(`--descriptor contradicts --${other}`);
}

/** Writes public descriptors, one a line or as codes, which a watching wallet imports. */
export async function exportDescriptors(
  { descriptors }: Account,
  line: ExportLine,
  { network, ecc = nobleEcc }: CommandContext,
  io: Io,
): Promise<void> {
  assertAlone(line);
  const texts = descriptors.map((descriptor) => formatDescriptor(publicDescriptor(descriptor, ecc), network));
  if (line.qr !== undefined) return showCodes(walletCodes(texts, network), parseCodeFormat(line.qr), io);
  await io.writeOut(`${texts.join('\n')}\n`);
}

/** Writes the descriptor with which others see all payments, and spend none. */
export async function exportSilent(account: SilentPaymentAccount, line: ExportLine, io: Io): Promise<void> {
  assertAlone(line);
  if (line.qr !== undefined)
    throw new UsageError('--qr does not show sp(), whose scan key is private: copy it as text');
  await io.writeOut(`${withUsageErrors(() => account.descriptor())}\n`);
}

const SCRIPT_NAMES: Readonly<Partial<Record<MultisigScript, string>>> = { p2wsh: 'wsh', 'p2sh-p2wsh': 'sh(wsh' };

/** Writes the keys of one signer for multisigs with others. */
export async function exportSignerKeys(
  opened: OpenedKey,
  line: ExportLine & { readonly accountNumber: number },
  { network, ecc = nobleEcc }: CommandContext,
  io: Io,
): Promise<void> {
  const other = CONTRADICTIONS.find((name) => name !== 'json' && line.optionNames.has(name));
  if (other !== undefined) throw new UsageError(`--purpose 48 lists keys, which --${other} does not apply to`);
  const keys = withUsageErrors(() => signerKeys(opened, { network, ecc, account: line.accountNumber }));
  if (line.qr !== undefined) {
    const texts = keys.map(({ text, script = 'p2wsh' }) => {
      const name = SCRIPT_NAMES[script] ?? 'wsh';
      return `${name}(cosigner(${text}))${name.includes('(') ? ')' : ''}`;
    });
    return showCodes(walletCodes(texts, network), parseCodeFormat(line.qr === '' ? 'ur' : line.qr), io);
  }
  if (line.json) {
    await io.writeOut(`${stringifyRpc(keys)}\n`);
    return;
  }
  for (const { text, script } of keys) await io.writeOut(`${(script ?? 'any').toUpperCase()}: ${text}\n`);
  writeNote(
    'give the key of one kind to whoever makes the wallet: "countersign quorum" joins the keys of all signers',
    io,
  );
}
