import { bytesKey } from '../../../core/bytes/compare.ts';

/** Makes a `bytesKey` that keeps its last result: lists look outputs up repeatedly. Scripts must not change. */
export function createScriptKey(): (script: Uint8Array) => string {
  let last: Uint8Array | undefined;
  let key = '';
  return (script) => {
    if (script === last) return key;
    key = bytesKey(script);
    last = script;
    return key;
  };
}
