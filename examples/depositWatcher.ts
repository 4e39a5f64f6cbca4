// Watches a wallet of `countersign serve`, or of a node, and reports deposits once they have enough confirmations, each once.
import { readFileSync } from 'node:fs';

/** Where the server is: `URL=http://127.0.0.1:18443 COOKIE=wallets/.cookie WALLET=demo`. */
const { URL: server = 'http://127.0.0.1:18443', COOKIE = '.cookie', WALLET = '' } = process.env;
const CONFIRMATIONS = Number(process.env['CONFIRMATIONS'] ?? 1);

/** An entry of `listsinceblock`. */
interface Entry {
  readonly category: string;
  readonly address: string;
  readonly amount: number;
  readonly confirmations: number;
  readonly txid: string;
  readonly vout: number;
}

/** Calls a method. @throws with the node's text if it refuses */
async function call<T>(method: string, params: readonly unknown[]): Promise<T> {
  const login = Buffer.from(readFileSync(COOKIE, 'utf8')).toString('base64');
  const reply = await fetch(`${server}/wallet/${WALLET}`, {
    method: 'POST',
    headers: { authorization: `Basic ${login}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await reply.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

/** The block to ask from. Keep it between two runs, and a restarted watcher misses nothing. */
let since: string | undefined;
const seen = new Set<string>();

/** Asks once, and returns the deposits that have become final. */
async function newDeposits(): Promise<readonly Entry[]> {
  const params = since === undefined ? [] : [since, CONFIRMATIONS];
  const { transactions, lastblock } = await call<{ transactions: readonly Entry[]; lastblock: string }>(
    'listsinceblock',
    params,
  );
  // `lastblock` is the last block that is final: what came after it is asked for again.
  since = lastblock;
  const isDeposit = ({ category }: Entry): boolean => ['receive', 'generate', 'immature'].includes(category);
  const fresh = transactions.filter(
    (entry) => isDeposit(entry) && entry.confirmations >= CONFIRMATIONS && !seen.has(`${entry.txid}:${entry.vout}`),
  );
  for (const { txid, vout } of fresh) seen.add(`${txid}:${vout}`);
  return fresh;
}

/** Prints the new deposits. */
async function report(): Promise<void> {
  for (const { address, amount, txid } of await newDeposits()) console.log(`${amount} to ${address} in ${txid}`);
}

await report();
// `setInterval` would start a second call while a slow one is under way.
for (; process.argv[2] !== '--once'; await report()) await new Promise((resolve) => setTimeout(resolve, 10_000));
