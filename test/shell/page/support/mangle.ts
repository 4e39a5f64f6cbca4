/** Returns whole numbers below a limit, the same in each run: xorshift32. */
export function numbersOf(seed: number): (limit: number) => number {
  let state = seed >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

type Below = (limit: number) => number;

const pick = <Item>(items: readonly Item[], below: Below): Item => {
  const item = items[below(items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
};

const INSERTED: readonly string[] = [
  ...'0aZ/:-+$ \n{}[]()<>"\',.;*#@=\0é名💩',
  '\ud800',
  '9'.repeat(20),
  'p1of3 ',
  'ur:bytes/',
  'B$',
  '\u202e',
];

type Damage = (text: string, below: Below, others: readonly string[]) => string;

const DAMAGES: readonly Damage[] = [
  (text, below) => text.slice(0, below(text.length + 1)),
  (text, below) => text.slice(below(text.length + 1)),
  (text, below, others) => text + pick(others, below),
  (text) => text.toUpperCase(),
  (text, below) => text.replace(/\d/g, () => String(below(10))),
  (text, below) => {
    const at = below(text.length + 1);
    return text.slice(0, at) + pick(INSERTED, below) + text.slice(at + below(3));
  },
  (text, below) => {
    const [at, length] = [below(text.length + 1), below(40)];
    return text.slice(0, at) + text.slice(at, at + length).repeat(1 + below(3)) + text.slice(at + length);
  },
  (text, below, others) => {
    const other = pick(others, below);
    return text.slice(0, below(text.length + 1)) + other.slice(below(other.length + 1));
  },
];

/** Damages one of some texts, up to four times. */
export function mangledText(texts: readonly string[], below: Below): string {
  let text = pick(texts, below);
  for (let i = below(4); i >= 0; i -= 1) text = pick(DAMAGES, below)(text, below, texts).slice(0, 6000);
  return text;
}

/** Changes some bytes of one of some files, and cuts off the end of every fourth. */
export function mangledFile(files: readonly Uint8Array[], below: Below): Uint8Array {
  const file = pick(files, below);
  const bytes = file.slice(0, below(4) === 0 ? below(file.length + 1) : file.length);
  for (let i = below(6); i >= 0 && bytes.length > 0; i -= 1) bytes[below(bytes.length)] = below(256);
  return bytes;
}
