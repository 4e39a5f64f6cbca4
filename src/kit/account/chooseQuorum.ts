import { BtcError } from '../../core/errors.ts';
import { quorumDescriptor } from './quorum.ts';
import type { MultisigScript, SignerKey } from './walletFiles/walletFile.ts';

/** Most usual first. */
export const MULTISIG_SCRIPTS: readonly MultisigScript[] = ['p2wsh', 'p2sh-p2wsh', 'p2sh'];

/** What one signer gave. */
export interface GivenSigner {
  /** For errors. */
  readonly name: string;
  readonly signers: readonly SignerKey[];
}

/**
 * Makes the descriptor of a multisig wallet from what each signer exports, which may hold a key for each script. Default script:
 * the most usual for which all have a key.
 * @throws `argument/invalid`, naming those whose keys do not fit
 */
export function chooseQuorum(required: number, given: readonly GivenSigner[], wanted?: MultisigScript): string {
  const script = chooseScript(given, wanted);
  const signers = given.map((keys) => keyFor(keys, script));
  assertQuorum(required, given, signers);
  return quorumDescriptor(required, signers, { script });
}

function assertQuorum(required: number, given: readonly GivenSigner[], signers: readonly SignerKey[]): void {
  const count = signers.length;
  if (required > count)
    refuse(`${required} signers cannot sign: there ${count === 1 ? 'is one key' : `are ${count} keys`}`);
  const texts = signers.map(({ text: key }) => key.replace(/^.*\]/, ''));
  const second = texts.findIndex((key, i) => texts.indexOf(key) < i);
  const first = texts.indexOf(texts[second] ?? '');
  if (second >= 0)
    refuse(`${given[first]?.name} and ${given[second]?.name} have the same key: give that of each signer once`);
}

const keysFor = ({ signers }: GivenSigner, script: MultisigScript): readonly SignerKey[] => {
  const stated = signers.filter((signer) => signer.script === script);
  return stated.length > 0 ? stated : signers.filter((signer) => signer.script === undefined);
};

function chooseScript(given: readonly GivenSigner[], wanted: MultisigScript | undefined): MultisigScript {
  const possible = MULTISIG_SCRIPTS.filter((each) => given.every((keys) => keysFor(keys, each).length > 0));
  const [first] = possible;
  if (wanted === undefined) return first ?? refuse('these keys are for different scripts: export those of one');
  return possible.includes(wanted) ? wanted : refuse(`not every signer has a key for ${wanted}`);
}

function keyFor(keys: GivenSigner, script: MultisigScript): SignerKey {
  const [key, ...more] = keysFor(keys, script);
  if (key && more.length === 0) return key;
  return refuse(`${keys.name} has ${1 + more.length} keys for ${script}: give one`);
}

function refuse(reason: string): never {
  throw new BtcError('argument/invalid', { argument: 'signers', reason }, reason);
}
