// Signs a PSBT and a raw transaction with keys that everyone knows, and explains what one sees: `npm run demo`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
const WIDTH = 96;

const say = (text) => process.stdout.write(`${text}\n`);

/** Cuts hex and base64, which would fill the screen. */
const short = (text) => (text.length > WIDTH ? `${text.slice(0, WIDTH)}... (${text.length} characters)` : text);

/** Shows a command as people type it, and what it prints. @returns its answer */
function countersign(...args) {
  say(`\n$ countersign ${args.join(' ')}\n`);
  const command = [`${root}dist/cli/main.js`, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (stderr !== '') say(`${stderr.trimEnd().replace(/^/gm, '  ')}\n`);
  if (status !== 0) throw new Error(`countersign ${args[0]} ended with ${status}`);
  const answer = JSON.parse(stdout);
  for (const [name, value] of Object.entries(answer)) say(`  "${name}": ${short(JSON.stringify(value))}`);
  return answer;
}

say(`1. Review a PSBT, and sign it

A PSBT tells its signer what it spends and pays, but it may lie. countersign knows which of your coins it spends and which
outputs are your change by deriving them from your keys, and calls an amount proven only if a previous transaction or
a signature proves it. What nothing proves is marked as claimed. Without --yes, it asks before it signs.`);

countersign(
  ...['signpsbt', '--network', 'regtest', '--yes', '--file', 'vectors/demo.spend.psbt'],
  ...['--descriptors-file', 'vectors/demo.wallet.json'],
);

say(`
All inputs have their signatures, so the answer has the transaction as hex, ready to broadcast. Each signature was verified,
and each script was run, before the answer called it complete.

2. Sign a raw transaction

This is the call of a node's RPC, and the answer has the node's fields and words. The transaction spends three kinds of
coins: P2WPKH, a 2-of-3 multisig, and taproot. Their amounts come from the caller, and signatures of the first two kinds do
not commit to the amounts of other inputs: a false amount could hide a high fee, so the review warns.`);

const signed = countersign(
  ...[
    'signrawtransactionwithkey',
    '--network',
    'regtest',
    '--review',
    '--yes',
    '--keys-file',
    'vectors/demo.keys.json',
  ],
  ...['--prevtxs-file', 'vectors/demo.prevtxs.json', '--file', 'vectors/demo.unsigned.tx'],
);
if (signed.hex !== readFileSync(`${root}vectors/demo.tx`, 'utf8').trim()) throw new Error('another transaction');

say(`
Signing leaves nothing to chance: these bytes are the same on each run, and the tests compare such answers with a node's.

3. Verify what was signed, as a node would

The interpreter runs the scripts of all inputs under the rules of a node, without keys and without a node. Use it for
transactions that others signed.`);

countersign(
  ...['verifyrawtransaction', '--network', 'regtest', '--file', 'vectors/demo.tx'],
  ...['--prevtxs-file', 'vectors/demo.prevtxs.json'],
);

say(`
Nothing here used a network. Next: "countersign help", or docs/install.md to install it.`);
