import { isSameButForSecrets } from '../../divergences.ts';
import { startServe } from '../../support/server.ts';
import { postTo, startNode } from '../litecoind.ts';

/** A node and our server, which get the same requests over HTTP. */

interface Answer {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
}

export interface Both {
  /**
   * Asks both and compares their replies byte for byte, except for secrets that ours conceals.
   * @returns the node's reply
   */
  readonly ask: (method: string, params: unknown, wallet?: string) => Promise<Answer>;
  /** Asks the node alone. */
  readonly askNode: (method: string, params: unknown, wallet?: string) => Promise<Answer>;
  /** The requests with different replies, and both replies. */
  readonly differences: readonly string[];
  readonly ports: { readonly node: number; readonly ours: number };
  /** The number of replies, by method and error code. */
  readonly counts: ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
}

export const LOGIN = 'alice:secret';
const [USER, PASSWORD] = LOGIN.split(':') as [string, string];
/** The run stops at this number, since one difference leads to others. */
const MOST_DIFFERENCES = 10;
const NEVER = '0:0:2147483000:2147483600';
const NODE_ARGS = [
  '-disablewallet=0',
  '-acceptnonstdtxn=1',
  '-mempoolreplacement=1',
  // Our mempool does not expire transactions.
  '-mempoolexpiry=1000000',
  // Nor does it limit packages when blocks return their transactions.
  ...['-limitancestorcount=1000', '-limitdescendantcount=1000'],
  ...['-limitancestorsize=5000', '-limitdescendantsize=5000'],
  '-keypool=1',
  `-rpcuser=${USER}`,
  `-rpcpassword=${PASSWORD}`,
  // With MWEB, blocks would need an extension block; with taproot, this node may abort on an input's witness.
  `-vbparams=mweb:${NEVER}`,
  `-vbparams=taproot:${NEVER}`,
];
const OUR_ARGS = [
  ...['--network', 'litecoin-regtest', '--dialect', 'litecoin-0.21'],
  ...['--acceptnonstdtxn', '--mempoolreplacement'],
  // A node writes backups wherever a request says.
  ...['--backup-dir', '/'],
];

/** Removes help texts, which are our own, and wallet paths, which our wallets in memory lack. */
function comparable(text: string, method: string): string {
  if (/"code":-1,"message":"([a-z]+)[ \\]/.exec(text)?.[1] === method) return 'help';
  return text.replace(/'\/[^']*\/wallets\//, "'");
}

const isSame = (ours: string, theirs: string): boolean => ours === theirs || isSameButForSecrets(ours, theirs);

export async function startBoth(options: readonly string[] = []): Promise<Both> {
  const node = await startNode(NODE_ARGS, { login: LOGIN });
  const login = ['--rpcuser', USER, '--rpcpassword-file', 'password'];
  const ours = await startServe([...OUR_ARGS, ...login, ...options], { files: { password: PASSWORD } });
  const counts = new Map<string, number>();
  const differences: string[] = [];
  const pathOf = (wallet?: string): string => (wallet === undefined ? '/' : `/wallet/${encodeURIComponent(wallet)}`);
  const bodyOf = (method: string, params: unknown): string => JSON.stringify({ id: 1, method, params });
  const askNode = async (method: string, params: unknown, wallet?: string): Promise<string> => {
    const reply = await node.post(bodyOf(method, params), pathOf(wallet));
    if (reply === undefined) throw new Error(`the node crashed on ${method} ${JSON.stringify(params)}`);
    return reply;
  };
  return {
    ports: { node: node.port, ours: ours.port },
    counts,
    differences,
    askNode: async (...call) => JSON.parse(await askNode(...call)) as Answer,
    ask: async (method, params, wallet) => {
      const [theirs, own] = await Promise.all([
        askNode(method, params, wallet),
        postTo(ours.port, LOGIN, bodyOf(method, params), pathOf(wallet)),
      ]);
      if (!isSame(comparable(own, method), comparable(theirs, method))) {
        differences.push(`${wallet ?? ''} ${method} ${JSON.stringify(params)}\nnode: ${theirs}ours: ${own}`);
        if (differences.length >= MOST_DIFFERENCES) throw new Error(differences.join('\n'));
      }
      const answer = JSON.parse(theirs) as Answer;
      const outcome = `${method}${answer.error ? ` ${answer.error.code}` : ''}`;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      return answer;
    },
    stop: async () => {
      await ours.close();
      await node.stop();
    },
  };
}
