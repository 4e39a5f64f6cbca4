import { shownPath, withoutSecrets } from '../../core/encoding/redaction.ts';
import { type BtcError, isBtcError } from '../../core/errors.ts';

/** Explains on the command line why the wallet directory cannot be opened; `undefined` for other errors. */
export function storeFaultText(error: BtcError, directory: string): string | undefined {
  if (!isBtcError(error, 'store/mismatch')) return error.code.startsWith('store/') ? error.message : undefined;
  const { found, wanted } = error.data;
  return `${shownPath(directory)} belongs to ${optionsFor(found)}, not to ${optionsFor(wanted)}: pass these options, or use another directory`;
}

/** Splits "NETWORK DIALECT" into command line options. */
function optionsFor(text: string): string {
  const blank = text.lastIndexOf(' ');
  return `--network ${withoutSecrets(text.slice(0, blank))} --dialect ${text.slice(blank + 1)}`;
}
