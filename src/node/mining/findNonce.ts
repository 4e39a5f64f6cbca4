import type { Network } from '../../core/network/networks.ts';
import { type BlockHeader, encodeBlockHeader } from '../chain/blockHeader.ts';
import { hasRequiredWork } from '../chain/headerChain.ts';

const LAST_NONCE = 0xffff_ffff;
const NONCE = 76;

/** Attempts that a call may still make. */
export interface Attempts {
  left: number;
}

/**
 * Counts the nonce of a header up until the header has work.
 * @returns the header, or why there is none
 * @see Bitcoin Core `GenerateBlock`
 */
export function findNonce(
  network: Network,
  header: BlockHeader,
  attempts: Attempts,
): Uint8Array | 'no attempts left' | 'no nonce left' {
  const bytes = encodeBlockHeader(header);
  const view = new DataView(bytes.buffer);
  let { nonce } = header;
  while (attempts.left > 0 && nonce < LAST_NONCE && !hasRequiredWork(network, bytes)) {
    nonce += 1;
    attempts.left -= 1;
    view.setUint32(NONCE, nonce, true);
  }
  if (attempts.left <= 0) return 'no attempts left';
  return nonce === LAST_NONCE ? 'no nonce left' : bytes;
}
