import { signingDialects } from '../../src/answers/dialect/signingDialect.ts';
import { psbtRules } from '../../src/answers/views/psbtRules.ts';
import { descriptorRules } from '../../src/core/descriptors/descriptorRules.ts';
import { type GenerationName, isWithin } from '../../src/core/generations.ts';
import { psbtFormatRules } from '../../src/core/psbt/format/psbtFormatRules.ts';
import { mempoolRules } from '../../src/node/mempool/mempoolRules.ts';
import { networkRules } from '../../src/node/methods/network/networkRules.ts';
import { spendingRules } from '../../src/node/methods/spending/spendingRules.ts';
import { walletMethodRules } from '../../src/node/methods/walletMethodRules.ts';

/** Why texts may be answered by releases whose source does not have them. */
export interface Explanation {
  /** The file, or the folder, below src. */
  readonly in: string;
  /** The function or constant. Default: all of the file. */
  readonly scope?: string;
  /** How the texts begin. Default: all of the scope. */
  readonly begins?: readonly string[];
  /** Tells which releases answer the texts; each must have them. Missing where none has: then they are ours. */
  readonly when?: (release: GenerationName) => boolean;
  readonly because: string;
}

const ONLY_021 = (): boolean => false;
const since = (first: GenerationName) => (release: GenerationName) => isWithin(release, { since: first });
const until = (last: GenerationName) => (release: GenerationName) => isWithin(release, { until: last });
const hasClusters = (release: GenerationName): boolean => mempoolRules[release].limitsClusters;
const hasFamilies = (release: GenerationName): boolean => !hasClusters(release);
const knows = (name: string) => (release: GenerationName) => !descriptorRules[release].lacks.includes(name);
const readsV2 = (release: GenerationName): boolean => psbtFormatRules[release].highestVersion === 2;

const OWN = 'no node has the cause: ';

export const explained: readonly Explanation[] = [
  // Rules that choose between texts of one function.
  {
    in: 'answers/arguments/constructTransaction.ts',
    scope: 'assertNumbers',
    when: since('core-30'),
    because: 'earlier methods have no parameter version',
  },
  {
    in: 'answers/psbt',
    begins: ['joinpsbts only', 'The transaction cannot be valid', 'The PSBT version can only'],
    when: readsV2,
    because: 'earlier releases refuse PSBTs of version 2',
  },
  {
    in: 'answers/rawtransaction/combinerawtransaction.ts',
    when: (release) => signingDialects[release as keyof typeof signingDialects].combinesOneTransaction,
    because: 'signingDialects.combinesOneTransaction',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    scope: 'KEY_SIZE_LABELS',
    when: (release) => psbtRules[release].quotesKeys,
    because: 'psbtRules.quotesKeys',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    scope: 'EARLIER_TEXTS',
    begins: ['input musig2'],
    when: (release) => release !== 'core-29' && !psbtRules[release].quotesKeys,
    because: 'psbtRules.quotesKeys; 29 keeps records of MuSig2 as unknown ones',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    scope: 'EARLIER_TEXTS',
    begins: ['# '],
    because: 'the name of the map stands for #',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    scope: 'EARLIER_TEXTS',
    when: (release) => !psbtRules[release].quotesKeys,
    because: 'psbtRules.quotesKeys',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    begins: ['is more than one byte type', 'Duplicate Key, proprietary', 'key for unknown value'],
    when: (release) => !psbtRules[release].quotesKeys,
    because: 'psbtRules.quotesKeys',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    begins: ['Input musig2', ' musig2 participants pubkeys value'],
    when: since('core-30'),
    because: '29 keeps records of MuSig2 as unknown ones',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    begins: [' pubkey is invalid', ' musig2 participant pubkey'],
    when: (release) => psbtFormatRules[release].checksMusig2Keys,
    because: 'psbtFormatRules.checksMusig2Keys',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    begins: ['Signature is not a valid encoding'],
    when: (release) => psbtFormatRules[release].checksSignatures,
    because: 'psbtFormatRules.checksSignatures',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    begins: ['Previous ', 'Required ', 'Output script', ' in PSBTv', 'There is no PSBT version 1'],
    when: readsV2,
    because: 'records of PSBTs of version 2, which earlier releases refuse whole',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    begins: ['Missing HogEx output', 'MWEB transactions are not decoded'],
    because: 'of Litecoin',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    begins: [': iostream error'],
    because: 'the C++ library adds it to the text of a failure of a stream',
  },
  {
    in: 'answers/views/psbtErrorTexts.ts',
    begins: ['inputs require both'],
    because: `${OWN}a PSBT of version 2 whose locktimes exclude each other, in documented`,
  },
  {
    in: 'core/descriptors',
    begins: ['Can only have unused', 'unused():'],
    when: knows('unused'),
    because: 'descriptorRules.lacks',
  },
  {
    in: 'core/descriptors/parseKey.ts',
    begins: ["' is invalid due to whitespace"],
    when: (release) => descriptorRules[release].findsWhitespace,
    because: 'descriptorRules.findsWhitespace',
  },
  {
    in: 'core/descriptors/parseKey.ts',
    when: (release) => descriptorRules[release].knowsMusig,
    because: 'descriptorRules.knowsMusig',
  },
  {
    in: 'core/descriptors/warnings.ts',
    when: (release) => walletMethodRules[release].warnsOfLocks,
    because: 'walletMethodRules.warnsOfLocks',
  },
  { in: 'node/mempool/familyLimits.ts', when: hasFamilies, because: 'mempoolRules.limitsClusters' },
  {
    in: 'node/mempool/replacement.ts',
    scope: 'newParentsFault',
    when: hasFamilies,
    because: 'mempoolRules.limitsClusters',
  },
  { in: 'node/mempool/replacement.ts', when: hasClusters, because: 'mempoolRules.limitsClusters' },
  {
    in: 'node/mempool/inputStandardness.ts',
    when: (release) => mempoolRules[release].explainsInputs,
    because: 'mempoolRules.explainsInputs',
  },
  {
    in: 'node/mempool/standardness.ts',
    scope: 'singleCarrierFault',
    when: (release) => !mempoolRules[release].sumsDataCarriers,
    because: 'mempoolRules.sumsDataCarriers',
  },
  {
    in: 'node/methods/chainRules.ts',
    begins: [' in mempool, and txospenderindex'],
    when: since('core-31'),
    because: 'gettxspendingprevout has no option that leads to it before',
  },
  {
    in: 'node/methods/importResult.ts',
    scope: 'assertRescannable',
    when: until('core-29'),
    because: 'only methods of legacy wallets ask it',
  },
  {
    in: 'node/methods/keys',
    begins: ['importdescriptors is not available', 'listdescriptors is not available'],
    when: ONLY_021,
    because: 'wallets without descriptors',
  },
  {
    in: 'node/methods/keys/importdescriptors.ts',
    scope: 'assertNewKey',
    when: knows('unused'),
    because: 'descriptorRules.lacks',
  },
  {
    in: 'node/methods/keys/listdescriptors.ts',
    begins: ["Can't get private descriptor string"],
    when: (release) => walletMethodRules[release].listsPartialKeys,
    because: 'walletMethodRules.listsPartialKeys',
  },
  {
    in: 'node/methods/keys/listdescriptors.ts',
    begins: ["Can't get descriptor string."],
    when: (release) => !walletMethodRules[release].listsPartialKeys,
    because: 'walletMethodRules.listsPartialKeys',
  },
  {
    in: 'node/methods/network/estimatesmartfee.ts',
    when: since('core-32'),
    because: 'earlier releases have no parameter options',
  },
  {
    in: 'node/methods/network/addnode.ts',
    begins: ['Error: Node address cannot be empty'],
    when: (release) => networkRules[release].refusesBlankNodes,
    because: 'networkRules.refusesBlankNodes',
  },
  {
    in: 'node/methods/spending/bumpfee.ts',
    scope: 'assertReplaceable',
    when: (release) => spendingRules[release].bumpsOnlySignalling,
    because: 'spendingRules.bumpsOnlySignalling',
  },
  {
    in: 'node/methods/spending/createPayment.ts',
    scope: 'rateTooLow',
    when: (release) => spendingRules[release].advisesOnLowRates,
    because: 'spendingRules.advisesOnLowRates',
  },
  {
    in: 'node/methods/spending/createPayment.ts',
    begins: ['The total exceeds your balance'],
    when: (release) => spendingRules[release].namesUnpaidFees,
    because: 'spendingRules.namesUnpaidFees',
  },
  {
    in: 'node/methods/spending/sendall.ts',
    scope: 'unsolvable',
    begins: ['Unable to determine the size'],
    when: since('core-31'),
    because:
      'spendingRules.sizesUnsolvable; 30 takes the size -1, and makes a transaction that pays out more than its coins: ours refuses it as 31 does',
  },
  {
    in: 'node/methods/spending/trucCoins.ts',
    when: (release) => spendingRules[release].restrictsVersions,
    because: 'spendingRules.restrictsVersions',
  },
  {
    in: 'node/methods/wallet',
    begins: ['Wallet name cannot be empty'],
    when: (release) => walletMethodRules[release].refusesEmptyNames,
    because: 'walletMethodRules.refusesEmptyNames',
  },
  {
    in: 'node/methods/wallet/backups.ts',
    scope: 'assertFree',
    when: (release) => walletMethodRules[release].namesRestoredFile,
    because: 'walletMethodRules.namesRestoredFile',
  },
  {
    in: 'node/methods/wallet/prunedfunds.ts',
    when: (release) => walletMethodRules[release].deprecatesRemoval,
    because: 'walletMethodRules.deprecatesRemoval',
  },
  {
    in: 'node/methods/wallet/walletSettings.ts',
    scope: 'DEPRECATED_FEE_SETTING',
    when: (release) => release === 'core-30',
    because: 'walletMethodRules.deprecatesFeeSetting, of a method until core-30',
  },
  {
    in: 'node/methods/wallet/walletSettings.ts',
    scope: 'assertRate',
    when: until('core-30'),
    because: 'settxfee is until core-30',
  },
  {
    in: 'node/methods/wallet/walletPaths.ts',
    when: (release) => walletMethodRules[release].checksWalletPaths,
    because: 'walletMethodRules.checksWalletPaths',
  },
  {
    in: 'node/methods/wallet/wallets.ts',
    begins: ['Compiled without sqlite', 'Wallet file verification failed. Refusing', 'Both the RPC endpoint'],
    when: ONLY_021,
    because: 'wallets of 0.21; walletMethodRules.knowsLoadedWallets, takesNameTwice',
  },
  {
    in: 'node/methods/wallet/wallets.ts',
    scope: 'nameToUnload',
    when: (release) => walletMethodRules[release].asksForName,
    because: 'walletMethodRules.asksForName',
  },
  { in: 'node/methods/walletMethodRules.ts', scope: 'boostFault', because: 'the text is of Boost, in 0.21' },
  { in: 'node/methods/walletMethodRules.ts', scope: 'gccFault', because: 'the text is of libstdc++' },
  {
    in: 'node/methods/walletMethodRules.ts',
    begins: ['cannot remove all'],
    because: 'the text is of libstdc++',
  },
  {
    in: 'node/methods/walletMethodRules.ts',
    begins: ['Only legacy wallets are supported'],
    when: until('core-29'),
    because: 'later releases lack the methods of legacy wallets',
  },
  {
    in: 'node/methods/walletWarnings.ts',
    begins: ['This is the transaction fee you will pay'],
    when: until('core-30'),
    because: 'bitcoind knows -paytxfee until core-30',
  },
  // Texts of 0.21 and of Litecoin.
  {
    in: 'answers',
    begins: ['Expected type ', 'Invalid public key: ', 'MWEB address type'],
    because: 'of 0.21 and of Litecoin: argumentRules, multisigRules',
  },
  { in: 'core/descriptors/descriptorRules.ts', scope: 'CORE_021_DESCRIPTORS', because: 'of 0.21' },
  { in: 'node/chain/headerChain.ts', scope: 'checkpointFault', because: 'of 0.21, whose networks have a known block' },
  { in: 'node/mempool/acceptance.ts', scope: 'conflictFault', because: 'of 0.21: mempoolRules.replacesAny' },
  { in: 'node/methods/blockchain/blocks.ts', scope: 'lookUp', because: 'of 0.21: nodeMethodRules.checksContentFirst' },
  {
    in: 'node/methods/keys',
    begins: ['" is not a valid public key', 'Pubkey must be a hex string', 'Pubkey is not a valid public key'],
    because: 'of 0.21: 29 refuses methods of legacy wallets before it reads their keys',
  },
  { in: 'node/methods/mempool/testmempoolaccept.ts', begins: ['Array must contain exactly'], because: 'of 0.21' },
  { in: 'node/methods/spending/recipients.ts', because: `of Litecoin: ${OWN}a payment into the extension block` },
  // Texts that Core puts together from variables.
  {
    in: 'node/methods/blockchain/getblockfilter.ts',
    scope: 'filterIndex',
    because: 'Core adds the name of the filter',
  },
  { in: 'node/methods/control/process.ts', begins: [' Core stopping'], because: 'Core adds the name of the program' },
  {
    in: 'node/methods/control/openRpc.ts',
    scope: 'openRpcJson',
    because: 'Core adds the name of the program; ours names itself',
  },
  {
    in: 'node/methods/mining/templateRequest.ts',
    scope: 'assertConnected',
    because: 'Core adds the name of the program',
  },
  { in: 'node/methods/network/getrpcinfo.ts', scope: 'INDEX_NAMES', because: 'Core adds the name of the filter' },
  {
    in: 'node/methods/spending',
    begins: ['Cannot specify both fee_rate (sat/vB)', 'fee_rate (sat/vB)'],
    because: 'Core puts the units behind names of options',
  },
  // Ours alone.
  { in: 'answers/arguments/signingArguments.ts', scope: 'otherNetworkHint', because: 'a hint of documented' },
  { in: 'answers/dialect/dialect.ts', because: `${OWN}an unknown dialect` },
  { in: 'answers/envelope.ts', because: `${OWN}limits of ours, and wallets named by requests` },
  { in: 'answers/json', because: 'mistakes of programs, and help' },
  { in: 'answers/method', begins: ['object of ', 'as in ', 'UNIX time', 'amount in coins'], because: 'help' },
  { in: 'answers/psbt/utxoupdatepsbt.ts', scope: 'knownOutputs', because: `${OWN}coins as an argument` },
  { in: 'answers/rawtransaction/verifyrawtransaction.ts', because: 'a method of ours' },
  { in: 'answers/views/missingHints.ts', scope: 'SENTENCES', because: 'hints of documented' },
  {
    in: 'core/descriptors',
    because: 'for programs, silent payments and hints: no node answers them, or only as documented',
  },
  { in: 'node/chain', because: `${OWN}for programs, and about chains that begin late or are damaged` },
  { in: 'node/mempool/mempoolFile.ts', because: 'logged only by a node' },
  { in: 'node/methods/blockchain/scantxoutset.ts', scope: 'UNKNOWN_COINS', because: `${OWN}a chain that begins late` },
  { in: 'node/methods/blockchain/waitForBlock.ts', scope: 'ABOUT', because: 'help' },
  { in: 'node/methods/control', because: 'lists of names, and what a node in a program says of itself' },
  { in: 'node/methods/keys/addresses.ts', begins: ['used up'], because: 'a name' },
  { in: 'node/methods/spending/changeOutput.ts', begins: ['used up'], because: 'a name' },
  { in: 'node/methods/mempool', because: `help, and ${OWN}a chain that begins late` },
  { in: 'node/methods/newKeys.ts', because: `${OWN}a source of randomness that gives no random bytes` },
  { in: 'node/methods/spending/fundingHelp.ts', because: 'help' },
  { in: 'node/methods/wallet', because: `${OWN}files that a program keeps, and damaged records` },
  { in: 'node/mining', because: 'names of outcomes' },
];
