import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { NetworkName } from '../../../src/core/network/networks.ts';
import { type VerifyMessageInput, verifyMessage } from '../../../src/kit/message/index.ts';

// The rows are from: Bitcoin Core, `src/test/util_tests.cpp`, `test/functional/rpc_signmessagewithprivkey.py`; Electrum,
// `tests/test_bitcoin.py`, `tests/test_wallet_vertical.py`; Trezor, `tests/device_tests/bitcoin/test_signmessage.py` and
// `test_verifymessage.py`; Coldcard, `docs/msg-signing.md`, `testing/test_msg.py`; Sparrow's drongo, its tests of messages.

interface Row extends VerifyMessageInput {
  readonly by: string;
  readonly network: NetworkName;
  readonly isValid: boolean;
}

const rows = JSON.parse(readFileSync(new URL('../../../vectors/messages.json', import.meta.url), 'utf8')) as Row[];
const isValid = (row: Row, message = row.message): boolean => {
  const { address, signature, network } = row;
  return verifyMessage({ address, signature, network, message }).kind === 'valid';
};

/** Signatures that their program accepts, and this one, like Core, Electrum and Trezor, refuses: why, and how many. */
const DIVERGENCES = {
  'Trezor composes characters before it signs (NFC), which the caller has to do': 4,
  'Coldcard accepts the header of another kind of address, with a warning': 3,
};

describe('what other programs sign', () => {
  test.each(['Bitcoin Core', 'Electrum', 'Trezor', 'Coldcard', 'Sparrow'])('%s: verified as there', (by) => {
    const own = rows.filter((row) => row.by === by);
    expect(own.length).toBeGreaterThan(9);
    const others = own.filter((row) => isValid(row) !== row.isValid);
    const composed = others.filter((row) => isValid(row, row.message.normalize('NFC')));
    expect(composed.every((row) => row.by === 'Trezor')).toBe(true);
    expect([composed.length, others.length - composed.length]).toEqual(
      by === 'Trezor' ? [4, 0] : by === 'Coldcard' ? [0, 3] : [0, 0],
    );
    expect(Object.values(DIVERGENCES)).toEqual([4, 3]);
  });
});
