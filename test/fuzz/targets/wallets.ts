import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cosigners, masterXprv, seedWords } from '../../../examples/fixtures.ts';
import {
  accountFromDescriptors,
  accountFromKey,
  accountFromWords,
  parseWalletFile,
} from '../../../src/kit/account/index.ts';
import { formatDescriptor, networks } from '../../support/library.ts';
import { mutateJson, mutateText } from '../mutate.ts';
import type { Source } from '../source.ts';
import { attempt, holds, type Json, outcomeOf, same, type Target, textTarget } from '../target.ts';

const folder = join(process.cwd(), 'vectors/wallets');
const FILES = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
/** Those that are one JSON value: Electrum appends its changes to one. */
const JSON_FILES = FILES.flatMap((text): readonly Json[] => {
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
});
const CODES = ['walletfile/', 'network/unknown'];

/** Secrets of the files, in pieces of which none may be shown. */
const PIECES = [...FILES.flatMap((text) => text.match(/[xt]prv[0-9A-Za-z]+/g) ?? []), masterXprv].flatMap((key) => [
  key.slice(4, 20),
  key.slice(50, 66),
]);

function checkHidden(text: string): void {
  // What begins like an extended public key is shown, even if cases make it end like a private one.
  const others = text.replace(/[a-zA-Z]pub[0-9A-Za-z]{99,109}/g, '');
  holds(!PIECES.some((piece) => others.includes(piece)), 'an error shows a part of a private key');
  holds(!text.includes('abandon abandon abandon'), 'an error shows seed words');
}

const anyFile = (source: Source): string =>
  source.once(2)
    ? mutateText(source, source.pick(FILES), FILES)
    : JSON.stringify(mutateJson(source, source.pick(JSON_FILES), JSON_FILES));

function runFile(text: string): void {
  const outcome = outcomeOf(CODES, () => parseWalletFile(text));
  if (outcome.refusal) {
    checkHidden(outcome.refusal.message + JSON.stringify(outcome.refusal.data));
    return;
  }
  const { descriptors, network = networks.testnet3 } = outcome.result;
  const texts = descriptors.map((descriptor) => formatDescriptor(descriptor, network));
  const again = outcomeOf(CODES, () => parseWalletFile(texts.join('\n')));
  if (!again.refusal) {
    const shown = again.result.descriptors.map((descriptor) => formatDescriptor(descriptor, network));
    same(shown.join('\n'), texts.join('\n'), 'the descriptors of a file are a file');
  }
  const asBytes = parseWalletFile(new TextEncoder().encode(text));
  same(asBytes.format, outcome.result.format, 'a file as bytes has the same format');
}

const [first, second] = cosigners.map(({ xpub }) => xpub.replace('/<0;1>/*', ''));
const POLICIES: readonly Json[] = [
  { name: 'a', description_template: 'wsh(sortedmulti(2,@0/**,@1/**))', keys_info: [first ?? '', second ?? ''] },
  { description_template: 'tr(@0/<0;1>/*,{pk(@1/**),pk(@0/<2;3>/*)})', keys_info: [first ?? '', second ?? ''] },
  { descriptor_template: 'tr(musig(@0,@1)/**)', keys_info: [first ?? '', second ?? ''] },
  {
    description_template: 'wsh(or_d(pk(@0/**),and_v(v:pkh(@1/**),older(144))))',
    keys_info: [first ?? '', second ?? ''],
  },
];

function runAccount(text: string): void {
  const options = { network: 'regtest' } as const;
  const codes = [
    'account/',
    'words/',
    'argument/',
    'network/',
    'xkey/',
    'base58/',
    'wif/',
    'descriptor/',
    'walletfile/',
  ];
  const makes = [
    () => accountFromDescriptors(text, options),
    () => accountFromKey(text, options),
    () => (text.split(' ').length < 30 ? accountFromWords(text, options) : undefined),
  ];
  for (const make of makes) {
    const outcome = outcomeOf(codes, make);
    if (outcome.refusal) checkHidden(outcome.refusal.message + JSON.stringify(outcome.refusal.data));
    else attempt(codes, () => outcome.result?.receive(0));
  }
}

const ACCOUNTS = [
  seedWords,
  masterXprv,
  'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA',
  `wpkh(${cosigners[0].xprv})`,
  `wsh(sortedmulti(2,${cosigners[0].xpub},${cosigners[1].xpub}))`,
  `tr(${cosigners[0].xpub})`,
  cosigners[0].xpub,
];

export const WALLET_TARGETS: readonly Target[] = [
  textTarget('wallet-file', { generate: anyFile, run: runFile }),
  textTarget('wallet-policy', {
    generate: (source) => JSON.stringify(mutateJson(source, source.pick(POLICIES), POLICIES)),
    run: runFile,
  }),
  textTarget('account', {
    generate: (source) =>
      source.once(9) ? source.pick(ACCOUNTS) : mutateText(source, source.pick(ACCOUNTS), ACCOUNTS),
    run: runAccount,
  }),
];
