import type { PolicyCheck } from '../../core/review/finding.ts';
import type { AmountTrust } from '../../core/review/inputReview.ts';
import type { SecretKind } from '../../kit/open/open.ts';
import { SECRET_NAMES } from '../../kit/open/openedText.ts';

// To translate the page, replace this file.

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

interface SignerPlace {
  readonly place: number;
  readonly count: number;
  readonly wallet: string;
  readonly isProven: boolean;
}

const trust: Readonly<Record<AmountTrust, string>> = { proven: 'proven', claimed: 'only claimed', unknown: 'unknown' };

/** Says what so many of so many means. */
function quorumMeaning(required: number, count: number): string {
  if (!Number.isInteger(required) || required < 1 || required > count) return '';
  const lost = count - required;
  const sign =
    required === 1
      ? 'Any one of the signers spends alone.'
      : `Any ${required} of ${count} signers spend together, without the others.`;
  const loss =
    lost === 0
      ? 'If one key is lost, all coins are lost.'
      : `${counted(lost, 'key')} may be lost; if ${lost + 1} are, all coins are lost.`;
  return `${sign} ${loss}`;
}

export const texts = {
  name: 'countersign',
  tagline: 'Offline signer',
  counted,
  steps: { label: 'Steps', open: 'Open', keys: 'Keys', review: 'Review', result: 'Result' },
  tools: {
    label: 'Tools',
    addresses: 'Addresses',
    messages: 'Messages',
    quorum: 'Multisig',
    inspect: 'Inspect',
    about: 'About',
  },
  common: {
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Copying is not allowed here. Select the text and copy it by hand.',
    save: 'Save file',
    cancel: 'Cancel',
    saved: (fileName: string): string => `The browser saves ${fileName}: look among its downloads.`,
    working: 'Working …',
    more: (count: number): string => `Show ${count.toLocaleString('en')} more`,
    dismiss: 'Dismiss',
    show: 'Show',
    hide: 'Hide',
  },
  session: {
    label: 'Keys in memory',
    count: (keys: number): string =>
      keys === 0 ? 'Secrets are in memory' : `${counted(keys, 'wallet')} with keys in memory`,
    forgetIn: (time: string): string => `forgotten in ${time}`,
    wipe: 'Wipe now',
    unsavedTitle: 'A wallet is not saved',
    unsaved: (names: readonly string[]): string =>
      `No file of ${names.join(' and ')} was saved or copied from this page. Once it is wiped, you make and register the wallet anew.`,
    wipeAnyway: 'Wipe all the same',
    wiped: 'Everything was wiped: keys, transactions and codes.',
    wipedIdle: (minutes: number): string =>
      `Everything was wiped, because the page was not used for ${counted(minutes, 'minute')}.`,
    soon: 'The keys will be wiped in one minute unless you use the page.',
    minutes: 'Wipe keys when unused for',
    minutesOption: (minutes: number): string => counted(minutes, 'minute'),
  },
  errors: {
    crashed: 'The page’s worker failed and was restarted. All keys and transactions were forgotten: open them again.',
    cannotStart:
      'This browser cannot run the page: it does not let a page start a worker. Try a current Chromium, Firefox or Safari.',
    unexpected:
      'Something went wrong in the page. Your keys are untouched; if the page behaves oddly, wipe and start again.',
    framed:
      'The page does not work inside another page: that page could lay its own contents over it. Open it by itself.',
    tooLarge: (name: string, megabytes: number): string =>
      `${name} is larger than ${megabytes} MB. Files for this page are far smaller.`,
    picture: (name: string): string => `${name} could not be opened as a picture.`,
    noCode: (name: string): string => `There is no readable QR code in ${name}.`,
    incompleteCodes: (name: string): string => `${name} holds only a part of the codes. Open the other parts, too.`,
  },
  open: {
    title: 'Open a transaction',
    intro:
      'A PSBT, a raw transaction, keys or a wallet: drop it, choose it, paste it, or hold its QR codes before the camera.',
    privacy: 'Nothing leaves this page: it cannot make requests, and it stores nothing.',
    drop: 'Drop files here',
    choose: 'Choose files',
    chooseHelp: 'PSBT, base64, hex, text, wallet files, or pictures of QR codes',
    paste: 'Paste text',
    pasteLabel: 'PSBT, transaction, descriptor or address',
    pasteButton: 'Open text',
    camera: 'Scan with the camera',
    combine: 'Combine with another copy',
    combineIntro:
      'Other signers return their own copies of the same transaction. Open them here; their signatures are added.',
    combined: (parts: number): string => `The signatures of ${counted(parts, 'copy', 'copies')} were combined.`,
    openNow: 'Open now',
    current: 'A transaction is open',
    currentIntro: 'Another copy of it is combined with it. To open a different one, close it first.',
    closeDocument: 'Close the transaction',
    toReview: 'Go to the review',
    previous: (inputs: readonly number[]): string =>
      `This previous transaction proves the amount of ${inputs.map((index) => `input ${index}`).join(', ')}.`,
    walletAdded: (name: string): string => `The wallet ${name} was added.`,
  },
  camera: {
    title: 'Scan QR codes',
    start: 'Start the camera',
    stop: 'Stop the camera',
    starting: 'Starting the camera …',
    aim: 'Hold the code in front of the camera. Codes that change may come in any order.',
    choose: 'Camera',
    cells: (read: number, count: number): string => `${read} of ${count} codes read`,
    missing: (numbers: string): string => `Missing: ${numbers}`,
    cellRead: (number: number): string => `Code ${number}: read`,
    cellMissing: (number: number): string => `Code ${number}: missing`,
    ignored: {
      damaged: 'The codes were read but do not fit together. Scanning starts again.',
      other: 'This code belongs to a different series. To scan that one, start again.',
      unreadable: 'A code was seen, but it is not one that this page can use.',
    },
    again: 'Start again',
    absent: 'This browser offers no camera to the page. Save a picture of the code and open it as a file.',
    insecure:
      'Browsers offer the camera only to pages from a file, from this computer, or over https. Open the saved file instead.',
    faults: {
      NotAllowedError:
        'The camera was refused. Allow it in the browser’s site settings, or open a picture of the code as a file.',
      NotFoundError: 'No camera was found. Open a picture of the code as a file.',
      NotReadableError: 'The camera is used by another program. Close that program and try again.',
    } as Readonly<Record<string, string>>,
    fault: 'The camera could not be started. Open a picture of the code as a file.',
    ended: 'The camera was disconnected.',
  },
  keys: {
    title: 'Keys',
    intro:
      'Keys stay in the memory of this page. They are wiped when you leave, when the page is not used, and at once by “Wipe now”, which stands at the top as long as there are any.',
    wallets: 'Opened wallets',
    none: 'No wallet is open yet.',
    add: 'Add keys',
    addToSign: 'Add your keys to sign',
    addMore: 'Add more keys',
    kind: 'What do you have?',
    kindWords: 'Seed words',
    kindText: 'Keys or descriptors',
    words: 'Seed words',
    wordsHelp: '12 to 24 English words, separated by spaces. Four letters of each are enough to complete it.',
    wordsState: (count: number): string => counted(count, 'word'),
    unknownWords: (positions: readonly number[]): string =>
      `Not in the word list: ${positions.map((position) => `word ${position}`).join(', ')}.`,
    checksumRight: (count: number): string => `${count} words, the checksum is right.`,
    checksumWrong: (count: number): string =>
      `${count} words, but the checksum is wrong: a word is mistaken or misplaced.`,
    completions: 'Words that fit',
    lastWords: 'Words that could be the last',
    near: 'Did you mean',
    wordChips: 'Typed words: press one to correct it',
    wordKinds: { known: 'is in the word list', unknown: 'is not in the word list', open: 'may go on' },
    hideWords: 'Hide the words',
    showWords: 'Show the words',
    nearWord: (position: number, word: string): string => `word ${position}: ${word}`,
    text: 'Private key, descriptors or exported wallet',
    textHelp: 'xprv, yprv, zprv, private keys (WIF), descriptors, or an extended public key to watch only',
    file: 'Open a wallet file',
    secretReady: (kind: SecretKind): string =>
      `The page has read ${SECRET_NAMES[kind]}, but does not show it. Choose how to use it.`,
    passphrase: 'Passphrase',
    passphraseHelp:
      'Only if the seed has one. Every passphrase opens a wallet: only its fingerprint and addresses, which are shown next, tell whether it is yours.',
    showPassphrase: 'Show passphrase',
    network: 'Network',
    purpose: 'Kind of addresses',
    purposes: {
      auto: 'As the key says',
      84: 'Native SegWit (bc1q …)',
      86: 'Taproot (bc1p …)',
      49: 'Nested SegWit (3 …)',
      44: 'Legacy (1 …)',
      48: 'My key of a multisig',
    },
    account: 'Account',
    accountHelp: '0 unless you use several',
    place: 'Addresses of a master key',
    places: {
      auto: 'As the key says',
      account: 'Below an account',
      root: 'Right below the key (Electrum)',
    },
    submit: 'Add these keys',
    added: (name: string): string =>
      `${name} was added. Compare its fingerprint and first addresses with your records.`,
    discard: 'Discard them',
    canSign: 'can sign',
    watchOnly: 'watch only',
    fingerprint: 'Fingerprint',
    fingerprints: 'Fingerprints',
    signer: 'Signer',
    signerPlace: ({ place, count, wallet, isProven }: SignerPlace): string =>
      `${place} of ${count} of ${wallet}, ${isProven ? 'key proven' : 'named by the file, not proven'}`,
    firstAddresses: 'First addresses',
    control: (others: string, alone: string): string =>
      `As its file says, others can spend its coins without you: ${others}; you alone: ${alone}. If you did not set it up that way, a stranger made the file.`,
    publicKeys: 'Public keys',
    noAddresses:
      'These keys are a part of a multisig: open its descriptors, too, to see addresses and to verify change.',
    remove: (name: string): string => `Forget ${name}`,
    removeShort: 'Forget',
    standing: 'Whose it is',
    standings: {
      keys: 'Yours: your own keys',
      listed: 'Not proven: no key at hand. Add your keys to see whether it is yours.',
      none: 'Not registered: only what was opened says whose keys it has.',
      'other-root': 'Its file holds registrations, and no key at hand can verify them: to you, it is not registered.',
      forged:
        'CHANGED: your key did not make its registration. A key may have been replaced by a stranger’s. Compare each key with its owner.',
      'shares-key':
        'NOT REGISTERED, though it has a key of yours that a registered wallet has, too. It may be that wallet with a stranger’s key: compare each key with its owner.',
    },
    registered: (title: string): string => `Registered ${title}`,
    exportShort: 'Public descriptors',
    addressesShort: 'Addresses',
    exportTitle: (name: string): string => `Public descriptors of ${name}`,
    exportIntro: 'For a watching wallet: whoever has them sees all your addresses and amounts, but cannot spend.',
    next: 'Continue to the review',
    nextOpen: 'Continue: open a transaction',
    skip: 'Review without keys',
  },
  register: {
    button: 'Register',
    title: (name: string): string => `Register ${name}`,
    others: 'Others can spend its coins without you',
    alone: 'You can spend them alone',
    othersTogether: (when: string, required: number, others: number): string =>
      `${when}, if ${required === 1 ? `one of the ${others}` : required === others ? (others === 2 ? 'both' : `all ${others}`) : `${required} of the ${others}`} others ${required === 1 ? 'signs' : 'sign together'}`,
    quorum: (required: number, count: number): string => `Any ${required} of ${count} keys sign`,
    hash: (name: string, hash: string): string => `A way needs what hashes by ${name} to ${hash}: others may know it.`,
    policyText: 'As a policy (BIP388)',
    policy: 'Policy',
    network: 'Network',
    key: (number: number): string => `Key ${number}`,
    proven: 'key proven',
    named: 'named by the file',
    receive: 'First receive address',
    change: 'First change address',
    compare:
      'Compare each key that only the file names with its owner, and these addresses with what another signer of the wallet shows.',
    differs: (title: string): string => `It differs from ${title}, which you have registered`,
    without: 'without',
    with: 'with',
    otherTemplate: 'The keys are the same, the policy is another.',
    replaceWord: 'replace',
    replace: (title: string): string => `Type replace to retire ${title}, or leave this empty to keep it`,
    replaceWrong: 'This is neither empty nor the word replace.',
    suggested: (name: string): string => `The file calls it “${name}”; whoever made the file chose that.`,
    carried: (name: string, count: number): string =>
      `Its file holds ${counted(count, 'registration')} under other keys with the name “${name}”: kept if you type the same name and retire the same wallets.`,
    name: 'Type the name of this wallet',
    nameHelp: 'By it you will know the wallet. 1 to 64 letters, digits and signs of ASCII.',
    submit: 'Register this wallet',
    done: (title: string): string => `Registered ${title}`,
    doneHelp:
      'The page does not keep it: save the file, or show its codes to a device that keeps it. Open it beside your keys whenever you sign. It holds no secret, and serves all signers of the wallet.',
    fileShort: 'Registered file',
  },
  review: {
    title: 'Review',
    none: 'No transaction is open.',
    proven: (count: number): string => `To prove: ${counted(count, 'coin')}`,
    network: 'Show addresses for',
    file: 'File',
    txid: 'Transaction',
    trust,
    findings: 'Findings',
    noFindingsHelp: 'Still compare the addresses and amounts with what you intend.',
    refused: (count: number): string => `${counted(count, 'reason')} not to sign`,
    verdict: 'What the page found',
    moreFindings: (count: number): string => `and ${count} more, below`,
    warned: (count: number): string => counted(count, 'warning'),
    refuse: 'Do not sign',
    warn: 'Warning',
    risk: 'Risk:',
    remedy: 'What to do:',
    details: 'Details',
    override: (title: string): string => `Sign all the same: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    overrideRisk: (risk: string): string => `I accept this risk: ${risk}`,
    flow: 'Where the money goes',
    notYours: 'Not your change',
    refusedBy: (titles: readonly string[]): string =>
      `refused: see ${titles.map((title) => `“${title}”`).join(' and ')} above`,
    /** What stands beside the remedy of a check, where the page itself offers it. */
    remedyHere: { 'sighash-unnamed': 'On this page, the box below names it.' } as Readonly<
      Partial<Record<PolicyCheck, string>>
    >,
    outputs: (count: number): string => `Paid: ${counted(count, 'output')}`,
    inputs: (count: number): string => `Spent: ${counted(count, 'coin')}`,
    output: (index: number): string => `Output ${index}`,
    input: (index: number): string => `Input ${index}`,
    place: (chain: 'receive' | 'change' | 'silent', index: number): string =>
      chain === 'silent'
        ? `silent payment address${index === 0 ? '' : ` with label ${index}`}`
        : `${chain} address ${index}`,
    unknownAmountShort: 'unknown amount',
    compare: 'Compare',
    compareAll: 'Compare all of it',
    compareTitle: 'Compare the address',
    compareHelp: 'Compare every group with the address that you were given, from another device if you can.',
    compareAllHelp:
      'Compare all of it, from another device if you can: of two silent payment addresses that begin alike, the other half may belong to somebody else.',
    size: (vsize: number): string => `About ${vsize.toLocaleString('en')} vB once signed.`,
    version: (psbt: number, tx: number): string => `PSBT version ${psbt}, transaction version ${tx}.`,
    sign: 'Sign',
    signTitle: 'Sign the transaction',
    signing: 'Signing …',
    signingProgress: (done: number, total: number): string => `${done} of ${total} inputs signed`,
    signAnyway: 'Sign all the same',
    accepted: (count: number): string => `You sign against ${counted(count, 'reason')} not to sign:`,
    stop: 'Stop, and forget the keys',
    needsOverride: (count: number): string =>
      `To sign, accept ${count === 1 ? 'the risk' : `each of the ${count} risks`} named under Findings.`,
    cannotSign: 'No key in memory can add a signature.',
    nonces: (count: number): string =>
      `MuSig2 takes two rounds. The first adds ${counted(count, 'nonce')}; the second, once all participants have added theirs, signs. Their secret parts are kept in the memory of this page alone: if you close, reload or wipe it, or leave it unused, they are lost, and you start anew from the unsigned PSBT.`,
    partialSignatures: (count: number): string =>
      `The second round of MuSig2: ${counted(count, 'nonce')} of yours will sign, each once, and be destroyed. This works only where they were made: in this page, if it has stayed open since.`,
    noncesWait: (count: number): string =>
      `${counted(count, 'MuSig2 key')} of yours ${count === 1 ? 'waits' : 'wait'} for the nonces of other participants. Combine the PSBT with theirs, and sign again where your nonces were made: in this page, if it made them and stays open. Nothing else keeps their secret part.`,
    cannotSignRaw: 'This is a raw transaction. It can be inspected and verified, but only a PSBT is signed here.',
    addKeys: 'Add keys',
    complete: 'All signatures are there: the transaction is final.',
    completeMessage: 'All signatures are there: the message is signed.',
    completeOpen: 'All signatures are there, but the transaction is not ready to be sent.',
    toResult: 'Continue to the result',
  },
  result: {
    title: 'Result',
    final: 'The transaction is final',
    open: 'Signed, but not ready to be sent',
    finalHelp: 'Carry it to a computer with a network, and send it from there.',
    message: 'The message is signed',
    messageHelp: 'Give the signature to whoever asked for it. There is nothing to send to the network.',
    signature: 'Signature',
    partial: 'Your signatures were added',
    partialNone: 'Not all signatures are there yet',
    nonces: 'It waits for the nonces of others',
    partialHelp: 'Pass it on to the next signer, or combine the copies that others signed.',
    progress: 'Signatures',
    txid: 'Transaction id',
    size: 'Size',
    vbytes: (vsize: number): string => `${vsize.toLocaleString('en')} vB`,
    what: 'Pass on',
    which: 'Contents',
    psbt: 'The PSBT',
    transaction: 'The final transaction',
    text: 'Show as text',
    textLabel: 'As text',
    verify: 'Verify all scripts',
  },
  codes: {
    title: 'QR codes',
    format: 'Format',
    bbqr: 'BBQr',
    ur: 'UR',
    plain: 'Plain',
    label: (number: number, count: number): string => (count === 1 ? 'QR code' : `QR code ${number} of ${count}`),
    endless: (number: number, count: number): string => `QR code ${number}; ${count} different ones are enough`,
    play: 'Play',
    pause: 'Pause',
    previous: 'Previous code',
    next: 'Next code',
    speed: 'Speed',
    perSecond: (speed: number): string => `${counted(speed, 'code')} per second`,
    density: 'Characters in a code',
    densityValue: (density: number): string => `up to ${density} characters`,
    larger: 'Full screen',
  },
  payment: {
    title: 'Payment request',
    noAmount: 'Any amount',
    label: (label: string): string => `To: ${label}`,
    message: (message: string): string => `For: ${message}`,
    others: (keys: string): string => `It can also be paid in ways that this page cannot: ${keys}.`,
    own: 'A wallet that is open here derives the address: it asks to pay you.',
    nothingOpen: 'Open the PSBT that pays it, and scan the request again: the page then compares address and amount.',
    paid: (output: number): string => `Output ${output} of the open transaction pays this address and amount.`,
    paidOwn: (output: number): string =>
      `Output ${output} of the open transaction pays this address and amount, and the address is your own.`,
    conditional: (output: number): string =>
      `Output ${output} of the open transaction pays this address and amount only under a condition, without which the receiver does not find the money: see its warning.`,
    otherAmount: (output: number, amount: string): string =>
      `Output ${output} of the open transaction pays this address, but ${amount}.`,
    repeated: (outputs: string): string => `Several outputs pay this request (${outputs}), which asks for one payment.`,
    missing: 'No output of the open transaction pays this address.',
  },
  addresses: {
    title: 'Addresses',
    none: 'Open a wallet or keys first.',
    wallet: 'Wallet',
    chain: 'Chain',
    receive: 'Receive',
    change: 'Change',
    silent: 'Silent payments',
    silentHelp:
      'Each payment to such an address has an address of its own. They are those of account 0; label 0 stands for none, and others tell you who paid.',
    from: 'First index',
    earlier: 'Earlier',
    later: 'Later',
    list: 'Addresses of the wallet',
    index: 'Index',
    qr: (index: number): string => `Show QR code of address ${index}`,
    qrShort: 'QR',
    find: 'Is this address mine?',
    findLabel: 'Address',
    findHelp: 'Or a payment request that begins with bitcoin:',
    findButton: 'Find',
    searching: 'Searching …',
    found: (place: string): string => `Yes: ${place}.`,
    foundUnproven: (place: string): string => `It is ${place}, but no key that is open here takes part in that wallet.`,
    notFound: (searched: string): string => `Not found: it is not among ${searched}.`,
    further: (count: number): string => `Look through the first ${count.toLocaleString('en')}`,
    qrTitle: 'Address as a QR code',
  },
  messages: {
    title: 'Messages',
    intro: 'A signed message proves that its signer has the keys of an address. It moves no money.',
    needsKeys: 'To sign a message, add your keys first. To verify one, no keys are needed.',
    sign: 'Sign a message',
    way: 'What do you have?',
    ways: { parts: 'Address and text', request: 'A request', block: 'A signed message' },
    address: 'Address',
    message: 'Message',
    messageOf: (message: string): string => `Message: ${counted([...message].length, 'character')}`,
    empty: 'The message is empty.',
    request: 'Request of a wallet',
    requestHelp: 'Message, path and kind of address in three lines; signmessage m/… ascii:…; or JSON with msg.',
    file: 'Read it from a file',
    show: 'Show what is signed',
    prepared: 'You sign this text',
    hidden: 'Marked are characters that a screen does not show, or that let a text read otherwise than it is written.',
    form: 'Form of the signature',
    forms: { bip322: 'BIP322', legacy: 'Legacy' },
    formHelp:
      'Legacy is what nodes and most websites verify for addresses that begin with 1. BIP322 is for all addresses.',
    risk: 'Your signature may be consent: to a login, a contract, a debt. Sign only what you have read.',
    signButton: 'Sign this message',
    signature: 'Signature',
    signedHelp: 'Below it is with message and address, as others read it from a file or codes.',
    verify: 'Verify a message',
    block: 'Signed message',
    blockHelp: 'All of it, from -----BEGIN BITCOIN SIGNED MESSAGE----- to the last line.',
    verifyButton: 'Verify the signature',
    verdicts: { valid: 'Valid', invalid: 'Not valid', inconclusive: 'Not decided' },
  },
  quorum: {
    title: 'Make a multisig wallet',
    intro:
      'From the key of each signer, as their devices export it. Whoever can change a file can put in a key of theirs: compare each key with its owner.',
    signers: (count: number): string => `Signers: ${counted(count, 'key')}`,
    own: 'from your keys',
    compare: 'compare with its owner',
    pasted: (number: number): string => `Pasted key ${number}`,
    key: 'Key of a signer',
    keyHelp: '[fingerprint/48h/0h/0h/2h]xpub…, or the text of a file that a device exports for a multisig.',
    addKey: 'Add this key',
    addFiles: 'Add files',
    addOwn: (name: string): string => `Add my key: ${name}`,
    openOwn: 'Add seed words, to use a key of yours',
    remove: (number: number): string => `Remove signer ${number}`,
    removeShort: 'Remove',
    wallet: 'The wallet',
    required: 'How many of them sign',
    of: (count: number): string => `of ${count}`,
    script: 'Kind of addresses',
    scripts: {
      auto: 'As the keys say',
      p2wsh: 'Native SegWit (P2WSH)',
      'p2sh-p2wsh': 'Nested SegWit (P2SH-P2WSH)',
      p2sh: 'Legacy (P2SH)',
    },
    meaning: quorumMeaning,
    make: 'Make the wallet',
    made: (name: string): string => `The wallet ${name}`,
    descriptor: 'Descriptor',
    next: 'Save it, and give it to every signer: the keys alone do not find the coins again. Compare these addresses with those that the other signers see.',
    register: 'Register this wallet',
    registerLater: 'Add the seed words of your key, and register the wallet once: then its change is verified.',
  },
  inspect: {
    title: 'Inspect and verify',
    what: 'What is it?',
    whatHelp:
      'A PSBT or a transaction is opened, to show its fields and to verify it. Of all else, the page says what it is.',
    whatLabel: 'Text',
    whatButton: 'Inspect',
    open: 'Open it',
    address: (kind: string, networks: readonly string[]): string =>
      `An address: ${kind}, for ${networks.join(' or ')}.`,
    addressKinds: {
      pubkeyhash: 'legacy, of one key (P2PKH)',
      scripthash: 'of a script (P2SH), such as a multisig or nested SegWit',
      witness_v0_keyhash: 'native SegWit, of one key (P2WPKH)',
      witness_v0_scripthash: 'native SegWit, of a script (P2WSH), such as a multisig',
      witness_v1_taproot: 'Taproot (P2TR)',
      'silent-payment': 'silent payments (BIP352)',
    } as Readonly<Partial<Record<string, string>>>,
    otherKind: 'of a kind that this page does not know',
    verifyTitle: 'Is it valid?',
    verifyIntro: 'Runs every script, as a node would. The coins must be known from the PSBT.',
    verify: 'Verify',
    verdicts: {
      valid: 'Valid: all scripts accept the signatures.',
      invalid: 'Not valid.',
      incomplete: 'Not complete: signatures are missing. What is there does not make it invalid.',
      unknown: 'Not known: whether it is valid cannot be told without the coins that it spends.',
    },
    jsonTitle: 'Fields',
    jsonIntro: 'As a Bitcoin node prints them: decodepsbt or decoderawtransaction.',
    json: 'Show the fields',
    jsonLabel: 'Fields as JSON',
  },
  about: {
    title: 'About this page',
    what: 'This page reviews and signs Bitcoin and Litecoin transactions on a computer without a network. It is a single file, makes no request, and stores nothing.',
    hashTitle: 'Is it the published file?',
    hashLabel: 'SHA-256 of this page',
    computing: 'Computing …',
    hashHelp:
      'Compare it with the line of countersign.html in SHA256SUMS of the release. A forged page could show any number here, so let another program compute it from the file:',
    hashCommands: [
      'sha256sum countersign.html',
      'shasum -a 256 countersign.html',
      'certutil -hashfile countersign.html SHA256',
    ],
    hashSystems: ['Linux', 'macOS', 'Windows'],
    hashNote: 'A browser extension that modifies pages changes the number, too. Turn extensions off for signing.',
    safetyTitle: 'What keeps it safe',
    safety: [
      'Its Content-Security-Policy forbids every request. Still, the safest computer is one without a network.',
      'Keys are held by a separate worker and never return from it. They are wiped by the button, by leaving the page, and after idle minutes.',
      'Browsers cannot promise that nothing of a key remains in the computer’s memory. Restart the computer after signing with large amounts.',
      'Other extensions and programs can read what you type. Use a clean browser profile.',
    ],
    licenses: 'Licences',
    version: (version: string): string => `Version ${version}`,
  },
};
