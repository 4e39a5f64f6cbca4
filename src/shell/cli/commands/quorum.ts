import { createHolder } from '../../../core/holder/holder.ts';
import { quorumDescriptor } from '../../../kit/account/quorum.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import { type MultisigScript, type SignerKey, walletsIn } from '../../../kit/account/walletFiles/walletFile.ts';
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

/** Most usual first. */
const SCRIPTS: readonly MultisigScript[] = ['p2wsh', 'p2sh-p2wsh', 'p2sh'];

const options = {
  ...keyOptions,
  script: text(SCRIPTS.join('|'), 'the kind of addresses (default: the one for which all files have a key)'),
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
  const given: GivenKeys[] = [];
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
  const script = chooseScript(line, given);
  const signers = given.map((keys) => keyFor(keys, script));
  assertQuorum(Number(number), given, signers);
  const descriptor = withUsageErrors(() => quorumDescriptor(Number(number), signers, { script }));
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

function assertQuorum(required: number, given: readonly GivenKeys[], signers: readonly SignerKey[]): void {
  const count = signers.length;
  if (required > count)
    refuse(`${required} signers cannot sign: there ${count === 1 ? 'is one key' : `are ${count} keys`}`);
  const texts = signers.map(({ text: key }) => key.replace(/^.*\]/, ''));
  const second = texts.findIndex((key, i) => texts.indexOf(key) < i);
  const first = texts.indexOf(texts[second] ?? '');
  if (second >= 0)
    refuse(`${given[first]?.name} and ${given[second]?.name} have the same key: give that of each signer once`);
}

interface GivenKeys {
  /** Safe to show. */
  readonly name: string;
  readonly signers: readonly SignerKey[];
}

const keysFor = ({ signers }: GivenKeys, script: MultisigScript): readonly SignerKey[] => {
  const stated = signers.filter((signer) => signer.script === script);
  return stated.length > 0 ? stated : signers.filter((signer) => signer.script === undefined);
};

function chooseScript({ script }: Line, given: readonly GivenKeys[]): MultisigScript {
  const possible = SCRIPTS.filter((each) => given.every((keys) => keysFor(keys, each).length > 0));
  const [first] = possible;
  if (script === undefined) return first ?? refuse('these keys are for different scripts: export those of one');
  const named = SCRIPTS.find((each) => each === script) ?? refuse(`--script must be ${SCRIPTS.join(', ')}`);
  return possible.includes(named) ? named : refuse(`not every file has a key for ${named}`);
}

function keyFor(keys: GivenKeys, script: MultisigScript): SignerKey {
  const [key, ...more] = keysFor(keys, script);
  if (key && more.length === 0) return key;
  return refuse(`${keys.name} has ${1 + more.length} keys for ${script}: give a file with one`);
}

function refuse(reason: string): never {
  throw new UsageError(reason);
}
