import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/** The rings of docs/audit.md: what they answer for, and the module whose imports they are. */
export const RINGS: Readonly<Record<string, string>> = {
  'what touches a secret key': 'core/signing/keySigner.ts',
  'decode a PSBT': 'core/psbt/format/decodePsbt.ts',
  digests: 'core/sighash/sighashForInput.ts',
  'run scripts': 'core/interpreter/verifyTransaction.ts',
  'watch scripts run': 'core/interpreter/trace.ts',
  'a trace, with its text': 'kit/trace/index.ts',
  'sign a transaction': 'core/signing/signTransaction.ts',
  'sign a PSBT': 'core/psbt/roles/signer.ts',
  'verify silent payments': 'core/psbt/silentPayments/verify.ts',
  'prove a name': 'kit/names/index.ts',
  'review a PSBT, with its text': 'core/report/index.ts',
  'the commands `review` and `sign`': 'shell/cli/commands/psbt.ts',
  signrawtransactionwithkey: 'answers/rawtransaction/signrawtransactionwithkey.ts',
  decodepsbt: 'answers/psbt/decodepsbt.ts',
  getaddressinfo: 'node/methods/wallet/getaddressinfo.ts',
  signrawtransactionwithwallet: 'node/methods/signing/signrawtransactionwithwallet.ts',
  listunspent: 'node/methods/wallet/listunspent.ts',
  listsinceblock: 'node/methods/wallet/listsinceblock.ts',
};

/** The files of `src` that a module reaches by its imports, types aside. */
export interface Ring {
  readonly files: readonly string[];
  readonly lines: number;
}

/** Follows the imports of a module of `src`, `import()` included. */
export async function readRing(module: string): Promise<Ring> {
  const { metafile } = await build({
    entryPoints: [`src/${module}`],
    bundle: true,
    packages: 'external',
    format: 'esm',
    metafile: true,
    write: false,
    tsconfig: 'tsconfig.json',
  });
  const files = Object.keys(metafile.inputs).sort();
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
  return { files, lines };
}
