import { seedOfWords } from '../../src/core/keys/seedWords.ts';
import {
  accountFromDescriptors,
  accountFromWords,
  buildPsbt,
  silentPaymentsFromWords,
} from '../../src/kit/account/index.ts';
import {
  derivePath,
  encodePsbt,
  formatHex,
  formatXpub,
  keyFingerprint,
  masterKey,
  networks,
  neuter,
  parsePath,
} from './library.ts';

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
  return `[${formatHex(keyFingerprint(master))}${path.slice(1)}]${formatXpub(account, networks.main)}/<0;1>/*`;
}

const cosigner = (person: Person): string => keyOf(person, 'm/48h/0h/0h/2h');
const multisig = `wsh(sortedmulti(2,${cosigner('alice')},${cosigner('bob')},${cosigner('carol')}))`;
const single = accountFromWords(PHRASES.words);
const shared = accountFromDescriptors(multisig);

const COIN = { txid: '11'.repeat(32), vout: 0 };

/** Makes an unsigned PSBT that spends a coin of 100 000 sat at 2 sat/vB. */
const spendOf = (account: typeof single, payee = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'): Uint8Array =>
  encodePsbt(
    buildPsbt({
      inputs: [{ ...COIN, value: 100_000n, from: account.receive(0) }],
      outputs: { [payee]: 60_000n },
      change: account.change(0),
      feeRate: 2,
    }),
  );

/** The files that the guides speak of, by name. */
export const guideFiles: Readonly<Record<string, Uint8Array | string>> = {
  'spend.psbt': spendOf(single),
  'silent.psbt': spendOf(single, silentPaymentsFromWords(PHRASES.words).address(1)),
  'coins.json': JSON.stringify([{ ...COIN, address: single.receive(0).address, amount: 0.001, confirmations: 9 }]),
  'wallet.txt': `wpkh(${keyOf('words', 'm/84h/0h/0h')})`,
  'words.txt': PHRASES.words,
  'alice-words.txt': PHRASES.alice,
  'bob-words.txt': PHRASES.bob,
  'alice.psbt': spendOf(shared),
  'bob.psbt': spendOf(shared),
  'multisig.txt': multisig,
  'request.txt': 'hello\nm/84h/0h/0h/0/5\np2wpkh\n',
};

/** Words of the seed phrases, of which no output may hold any. */
export const secretWords: readonly string[] = ['abandon', 'sausage', 'acoustic', 'zoo'];
