import { NEVER } from '../holder/control.ts';
import { faultText } from '../psbt/silentPayments/faults.ts';
import type { PolicyCheck } from '../review/finding.ts';
import { hashTypeName } from '../review/hashTypes.ts';
import { leavesOpen } from '../sighash/sighashType.ts';
import { agePerPayment, ageText, aloneText, lockAgeText, lockText, untilText, WHEN_UNLOCKED } from './ageText.ts';
import { causeText } from './causeText.ts';
import {
  coinName,
  commitmentText,
  contradictionText,
  falseClaimText,
  feeText,
  hiddenText,
  messageFaultText,
  nameFaultText,
  needText,
  ODDITY_TEXTS,
  rootedTitle,
  unprovenText,
  walletFaultText,
} from './findingParts.ts';
import { indexesText } from './indexesText.ts';
import type { CheckWords, FindingPlace } from './words.ts';

const input = ({ inputIndex = 0 }: FindingPlace): string => `input ${inputIndex}`;
const output = ({ outputIndex = 0 }: FindingPlace): string => `output ${outputIndex}`;
/** Begins a sentence. */
const At = (place: FindingPlace): string =>
  place.inputIndex === undefined ? `Output ${place.outputIndex}` : `Input ${place.inputIndex}`;

const AGAIN = 'The PSBT is faulty or forged: create it again in a wallet that you trust.';

/** The words of every check in English. */
export const CHECK_WORDS: { readonly [Check in PolicyCheck]: CheckWords<Check> } = {
  'change-refuted': {
    title: 'False change',
    what: (claim, place) => falseClaimText(claim, At(place)),
    risk: 'Whoever made the file would get this money.',
    remedy:
      'Create the PSBT again in a wallet that you trust. If the output is of a wallet that you share, register that wallet once.',
    tool: 'countersign register',
  },
  'silent-foreign': {
    title: "Your scan key, and a stranger's spend key",
    what: (_, place) =>
      `${At(place)} pays to an address with your scan key, and neither your spend key nor one with a label in use: you could see the money, but not spend it.`,
    risk: 'Another key spends what the address receives: you would see the money, and never be able to spend it.',
    remedy: 'Ask for the address again.',
  },
  'name-refuted': {
    title: 'A name that does not hold',
    what: (data, place) => {
      const names = `The PSBT has a name for ${output(place)}`;
      if (data.reason === 'proof') return `${names} that does not hold: ${nameFaultText(data.fault)}.`;
      if (data.reason === 'address') return `${names}, and whoever has that name asks to be paid at another address.`;
      return `${names}, and whoever has that name asks for ${place.money(data.asked)}, not for ${place.money(data.paid)}.`;
    },
    risk: 'Whoever made the file may get this money in the name of someone else.',
    remedy: 'Ask for the payment anew: whoever made the PSBT must look up the name again.',
  },
  'wallet-changed': {
    title: 'The wallet may be a changed copy of a registered one',
    what: ({ wallet, fault }, place) =>
      place.outputIndex === undefined
        ? `The registration of ${wallet} is not one that your key made: its keys, name, network or the wallets that it replaces were changed. Compare it with your own copy.`
        : `${At(place)} pays to ${wallet}, which ${walletFaultText(fault)}: compare its keys.`,
    risk: "A key may have been replaced by a stranger's.",
    remedy:
      'Compare each key of the wallet file with its owner. If it is a wallet that you mean to use, register it once; else ask where its file comes from.',
    tool: 'countersign register',
  },
  'wallet-foreign': {
    title: 'To a wallet that you have not registered',
    what: ({ wallet, fault, isStrange, isUnusual }, place) => {
      const whose = isStrange ? 'has no key of yours' : fault ? walletFaultText(fault) : 'you have not registered';
      const chains = !isStrange && isUnusual ? ', and whose chains are not 0 and 1' : '';
      return `${At(place)} pays to ${wallet}, which ${whose}${chains}: whoever made its file may control it.`;
    },
    risk: 'Whoever made the file may control the wallet, and get this money.',
    remedy:
      'If you made this wallet yourself, compare its keys with their owners, and register it once. If not, do not sign: ask where its file comes from.',
    tool: 'countersign register',
  },
  'key-contradicted': {
    title: 'Keys contradict each other',
    what: (contradiction, place) => contradictionText(contradiction, place),
    risk: "The wallet may be forged: coins sent to it may be a stranger's.",
    remedy: 'Export the wallet file again, compare each key with its owner, and pay nothing to its addresses.',
  },
  'pays-other': {
    title: 'More is paid than you asked for',
    what: ({ value }, place) =>
      value === undefined
        ? 'You have named what to pay, but this is not a payment.'
        : `${At(place)} pays ${place.money(value)} that you have not asked for.`,
    risk: 'Whoever made the file adds a payment of their own.',
    remedy: 'Name all that you mean to pay, or create the PSBT again without the rest.',
    tool: '--pays',
  },
  burn: {
    title: 'Money is destroyed',
    what: ({ value }, place) => `${At(place)} destroys ${place.money(value)}: it can never be spent.`,
    risk: 'The amount is lost for good.',
    remedy: 'Create the PSBT again without this output, or with an amount of 0 if it is to carry data.',
  },
  'anyone-can-spend': {
    title: 'Money is given to whoever takes it',
    what: ({ value }, place) => `${At(place)} gives ${place.money(value)} away: anyone can spend it.`,
    risk: 'The first to notice takes the amount: no key is needed.',
    remedy: 'Create the PSBT again without this output.',
  },
  'network-mixed': {
    title: 'Keys of another network',
    what: ({ coinType }, { network }) =>
      `Keys of the PSBT are for ${coinName(coinType, network)}, but you review it for ${network.title ?? network.name}: choose its network.`,
    risk: 'What looks like a test may be real money.',
    remedy: 'Choose the network of the keys.',
    tool: '--network',
  },
  'change-later': {
    title: 'Others could take the change before you',
    what: ({ wallet, mine, others }, place) =>
      `${At(place)} pays to ${wallet}, where your keys can spend it only ${ageText(mine)}, and others without you ${ageText(others)}: leave no change in it.`,
    risk: 'Whoever has the other keys takes the change at once.',
    remedy: 'Create the PSBT again so that all of it goes to another wallet of yours.',
  },
  'wallet-unregistered': {
    title: 'Change to a wallet that is not registered',
    what: ({ wallet, others, alone, isLocked }, place) => {
      const exposure =
        others === undefined
          ? 'others cannot spend without you'
          : `others can spend without you ${agePerPayment(others)}`;
      return `${At(place)} is change to ${wallet}, which you have not registered: only its file says that the other keys are right. As it says, ${exposure}, and you alone ${aloneText(alone ?? NEVER, isLocked === true)}. Register it once.`;
    },
    risk: 'If the file is forged, others can spend the change.',
    remedy: 'Register the wallet once, and use the file that this writes.',
    tool: 'countersign register',
  },
  'wallet-retired': {
    title: 'To a wallet that was replaced',
    what: ({ wallet }, place) => `${At(place)} pays to ${wallet}, which a wallet that you registered has replaced.`,
    risk: 'Keys of the old wallet may be stolen.',
    remedy: 'Pay to the wallet that has replaced it: create the PSBT again.',
  },
  'wallets-mixed': {
    title: 'Coins of several wallets, change to one',
    what: ({ wallet }, place) =>
      `${At(place)} pays to ${wallet ?? 'a listed wallet'}, but not all of your coins come from it: it would be change to a wallet that others may control.`,
    risk: 'Others who have keys of that wallet could take coins that are yours alone.',
    remedy: 'Create the PSBT again with coins of one wallet only, or with change to the wallet that is yours alone.',
  },
  'path-unusual': {
    title: 'Yours, at a place that no wallet searches',
    what: ({ path, script }, place) =>
      `${At(place)} pays to your key at the odd path ${path} (${script}), where no restored wallet looks.`,
    risk: 'Your wallet may not find the money again, and someone could ask a ransom for its place.',
    remedy:
      'Create the PSBT again with a change address of your wallet; if that place is a wallet of yours, register it once.',
    tool: 'countersign register',
  },
  'message-mismatch': {
    title: 'The text is not what is signed',
    what: ({ reason }) => `The PSBT says that it signs a message, but ${messageFaultText(reason)}.`,
    risk: 'You might sign another text, or a payment.',
    remedy: 'The PSBT shows another message than it signs: ask for the request again.',
  },
  'message-hidden': {
    title: 'A text that you cannot read is signed',
    what: (hidden) =>
      `${hiddenText(hidden)}: your signature may be consent to anything. Ask for a PSBT that shows a text you can read.`,
    risk: 'Your signature may be consent to anything: a login, a contract, a debt.',
    remedy: 'Ask for a PSBT that shows the whole text.',
  },
  'fee-absurd': {
    title: 'The fee is absurdly high',
    what: (fee, { money }) => feeText(fee, money),
    risk: 'The money goes to a miner and cannot be recovered.',
    remedy: 'Create the PSBT again with a lower fee.',
  },
  'fee-negative': {
    title: 'More is paid than spent',
    what: ({ excess }, { money }) => `The transaction pays ${money(excess)} more than it spends.`,
    risk: 'The network refuses the transaction, or amounts in the file are false.',
    remedy: 'Create the PSBT again with coins for all that it pays.',
  },
  'amount-mismatch': {
    title: 'Two amounts contradict each other',
    what: ({ claimed, shown }, place) =>
      `${At(place)} claims a coin of ${place.coins(claimed)}, but its previous transaction shows another${claimed === shown ? ' script' : `: ${place.coins(shown)}`}.`,
    risk: 'Someone may have changed the file to hide the true fee.',
    remedy: AGAIN,
  },
  'previous-transaction-mismatch': {
    title: 'The proof belongs to another coin',
    what: (_, place) => `${At(place)} comes with a previous transaction other than the one it spends.`,
    risk: 'The amounts you see may be invented.',
    remedy: AGAIN,
  },
  'legacy-unproven': {
    title: 'The amount of an old-style coin is not proven',
    what: ({ isHidden }, place) =>
      isHidden
        ? `${At(place)} shows neither the redeemScript nor the previous transaction of its P2SH coin: if the coin is not segwit, the signature does not commit to the amount.`
        : `${At(place)} spends a legacy coin without showing its previous transaction: the signature does not commit to the amount.`,
    risk: 'The true amount may be far higher, and the difference is lost as fee.',
    remedy: 'The previous transactions are missing: add them, or export the PSBT again with them.',
    tool: 'utxoupdatepsbt',
  },
  'amount-impossible': {
    title: 'An amount cannot exist',
    what: (_, place) =>
      place.outputIndex === undefined
        ? 'The amounts add up to more than can exist.'
        : `${At(place)} pays an amount that cannot exist.`,
    risk: 'The file is damaged or forged.',
    remedy: AGAIN,
  },
  'sighash-unnamed': {
    title: 'The file asks for an unusual kind of signature',
    what: ({ sighashType }, place) =>
      `${At(place)} asks for signatures of type ${hashTypeName(sighashType)}, which ${commitmentText(sighashType, place.inputIndex ?? 0)}. You have not named that type.`,
    risk: 'Whatever the signature leaves open, others can change, and send the money elsewhere.',
    remedy: 'Ask for a PSBT without a hash type, or name the type if you mean it.',
    tool: '--sighash',
  },
  'sighash-undefined': {
    title: 'The signature type does not exist',
    what: ({ sighashType }, place) => `${At(place)} asks for the undefined hash type ${hashTypeName(sighashType)}.`,
    risk: 'What such a signature covers is not what a wallet would show.',
    remedy: AGAIN,
  },
  'single-without-output': {
    title: 'A signature would cover no output',
    what: (_, place) =>
      `SINGLE signs the output with the index of its input, but there is no output ${place.inputIndex}.`,
    risk: 'Such a signature can be used again to take every coin of the same key.',
    remedy: AGAIN,
  },
  'signature-sighash': {
    title: 'A signature in the file is of another type',
    what: ({ sighashType, others }, place) => {
      const open = others.filter(leavesOpen).map((type) => openSignatures(type, place));
      return [`${At(place)} holds a signature with a hash type other than ${hashTypeName(sighashType)}.`, ...open].join(
        ' ',
      );
    },
    risk: 'The other signature may leave parts of the transaction open.',
    remedy:
      'All signatures of an input must have the same type: sign with the type of the others, or ask them to sign again.',
  },
  'signature-invalid': {
    title: 'A signature in the file is invalid',
    what: (found, place) => {
      if (found.of === 'final-fields')
        return `The final scriptSig and witness of ${input(place)} do not spend its coin.`;
      const { cause } = found;
      return `${At(place)} holds ${cause ? `a signature that cannot count: ${causeText(cause)}` : 'an invalid signature'}.`;
    },
    risk: 'The transaction was changed after it was signed, the file is damaged, or its signer made a mistake.',
    remedy: 'A signature is invalid: ask its signer to sign again.',
  },
  'script-mismatch': {
    title: 'A script does not belong to its coin',
    what: (_, place) =>
      place.inputIndex === undefined
        ? `${At(place)} comes with a script that it does not pay to.`
        : `${At(place)} comes with a script that its coin does not commit to.`,
    risk: 'You might sign conditions other than those that you see.',
    remedy: AGAIN,
  },
  'taproot-mismatch': {
    title: 'Taproot data does not belong to the coin',
    what: (_, place) =>
      place.inputIndex === undefined
        ? `${At(place)} comes with an internal key and a tree that it does not pay to.`
        : `${At(place)} comes with a key or leaf that its coin does not commit to.`,
    risk: 'You might sign conditions other than those that you see.',
    remedy: AGAIN,
  },
  'leaf-unusual': {
    title: 'An unusual taproot script',
    what: ({ oddity }, place) => `A leaf of ${input(place)} ${ODDITY_TEXTS[oddity]}.`,
    risk: 'Anyone may be able to spend the coin, or a later rule may change its meaning.',
    remedy: 'Sign by another way to spend the coin, or ask who made the script what the leaf is for.',
  },
  'key-uncompressed': {
    title: 'A key has the wrong form',
    what: (_, place) => `${At(place)} uses an uncompressed or invalid key in segwit, which can never sign there.`,
    risk: 'The coin can never be spent with this key.',
    remedy: AGAIN,
  },
  'coin-repeated': {
    title: 'A coin is spent twice',
    what: () => 'The transaction spends a coin twice, which no node accepts.',
    risk: 'The network refuses the transaction.',
    remedy: AGAIN,
  },
  'silent-payment-refuted': {
    title: 'A silent payment is false',
    what: ({ fault }, place) =>
      `${At(place)} does not pay its silent payment address as it must: ${fault && faultText(fault)}.`,
    risk: 'Its receiver would not find the money.',
    remedy: 'Create the PSBT again.',
  },
  'silent-payment-unproven': {
    title: 'A silent payment is not proven',
    what: ({ fault }, place) => `${At(place)} claims to pay a silent payment address: ${fault && faultText(fault)}.`,
    risk: 'The money may go to someone else.',
    remedy: 'Ask the other signers for their shares.',
  },
  'silent-payment-receivers': {
    title: 'Silent payments may hide each other',
    what: ({ fault }, place) =>
      `${At(place)} pays a silent payment address, and its script is not computed yet: ${fault && faultText(fault)}.`,
    risk: "If one of the addresses is a stranger's, the receiver does not find the other payment.",
    remedy:
      'If not all addresses with the same scan key are of one receiver, create the PSBT again without the others; if one receiver gave you all of them, name each as an address of that receiver.',
    tool: '--same-receiver',
  },
  'amount-unproven': {
    title: 'An amount is not proven',
    what: (_, place) =>
      `The amount of ${input(place)} is only claimed, and not all signatures commit to it: the true fee may be far higher. Only its previous transaction can prove it.`,
    risk: 'Two such transactions with false amounts can trick you into paying a far higher fee than you see here.',
    remedy: 'Export the PSBT again with the previous transactions of all coins, or add them.',
    tool: 'utxoupdatepsbt',
  },
  'coin-unknown': {
    title: 'A coin is unknown',
    what: (_, place) =>
      `The amount and script of the coin that ${input(place)} spends are not shown: add its previous transaction.`,
    risk: 'You cannot know the fee, nor how much of your money is spent.',
    remedy: 'Add the previous transaction of the coin.',
    tool: 'utxoupdatepsbt',
  },
  'change-unverified': {
    title: 'Claimed change is not proven to be yours',
    what: ({ origin }, place) =>
      origin === undefined
        ? `${At(place)} claims to be change, but no key or wallet is at hand to verify it.`
        : `${At(place)} names your key at ${origin} among others, but no wallet at hand derives it: give the wallet file of the coins being spent.`,
    risk: 'The money may go to a stranger.',
    remedy: 'Give the wallet file of the coins being spent, once you have registered it.',
    tool: '--descriptors-file, countersign register',
  },
  'search-cut': {
    title: 'Too many places to search',
    what: (_, place) =>
      place.inputIndex === undefined && place.outputIndex === undefined
        ? 'More outputs name keys on other chains of your wallets than the review derives.'
        : `${At(place)} names more keys than the review searches in this PSBT: it may be yours without being shown as yours, or claim keys of yours falsely.`,
    risk: 'Coins or change of yours may be shown as those of others, and false claims may hide among them.',
    remedy: 'Create the PSBT again in a wallet that you trust, with fewer outputs.',
  },
  'owner-unknown': {
    title: 'A coin that your wallets do not cover',
    what: (_, place) =>
      `No wallet at hand derives the coin of ${input(place)}, but a key at hand can sign for it: the coin counts as yours.`,
    risk: 'You may spend a coin that you did not expect to spend.',
    remedy: 'Give the wallet file of the coin.',
    tool: '--descriptors-file',
  },
  'coin-foreign': {
    title: 'Coins beside yours',
    what: ({ inputs }) => {
      const [coins, are] = inputs.length === 1 ? ['The coin of', 'is'] : ['The coins of', 'are'];
      return `${coins} ${indexesText(inputs)} ${are} not known to be yours: sign only if others pay in this transaction, too, as in a coinjoin; if not, export it again with the records of all coins.`;
    },
    risk: 'If one of them is yours, signing this and a second, similar PSBT could pay twice what each of them shows.',
    remedy: 'Sign only if you know that others pay in this transaction, too, as in a coinjoin or a payjoin.',
  },
  'wallet-other': {
    title: 'To another wallet of yours',
    what: ({ wallet, root }, place) =>
      `${At(place)} pays to ${rootedTitle(wallet, root)}, and none of the coins being spent come from it: it is not change.`,
    risk: 'The money leaves the wallet that is spent.',
    remedy: 'Sign only if you want to move money there.',
  },
  'account-other': {
    title: 'To another account of yours',
    what: ({ path }, place) =>
      `${At(place)} pays to your other account ${path}, of which no coin is spent: a restored wallet finds it only if all accounts before it were used.`,
    risk: 'A restored wallet may not find the money.',
    remedy: 'Write the path down, or use the accounts in their order.',
  },
  'path-far': {
    title: 'Yours, where a restored wallet does not look',
    what: ({ path, index, account }, place) => {
      const at = path === undefined ? '' : ` (${path})`;
      const where =
        account === undefined
          ? `at index ${index}${at}, where a restored wallet may not find it`
          : `in account ${account}${at}, where a restored wallet does not look`;
      return `${At(place)} is yours, but ${where}: write ${path === undefined ? 'it' : 'the path'} down.`;
    },
    risk: 'A wallet that is restored may not find the money.',
    remedy: 'Write the path down, or create the PSBT again with the next change address of your wallet.',
  },
  'sighash-unusual': {
    title: 'The signature leaves parts open',
    what: ({ sighashType }, place) => openSignatures(sighashType, place),
    risk: 'Whatever the signature leaves open, others can change.',
    remedy: 'Sign so only if you know who completes the transaction, and how.',
  },
  'fee-high': {
    title: 'The fee is high',
    what: (fee, { money }) => feeText(fee, money),
    risk: 'You pay more than necessary.',
    remedy: 'Create the PSBT again with a lower fee, unless you are in a hurry.',
  },
  'fee-low': {
    title: 'The fee is too low',
    what: ({ fee, rate }, { money }) => `The fee of ${money(fee)} is ${rate.toFixed(2)} sat/vB: no node relays it.`,
    risk: 'The transaction will not be confirmed.',
    remedy: 'Create the PSBT again with a higher fee.',
  },
  'script-unread': {
    title: 'A script that cannot be read',
    what: ({ of, bytes, isSigned, hasKeyPath }, place) => {
      const finalizes =
        of === 'leaf' ? 'finalizes it only if signatures are all that it takes' : 'its wallet has to finalize it';
      const advice = isSigned
        ? `countersign can sign it but not read it, and ${finalizes}`
        : 'countersign can neither read nor sign it, only its wallet can';
      const keyPath = hasKeyPath ? ' A signature for the key path spends the coin without it.' : '';
      return `${At(place)} shows a ${of} of ${bytes} bytes that is not a miniscript: ${advice}.${keyPath}`;
    },
    risk: 'It may allow others to spend the coin, and only the wallet that made it can finish the transaction.',
    remedy: 'Ask who made the script what it demands.',
  },
  'locktime-unusual': {
    title: 'The transaction must wait',
    what: (found, place) => {
      switch (found.reason) {
        case 'age':
          return `${At(place)} cannot be mined until its coin is ${lockAgeText(found.age)} old.`;
        case 'disabled':
          return 'The transaction has a locktime, but no input enables it.';
        case 'until':
          return `The transaction cannot be mined before ${untilText(found.lock, place.network)}: if you pay again from other coins meanwhile, you pay twice.`;
        default:
          return `The message counts as signed only from the locktime ${found.locktime} and the sequence ${found.sequence} on.`;
      }
    },
    risk: 'It may be confirmed later than you expect, or at once where you expect a delay.',
    remedy: 'Create the PSBT again without the lock, unless you mean it.',
  },
  'lock-unmet': {
    title: 'No signature completes the transaction',
    what: (found, place) => {
      if (found.reason === 'own-ways') {
        const opens = found.age === undefined ? WHEN_UNLOCKED : `only ${ageText(found.age)}`;
        return `Your keys spend the coin of ${input(place)} ${opens}, and the transaction does not say that it waits: your signature completes nothing.`;
      }
      const { locks, needs } = found;
      return `No signature completes ${input(place)}: its coin can be spent only ${locks.map(lockText).join(' and ')}, and the transaction does not say that it waits. Create it again with ${needs.map(needText).join(' and ')}.`;
    },
    risk: 'No node accepts the transaction.',
    remedy: 'Create the PSBT again with the locktime or sequence that the coin needs.',
  },
  'version-unusual': {
    title: 'An unusual version',
    what: ({ version }) => `The transaction version is ${version}.`,
    risk: 'Nodes may not pass it on.',
    remedy: 'Create the PSBT again with version 2.',
  },
  'nonce-repeated': {
    title: 'A private key is exposed',
    what: () => 'Two signatures share a nonce: anyone who sees them can compute the private key.',
    risk: 'Whoever computes the key takes all of its coins.',
    remedy: 'Move all coins of that key, and stop using the signer that made the signatures.',
  },
  'signature-foreign': {
    title: 'A signature by a foreign key',
    what: (_, place) => `${At(place)} holds a signature by a key that its coin does not take.`,
    risk: 'It may have been made for another wallet: the signer that you expect has not signed.',
    remedy: 'Ask the signer to sign with the wallet of the coin.',
  },
  'silent-payment-open': {
    title: 'A silent payment waits for shares',
    what: ({ fault }, place) =>
      `${At(place)} pays a silent payment address, and its script is not computed yet: ${fault ? faultText(fault) : 'sign to compute it'}.`,
    risk: 'Nothing can be signed yet: the script follows from the keys of all inputs.',
    remedy: 'Sign to add your share, and pass the PSBT on.',
  },
  'name-unproven': {
    title: 'A name is not proven',
    what: (data, place) => `The PSBT has a name for ${output(place)}, which is not shown: ${unprovenText(data)}.`,
    risk: 'Whoever made the file may have written any name.',
    remedy: 'Compare the address itself, or have the PSBT made again with a new proof of the name.',
  },
  'silent-payment-conditional': {
    title: 'The receiver of a silent payment may not find it',
    what: ({ reason }, place) => {
      const finds = `The receiver of ${output(place)} finds it only if`;
      if (reason === 'coins')
        return `${finds} the coins are what the PSBT claims: ask for their previous transactions.`;
      return reason === 'signatures'
        ? `${finds} nothing is changed that a signature leaves open: sign with the hash type ALL.`
        : `${finds} the other outputs with the same scan key are its own, too: a stranger's spend key there hides the payment. Sign only if that receiver gave you all these addresses.`;
    },
    risk: 'The money may be out of reach for its receiver.',
    remedy: 'Ask for what the sentence above names, and review again.',
  },
  dust: {
    title: 'A tiny output',
    what: (_, place) => `${At(place)} is dust: it would cost more to spend than it is worth.`,
    risk: 'Nodes may not pass the transaction on, and the amount is lost in practice.',
    remedy: 'Create the PSBT again without this output.',
  },
};

const openSignatures = (sighashType: number, place: FindingPlace): string =>
  `Signatures of ${input(place)} (${hashTypeName(sighashType)}) ${commitmentText(sighashType, place.inputIndex ?? 0)}.`;

/** The checks as a report names them: the worst first. */
export const WORST_FIRST: readonly PolicyCheck[] = Object.keys(CHECK_WORDS) as PolicyCheck[];
