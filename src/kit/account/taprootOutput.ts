import { formatAddress } from '../../core/address/address.ts';
import { isBytes } from '../../core/bytes/assertBytes.ts';
import { assertKnownOptions, invalidOption, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { EccOption } from '../../core/crypto/eccOption.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { taprootSpend } from '../../core/descriptors/taprootSpend.ts';
import { type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { payToTaproot } from '../../core/script/build.ts';
import {
  MAX_TREE_DEPTH,
  TAPSCRIPT_LEAF_VERSION,
  type TapTreeLeaf,
  UNSPENDABLE_KEY,
} from '../../core/script/tapTree.ts';
import type { KnownOutput } from './account.ts';

/** A script, or two branches. */
export type TapBranches = Uint8Array | readonly [TapBranches, TapBranches];

/** The key path and the network of a taproot output. */
export interface TaprootOutputOptions extends EccOption {
  /** Default `main`. */
  readonly network?: NetworkOption;
  /** X-only. Default: BIP341's H, which has no known private key, so that only scripts spend the coin. */
  readonly internalKey?: Uint8Array;
}

const OPTIONS: OptionNames<TaprootOutputOptions> = { ecc: true, network: true, internalKey: true };

/**
 * Makes the output of a tree of tapscripts, for `buildPsbt` to pay and to spend. For scripts that are miniscript, a descriptor says
 * more: `tr(KEY,{...})` derives and names the keys.
 *
 * @throws `argument/invalid` for a tree that is deeper than 128 branches, or a key that is not a point
 * @see BIP341 "Constructing and spending Taproot outputs"
 *
 * @example
 * ```ts
 * import { parseHex, taprootOutput } from 'countersign';
 * import { encodeScript } from 'countersign/script';
 *
 * const key = parseHex('f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9');
 * const leaf = encodeScript([key, 'OP_CHECKSIG', 0, 'OP_IF', new Uint8Array(4), 'OP_ENDIF']);
 * taprootOutput(leaf, { network: 'regtest' }).address.slice(0, 6); // bcrt1p
 * ```
 */
export function taprootOutput(scripts: TapBranches, options: TaprootOutputOptions = {}): KnownOutput {
  assertKnownOptions(options, OPTIONS);
  const { internalKey = UNSPENDABLE_KEY, network: requested = 'main', ecc = nobleEcc } = options;
  const network = resolveNetwork(requested);
  if (!(isBytes(internalKey) && internalKey.length === 32 && ecc.isXOnlyPoint(internalKey)))
    throw invalidOption('internalKey', 'must be an x-only public key, a Uint8Array of 32 bytes');
  const taproot = taprootSpend(internalKey, listLeaves(scripts, 0), ecc);
  const scriptPubKey = payToTaproot(taproot.outputKey);
  const derived = { scriptPubKeys: [scriptPubKey], scripts: [], keys: [], aggregates: [], taproot };
  return { address: formatAddress(scriptPubKey, network) ?? '', scriptPubKey, network, derived };
}

function listLeaves(scripts: TapBranches, depth: number): readonly TapTreeLeaf[] {
  if (depth > MAX_TREE_DEPTH) throw invalidOption('scripts', `has more than ${MAX_TREE_DEPTH} branches above a script`);
  if (isBytes(scripts)) return [{ depth, leafVersion: TAPSCRIPT_LEAF_VERSION, script: scripts }];
  if (!Array.isArray(scripts) || scripts.length !== 2)
    throw invalidOption('scripts', 'must be a Uint8Array, or pairs of such: use encodeScript or parseHex');
  return scripts.flatMap((branch) => listLeaves(branch, depth + 1));
}
