import { isBytes } from '../../core/bytes/assertBytes.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { type LabelConflict, type LabelRecord, mergeLabels, parseLabels } from './labels.ts';

/**
 * Calls a method of a node's wallet: `createNodeRpc().call` with the wallet's name bound, `createClient().wallet(name).call`,
 * or any other client that throws for a refusal.
 */
export type WalletCall = (method: string, params: readonly unknown[]) => unknown;

/**
 * Reads the labels of a node's wallet: of its addresses, the comments of its transactions, and the outputs that it has locked.
 *
 * @see Bitcoin Core RPC `listlabels`, `getaddressesbylabel`, `listsinceblock`, `listlockunspent`
 */
export async function readNodeLabels(call: WalletCall): Promise<readonly LabelRecord[]> {
  const labels = (await call('listlabels', [])) as readonly string[];
  const records: LabelRecord[] = [];
  // The empty label is that of addresses without one.
  for (const label of labels.filter(Boolean)) {
    const addresses = Object.keys((await call('getaddressesbylabel', [label])) as object);
    for (const ref of addresses) records.push({ type: 'addr', ref, label });
  }
  const { transactions } = (await call('listsinceblock', [])) as { readonly transactions: readonly Listed[] };
  const comments = new Map(transactions.flatMap(({ txid, comment }) => (comment ? [[txid, comment] as const] : [])));
  for (const [ref, label] of comments) records.push({ type: 'tx', ref, label });
  const locked = (await call('listlockunspent', [])) as readonly Place[];
  for (const place of locked) records.push({ type: 'output', ref: formatPlace(place), spendable: false });
  return records;
}

interface Listed {
  readonly txid: string;
  readonly comment?: string;
}

interface Place {
  readonly txid: string;
  readonly vout: number;
}

const formatPlace = ({ txid, vout }: Place): string => `${txid}:${vout}`;

/** What became of label records in a node's wallet. */
export interface WrittenLabels {
  /** The records that were written, or that the wallet had already. */
  readonly written: readonly LabelRecord[];
  /** Where records of the file disagree with each other or with the wallet, which keeps what it had. */
  readonly conflicts: readonly LabelConflict[];
  /** Records that a node's wallet cannot hold, or of addresses and outputs that are not its own. */
  readonly ignored: readonly LabelRecord[];
}

/** Options of `writeNodeLabels`. */
export interface WriteLabelsOptions {
  /** True if labels of the file take the places of others that the wallet has. Default: false. */
  readonly overwrites?: boolean;
}

const WRITE_OPTIONS: OptionNames<WriteLabelsOptions> = { overwrites: true };

/**
 * Writes label records into a node's wallet: labels of its own addresses, and outputs that are not to be spent, which it locks.
 * Asks about every record before it writes the first. A node's wallet is one wallet: `origin` does not count, and is left out.
 *
 * @throws `labels/*`
 * @see Bitcoin Core RPC `setlabel`, `lockunspent`
 */
export async function writeNodeLabels(
  call: WalletCall,
  file: string | Uint8Array | readonly LabelRecord[],
  options: WriteLabelsOptions = {},
): Promise<WrittenLabels> {
  assertKnownOptions(options, WRITE_OPTIONS);
  const { overwrites = false } = options;
  const given = typeof file === 'string' || isBytes(file) ? parseLabels(file) : file;
  const had = await readNodeLabels(call);
  const { records: asked, conflicts: within } = mergeLabels(given.map(withoutOrigin));
  const merged = overwrites ? { conflicts: [] } : mergeLabels(had, asked);
  const refused = new Set(merged.conflicts.map(({ other }) => other));
  const written: LabelRecord[] = [];
  const ignored: LabelRecord[] = [];
  const steps: Step[] = [];
  const findSteps = await createFindSteps(call, had);
  for (const record of asked.filter((each) => !refused.has(each))) {
    const found = await findSteps(record);
    if (found === undefined) ignored.push(record);
    else {
      written.push(record);
      for (const step of found) steps.push(step);
    }
  }
  for (const [method, params] of steps) await call(method, params);
  return { written, conflicts: [...within, ...merged.conflicts], ignored };
}

/** A node's wallet is one wallet, whatever the file calls it. */
const withoutOrigin = ({ origin: _, ...record }: LabelRecord): LabelRecord => record as LabelRecord;

type Step = readonly [method: string, params: readonly unknown[]];

/** Core 23 keeps locks when it restarts. */
const KEEPS_LOCKS = 230_000;

/** Returns a function that finds the calls which write a record, or `undefined` for one to ignore. */
async function createFindSteps(
  call: WalletCall,
  had: readonly LabelRecord[],
): Promise<(record: LabelRecord) => Promise<readonly Step[] | undefined>> {
  const { version } = (await call('getnetworkinfo', [])) as { readonly version: number };
  const locked = new Set(had.flatMap(({ type, ref }) => (type === 'output' ? [ref] : [])));
  const unlocked = new Set(((await call('listunspent', [0])) as readonly Place[]).map(formatPlace));
  const lock = (ref: string, spendable: boolean): readonly Step[] | undefined => {
    const place = ref.toLowerCase();
    const [now, then] = spendable ? [unlocked, locked] : [locked, unlocked];
    if (now.has(place)) return [];
    if (!then.has(place)) return undefined;
    const [txid = '', vout = ''] = place.split(':');
    const isKept = !spendable && version >= KEEPS_LOCKS;
    return [['lockunspent', [spendable, [{ txid, vout: Number(vout) }], ...(isKept ? [true] : [])]]];
  };
  return async ({ type, ref, label, spendable }) => {
    if (type === 'output' && spendable !== undefined) return lock(ref, spendable);
    if (type !== 'addr' || label === undefined || !(await isOwn(ref, call))) return undefined;
    return [['setlabel', [ref, label]]];
  };
}

async function isOwn(address: string, call: WalletCall): Promise<boolean> {
  try {
    const { ismine } = (await call('getaddressinfo', [address])) as { readonly ismine: boolean };
    return ismine;
  } catch (error) {
    // Nodes refuse addresses of other networks by a number.
    if (typeof (error as { readonly code?: unknown }).code === 'number') return false;
    throw error;
  }
}
