import { createHolder } from '../../../core/holder/holder.ts';
import { chooseQuorum, type GivenSigner, MULTISIG_SCRIPTS } from '../../../kit/account/chooseQuorum.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import { type MultisigScript, walletsIn } from '../../../kit/account/walletFiles/walletFile.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { contentText } from '../input/contentText.ts';
import { assertNoWords, openGiven, readGiven } from '../input/givenFiles.ts';
import { wantsKeys } from '../input/secretFiles.ts';
import { readSigningKeys } from '../input/signingKeys.ts';
import { walletKeyLines } from '../input/walletKeys.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, flag, keyOptions, text } from '../options.ts';
import { writeNote } from '../output/writeNote.ts';

const options = {
  ...keyOptions,
  script: text(MULTISIG_SCRIPTS.join('|'), 'the kind of addresses (default: the one for which all files have a key)'),
  out: text('FILE', 'write the wallet to this file (default: standard output)'),
  force: flag('replace an existing file'),
};
type Line = CommandLine<typeof options>;

export const quorum = declareCommand({
  synopsis: 'quorum NUMBER FILE...',
  about: `Makes a multisig wallet, of which NUMBER signers sign, from a file with the key of each signer, as they export it: a
key with its origin, the JSON of Coldcard, BlueWallet and others, or the code of a crypto-account.

Compare each key with its owner: whoever can change a file can put in a key of theirs. With your keys or seed words, it says which
key they prove. Then "countersign register" makes the wallet yours.`,
  options,
  examples: ['countersign quorum 2 alice.json bob.txt carol.png --seed-file words.txt --out family.txt'],
  run: runQuorum,
});

async function runQuorum(line: Line, io: Io): Promise<number> {
  assertNoWords(line);
  const [number = '', ...names] = line.args;
  if (!/^[1-9]\d?$/.test(number) || names.length === 0)
    throw new UsageError(
      'quorum needs the number of signers who sign, and a file for each signer: quorum 2 a.json b.txt c.txt',
    );
  const context = await openContext(line, io);
  const { network, ecc } = context;
  const script = scriptIn(line);
  const given: GivenSigner[] = [];
  for (const name of names) {
    const input = await readGiven(name, line, io);
    const opened = openGiven(input, context);
    const signers = 'file' in opened && opened.kind !== 'secret' ? opened.file.signers : [];
    if (signers.length === 0)
      throw new UsageError(
        `${input.name} has no key for a multisig: it is ${contentText(opened) ?? 'of no known form'}`,
      );
    given.push({ name: input.name, signers });
  }
  const descriptor = withUsageErrors(() => chooseQuorum(Number(number), given, script));
  const file = withUsageErrors(() => parseWalletFile(descriptor, { network, ecc }));
  if (wantsKeys(line)) {
    const { keys } = await readSigningKeys(line, context, io);
    const holder = createHolder({ network, ecc, wallets: walletsIn(file), keys });
    for (const keyLine of walletKeyLines('the wallet', holder)) io.writeError(`${keyLine}\n`);
  }
  if (line.out === undefined) await io.writeOut(`${descriptor}\n`);
  else await io.writeFile(line.out, new TextEncoder().encode(`${descriptor}\n`), { overwrites: line.force });
  writeNote('compare each key with its owner; then register the wallet: countersign register', io);
  return 0;
}

function scriptIn({ script }: Line): MultisigScript | undefined {
  if (script === undefined) return undefined;
  const named = MULTISIG_SCRIPTS.find((each) => each === script);
  if (named) return named;
  throw new UsageError(`--script must be ${MULTISIG_SCRIPTS.join(', ')}`);
}
