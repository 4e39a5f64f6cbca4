import { RPC_DESERIALIZATION_ERROR, RPC_VERIFY_ERROR } from '../../../answers/method/errorCodes.ts';
import { hexString } from '../../../answers/method/parameters.ts';
import { nothing } from '../../../answers/method/results.ts';
import { formatReversedHex, isHex, parseHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { headerFault, parentOf } from '../../chain/acceptBlock.ts';
import { HEADER_SIZE } from '../../chain/block.ts';
import { decodeBlockHeader } from '../../chain/blockHeader.ts';
import { nodeMethod } from '../context.ts';
import { miningMethodRules } from './miningMethodRules.ts';

export const submitheader = nodeMethod({
  name: 'submitheader',
  category: 'mining',
  checksLate: true,
  about: 'Validates the header of a block that may be submitted later.',
  params: [hexString('hexdata', 'the header')],
  result: nothing(),
  examples: ['submitheader 0000002006226e46111a0b59caaf12604...'],
  run: ({ hexdata }, { node, dialect }) => {
    const bytes = isHex(hexdata) ? parseHex(hexdata) : new Uint8Array(0);
    if (bytes.length < HEADER_SIZE) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Block header decode failed');
    const header = bytes.slice(0, HEADER_SIZE);
    if (!parentOf(node.chain, header)) {
      const previous = formatReversedHex(decodeBlockHeader(header).previous);
      throw new RpcError(RPC_VERIFY_ERROR, `Must submit previous header (${previous}) first`);
    }
    const fault = headerFault(node.chain, header, node.now());
    if (fault) throw new RpcError(RPC_VERIFY_ERROR, miningMethodRules[dialect.generation].headerReason(fault.reason));
    node.change({ type: 'header', header, isInvalid: false });
    return null;
  },
});
