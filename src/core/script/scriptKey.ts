import { bytesKey, parseBytesKey } from '../bytes/compare.ts';

declare const scriptKeyBrand: unique symbol;

/** A script as a key of a `Map`, made by `scriptKey`. */
export type ScriptKey = string & { readonly [scriptKeyBrand]: true };

export const scriptKey = (script: Uint8Array): ScriptKey => bytesKey(script) as ScriptKey;

export const parseScriptKey = (key: ScriptKey): Uint8Array => parseBytesKey(key);
