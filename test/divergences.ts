import type { Recorded } from './support/corpus.ts';
import { addsOnlyNonces, losesOnlyGlobals, mixesOnlyOrigins } from './support/psbtReplies.ts';

/** A class of recorded answers that ours differ from on purpose. */
export interface Divergence {
  readonly name: string;
  readonly reason: string;
  /** How many lines of each corpus differ; another number fails the test. */
  readonly counts: Readonly<Record<string, number>>;
  /** - `answer`: ours, as JSON text */
  readonly concerns: (call: Recorded, answer: string) => boolean;
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

/** Rows of an old copy of Core's script_tests whose result has changed since. */
export const changedScriptRules: readonly {
  readonly reason: string;
  readonly rows: number;
  readonly expected: string;
  readonly ours: string;
}[] = [
  {
    reason:
      'A witness script that leaves more than one stack item now has its own error. ' +
      'The newest script_tests say CLEANSTACK for these rows.',
    rows: 14,
    expected: 'EVAL_FALSE',
    ours: 'CLEANSTACK',
  },
  {
    reason:
      'OP_CHECKLOCKTIMEVERIFY and OP_CHECKSEQUENCEVERIFY without their flags are no longer discouraged as NOPs. ' +
      'The newest script_tests omit these rows.',
    rows: 2,
    expected: 'DISCOURAGE_UPGRADABLE_NOPS',
    ours: 'OK',
  },
];

export const divergences: readonly Divergence[] = [
  {
    name: 'previous output index out of range',
    reason:
      'The 0.21 node reads past the end of the previous transaction, and prints a random fee or crashes. We refuse ' +
      'such a PSBT with the text of Core 31.',
    counts: { 'litecoin-0.21.decode': 7 },
    concerns: spendsMissingOutput,
  },
  {
    name: 'what may be a private key is hidden in error texts',
    reason:
      'The node repeats what it cannot parse; 32 bytes of hex or many digits in the place of a public key, or long text in that of an address, may be a private key or seed words. Of 5000 zeros, ours show none.',
    counts: {
      'core-29.util': 17,
      'core-30.util': 14,
      'core-31.util': 14,
      'core-32.util': 12,
      'litecoin-0.21.util': 12,
    },
    concerns: ({ error }, answer) => {
      const { error: ours } = JSON.parse(answer) as { readonly error: Recorded['error'] | null };
      return ours?.code === error?.code && isSameButForSecrets(ours?.message ?? '', error?.message ?? '');
    },
  },
  {
    name: 'another unknown parameter is named',
    reason:
      'Of several unknown names, the node takes whichever its hash table gives first; ours takes the first given.',
    counts: { 'core-29.util': 4 },
    concerns: ({ error, params }, answer) => isOtherUnknownName(answer, error?.message ?? '', params),
  },
  {
    name: 'an extended public key that is no point is refused',
    reason:
      'Core 0.21 derives its P2PKH address, to which coins would be lost, and an address of its children ends the node ' +
      'with a failed assertion. We refuse it, as Core 31 does.',
    counts: {},
    concerns: () => false,
  },
  {
    name: 'final fields count only if they verify',
    reason:
      'descriptorprocesspsbt of Core 29 to 31 looks only whether each input has final fields, and calls a PSBT complete ' +
      'whose transaction no node accepts. Ours verifies them, as Core 32 does.',
    counts: {},
    concerns: ({ method, result }, answer) => method === 'descriptorprocesspsbt' && isOnlyIncomplete(result, answer),
  },
];

function isOnlyIncomplete(result: unknown, answer: string): boolean {
  const { result: ours } = JSON.parse(answer) as { readonly result?: { readonly psbt: string } | null };
  const theirs = result as { readonly psbt: string; readonly complete: boolean } | undefined;
  if (!ours || !theirs?.complete) return false;
  return JSON.stringify(ours) === JSON.stringify({ psbt: theirs.psbt, complete: false });
}

/**
 * Tells whether two error texts differ only in what ours hide. A node repeats what it cannot parse, which may be a
 * mistyped or misplaced private key or seed phrase. As errors end up in logs, ours show `...` instead of three or more
 * words in a row, and instead of any long run of letters and digits that is not recognizably public. No recorded answer
 * about a descriptor is affected. In the live comparison with random invalid descriptors, about 385 answers per run
 * are; they are counted separately.
 */
export function isSameButForSecrets(ours: string, theirs: string): boolean {
  const parts = ours.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return parts.length > 1 && new RegExp(`^${parts.join('.{3,}')}$`, 's').test(theirs);
}

interface WalletDivergence {
  readonly reason: string;
  /** How many recorded lines of each corpus differ. */
  readonly counts: Readonly<Record<string, number>>;
  readonly concerns: (call: Recorded) => boolean;
}

const ofEachRelease = (file: string, count: number): Readonly<Record<string, number>> =>
  Object.fromEntries(['29', '30', '31', '32'].map((release) => [`core-${release}.${file}`, count]));

const UNRECORDED: Pick<WalletDivergence, 'counts' | 'concerns'> = { counts: {}, concerns: () => false };
/** A private key in wallet import format. */
const PRIVATE_KEY = /(?<![0-9A-Za-z])[5-9KLTc][1-9A-HJ-NP-Za-km-z]{50,51}(?![0-9A-Za-z])/;

/** Differences between our wallets and a node's, on purpose. */
export const walletDivergences: Readonly<Record<string, WalletDivergence>> = {
  'coins that a chain lacks are not verified': {
    reason: 'A chain that begins later, or has only some of its blocks, cannot know all coins, as a node does.',
    ...UNRECORDED,
  },
  'transactions are submitted, not relayed': {
    reason: "A node's relay policy, such as minimum fees, depends on its configuration.",
    ...UNRECORDED,
  },
  '0.21 has no descriptor wallets': {
    reason: "Debian's build, whose answers were recorded, has none either; the error text is from it.",
    ...UNRECORDED,
  },
  'an empty wallet reports why it signs nothing, even after it is loaded again': {
    reason: 'The 0.21 node answers complete: false without errors: its wallet has lost its ScriptPubKeyMan.',
    ...UNRECORDED,
  },
  'indexes far below a range are not owned': {
    reason:
      'After an import, Core owns every index below the range until the wallet is loaded again, and derives all of ' +
      'them, even two billion. If there are more than 10000, we never own them.',
    ...UNRECORDED,
  },
  'a private key may be imported after its public key': {
    reason: 'The 0.21 node fails with "Error adding key to wallet" if a descriptor has added the public key before.',
    ...UNRECORDED,
  },
  'private keys are hidden in error texts': {
    reason: 'The node repeats what it cannot parse, including private keys in the place of addresses.',
    counts: ofEachRelease('wallet-06', 1),
    concerns: ({ error }) => error !== undefined && PRIVATE_KEY.test(error.message),
  },
  'a restart unloads no wallet': {
    reason: 'We keep locked coins and times that a node has in memory only: with --wallet-dir, each call is a process.',
    ...UNRECORDED,
  },
  'an unlocked coin stays unlocked': {
    reason:
      'Core 31 forgets that a lock is persistent if it is first set in memory and then again as persistent: once ' +
      'removed, it is back after the wallet is loaded again.',
    ...UNRECORDED,
  },
  'a coin is owned as soon as its address is': {
    reason:
      'Core 31 looks up coins in a cache of outputs (m_txos) that it fills when it sees their transaction. If a later ' +
      'payment moves the watched range onto an older output, the cache lacks it until its transaction is seen again: ' +
      'Core neither lists the coin nor records its spender, and later lists it although it is spent.',
    ...UNRECORDED,
  },
  'the memory of the mempool is an estimate': {
    reason:
      'getmempoolinfo shows as usage what a 64-bit node counts for each transaction by itself, not the indexes and ' +
      'clusters that it shares with others. So a full mempool evicts in the order of a node, but a few transactions ' +
      'sooner or later.',
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

const UNKNOWN_NAME = /Unknown named parameter ([^"]*)/;

function isOtherUnknownName(ours: string, theirs: string, params: unknown): boolean {
  const [their, own] = [theirs, ours].map((text) => UNKNOWN_NAME.exec(text)?.[1]);
  const given = typeof params === 'string' ? params : JSON.stringify(params);
  return own !== their && [their, own].every((name) => name !== undefined && given.includes(`"${name}":`));
}

/** Differences between our replies and those of live nodes of Bitcoin Core, on purpose. */
export const textDivergences: Readonly<Record<string, TextDivergence>> = {
  'another unknown parameter is named': {
    reason:
      'Of several unknown names, the node takes whichever its hash table gives first; ours takes the first given.',
    counts: { 'core-29.params-p1': 35, 'core-30.params-p1': 7, 'core-31.params-p1': 7, 'core-32.params-p1': 2 },
    concerns: ({ params, reply }, ours) => isOtherUnknownName(ours, reply, params),
  },
  'utxoupdatepsbt takes coins': {
    reason:
      'The node looks coins up in its chain and refuses a third parameter with its help; here it brings the coins.',
    counts: ofEachRelease('params-p1', 17),
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
      'more for each input; what lies beyond stays unsigned. Tested in test/core/psbt/keptAnswers.test.ts.',
    counts: {},
    concerns: () => false,
  },
  'a key that occurs with two origins shows the first one': {
    reason: 'Core puts the path of the second origin before that of the first, under the second fingerprint.',
    counts: { 'core-30.import-i1': 9, 'core-31.import-i1': 9, 'core-32.import-i1': 9 },
    concerns: (call, ours) => isSameOnceMasked(call, ours, ORIGIN) && !isSameOnceMasked(call, ours, FINGERPRINT),
  },
  'of two descriptors with the same script, the older one comes first': {
    reason: 'Core goes through them in the order of their places in memory, which differs from run to run.',
    counts: { 'core-32.wallet-params-w2': 22 },
    concerns: (call, ours) => isSameButForParents(call, ours),
  },
  'private keys are left out of the errors of imports': {
    reason: 'The node repeats the descriptor that it refuses, and with it private keys.',
    counts: {
      ...{ 'core-29.import-i1': 11, 'core-30.import-i1': 4, 'core-31.import-i1': 4, 'core-32.import-i1': 4 },
      ...{ 'core-30.wallet-params-w2': 2, 'core-31.wallet-params-w2': 2, 'core-32.wallet-params-w2': 2 },
    },
    concerns: ({ method, reply }, ours) => method === 'importdescriptors' && isSameButForKeys(ours, reply),
  },
};

const FINGERPRINT = /(?<=\[|"hdmasterfingerprint":")[0-9a-f]{8}/g;
const ORIGIN = /\[[0-9a-f]{8}[^\]]*\]/g;
const CHECKSUM = /#[a-z0-9]{8}/g;

type TextCall = Parameters<TextDivergence['concerns']>[0];

/** Returns the elements of a list in a fixed order, or a single object, as text. */
function sortedResult(text: string): string {
  const { result } = JSON.parse(text) as { readonly result: unknown };
  return JSON.stringify(Array.isArray(result) ? result.map((item) => JSON.stringify(item)).sort() : result);
}

function isSameOnceMasked({ method, reply }: TextCall, ours: string, mask: RegExp): boolean {
  if (method !== 'getaddressinfo' && method !== 'listunspent') return false;
  const masked = (text: string): string => sortedResult(text.replace(mask, '').replace(CHECKSUM, ''));
  return masked(ours) === masked(reply);
}

/** Members that depend on the order of a script's descriptors. */
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

/** Returns an element of a list as text, with its descriptors in a fixed order. */
function sortedParents(item: unknown): string {
  return JSON.stringify(item, (name, value: unknown) =>
    name === 'parent_descs' && Array.isArray(value) ? [...value].sort() : value,
  );
}

function isSameButForKeys(ours: string, reply: string): boolean {
  const parts = ours.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return parts.length > 1 && new RegExp(`^${parts.join('.{3,}')}$`, 's').test(reply);
}

/** Lines of lists of methods and their arguments that differ on purpose: `+` ours has, `-` a node has. */
export const listDivergences: readonly { readonly reason: string; readonly lines: RegExp }[] = [
  {
    reason: 'Methods of ours, which `help` lists apart.',
    lines: /^\+(?:reviewpsbt|verifyrawtransaction|droptransaction),/,
  },
  {
    reason: 'The coins that a node looks up in its chain, for a computer without one.',
    lines: /^[+-]utxoupdatepsbt[, ]/,
  },
  {
    reason: 'The nodes that were asked were built without ZMQ. Released ones have it.',
    lines: /^\+(?:== Zmq ==$|getzmqnotifications$)/,
  },
  {
    reason: 'What needs the blocks or the addresses of other nodes.',
    lines: /^-(?:getblockfrompeer |exportasmap |abortprivatebroadcast |getprivatebroadcastinfo$)/,
  },
  {
    reason: "What reads or writes the files of a node's database: here they are others.",
    lines: /^-(?:dumptxoutset |loadtxoutset |migratewallet |dumpwallet |importwallet |upgradewallet )/,
  },
  {
    reason: 'What needs a hardware signer that a node starts as a program.',
    lines: /^-(?:== Signer ==$|enumeratesigners$|walletdisplayaddress )/,
  },
  {
    reason: 'Wallets of 0.21 made keys ahead, those of 29 only if they were built with Berkeley DB.',
    lines: /^-newkeypool$/,
  },
];
