import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accountFromDescriptors, accountFromWords, buildPsbt } from '../src/account/index.ts';
import { seedOfWords } from '../src/keys/seedWords.ts';
import { runForFiles } from './support/io.ts';
import {
  derivePath,
  encodePsbt,
  fingerprintOf,
  formatHex,
  formatXpub,
  masterKey,
  networks,
  neuter,
  parsePath,
} from './support/library.ts';

const guide = readFileSync(new URL('../docs/signing.md', import.meta.url), 'utf8');
const commands = [...guide.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'));

type Person = 'words' | 'alice' | 'bob' | 'carol';
const PHRASES: Readonly<Record<Person, string>> = {
  words: `${'abandon '.repeat(11)}about`,
  alice: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  bob: 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  carol: 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
};

function keyOf(person: Person, path: string): string {
  const master = masterKey(seedOfWords(PHRASES[person]));
  const account = neuter(derivePath(master, parsePath(path)));
  return `[${formatHex(fingerprintOf(master))}${path.slice(1)}]${formatXpub(account, networks.main)}/<0;1>/*`;
}

const cosigner = (person: Person): string => keyOf(person, 'm/48h/0h/0h/2h');
const multisig = `wsh(sortedmulti(2,${cosigner('alice')},${cosigner('bob')},${cosigner('carol')}))`;
const single = accountFromWords(PHRASES.words);
const shared = accountFromDescriptors(multisig);

const spendOf = (account: typeof single): Uint8Array =>
  encodePsbt(
    buildPsbt({
      inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: account.receive(0) }],
      outputs: { bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq: 60_000n },
      change: account.change(0),
      feeRate: 2,
    }),
  );

test('every command of the guide does what the guide says', async () => {
  let files: Readonly<Record<string, Uint8Array | string>> = {
    'spend.psbt': spendOf(single),
    'wallet.txt': `wpkh(${keyOf('words', 'm/84h/0h/0h')})`,
    'words.txt': PHRASES.words,
    'alice-words.txt': PHRASES.alice,
    'bob-words.txt': PHRASES.bob,
    'alice.psbt': spendOf(shared),
    'bob.psbt': spendOf(shared),
    'multisig.txt': multisig,
  };
  for (const command of commands) {
    let stdin: string | Uint8Array = files['alice.psbt'] ?? '';
    const steps = command.split(' | ');
    for (const [i, step] of steps.entries()) {
      const [, ...args] = step.split(' ');
      const isPiped = steps.length > 1;
      const run = await runForFiles(args, { files, stdin, isTerminal: !isPiped, ...(!isPiped && { typed: ['yes'] }) });
      expect([step, run.code, run.error.includes('abandon')]).toEqual([step, 0, false]);
      stdin = run.out;
      files = { ...files, ...run.files };
      if (i === steps.length - 1 && isPiped) expect(run.out).toMatch(/^02000000/);
    }
  }
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['spend-final.txn', 'alice-signed.psbt', 'bob-signed.psbt', 'alice-final.txn']),
  );
  expect(commands.length).toBeGreaterThanOrEqual(8);
});

test('the guide quotes progress as it is printed', async () => {
  const files = { 'alice.psbt': spendOf(shared), words: PHRASES.alice };
  const { error } = await runForFiles(['sign', 'alice.psbt', '--seed-file', 'words', '--yes'], { files });
  const [line = ''] = /^input 0: .*$/m.exec(error) ?? [];
  expect(line).toMatch(/^input 0: have 1 of 2 signatures, still wanted: /);
  expect(guide.replaceAll(/\s+/g, ' ')).toContain(`\`${line}\``);
});
