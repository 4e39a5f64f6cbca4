import type { DescriptorRules } from './descriptorRules.ts';

export interface Rest {
  text: string;
}

export function takeText(rest: Rest, expected: string): boolean {
  if (!rest.text.startsWith(expected)) return false;
  rest.text = rest.text.slice(expected.length);
  return true;
}

/** Stops at the next comma or closing bracket of its own level. @see Bitcoin Core `script::Expr` */
export function takeExpression(rest: Rest, { brackets }: DescriptorRules): string {
  const { text } = rest;
  const [opening, closing] = brackets;
  let level = 0;
  let end = 0;
  for (; end < text.length; end += 1) {
    const letter = text.charAt(end);
    const isClosing = closing.includes(letter);
    if (opening.includes(letter)) level += 1;
    else if (level > 0 && isClosing) level -= 1;
    else if (level === 0 && (isClosing || letter === ',')) break;
  }
  rest.text = text.slice(end);
  return text.slice(0, end);
}

/** @see Bitcoin Core `script::Func` */
export function callArgument(name: string, text: string): string | undefined {
  const isCall = text.length >= name.length + 2 && text.startsWith(`${name}(`) && text.endsWith(')');
  return isCall ? text.slice(name.length + 1, -1) : undefined;
}
