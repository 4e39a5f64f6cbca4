import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveContext } from '../../../src/answers/dialect/dialect.ts';
import { explainPsbt } from '../../../src/answers/psbt/decodepsbt.ts';
import { legacyPsbt, psbtV0, psbtV2 } from '../../support/arbitraries.ts';
import { campaign } from '../../support/campaign.ts';
import {
  createRpc,
  type DialectName,
  decodePsbtBytes,
  dialects,
  encodePsbt,
  formatBase64,
  RpcError,
  stringifyRpc,
} from '../../support/library.ts';

const NETWORK = 'litecoin-regtest';

/** Returns what a call prints, or the text of the error. */
function printed(call: () => unknown): string {
  try {
    return stringifyRpc(call());
  } catch (error) {
    if (error instanceof RpcError) return `${error.code} ${error.message}`;
    throw error;
  }
}

test('a decoded PSBT is explained as decodepsbt explains its bytes, in every dialect', () => {
  const names = Object.keys(dialects) as DialectName[];
  fc.assert(
    fc.property(fc.oneof(legacyPsbt, psbtV0, psbtV2).map(encodePsbt), fc.constantFrom(...names), (wire, dialect) => {
      const psbt = decodePsbtBytes(wire, { mweb: true });
      const context = resolveContext({ dialect, network: NETWORK });
      const rpc = createRpc({ dialect, network: NETWORK });
      expect(printed(() => explainPsbt(psbt, context))).toBe(
        printed(() => rpc.call('decodepsbt', [formatBase64(wire)])),
      );
    }),
    campaign(400),
  );
});
