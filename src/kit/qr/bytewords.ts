import { formatHex, parseHex } from '../../core/bytes/hex.ts';
import { crc32 } from './crc32.ts';

/** The words of the bytes 0 to 255. @see BCR-2020-012 */
const WORDS = `able acid also apex aqua arch atom aunt away axis back bald barn belt beta bias
blue body brag brew bulb buzz calm cash cats chef city claw code cola cook cost
crux curl cusp cyan dark data days deli dice diet door down draw drop drum dull
duty each easy echo edge epic even exam exit eyes fact fair fern figs film fish
fizz flap flew flux foxy free frog fuel fund gala game gear gems gift girl glow
good gray grim guru gush gyro half hang hard hawk heat help high hill holy hope
horn huts iced idea idle inch inky into iris iron item jade jazz join jolt jowl
judo jugs jump junk jury keep keno kept keys kick kiln king kite kiwi knob lamb
lava lazy leaf legs liar limp lion list logo loud love luau luck lung main many
math maze memo menu meow mild mint miss monk nail navy need news next noon note
numb obey oboe omit onyx open oval owls paid part peck play plus poem pool pose
puff puma purr quad quiz race ramp real redo rich road rock roof ruby ruin runs
rust safe saga scar sets silk skew slot soap solo song stub surf swan taco task
taxi tent tied time tiny toil tomb toys trip tuna twin ugly undo unit urge user
vast very veto vial vibe view visa void vows wall wand warm wasp wave waxy webs
what when whiz wolf work yank yawn yell yoga yurt zaps zero zest zinc zone zoom`;

/** The first and last letters, which no two words share. */
const PAIRS: readonly string[] = /* @__PURE__ */ WORDS.split(/\s/).map((word) => word.charAt(0) + word.charAt(3));
const BYTES: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(PAIRS.map((pair, byte) => [pair, byte]));

const CHECKSUM_SIZE = 4;
const toPair = (byte: number): string => PAIRS[byte] ?? '';
const checksum = (bytes: Uint8Array): Uint8Array => parseHex(crc32(bytes).toString(16).padStart(8, '0'));

/** Formats minimal bytewords, two letters a byte, with a CRC-32. */
export const formatBytewords = (bytes: Uint8Array): string => [...bytes, ...checksum(bytes)].map(toPair).join('');

/** Returns `undefined` for a wrong checksum or letters that are not a word. */
export function parseBytewords(text: string): Uint8Array | undefined {
  const pairs = text.match(/../g) ?? [];
  const bytes = Uint8Array.from(pairs, (pair) => BYTES.get(pair) ?? 0);
  const isWhole = text.length % 2 === 0 && pairs.length >= CHECKSUM_SIZE && pairs.every((pair) => BYTES.has(pair));
  if (!isWhole) return undefined;
  const body = bytes.slice(0, -CHECKSUM_SIZE);
  return formatHex(bytes.slice(-CHECKSUM_SIZE)) === formatHex(checksum(body)) ? body : undefined;
}
