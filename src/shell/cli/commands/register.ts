import { basename, dirname, join } from 'node:path';
import { parseAddress } from '../../../core/address/address.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import { quoted, shownPath } from '../../../core/encoding/redaction.ts';
import { safeFileName } from '../../../core/encoding/safeFileName.ts';
import { createHolder } from '../../../core/holder/holder.ts';
import { controlTexts } from '../../../core/report/ageText.ts';
import { formatParagraphs, grouped, type Paragraph } from '../../../core/report/textLines.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import { proposeWallet, registerProposal, type WalletProposal } from '../../../kit/policies/registerWallet.ts';
import { encodeUr } from '../../../kit/qr/ur.ts';
import { counted } from '../../sync/syncProgress.ts';
import { allowsColours } from '../../terminal/colours.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { explainWallet } from '../input/contentText.ts';
import { readOwnWallets } from '../input/descriptorFiles.ts';
import { fileArgument, type Given, readGiven } from '../input/givenFiles.ts';
import { readSigningKeys } from '../input/signingKeys.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, choice, files, flag, keyOptions, text } from '../options.ts';
import { assertRoomForCodes, type CodeFormat, parseCodeFormat, showCodes } from '../output/showCodes.ts';
import { writeNote } from '../output/writeNote.ts';

const options = {
  ...keyOptions,
  'descriptors-file': files(
    'wallets that you have registered before, to show what differs, and to retire one; may be given more than once',
  ),
  'first-address': text(
    'ADDRESS',
    'refuse unless this is the first receive address, as another signer of the wallet shows it; needed without a terminal',
  ),
  name: text('NAME', 'the name of the wallet, without a terminal to type it on', { needs: ['first-address'] }),
  out: text('FILE', 'write the registered wallet to this file ("-": standard output; default NAME.wallet.json)'),
  force: flag('replace an existing file'),
  qr: choice(['bbqr', 'ur'], 'also show it as QR codes'),
};
type Line = CommandLine<typeof options>;

export const register = declareCommand({
  synopsis: 'register FILE',
  about: `Registers a wallet that you share with others, or that has more ways to spend than one key: from then on, change to it is
recognized as yours. Shows first what others can do without you, and when; then what you can do alone, each key, and the
first addresses. Compare these with what the other signers show, and type the name by which you will know the wallet.

A key of yours proves the registration, and no other can make it. The file that is written holds no secret; pass it with
--descriptors-file. It serves all signers of the wallet: each registers it once, and adds a registration.`,
  options,
  exitCode: '1 if the wallet cannot be registered, or you do not register it.',
  examples: [
    'countersign register wallet.txt --seed-file words.txt',
    'countersign register Family.wallet.json --seed-file words.txt --force',
  ],
  run: runRegister,
});

async function runRegister(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const { network, ecc } = context;
  const format = line.qr === undefined ? undefined : parseCodeFormat(line.qr);
  if (format !== undefined) assertRoomForCodes(format, io);
  if (line.out === '') throw new UsageError('--out needs a file name');
  if (line.out === '-' && format !== undefined)
    throw new UsageError('--qr shows codes on standard output: pass a file name to --out');
  const isAsked = line.name === undefined;
  if (isAsked && !io.isInteractive) {
    throw new UsageError(
      'no terminal to compare and type the name on: pass --first-address, as another signer shows it, and --name',
    );
  }
  const input = await readGiven(fileArgument(line), line, io);
  const file = explainWallet(input, network, () => parseWalletFile(input.content, { network, ecc }));
  if (line.out !== undefined && line.out !== '-') await assertFree(line.out, line, io);
  const own = await readOwnWallets(line.descriptorsFile, context, io);
  if (own.keys.length > 0)
    throw new UsageError('--descriptors-file holds a private key, which its author has, too: use registered wallets');
  const { keys } = await readSigningKeys(line, context, io);
  const holder = createHolder({ network, ecc, wallets: own.wallets, keys });
  const proposal = withUsageErrors(
    () => proposeWallet(file, holder),
    (reason) => `${input.name}: ${reason}`,
  );
  const hasColours = io.isWatched && allowsColours(io);
  io.writeError(`${formatParagraphs(proposalParagraphs(proposal), hasColours).join('\n')}\n`);
  if (line.firstAddress !== undefined) assertFirstAddress(line.firstAddress, proposal);
  const replaces = await askToReplace(proposal, isAsked, io);
  const name = line.name ?? (await askName(proposal, io));
  if (replaces === undefined || name === '') {
    writeNote('not registered', io);
    return 1;
  }
  const content = withUsageErrors(() => registerProposal(proposal, { name, replaces }));
  return save(content, { name, proposal, input, format }, { line, io });
}

const LABEL_WIDTH = 9;

const labelled = (label: string, content: string, style?: Paragraph['style']): Paragraph => ({
  start: label.padEnd(LABEL_WIDTH),
  startStyle: 'bold',
  text: content,
  style,
});

const more = (content: string, style?: Paragraph['style']): Paragraph => ({
  start: ' '.repeat(LABEL_WIDTH),
  text: content,
  style,
});

/** Shows what others can do first: it decides whether the wallet is one to register. */
function proposalParagraphs(proposal: WalletProposal): readonly Paragraph[] {
  const { control, hashes, template, network, walletKeys, addresses, related, carried } = proposal;
  const isExposed = control.others !== Number.POSITIVE_INFINITY;
  const { others, alone } = controlTexts(control);
  return [
    labelled('Others', `can spend its coins without you: ${others}`, isExposed ? 'yellow' : 'green'),
    labelled('You', `can spend them alone: ${alone}`),
    ...hashes.map(({ name, hash }) =>
      labelled('Hash', `a way needs what hashes by ${name} to ${hash}: others may know it`, 'yellow'),
    ),
    labelled('Policy', `${template}, on the network ${network.name}`),
    ...walletKeys.map(({ text: key, isProven }, i) =>
      labelled(
        `Key ${i + 1}`,
        `${isProven ? 'key proven' : 'named by the file'}: ${key}`,
        isProven ? 'green' : 'yellow',
      ),
    ),
    labelled('Address', `receive 0: ${grouped(addresses.receive)}`),
    more(`change 0:  ${grouped(addresses.change)}`),
    more(
      'Compare each key that only the file names with its owner, and these addresses with what another signer of the wallet shows.',
    ),
    ...related.flatMap(({ title, missing, added }) => [
      labelled('Differs', `from ${title}, which you have registered:`, 'yellow'),
      ...missing.map((key) => more(`without ${key}`, 'yellow')),
      ...added.map((key) => more(`with ${key}`, 'yellow')),
      ...(missing.length + added.length === 0 ? [more('same keys, another template', 'yellow')] : []),
    ]),
    ...(carried
      ? [
          labelled(
            'Carries',
            `${counted(carried.registrations.length, 'registration')} under other keys with the name ${quoted(carried.name)}: kept if you type the same name and retire the same wallets`,
          ),
        ]
      : []),
  ];
}

function assertFirstAddress(given: string, { addresses: { receive }, network }: WalletProposal): void {
  const script = (address: string): Uint8Array =>
    withUsageErrors(
      () => parseAddress(address.trim(), network),
      (reason) => `--first-address: ${reason}`,
    );
  if (equalBytes(script(given), script(receive))) return;
  throw new UsageError(
    'the first receive address is not that of --first-address: one of both wallets is not the one that you mean. Compare each key with its owner',
  );
}

/** Returns the ids of the wallets to retire; `undefined` if the person gives up. */
async function askToReplace(
  { related }: WalletProposal,
  isAsked: boolean,
  io: Io,
): Promise<readonly string[] | undefined> {
  if (related.length > 0 && !isAsked) {
    throw new UsageError(
      `${related.map(({ title }) => title).join(' and ')} shares a key or the name: register this wallet on a terminal, where you see what differs`,
    );
  }
  const replaced: string[] = [];
  for (const { title, id } of related) {
    const answer = (await io.ask(`Type replace to retire ${title}, or press Enter to keep it: `)).trim();
    if (answer === 'replace') replaced.push(id);
    else if (answer !== '') return undefined;
  }
  return replaced;
}

async function askName({ suggestedName }: WalletProposal, io: Io): Promise<string> {
  if (suggestedName !== undefined) {
    writeNote(`The file calls it ${quoted(suggestedName)}; whoever made the file chose that.`, io);
  }
  return (await io.ask('Type the name of this wallet to register it (nothing: do not): ')).trim();
}

async function save(
  content: string,
  {
    name,
    proposal: { id },
    input,
    format,
  }: { name: string; proposal: WalletProposal; input: Given; format: CodeFormat | undefined },
  { line, io }: { line: Line; io: Io },
): Promise<number> {
  const isPiped = line.out === '-' || (line.out === undefined && (!io.isTerminal || input.path === undefined));
  const bytes = encodeUtf8(content);
  const title = `registered "${name}" ${id.slice(0, 8)}`;
  if (isPiped && format === undefined) {
    await io.writeOut(content);
    writeNote(`${title}. Next: keep the result, and pass it with --descriptors-file when you review and sign`, io);
    return 0;
  }
  const path = isPiped ? undefined : (line.out ?? join(dirname(input.path ?? ''), `${safeFileName(name)}.wallet.json`));
  if (path !== undefined) {
    await assertFree(path, line, io);
    await io.writeFile(path, bytes, { overwrites: line.force });
    writeNote(`${title}. Next: pass ${shownPath(basename(path))} with --descriptors-file when you review and sign`, io);
  }
  if (format !== undefined) {
    const codes = { bbqr: { type: 'json' as const, content: bytes }, ur: urOf(bytes) };
    await showCodes(codes, format, io);
  }
  return 0;
}

const urOf = (bytes: Uint8Array) => (fragmentSize: number) => encodeUr(bytes, { type: 'bytes', fragmentSize });

async function assertFree(path: string, { force }: Line, io: Io): Promise<void> {
  if (!force && (await io.exists(path)))
    throw new UsageError(`${shownPath(path)} exists: pass --force to replace it, or --out with another name`);
}
