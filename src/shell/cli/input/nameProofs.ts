import { parseBase64 } from '../../../core/bytes/base64.ts';
import { isHex, parseHex } from '../../../core/bytes/hex.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { unlessRefused } from '../../../core/errors.ts';
import type { Network } from '../../../core/network/networks.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import { nameProofText } from '../../../core/report/findingParts.ts';
import type { NameProof, ProveName } from '../../../core/review/paymentName.ts';
import type { NameToProve } from '../../../kit/names/proveName.ts';
import type { PaymentUri } from '../../../kit/payment/paymentUri.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { decodeUtf8 } from '../../terminal/lines.ts';
import { UsageError } from '../../terminal/usageError.ts';

/** Returns how a review proves the payment names of a PSBT, by the clock of the machine; nothing for one without names. */
export async function nameProver({ outputs }: Psbt, io: Io): Promise<{ readonly proveName?: ProveName }> {
  return outputs.some(({ dnssecProof }) => dnssecProof) ? { proveName: await openProver(io) } : {};
}

async function openProver(io: Io) {
  const { proveName } = await import('../../../kit/names/proveName.ts');
  const now = Math.floor(io.unixTime());
  return (record: NameToProve, network: Network) => proveName(record, { network, now });
}

type Proven = Extract<NameProof<PaymentUri>, { readonly status: 'proven' }>;

/** By name, as reviews have it. */
export type NameProofs = ReadonlyMap<string, Proven>;

/** Reads the proofs of payment names, each in the order of its name. @throws UsageError */
export async function readNameProofs(
  paths: readonly string[],
  { names, network }: { readonly names: readonly string[]; readonly network: Network },
  io: Io,
): Promise<NameProofs> {
  if (paths.length !== names.length) {
    throw new UsageError(
      names.length === 0
        ? '--name-proof goes with a payment name, such as --pays ₿alice@example.com'
        : `each payment name needs its proof, in the same order: ${names.length} given with --pays, ${paths.length} with --name-proof`,
    );
  }
  if (names.length === 0) return new Map();
  const prove = await openProver(io);
  const proofs = new Map<string, Proven>();
  for (const [i, name] of names.entries()) {
    const path = paths[i] ?? '';
    const proof = prove({ name, proof: proofBytes(await readNamedInput('--name-proof', path, io)) }, network);
    if (proof.status !== 'proven') {
      throw new UsageError(
        `--name-proof: ${path === '-' ? 'standard input' : shownPath(path)} does not prove the name: ${nameProofText(proof)}`,
      );
    }
    proofs.set(name, proof);
  }
  return proofs;
}

/** Takes a proof as resolvers give it, in bytes, or in hex or base64. */
function proofBytes(content: Uint8Array): Uint8Array {
  const text = decodeUtf8(content)?.trim() ?? '';
  if (text === '') return content;
  return isHex(text) ? parseHex(text) : (unlessRefused(() => parseBase64(text)) ?? content);
}
