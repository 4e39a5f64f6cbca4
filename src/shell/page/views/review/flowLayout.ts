import type { NetworkName } from '../../../../core/network/networks.ts';
import type { ReviewJson } from '../../../../core/report/reviewJson.ts';
import { amountText, middleCut } from '../../format.ts';
import { texts } from '../../texts.ts';

export type FlowKind = 'input' | 'payment' | 'open' | 'change' | 'fee';

interface Flow {
  readonly kind: FlowKind;
  readonly sats: bigint | undefined;
  readonly label: string;
}

/** In pixels. */
export interface Ribbon extends Flow {
  /** Upper edge on the outside. */
  readonly outer: number;
  /** Upper edge in the middle of the picture. */
  readonly inner: number;
  readonly thickness: number;
  /** Height at the outside. */
  readonly row: number;
}

export interface Flows {
  readonly inputs: readonly Flow[];
  readonly outputs: readonly Flow[];
}

/** Flows of a side before the rest are summed up. */
const MOST = 7;
const HEIGHT = 150;
const LEAST_THICKNESS = 2;
const LEAST_ROW = 22;
const GAP = 6;

export function listFlows(review: ReviewJson): Flows {
  const { inputs, outputs, fee } = review;
  const out: readonly Flow[] = outputs.map((output) => ({
    kind: output.stays ? 'change' : output.isOpen ? 'open' : 'payment',
    sats: BigInt(output.value),
    label: output.address === undefined ? texts.review.output(output.outputIndex) : middleCut(output.address, 6),
  }));
  const spent: readonly Flow[] = inputs.map(({ inputIndex, value }) => ({
    kind: 'input',
    sats: value === undefined ? undefined : BigInt(value),
    label: texts.review.input(inputIndex),
  }));
  const fees: readonly Flow[] =
    fee === undefined || BigInt(fee) < 0n ? [] : [{ kind: 'fee', sats: BigInt(fee), label: 'Fee' }];
  const sides = (['payment', 'open', 'change'] as const).flatMap((side) =>
    summedUp(out.filter(({ kind }) => kind === side)),
  );
  return { inputs: summedUp(spent), outputs: [...sides, ...fees] };
}

function summedUp(flows: readonly Flow[]): readonly Flow[] {
  const sorted = [...flows].sort((a, b) => Number((b.sats ?? 0n) - (a.sats ?? 0n)));
  const [first] = sorted;
  if (!first || sorted.length <= MOST) return sorted;
  const rest = sorted.slice(MOST - 1);
  return [
    ...sorted.slice(0, MOST - 1),
    { kind: first.kind, sats: totalSats(rest), label: texts.review.flowOthers(rest.length) },
  ];
}

const totalSats = (flows: readonly Flow[]): bigint => flows.reduce((sum, { sats }) => sum + (sats ?? 0n), 0n);

export function placeFlows({ inputs, outputs }: Flows): {
  readonly left: readonly Ribbon[];
  readonly right: readonly Ribbon[];
  readonly height: number;
} {
  const most = Math.max(Number(totalSats(inputs)), Number(totalSats(outputs)), 1);
  const height = Math.max(totalHeight(inputs, most), totalHeight(outputs, most));
  return { left: placeSide(inputs, most, height), right: placeSide(outputs, most, height), height };
}

const flowThickness = ({ sats }: Flow, most: number): number =>
  Math.max(LEAST_THICKNESS, (HEIGHT * Number(sats ?? 0n)) / most);

const rowHeight = (flow: Flow, most: number): number => Math.max(LEAST_ROW, flowThickness(flow, most)) + GAP;

const totalHeight = (flows: readonly Flow[], most: number): number =>
  flows.reduce((sum, flow) => sum + rowHeight(flow, most), 0);

function placeSide(flows: readonly Flow[], most: number, height: number): readonly Ribbon[] {
  let outer = (height - totalHeight(flows, most)) / 2;
  let inner = (height - flows.reduce((sum, flow) => sum + flowThickness(flow, most), 0)) / 2;
  return flows.map((flow) => {
    const [thickness, row] = [flowThickness(flow, most), rowHeight(flow, most)];
    const placed = { ...flow, thickness, row, outer: outer + (row - thickness) / 2, inner };
    outer += row;
    inner += thickness;
    return placed;
  });
}

/** Describes the picture for screen readers. */
export function flowText({ inputs, outputs }: Flows, network: NetworkName): string {
  const say = ({ kind, sats = 0n, label }: Flow): string => {
    const amount = amountText(sats, network);
    if (kind === 'fee') return texts.review.flowFee(amount);
    if (kind === 'open') return texts.review.flowOpen(amount, label);
    return kind === 'change' ? texts.review.flowChange(amount) : texts.review.flowPays(amount, label);
  };
  const unknown = inputs.some(({ sats }) => sats === undefined) ? [texts.review.flowUnknown] : [];
  return texts.review.flowText(amountText(totalSats(inputs), network), [...outputs.map(say), ...unknown]);
}
