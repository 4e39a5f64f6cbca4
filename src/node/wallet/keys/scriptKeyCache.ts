import { type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';

/** Makes a `scriptKey` that keeps its last result: lists look outputs up repeatedly. Scripts must not change. */
export function createScriptKeyCache(): (script: Uint8Array) => ScriptKey {
  let last: Uint8Array = new Uint8Array(0);
  let key = scriptKey(last);
  return (script) => {
    if (script === last) return key;
    key = scriptKey(script);
    last = script;
    return key;
  };
}
