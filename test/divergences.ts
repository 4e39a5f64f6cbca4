import type { Recorded } from './support/corpus.ts';
import { addsOnlyNonces, losesOnlyGlobals, mixesOnlyOrigins } from './support/psbtReplies.ts';

/** Recorded answers that we do not give, on purpose. */
export interface Divergence {
  readonly name: string;
  readonly reason: string;
  /** How many lines of which corpus it concerns; a different number is a failure. */
  readonly counts: Readonly<Record<string, number>>;
  readonly concerns: (call: Recorded) => boolean;
}

interface DecodedPsbt {
  readonly tx?: { readonly vin: readonly { readonly vout: number }[] };
  readonly inputs: readonly { readonly non_witness_utxo?: { readonly vout: readonly unknown[] } }[];
}

function spendsMissingOutput({ method, result }: Recorded): boolean {
  if (method !== 'decodepsbt' || !result) return false;
  const { tx, inputs } = result as DecodedPsbt;
  return inputs.some(({ non_witness_utxo: previous }, i) => {
    const vout = tx?.vin[i]?.vout ?? 0;
    return previous !== undefined && vout >= previous.vout.length;
  });
}

/** Rows of an old copy of Core's script_tests that the rules of newer nodes answer otherwise. */
export const changedScriptRules: readonly {
  readonly reason: string;
  readonly rows: number;
  readonly expected: string;
  readonly ours: string;
}[] = [
  {
    reason:
      'A witness script that leaves more than one item now has an error of its own. ' +
      'The newest script_tests say CLEANSTACK for these rows.',
    rows: 14,
    expected: 'EVAL_FALSE',
    ours: 'CLEANSTACK',
  },
  {
    reason:
      'OP_CHECKLOCKTIMEVERIFY and OP_CHECKSEQUENCEVERIFY without their flags are no longer discouraged as NOPs. ' +
      'The newest script_tests leave these rows out.',
    rows: 2,
    expected: 'DISCOURAGE_UPGRADABLE_NOPS',
    ours: 'OK',
  },
];

export const divergences: readonly Divergence[] = [
  {
    name: 'previous output index out of range',
    reason:
      'The 0.21 node reads past the end of the previous transaction and prints a fee made of whatever lies there, or ' +
      'crashes. We refuse such a PSBT with the text of the newer node.',
    counts: { 'litecoin-0.21.decode': 7 },
    concerns: spendsMissingOutput,
  },
];

/**
 * Error texts: a node repeats what it could not read, a mistyped or misplaced private key or seed phrase included. Ours
 * show `...` for three or more words in a row and for any long run of letters and digits that does not show itself to be
 * public, as errors end up in logs. No recorded answer about a descriptor is concerned; of the live comparison's random
 * descriptors, made to be wrong, about 385 answers a run, which are counted apart.
 */
export function isSameButForSecrets(ours: string, theirs: string): boolean {
  const parts = ours.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return parts.length > 1 && new RegExp(`^${parts.join('.{3,}')}$`, 's').test(theirs);
}

interface WalletDivergence {
  readonly reason: string;
  /** How many recorded lines of which corpus it concerns. */
  readonly counts: Readonly<Record<string, number>>;
  readonly concerns: (call: Recorded) => boolean;
}

const UNRECORDED: Pick<WalletDivergence, 'counts' | 'concerns'> = { counts: {}, concerns: () => false };
/** A private key in wallet import format. */
const PRIVATE_KEY = /(?<![0-9A-Za-z])[5-9KLTc][1-9A-HJ-NP-Za-km-z]{50,51}(?![0-9A-Za-z])/;

/** Where wallets answer otherwise than a node, on purpose. */
export const walletDivergences: Readonly<Record<string, WalletDivergence>> = {
  'blocks are not verified': {
    reason: 'What feeds us has checked them: proof of work, amounts and scripts are not looked at.',
    ...UNRECORDED,
  },
  'transactions are fed, not relayed': {
    reason: 'What a node wants of those that it passes on, such as fees, depends on how it was set up.',
    ...UNRECORDED,
  },
  'wallets are made without keys': {
    reason: 'Keys are made where they are kept; here they are only imported.',
    ...UNRECORDED,
  },
  '0.21 has no wallets of descriptors': {
    reason: "Debian's build, whose answers were recorded, has none either; the text is its.",
    ...UNRECORDED,
  },
  'hardened wildcards are refused': {
    reason: 'Their scripts can only be found with the private key, which is not there while the wallet is locked.',
    ...UNRECORDED,
  },
  'a wallet that never held anything says why it signs nothing, also after it was loaded again': {
    reason: 'The 0.21 node answers complete: false without errors: its wallet has lost the part that signs.',
    ...UNRECORDED,
  },
  'indexes far below a range are not owned': {
    reason:
      'After an import, Core owns every index below the range until the wallet is loaded again, and derives them all, be ' +
      'they two thousand million. From 10000 on we leave them out at once.',
    ...UNRECORDED,
  },
  'a private key may come after its public key': {
    reason: 'The 0.21 node fails with "Error adding key to wallet" if a descriptor brought the public key.',
    ...UNRECORDED,
  },
  'private keys are left out of error texts': {
    reason: 'The node repeats what it cannot parse, and with it private keys that stand where addresses belong.',
    counts: { 'core-31.wallet-06': 1 },
    concerns: ({ error }) => error !== undefined && PRIVATE_KEY.test(error.message),
  },
  'a restart unloads no wallet': {
    reason:
      'Locked coins and times that a node keeps in memory only are kept: single calls with --wallet-dir are a process each.',
    ...UNRECORDED,
  },
  'a lock that is lifted stays lifted': {
    reason:
      'Core 31 forgets that a lock is persistent when it is set in memory first and then again as persistent: lifted, it ' +
      'is back once the wallet is loaded again.',
    ...UNRECORDED,
  },
  'a coin is owned as soon as its address is': {
    reason:
      'Core 31 looks up coins in a cache of outputs (m_txos) that it fills when it sees their transaction. Where a later ' +
      'payment moves the watched range onto an older output, the cache lacks it until that transaction is seen again: ' +
      'Core neither lists the coin nor records what spends it, and then lists the spent coin.',
    ...UNRECORDED,
  },
  'the longest chain has the most blocks, not the most work': {
    reason: 'Proof of work is not looked at; they differ only in branches across a change of difficulty.',
    ...UNRECORDED,
  },
};

/** A class of replies, compared as text, that differ from a live node's on purpose. */
export interface TextDivergence {
  readonly reason: string;
  /** How many lines of which corpus it concerns; a different number is a failure. */
  readonly counts: Readonly<Record<string, number>>;
  readonly concerns: (
    call: { readonly method: string; readonly params: unknown; readonly reply: string },
    ours: string,
  ) => boolean;
}

const UNKNOWN_NAME = /"code":-8,"message":"Unknown named parameter ([^"]*)"/;

/** Where replies differ from those of the live Bitcoin Core 31.99, on purpose. */
export const textDivergences: Readonly<Record<string, TextDivergence>> = {
  'another unknown parameter is named': {
    reason:
      'Of several unknown names, the node takes whichever its hash table gives first; ours takes the first given.',
    counts: { 'core-31.params-p1': 2 },
    concerns: ({ params, reply }, ours) => {
      const [theirs, own] = [reply, ours].map((text) => UNKNOWN_NAME.exec(text)?.[1]);
      const given = String(params);
      return own !== theirs && [theirs, own].every((name) => name !== undefined && given.includes(`"${name}":`));
    },
  },
  'utxoupdatepsbt takes coins': {
    reason:
      'The node looks coins up in its chain and refuses a third parameter with its help; here it brings the coins.',
    counts: { 'core-31.params-p1': 17 },
    concerns: ({ method, reply }) =>
      method === 'utxoupdatepsbt' && reply.includes('"code":-1,"message":"utxoupdatepsbt \\"psbt\\"'),
  },
  'MuSig2 nonces are not thrown away': {
    reason:
      'Core adds public nonces whose secret halves end with the call, so that they can never be used, and random ones. ' +
      'Ours adds none: `addNonce` does, for a caller that keeps the secret nonce until the second round.',
    counts: { repros: 1 },
    concerns: addsOnlyNonces,
  },
  'joinpsbts keeps global records': {
    reason: 'Core copies the unknown global records only, and loses extended public keys and proprietary records.',
    counts: { repros: 1 },
    concerns: losesOnlyGlobals,
  },
  'a key with two origins keeps the first': {
    reason: 'Core mixes them: the second fingerprint, and the second path before the first one.',
    counts: { repros: 1 },
    concerns: mixesOnlyOrigins,
  },
  'MuSig2 costs no more than the inputs are worth': {
    reason:
      'Core derives keys from aggregate keys by paths of up to 255 steps, and adds up all participants of each record: ' +
      'kilobytes keep it busy for seconds. Ours takes 8 steps, and per PSBT 256 steps and 999 participants, with 8 and 4 ' +
      'more for each input; what lies beyond stays unsigned. Tested in test/psbt/keptAnswers.test.ts.',
    counts: {},
    concerns: () => false,
  },
  'an odd x-only key keeps its fingerprint': {
    reason:
      'Once a wallet is loaded again, Core reads the key of tr() and rawtr() from its file without its sign: an odd key ' +
      'then shows the fingerprint of another one. The right one stays.',
    counts: { 'core-31.life-low-N8': 7 },
    concerns: (call, ours) => isSameOnceMasked(call, ours, FINGERPRINT),
  },
  'a key that occurs with two origins shows the first one': {
    reason: 'Core puts the path of the second origin before that of the first, under the second fingerprint.',
    counts: { 'core-31.import-i1': 9 },
    concerns: (call, ours) => isSameOnceMasked(call, ours, ORIGIN) && !isSameOnceMasked(call, ours, FINGERPRINT),
  },
  'of two descriptors with the same script, the older one comes first': {
    reason: 'Core goes through them in the order of their places in memory, which differs from run to run.',
    counts: { 'core-31.wallet-params-w2': 22 },
    concerns: (call, ours) => isSameButForParents(call, ours),
  },
  'private keys are left out of the errors of imports': {
    reason: 'The node repeats the descriptor that it refuses, and with it private keys.',
    counts: { 'core-31.import-i1': 4, 'core-31.wallet-params-w2': 2 },
    concerns: ({ method, reply }, ours) => method === 'importdescriptors' && isSameButForKeys(ours, reply),
  },
};

const FINGERPRINT = /(?<=\[|"hdmasterfingerprint":")[0-9a-f]{8}/g;
const ORIGIN = /\[[0-9a-f]{8}[^\]]*\]/g;
const CHECKSUM = /#[a-z0-9]{8}/g;

type TextCall = Parameters<TextDivergence['concerns']>[0];

/** The elements of a list, or the one object, in no order. */
function sortedResult(text: string): string {
  const { result } = JSON.parse(text) as { readonly result: unknown };
  return JSON.stringify(Array.isArray(result) ? result.map((item) => JSON.stringify(item)).sort() : result);
}

function isSameOnceMasked({ method, reply }: TextCall, ours: string, mask: RegExp): boolean {
  if (method !== 'getaddressinfo' && method !== 'listunspent') return false;
  const masked = (text: string): string => sortedResult(text.replace(mask, '').replace(CHECKSUM, ''));
  return masked(ours) === masked(reply);
}

/** Members that depend on which descriptor of a script comes first. */
const BY_PARENT: readonly string[] = ['parent_desc', 'timestamp', 'hdkeypath', 'hdseedid', 'hdmasterfingerprint'];

function isSameButForParents({ method, reply }: TextCall, ours: string): boolean {
  if (!['getaddressinfo', 'listunspent', 'listsinceblock'].includes(method)) return false;
  const masked = (text: string): string =>
    JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (BY_PARENT.includes(name)) return undefined;
      const isList = name === 'parent_descs' || name === 'result' || name === 'transactions';
      return isList && Array.isArray(value) ? value.map((item) => sortedParents(item)).sort() : value;
    });
  return masked(ours) === masked(reply) && ours.includes('parent_desc');
}

/** An entry of a list as text, with its descriptors in order. */
function sortedParents(item: unknown): string {
  return JSON.stringify(item, (name, value: unknown) =>
    name === 'parent_descs' && Array.isArray(value) ? [...value].sort() : value,
  );
}

function isSameButForKeys(ours: string, reply: string): boolean {
  const parts = ours.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return parts.length > 1 && new RegExp(`^${parts.join('.{3,}')}$`, 's').test(reply);
}
