import type { FlowKind } from './flows.ts';
import type { Row } from './layout.ts';

/** What a ribbon ends in, beyond its end. */
export const TIP = 12;

/** Writes a number without digits that no screen shows. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);

/** Stripes, dots and crosses tell the kinds apart without colours. */
export const PATTERNS = [
  pattern('own', '<path class="cs-own-mark" d="M-1 7L7 -1M3 11L11 3"/>', 8),
  pattern('foreign', '<circle class="cs-foreign-mark" cx="3" cy="3" r="1.2"/>', 6),
  pattern('refused', '<path class="cs-refused-mark" d="M0 0L8 8M8 0L0 8"/>', 8),
].join('');

function pattern(kind: FlowKind, marks: string, size: number): string {
  const area = `width="${size}" height="${size}"`;
  return `<pattern id="cs-${kind}" ${area} patternUnits="userSpaceOnUse"><rect class="cs-${kind}" ${area}/>${marks}</pattern>`;
}

/** Patterns fill by attribute: a class would win over it. */
const paint = (kind: FlowKind): string =>
  kind === 'own' || kind === 'foreign' || kind === 'refused' ? `fill="url(#cs-${kind})"` : `class="cs-${kind}"`;

/** Draws the ribbon of a coin from `x` to `middle`. */
export const coinShape = (row: Row, x: number, middle: number): string =>
  shape(row, band([x, row.outer], [middle, row.inner], row.thickness), { x, direction: -1 });

/** Draws the ribbon of an output from `middle` to `x`. */
export const outputShape = (row: Row, middle: number, x: number): string =>
  shape(row, band([middle, row.inner], [x, row.outer], row.thickness), { x, direction: 1 });

interface End {
  readonly x: number;
  /** Where its tip points: -1 to the left, 1 to the right. */
  readonly direction: -1 | 1;
}

function shape({ kind, outer, thickness }: Row, ribbon: string, end: End): string {
  const centre = outer + thickness / 2;
  if (kind === 'refused') return `<path ${paint(kind)} d="${ribbon}"/>${stopSign(end.x + end.direction * 2, centre)}`;
  return `<path ${paint(kind)} d="${ribbon}${tip(kind, end, { centre, half: Math.max(thickness / 2, 5) })}"/>`;
}

type Point = readonly [x: number, y: number];

function band([x1, y1]: Point, [x2, y2]: Point, thickness: number): string {
  const half = px((x1 + x2) / 2);
  const [a, b, c, d] = [y1, y2, y2 + thickness, y1 + thickness].map(px);
  return `M${px(x1)} ${a}C${half} ${a} ${half} ${b} ${px(x2)} ${b}V${c}C${half} ${c} ${half} ${d} ${px(x1)} ${d}Z`;
}

/**
 * Draws a round end for what is the signer's, an arrow for a payment, a notch for a coin of others, a diamond for the fee, and a
 * square end for what has none of these.
 */
function tip(
  kind: FlowKind,
  { x, direction }: End,
  { centre, half }: { readonly centre: number; readonly half: number },
): string {
  const [start, above, below] = [px(x), px(centre - half), px(centre + half)];
  const at = (length: number): string => px(x + direction * length);
  switch (kind) {
    case 'own':
      return `M${start} ${above}A9 ${px(half)} 0 0 ${direction > 0 ? 1 : 0} ${start} ${below}Z`;
    case 'payment':
    case 'open':
      return `M${start} ${px(centre - half - 3)}L${at(TIP)} ${px(centre)}L${start} ${px(centre + half + 3)}Z`;
    case 'foreign':
      return `M${start} ${above}H${at(TIP - 2)}L${at(4)} ${px(centre)}L${at(TIP - 2)} ${below}H${start}Z`;
    case 'fee':
      return `M${at(-2)} ${px(centre)}L${at(5)} ${px(centre - 7)}L${at(12)} ${px(centre)}L${at(5)} ${px(centre + 7)}Z`;
    default:
      return `M${start} ${above}H${at(8)}V${below}H${start}Z`;
  }
}

/** Draws an octagon with a cross; in the colour of what it stands on, if that is a sign itself. */
export function stopSign(x: number, y: number, isInverse = false): string {
  const corners = [3.7, 9, 9, 3.7, -3.7, -9, -9, -3.7];
  const points = corners.map((dx, i) => `${px(x + dx)},${px(y + (corners[(i + 6) % 8] ?? 0))}`).join(' ');
  const cross = `M${px(x - 3.5)} ${px(y - 3.5)}l7 7m0-7l-7 7`;
  const [sign, mark] = isInverse ? ['cs-on-stop', 'cs-stop'] : ['cs-stop', 'cs-on-stop'];
  return `<polygon class="${sign}" points="${points}"/><path class="${mark} cs-cross" d="${cross}"/>`;
}
