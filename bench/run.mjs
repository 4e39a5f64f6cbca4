// Runs all benchmarks in one process: `npm run bench`, or `npm run bench -- sighash` for one subject. Prints Markdown
// tables; see bench/README.md.
import { benchBatch } from './batch.mjs';
import { benchBeside } from './beside.mjs';
import { benchContract } from './contract.mjs';
import { benchDecode } from './decode.mjs';
import { benchLists } from './lists.mjs';
import { benchMessages } from './messages.mjs';
import { benchNames } from './names.mjs';
import { benchPsbt } from './psbt.mjs';
import { benchRegtest } from './regtest.mjs';
import { benchScripts } from './scripts.mjs';
import { benchServe } from './serve.mjs';
import { benchSighash } from './sighash.mjs';
import { benchSigning } from './signing.mjs';
import { benchSilentPayments } from './silentPayments.mjs';
import { benchStart } from './start.mjs';
import { benchThreads } from './threads.mjs';
import { benchTrace } from './trace.mjs';
import { benchWallet } from './wallet.mjs';
import { benchWallets } from './wallets.mjs';

const SUBJECTS = {
  start: benchStart,
  decode: benchDecode,
  sighash: benchSighash,
  scripts: benchScripts,
  trace: benchTrace,
  signing: benchSigning,
  psbt: benchPsbt,
  wallet: benchWallet,
  wallets: benchWallets,
  lists: benchLists,
  messages: benchMessages,
  names: benchNames,
  contract: benchContract,
  regtest: benchRegtest,
  silentPayments: benchSilentPayments,
  serve: benchServe,
  threads: benchThreads,
  batch: benchBatch,
};

const asked = process.argv.slice(2);
if (asked[0] === 'beside') {
  await benchBeside(asked[1]);
  process.exit();
}
const unknown = asked.filter((subject) => !Object.hasOwn(SUBJECTS, subject));
if (unknown.length > 0) throw new Error(`no ${unknown.join(', ')}; there are ${Object.keys(SUBJECTS).join(', ')}`);

console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
for (const [subject, bench] of Object.entries(SUBJECTS)) {
  if (asked.length > 0 && !asked.includes(subject)) continue;
  console.log('');
  await bench();
}
