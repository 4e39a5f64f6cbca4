// Proving a payment name, beside one verification of secp256k1: no other JavaScript verifies such proofs. Then what a hostile proof
// costs, and what a page has to load.
import { readFileSync } from 'node:fs';
import { nobleEcc } from '../dist/core/crypto/index.js';
import { proveName } from '../dist/kit/names/index.js';
import { bundleSize } from './bundleSize.mjs';
import { assert, cell, line, median } from './measure.mjs';

const [simple, wildcard] = JSON.parse(readFileSync(new URL('../vectors/bip353.json', import.meta.url), 'utf8'));
const secret = new Uint8Array(32).fill(7);
const digest = new Uint8Array(32).fill(5);

/** Makes a proof as long as the count of texts that nobody signs. */
function crowded(count) {
  const owner = Buffer.from('\x01x\x00', 'latin1');
  const data = Buffer.alloc(200, 0x61);
  data[0] = 199;
  const head = Buffer.from([0, 16, 0, 1, 0, 0, 0, 9, 0, data.length]);
  return new Uint8Array(
    Buffer.concat([base(simple), ...Array.from({ length: count }, () => [owner, head, data]).flat()]),
  );
}

const base = ({ proof }) => Buffer.from(proof, 'base64');

export async function benchNames() {
  const signature = nobleEcc.signEcdsa(digest, secret);
  const publicKey = nobleEcc.publicKey(secret);
  const unit = median(() => nobleEcc.verifyEcdsa(signature, digest, publicKey));
  const prove = ({ name, from, proof }) => proveName({ name, proof }, { now: from });
  console.log('| proving a name | ms | in verifications of secp256k1 |');
  console.log('|---|---|---|');
  for (const [title, one] of [
    ['6 signatures, of RSA and P-256', simple],
    ['12 signatures, an alias, a wildcard with NSEC3', wildcard],
  ]) {
    const record = { ...one, proof: new Uint8Array(base(one)) };
    assert(prove(record).status === 'proven', `${one.name} is proven`);
    const ms = median(() => prove(record));
    console.log(line(title, cell(ms), (ms / unit).toFixed(1)));
  }
  for (const count of [50, 100, 200]) {
    const record = { ...simple, proof: crowded(count) };
    const ms = median(() => prove(record));
    console.log(line(`the first, among ${count} records that nobody signs`, cell(ms), (ms / unit).toFixed(1)));
  }
  const without = await bundleSize("export { reviewWith } from '../dist/index.js'");
  const both = await bundleSize(
    "export { reviewWith } from '../dist/index.js'; export { proveName } from '../dist/kit/names/index.js'",
  );
  console.log(`\nA review is ${without.toFixed(1)} kB in a page, gzipped; with names, ${both.toFixed(1)} kB.\n`);
}
