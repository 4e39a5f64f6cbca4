// Makes and reads codes with the libraries of wallets: answers the list of calls in `calls.json`.
import { readFileSync, writeFileSync } from 'node:fs';
import registry from '@keystonehq/bc-ur-registry';
import urs from '@ngraveio/bc-ur';
import { joinQRs, splitQRs } from 'bbqr';

const { CryptoAccount, CryptoCoinInfo, CryptoHDKey, CryptoKeypath, CryptoOutput, CryptoPSBT } = registry;
const { MultiKey, PathComponent, ScriptExpressions, URRegistryDecoder } = registry;
const { UR, URDecoder, UREncoder } = urs;

const bytes = (hex) => Buffer.from(hex, 'hex');
const hexOf = (content) => Buffer.from(content).toString('hex');
const partsOf = (encoder, count) => Array.from({ length: count }, () => encoder.nextPart());

function decoded(decoder, frames) {
  for (const frame of frames) if (decoder.receivePart(frame) && decoder.isComplete()) break;
  if (!decoder.isSuccess()) throw new Error('frames are missing');
  return decoder;
}

const pathOf = (steps, ...rest) =>
  new CryptoKeypath(
    steps.map(([index, hardened]) => new PathComponent({ ...(index !== null && { index }), hardened })),
    ...rest,
  );

const keyOf = ({ key, chainCode, parent, fingerprint, steps, children, isTest }) =>
  new CryptoHDKey({
    isMaster: false,
    key: bytes(key),
    chainCode: bytes(chainCode),
    parentFingerprint: bytes(parent),
    origin: pathOf(steps, bytes(fingerprint), steps.length),
    ...(children && { children: pathOf(children) }),
    ...(isTest && { useInfo: new CryptoCoinInfo(0, 1) }),
  });

const outputOf = ({ scripts, keys, required }) =>
  new CryptoOutput(
    scripts.map((name) => ScriptExpressions[name]),
    required === undefined ? keyOf(keys[0]) : new MultiKey(required, keys.map(keyOf)),
  );

/** Describes a key as the library understands it. */
const shownKey = (key) => ({
  key: hexOf(key.getKey()),
  chainCode: hexOf(key.getChainCode()),
  fingerprint: hexOf(key.getOrigin().getSourceFingerprint()),
  path: key.getOrigin().getPath(),
  children: key.getChildren()?.getPath(),
  isTest: key.getUseInfo()?.getNetwork() === 1,
});

const shownOutput = (output) => ({
  scripts: output.getScriptExpressions().map((script) => script.getExpression()),
  required: output.getMultiKey()?.getThreshold(),
  keys: (output.getMultiKey()?.getKeys() ?? [output.getHDKey()]).map(shownKey),
});

const CALLS = {
  encodeUr: ({ type, hex, fragmentSize, count }) => {
    const ur = type === 'crypto-psbt' ? new CryptoPSBT(bytes(hex)).toUR() : UR.fromBuffer(bytes(hex));
    return partsOf(new UREncoder(ur, fragmentSize), count);
  },
  decodeUr: ({ frames }) => {
    const ur = decoded(new URDecoder(), frames).resultUR();
    return { type: ur.type, hex: hexOf(ur.decodeCBOR()) };
  },
  readPsbt: ({ frames }) => hexOf(decoded(new URRegistryDecoder(), frames).resultRegistryType().getPSBT()),
  encodeBbqr: ({ hex, fileType, options }) => splitQRs(bytes(hex), fileType, options),
  decodeBbqr: ({ frames }) => {
    const { fileType, encoding, raw } = joinQRs(frames);
    return { fileType, encoding, hex: hexOf(raw) };
  },
  encodeOutput: ({ output }) => outputOf(output).toUREncoder(2000).nextPart(),
  encodeAccount: ({ fingerprint, outputs }) =>
    new CryptoAccount(bytes(fingerprint), outputs.map(outputOf)).toUREncoder(2000).nextPart(),
  readOutput: ({ frames }) => shownOutput(decoded(new URRegistryDecoder(), frames).resultRegistryType()),
  readAccount: ({ frames }) => {
    const account = decoded(new URRegistryDecoder(), frames).resultRegistryType();
    return {
      fingerprint: hexOf(account.getMasterFingerprint()),
      outputs: account.getOutputDescriptors().map(shownOutput),
    };
  },
};

const calls = JSON.parse(readFileSync('calls.json', 'utf8'));
writeFileSync('answers.json', JSON.stringify(calls.map(([name, given]) => CALLS[name](given))));
