/** An element of a document, or its text. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const NAME = '[A-Za-z][\\w-]*';
const TOKEN = new RegExp(`<(/?)(${NAME})((?: ${NAME}="[^"<]*")*)(/?)>|([^<]+)`, 'gy');
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
/** @see XML 1.0 "Char" */
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

function plainText(text: string): string {
  if (text.includes('>')) throw new Error(`a bare ">" in ${text}`);
  return text.replace(/&(\w*)(;?)/g, (whole, name: string, end: string) => {
    const character = end && ENTITIES[name];
    if (!character) throw new Error(`${whole} is not an entity`);
    return character;
  });
}

function attributesIn(text: string): Readonly<Record<string, string>> {
  const pairs = Array.from(text.matchAll(/ ([\w-]+)="([^"]*)"/g), ([, name = '', value = '']) => [
    name,
    plainText(value),
  ]);
  const attributes = Object.fromEntries(pairs);
  if (Object.keys(attributes).length < pairs.length) throw new Error(`an attribute twice in ${text}`);
  return attributes;
}

type Siblings = (XmlElement | string)[];

/** Parses a document of elements and texts, without anything else that XML has. Throws if it is not well-formed. */
export function parseXml(text: string): XmlElement {
  if (NO_CHARACTER.test(text)) throw new Error('a character that XML does not have');
  const top: Siblings = [];
  const open: { name: string; children: Siblings }[] = [];
  let at = 0;
  for (const [token, close, name = '', attributes = '', isEmpty, content] of text.trim().matchAll(TOKEN)) {
    at += token.length;
    const siblings = open.at(-1)?.children ?? top;
    const children: Siblings = [];
    if (content !== undefined) siblings.push(plainText(content));
    else if (!close) siblings.push({ name, attributes: attributesIn(attributes), children });
    else if (open.pop()?.name !== name) throw new Error(`</${name}> ends nothing`);
    if (content === undefined && !close && !isEmpty) open.push({ name, children });
  }
  assertWhole(at === text.trim().length && open.length === 0 && top.length === 1, text.slice(0, at));
  return top[0] as XmlElement;
}

function assertWhole(isWhole: boolean, read: string): void {
  if (!isWhole) throw new Error(`not well-formed after ${read.slice(-40)}`);
}

/** Lists an element and all below it. */
export const elementsIn = (element: XmlElement): readonly XmlElement[] => [
  element,
  ...element.children.flatMap((child) => (typeof child === 'string' ? [] : elementsIn(child))),
];

export const textOf = ({ children }: XmlElement): string =>
  children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
