/** `readExtendedKey` says whether such characters are a key. @see SLIP-0132 */
const EXTENDED = '[A-Za-z]{4}[1-9A-HJ-NP-Za-km-z]{100,115}';
const FIXED = '0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128}';
const STEP = "\\d{1,10}['hH]?";
const ORIGIN = `\\[([0-9a-fA-F]{8})((?:/${STEP})*)\\]`;
const PATH = `(?:/(?:<${STEP}(?:;${STEP})+>|${STEP}|\\*['hH]?))*`;
/** Its groups are the members of `KeyParts`, in their order. */
const KEY = `(?:${ORIGIN})?(?:(${EXTENDED})(${PATH})|(${FIXED}))`;

const WHOLE = /* @__PURE__ */ new RegExp(`^${KEY}$`);
const INSIDE = /* @__PURE__ */ new RegExp(`(?<![0-9A-Za-z])${KEY}(?![0-9A-Za-z])`, 'g');

/** A key as descriptors and exports write it. @see BIP380 "Key Expressions" */
export interface KeyParts {
  /** In hex. */
  readonly fingerprint?: string;
  /** From the master key to the key, such as `/84h/0h/0h`. */
  readonly steps?: string;
  /** With any prefix; absent for a single public key. */
  readonly extended?: string;
  /** Behind an extended key, such as `/<0;1>/*`. */
  readonly path?: string;
  /** A single public key in hex. */
  readonly fixed?: string;
}

const toParts = ([fingerprint, steps, extended, path, fixed]: readonly (string | undefined)[]): KeyParts =>
  Object.fromEntries(
    Object.entries({ fingerprint, steps, extended, path, fixed }).filter(([, text]) => text !== undefined),
  );

/** Splits a text that is one key. Returns `undefined` for another text. */
export function keyParts(text: string): KeyParts | undefined {
  const match = WHOLE.exec(text);
  return match ? toParts(match.slice(1)) : undefined;
}

/** Lists the keys inside a text, such as a descriptor. */
export const keysInText = (text: string): readonly KeyParts[] =>
  [...text.matchAll(INSIDE)].map((match) => toParts(match.slice(1)));

/** Puts what `replace` returns in the place of each key inside a text. */
export const replaceKeys = (text: string, replace: (key: KeyParts, whole: string) => string): string =>
  text.replace(INSIDE, (whole: string, ...groups: string[]) => replace(toParts(groups), whole));
