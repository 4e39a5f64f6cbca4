import { bytesKey } from '../../../core/bytes/compare.ts';

/**
 * Creates a function that returns the `bytesKey` of a script. It keeps the last one, since lists ask several questions
 * about each output in a row. A script must not change after it has been passed.
 */
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
