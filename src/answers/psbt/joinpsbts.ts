import { BtcError } from '../../core/errors.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { joinPsbts } from '../../core/psbt/roles/joiner.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import { signingDialects } from '../dialect/signingDialect.ts';
import { invalidParameter } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import { text } from '../method/results.ts';
import { formatPsbt, PSBTS, parsePsbts } from './psbtText.ts';

export const joinpsbts = method({
  name: 'joinpsbts',
  category: 'rawtransactions',
  takesNull: true,
  about: `Joins PSBTs for different transactions into one PSBT with all their inputs and outputs. Version 0 only.
Unlike a node, it does not shuffle inputs and outputs, but keeps their order.`,
  params: [PSBTS],
  result: text('the PSBT in base64'),
  examples: ['joinpsbts \'["cHNidP8BA...","cHNidP8BA..."]\''],
  run: (args, context) => {
    const tooFew = 'At least two PSBTs are required to join PSBTs.';
    const psbts = parsePsbts(args.txs, context, { least: 2, tooFew, accept: assertVersion0 });
    return formatPsbt(joined(psbts, signingDialects[context.dialect.name].joinsTaprootSignatures), context);
  },
});

function assertVersion0({ global }: Psbt): void {
  if (!global.unsignedTx) throw invalidParameter('joinpsbts only operates on version 0 PSBTs');
}

function joined(psbts: readonly Psbt[], keepsTaproot: boolean): Psbt {
  try {
    return joinPsbts(psbts, { keepsTaproot });
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    if (error.code !== 'psbt/duplicate-input') throw error;
    const { psbt, inputIndex } = error.data as { readonly psbt: number; readonly inputIndex: number };
    const outpoint = psbts[psbt]?.global.unsignedTx?.inputs[inputIndex]?.outpoint;
    throw invalidParameter(
      `Input ${outpoint ? `${formatTxid(outpoint.txid)}:${outpoint.vout}` : ''} exists in multiple PSBTs`,
    );
  }
}
