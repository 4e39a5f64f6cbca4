// Who signs and who refuses the cases of the signer contract (vectors/contract.json): this library, @scure/btc-signer and
// bitcoinjs-lib, each with its default options, as a wallet calls it that has a key for every input and a user who says yes.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Transaction } from '@scure/btc-signer';
import { crypto, initEccLib, networks, Psbt } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { accountFromDescriptors, signWith } from '../dist/kit/account/index.js';
import { assert, line } from './measure.mjs';

initEccLib(secp256k1);
const contract = JSON.parse(readFileSync(new URL('../vectors/contract.json', import.meta.url), 'utf8'));
const versionOf = (name) => createRequire(import.meta.url)(`../node_modules/${name}/package.json`).version;
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));

function signerOf(secretKey) {
  return {
    publicKey: secp256k1.pointFromScalar(secretKey, true),
    sign: (digest) => secp256k1.sign(digest, secretKey),
    signSchnorr: (digest) => secp256k1.signSchnorr(digest, secretKey),
  };
}

/** With the tweak of BIP86. */
function taprootSignerOf(secretKey) {
  const publicKey = secp256k1.pointFromScalar(secretKey, true);
  const even = publicKey[0] === 3 ? secp256k1.privateNegate(secretKey) : secretKey;
  return signerOf(secp256k1.privateAdd(even, crypto.taggedHash('TapTweak', publicKey.slice(1))));
}

const isTaproot = (descriptor) => descriptor.startsWith('tr(');

/** Each returns what its library says before it signs, and throws where it refuses. */
const SIGNERS = [
  [
    'countersign',
    JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version,
    ({ psbt, descriptors }) => {
      const { review } = signWith(accountFromDescriptors(descriptors, { network: contract.network }), psbt);
      return review.findings.length > 0;
    },
  ],
  [
    '@scure/btc-signer',
    versionOf('@scure/btc-signer'),
    ({ psbt, secretKeys }) => {
      const tx = Transaction.fromPSBT(Uint8Array.from(Buffer.from(psbt, 'base64')));
      for (const [index, key] of secretKeys.entries()) assert(tx.signIdx(bytes(key), index), 'it signs');
      return false;
    },
  ],
  [
    'bitcoinjs-lib',
    versionOf('bitcoinjs-lib'),
    ({ psbt, secretKeys, descriptors }) => {
      const parsed = Psbt.fromBase64(psbt, { network: networks.regtest });
      secretKeys.forEach((key, index) => {
        const descriptor = descriptors[Math.min(index, descriptors.length - 1)];
        parsed.signInput(index, isTaproot(descriptor) ? taprootSignerOf(bytes(key)) : signerOf(bytes(key)));
      });
      return false;
    },
  ],
];

function verdictOf(sign, each) {
  try {
    return sign(each) ? 'warn' : 'sign';
  } catch {
    return 'refuse';
  }
}

const SHOWN = { sign: 'signs', warn: 'warns, signs', refuse: 'refuses' };

export function benchContract() {
  const titles = SIGNERS.map(([name, version]) => `${name} ${version}`);
  console.log(line('class', 'case', 'wanted', ...titles));
  console.log(line('---', '---', '---', ...titles.map(() => '---')));
  const kept = SIGNERS.map(() => ({ sign: 0, warn: 0, refuse: 0 }));
  for (const each of contract.cases) {
    const verdicts = SIGNERS.map(([, , sign]) => verdictOf(sign, each));
    verdicts.forEach((verdict, i) => {
      if (verdict === each.expected) kept[i][verdict] += 1;
    });
    const cells = verdicts.map((verdict) => (verdict === each.expected ? SHOWN[verdict] : `**${SHOWN[verdict]}**`));
    console.log(line(each.class, each.about, SHOWN[each.expected], ...cells));
  }
  const total = (verdict) => contract.cases.filter(({ expected }) => expected === verdict).length;
  const sums = kept.map(({ sign, warn, refuse }) => `${sign} / ${warn} / ${refuse}`);
  console.log(
    line(
      '',
      'signed / warned of / refused as wanted',
      `${total('sign')} / ${total('warn')} / ${total('refuse')}`,
      ...sums,
    ),
  );
}
