import type { DescriptorRules } from './rules.ts';

/** A text that is read from its beginning. */
export interface Rest {
  text: string;
}

/** Steps over a text if it comes next. */
export function takeText(rest: Rest, wanted: string): boolean {
  if (!rest.text.startsWith(wanted)) return false;
  rest.text = rest.text.slice(wanted.length);
  return true;
}

/**
 * Takes an expression: up to the next comma or closing bracket that is not inside brackets of its own.
 * @see Bitcoin Core `script::Expr`
 */
export function takeExpression(rest: Rest, { isModern }: DescriptorRules): string {
  const { text } = rest;
  // Before there were trees, braces were letters like others.
  const [opening, closing] = isModern ? (['({', ')}'] as const) : (['(', ')'] as const);
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

/** What stands between the parentheses of a function, if the text is a call of it. @see Bitcoin Core `script::Func` */
export function callOf(name: string, text: string): string | undefined {
  const isCall = text.length >= name.length + 2 && text.startsWith(`${name}(`) && text.endsWith(')');
  return isCall ? text.slice(name.length + 1, -1) : undefined;
}
