import { encode, varBytes } from '../../core/bytes/codec.ts';
import { formatHex, isHex, parseHex } from '../../core/bytes/hex.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import type { Deployment, Network } from '../../core/network/networks.ts';
import type { Chain } from './chains.ts';
import { InitError } from './initError.ts';
import type { Options } from './options.ts';

/**
 * Returns the network with what options change of it.
 * @throws InitError
 * @see Bitcoin Core `ReadSigNetArgs`, `ReadRegTestArgs`
 */
export function networkFor({ name, network }: Chain, options: Options): Network {
  if (name === 'signet') return ownSignet(network, options);
  return name === 'regtest' ? ownRegtest(network, options) : network;
}

/** Others' blocks prove nothing of a signet of one's own. */
function ownSignet(signet: Network, options: Options): Network {
  const [challenge, ...more] = options.list('signetchallenge');
  if (challenge === undefined) return signet;
  if (more.length > 0) throw new InitError('-signetchallenge cannot be multiple values.');
  if (!isHex(challenge)) throw new InitError(`-signetchallenge must be hex, not '${challenge}'.`);
  const own = {
    ...signet,
    signetChallenge: challenge.toLowerCase(),
    magic: formatHex(sha256d(encode(varBytes, parseHex(challenge))).subarray(0, 4)),
  };
  if (!signet.consensus) return own;
  const { knownBlock: _, ...rules } = signet.consensus;
  return { ...own, consensus: { ...rules, minimumWork: 0n } };
}

function ownRegtest(regtest: Network, options: Options): Network {
  const { consensus } = regtest;
  if (!consensus) return regtest;
  const heights = new Map(options.list('testactivationheight').map(parseActivation));
  const [bip34, bip66, bip65] = consensus.versionHeights;
  const [csv, segwit] = consensus.laterForks;
  const known = consensus.deployments ?? [];
  const votes = new Map(
    options
      .list('vbparams')
      .map((text) => parseVote(text, known))
      .map((vote) => [vote.name, vote]),
  );
  const height = (fork: string, otherwise: number): number => heights.get(fork) ?? otherwise;
  return {
    ...regtest,
    consensus: {
      ...consensus,
      versionHeights: [height('bip34', bip34), height('dersig', bip66), height('cltv', bip65)],
      laterForks: [height('csv', csv), height('segwit', segwit)],
      enforcesBip94: options.list('test').includes('bip94'),
      deployments: known.map((vote) => votes.get(vote.name) ?? vote),
    },
  };
}

const FORKS = ['segwit', 'bip34', 'dersig', 'cltv', 'csv'];
const FORMAT = '-testactivationheight=name@height.';
const HIGHEST = 0x7fff_ffff;

function parseActivation(text: string): readonly [fork: string, height: number] {
  const at = text.indexOf('@');
  if (at < 0) throw new InitError(`Invalid format (${text}) for ${FORMAT}`);
  const digits = text.slice(at + 1);
  const height = /^[0-9]{1,10}$/.test(digits) ? Number(digits) : HIGHEST;
  if (height >= HIGHEST) throw new InitError(`Invalid height value (${text}) for ${FORMAT}`);
  const fork = text.slice(0, at);
  if (!FORKS.includes(fork)) throw new InitError(`Invalid name (${text}) for ${FORMAT}`);
  return [fork, height];
}

/** @see Bitcoin Core `BIP9Deployment::ALWAYS_ACTIVE` */
const ALWAYS = '-1';
const INTEGER = /^-?[0-9]{1,19}$/;

function parseVote(text: string, known: readonly Deployment[]): Deployment {
  const [name = '', start = '', end = '', height = '0', ...more] = text.split(':');
  if (text.split(':').length < 3 || more.length > 0) {
    throw new InitError('Version bits parameters malformed, expecting deployment:start:end[:min_activation_height]');
  }
  if (!INTEGER.test(start)) throw new InitError(`Invalid nStartTime (${start})`);
  if (!INTEGER.test(end)) throw new InitError(`Invalid nTimeout (${end})`);
  if (!INTEGER.test(height)) throw new InitError(`Invalid min_activation_height (${height})`);
  const deployment = known.find((vote) => vote.name === name);
  if (!deployment) throw new InitError(`Invalid deployment (${name})`);
  const { timeout: _, ...rest } = deployment;
  return {
    ...rest,
    start: start === ALWAYS ? 'always' : Number(start),
    ...(Number(end) < Number.MAX_SAFE_INTEGER && { timeout: Number(end) }),
    minHeight: Number(height),
  };
}
