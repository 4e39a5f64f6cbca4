// Signing and verifying messages, beside bip322-js, with the size of what a page has to load for it.
import { Signer, Verifier } from 'bip322-js';
import { tinySecp256k1Ecc } from '../dist/core/crypto/tinySecp256k1.js';
import { accountFromKey } from '../dist/kit/account/index.js';
import { signMessage, verifyMessage } from '../dist/kit/message/index.js';
import { bundleSize } from './bundleSize.mjs';
import { assert, beside, cell, line, median } from './measure.mjs';

// Worthless: the private key is 1.
const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
const MESSAGE = 'hello';
const KINDS = [
  ['P2PKH, as Core signs', 44, 'legacy'],
  ['P2WPKH, BIP322', 84, 'simple'],
  ['P2TR, BIP322', 86, 'simple'],
];

export async function benchMessages() {
  console.log('| one message | countersign, ms | bip322-js | countersign with tiny-secp256k1 |');
  console.log('|---|---|---|---|');
  for (const [kind, purpose, format] of KINDS) {
    const from = accountFromKey(WIF, { purpose }).receive(0);
    const { address } = from;
    const sign = (ecc) => signMessage({ message: MESSAGE, from, format, ...(ecc && { ecc }) });
    const theirs = () => Signer.sign(WIF, address, MESSAGE);
    const peer = (signature) => Verifier.verifySignature(address, MESSAGE, signature);
    const signature = sign();
    const plain = signature.replace(/^smp/, '');
    const own = (text, ecc) => verifyMessage({ message: MESSAGE, address, signature: text, ...(ecc && { ecc }) });
    assert(peer(plain) && own(theirs()).kind === 'valid', `${kind} is valid in both`);
    const signing = median(() => sign());
    const rest = [theirs, () => sign(tinySecp256k1Ecc)].map((work) => beside(median(work), signing));
    console.log(line(`sign ${kind}`, cell(signing), ...rest));
    const verifying = median(() => own(signature));
    const others = [() => peer(plain), () => own(signature, tinySecp256k1Ecc)];
    console.log(line(`verify ${kind}`, cell(verifying), ...others.map((work) => beside(median(work), verifying))));
  }
  const sizes = await Promise.all(
    [
      "export { verifyMessage } from 'countersign/message';",
      "export { signMessage, verifyMessage } from 'countersign/message';",
    ].map(bundleSize),
  );
  const peerSize = await bundleSize("export { Signer, Verifier } from 'bip322-js';").catch(() => undefined);
  console.log(line('to verify, kB gzipped', sizes[0].toFixed(1), '', ''));
  const shown = peerSize === undefined ? 'needs polyfills for a page' : beside(peerSize, sizes[1]);
  console.log(line('to sign and verify, kB gzipped', sizes[1].toFixed(1), shown, ''));
}
