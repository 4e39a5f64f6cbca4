import {
  encodeMiniscript,
  findFault,
  maxSatisfactionSize,
  parseMiniscript,
  printMiniscript,
} from '../../src/core/descriptors/miniscript/index.ts';
import {
  classifyScript,
  createDeriver,
  decodePsbtBytes,
  decodeTransaction,
  derivePath,
  descriptorChecksum,
  encodePsbt,
  encodeTransaction,
  formatAddress,
  formatAsm,
  formatBase64,
  formatDescriptor,
  formatHex,
  formatTxid,
  formatXprv,
  formatXpub,
  inferDescriptor,
  isRanged,
  legacySighash,
  masterKey,
  type Network,
  neuter,
  type Psbt,
  parseAddress,
  parseDescriptor,
  parseExtendedKey,
  parsePath,
  parsePsbt,
  parseScriptFlags,
  psbtVersion,
  type SignatureChecker,
  segwitV0Sighash,
  singlePaths,
  type Transaction,
  type TxOut,
  tapLeafHash,
  taprootSighash,
  toPsbtV2,
  transactionSize,
  txid,
  verifyInput,
  verifyScript,
  wtxid,
} from '../support/library.ts';
import { amountOf, bytesOf, FormError, type Json, listOf, membersOf, networkOf, numberOf, textOf } from './given.ts';

/** Answers a case. Throws a `BtcError` to refuse the input, and a `FormError` for an input of another form. */
export type Answer = (input: Json) => Json;

function answerTransaction(input: Json): Json {
  const tx = decodeTransaction(bytesOf(input, 'the input'));
  return {
    txid: formatTxid(txid(tx)),
    wtxid: formatTxid(wtxid(tx)),
    version: tx.version,
    locktime: tx.locktime,
    inputs: tx.inputs.map(({ outpoint, scriptSig, sequence, witness }) => ({
      txid: formatTxid(outpoint.txid),
      vout: outpoint.vout,
      scriptSig: formatHex(scriptSig),
      sequence,
      witness: witness.map(formatHex),
    })),
    outputs: tx.outputs.map(({ value, scriptPubKey }) => ({ value: `${value}`, script: formatHex(scriptPubKey) })),
    ...sizesOf(tx),
    hex: formatHex(encodeTransaction(tx)),
  };
}

function sizesOf(tx: Transaction): { readonly size: number; readonly weight: number; readonly vsize: number } {
  const { size, weight, vsize } = transactionSize(tx);
  return { size, weight, vsize };
}

/** Names the records of a map, each with the number of its entries. */
const fieldsOf = (map: object): Json =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, Array.isArray(value) ? value.length : 1]));

function answerPsbt(input: Json): Json {
  const psbt: Psbt = parsePsbt(textOf(input, 'the input'));
  const encoded = encodePsbt(psbt);
  const again = formatHex(encodePsbt(decodePsbtBytes(encoded)));
  if (again !== formatHex(encoded)) throw new Error('an encoded PSBT is not a fixed point');
  return {
    version: psbtVersion(psbt),
    global: fieldsOf(psbt.global),
    inputs: psbt.inputs.map(fieldsOf),
    outputs: psbt.outputs.map(fieldsOf),
    v2: formatBase64(encodePsbt(toPsbtV2(psbt))),
    base64: formatBase64(encoded),
  };
}

/** Runs scripts against a spend of their output, as Core's script_tests do, or without any transaction. */
function answerEvaluation(input: Json): Json {
  const given = membersOf(input);
  const scriptSig = given['scriptSig'] === undefined ? new Uint8Array(0) : bytesOf(given['scriptSig'], 'scriptSig');
  const flags = parseScriptFlags(textOf(given['flags'] ?? '', 'flags'));
  const witness = listOf(given['witness'] ?? [], 'witness').map((item) => bytesOf(item, 'witness'));
  if (given['tx'] === undefined) {
    const scriptPubKey = bytesOf(given['scriptPubKey'], 'scriptPubKey');
    const outcome = verifyScript({ scriptSig, scriptPubKey, witness, flags, checker: NO_TRANSACTION });
    return outcome.kind === 'valid' ? 'OK' : outcome.error;
  }
  const tx = decodeTransaction(bytesOf(given['tx'], 'tx'));
  const outcome = verifyInput({
    tx,
    prevouts: coinsOf(given['prevouts']),
    inputIndex: numberOf(given['index'], 'index', 0),
    flags,
  });
  return outcome.kind === 'valid' ? 'OK' : outcome.error;
}

const NO_TRANSACTION: SignatureChecker = {
  checkEcdsa: () => false,
  checkSchnorr: () => 'SCHNORR_SIG',
  checkLockTime: () => false,
  checkSequence: () => false,
};

const coinsOf = (value: Json | undefined): readonly TxOut[] =>
  listOf(value, 'prevouts').map((coin) => {
    const { amount, script } = membersOf(coin);
    return { value: amountOf(amount, 'amount'), scriptPubKey: bytesOf(script, 'script') };
  });

/** Derives the scripts of a descriptor, or of each descriptor that a multipath one stands for. */
function answerDescriptor(input: Json): Json {
  const given = typeof input === 'string' ? { descriptor: input } : membersOf(input);
  const { descriptor: text, network: name, index, count } = given as Readonly<Record<string, Json>>;
  const network = networkOf(name);
  const descriptor = parseDescriptor(textOf(text, 'descriptor'), network);
  const shown = formatDescriptor(descriptor, network);
  const [first, length] = [numberOf(index, 'index', 0), isRanged(descriptor) ? numberOf(count, 'count', 1) : 1];
  const scripts = singlePaths(descriptor).flatMap((single) => {
    const derive = createDeriver(single);
    return Array.from({ length }, (_, i) => derive(first + i).scriptPubKeys).flat();
  });
  return {
    descriptor: shown,
    checksum: descriptorChecksum(shown.split('#')[0] ?? '') ?? '',
    isRanged: isRanged(descriptor),
    scripts: scripts.map(formatHex),
    addresses: scripts.map((script) => formatAddress(script, network) ?? null),
  };
}

const TYPE_LETTERS = 'zondumefsxghijk';

/** Parses miniscript whose keys are public keys in hex. */
function answerMiniscript(input: Json): Json {
  const given = membersOf(input);
  const context = textOf(given['context'] ?? 'wsh', 'context');
  if (context !== 'wsh' && context !== 'tapscript') throw new FormError('context must be wsh or tapscript');
  const parsed = parseMiniscript(textOf(given['miniscript'], 'miniscript'), { context, parseKey: (key) => key });
  if (parsed.kind === 'fault') return { fault: parsed.reason };
  const { root } = parsed;
  const fault = findFault(root, (key) => key)?.reason;
  const { base, ...letters } = root.type;
  const type =
    base === 'none'
      ? 'none'
      : base +
        [...TYPE_LETTERS]
          .filter((letter) => Object.entries(letters).some(([name, has]) => has && name === letter))
          .join('');
  const areKeys = base === 'B' && fault !== 'invalid';
  const size = areKeys ? maxSatisfactionSize(root) : undefined;
  return {
    type,
    fault: fault ?? null,
    text: printMiniscript(root, (key) => key),
    scriptSize: root.scriptSize,
    ...(areKeys && { script: formatHex(encodeMiniscript(root, (key) => bytesOf(key, 'a key'))) }),
    ...(size && { maxSatisfaction: Object.fromEntries(Object.entries(size)) as Json }),
  };
}

function answerAddress(input: Json): Json {
  const { address, network: name } = typeof input === 'string' ? { address: input } : membersOf(input);
  const network = networkOf(name);
  const script = parseAddress(textOf(address, 'address'), network);
  return {
    script: formatHex(script),
    type: classifyScript(script).type,
    address: formatAddress(script, network) ?? null,
  };
}

/** Derives a key from a seed or an extended key. */
function answerBip32(input: Json): Json {
  const { seed, key, path = 'm', network: name } = membersOf(input);
  const network: Network = networkOf(name);
  const start = key === undefined ? masterKey(bytesOf(seed, 'seed')) : parseExtendedKey(textOf(key, 'key'), network);
  const derived = derivePath(start, parsePath(textOf(path, 'path')));
  return {
    xpub: formatXpub(neuter(derived), network),
    xprv: derived.secretKey ? formatXprv(derived, network) : null,
  };
}

/** Computes a digest; `algorithm` chooses the rules. */
function answerSighash(input: Json): Json {
  const given = membersOf(input);
  const tx = decodeTransaction(bytesOf(given['tx'], 'tx'));
  const [inputIndex, sighashType] = [numberOf(given['index'], 'index'), numberOf(given['type'], 'type')];
  const request = { tx, inputIndex, sighashType };
  switch (given['algorithm']) {
    case 'legacy':
      return formatHex(legacySighash({ ...request, scriptCode: bytesOf(given['scriptCode'], 'scriptCode') }));
    case 'segwit-v0': {
      const scriptCode = bytesOf(given['scriptCode'], 'scriptCode');
      return formatHex(segwitV0Sighash({ ...request, scriptCode, value: amountOf(given['amount'], 'amount') }));
    }
    case 'taproot': {
      const { leaf, annex } = given;
      return formatHex(
        taprootSighash({
          ...request,
          prevouts: coinsOf(given['prevouts']),
          ...(leaf !== undefined && { tapscript: { leafHash: tapLeafHash(bytesOf(leaf, 'leaf')) } }),
          ...(annex !== undefined && { annex: bytesOf(annex, 'annex') }),
        }),
      );
    }
    default:
      throw new FormError('algorithm must be legacy, segwit-v0 or taproot');
  }
}

function answerInference(input: Json): Json {
  const { script, network: name } = typeof input === 'string' ? { script: input } : membersOf(input);
  return formatDescriptor(inferDescriptor(bytesOf(script, 'script')), networkOf(name));
}

/** The targets of our own form, which `test/referee/README.md` describes. */
export const OWN_TARGETS: Readonly<Record<string, Answer>> = {
  transaction: answerTransaction,
  psbt: answerPsbt,
  'script-asm': (input) => formatAsm(bytesOf(input, 'the input')),
  'script-verify': answerEvaluation,
  'script-descriptor': answerInference,
  descriptor: answerDescriptor,
  miniscript: answerMiniscript,
  address: answerAddress,
  bip32: answerBip32,
  sighash: answerSighash,
};
