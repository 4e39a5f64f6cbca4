import type { JSX, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { NetworkName } from '../../../../core/network/networks.ts';
import type { ReviewJson } from '../../../../core/report/reviewJson.ts';
import { amountGroups } from '../../format.ts';
import { texts } from '../../texts.ts';
import { type FlowKind, flowText, listFlows, placeFlows, type Ribbon } from './flowLayout.ts';

const TIP = 12;
const USUAL_WIDTH = 600;
const THIN_SPACE = '\u2009';

export function FlowPicture({
  review,
  network,
}: {
  readonly review: ReviewJson;
  readonly network: NetworkName;
}): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const hatch = useId();
  const flows = listFlows(review);
  const { left, right, height } = placeFlows(flows);
  const middle = Math.round(width * 0.42);
  const hasUnknown = flows.inputs.some(({ sats }) => sats === undefined);
  return (
    <div ref={frame} class="flow">
      <svg width={width} height={height} role="img" aria-label={flowText(flows, network)}>
        <defs>
          <pattern id={hatch} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="flow-change" width="7" height="7" />
            <rect class="flow-hatch" width="3" height="7" />
          </pattern>
        </defs>
        {left.map((ribbon) => (
          <path
            key={ribbon.label}
            class={ribbon.sats === undefined ? 'flow-unknown' : 'flow-input'}
            d={bandPath([0, ribbon.outer], [middle, ribbon.inner], ribbon.thickness)}
          />
        ))}
        {right.map((ribbon) => (
          <OutgoingFlow
            key={`${ribbon.label} ${ribbon.outer}`}
            ribbon={ribbon}
            middle={middle}
            end={width - TIP}
            hatch={hatch}
          />
        ))}
        {/* Above all flows, which may cross. */}
        {left.map((ribbon) => (
          <FlowLabel key={ribbon.label} ribbon={ribbon} x={8} />
        ))}
        {right.map((ribbon) => (
          <FlowLabel key={`${ribbon.label} ${ribbon.outer}`} ribbon={ribbon} x={width - TIP - 6} isEnd />
        ))}
      </svg>
      <ul class="legend">
        <Legend kind="input" hatch={hatch} text={texts.review.legendInput} />
        {(['payment', 'open'] as const).map(
          (outputKind) =>
            flows.outputs.some(({ kind }) => kind === outputKind) && (
              <Legend
                key={outputKind}
                kind={outputKind}
                hatch={hatch}
                text={outputKind === 'open' ? texts.review.legendOpen : texts.review.legendPayment}
              />
            ),
        )}
        {flows.outputs.some(({ kind }) => kind === 'change') && (
          <Legend kind="change" hatch={hatch} text={texts.review.legendChange} />
        )}
        <Legend kind="fee" hatch={hatch} text={texts.review.legendFee} />
      </ul>
      {hasUnknown && <p class="help">{texts.review.flowUnknown}</p>}
    </div>
  );
}

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(USUAL_WIDTH);
  useEffect(() => {
    const measure = (): void => setWidth(Math.floor(frame.current?.clientWidth ?? 0) || USUAL_WIDTH);
    const observer = new ResizeObserver(() => requestAnimationFrame(measure));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return width;
}

function bandPath([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], thickness: number): string {
  const half = (x1 + x2) / 2;
  return (
    `M${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}` +
    `V${y2 + thickness}C${half} ${y2 + thickness} ${half} ${y1 + thickness} ${x1} ${y1 + thickness}Z`
  );
}

interface OutgoingFlowProps {
  readonly ribbon: Ribbon;
  readonly middle: number;
  readonly end: number;
  readonly hatch: string;
}

function OutgoingFlow({ ribbon, middle, end, hatch }: OutgoingFlowProps): JSX.Element {
  const { outer, inner, thickness, kind } = ribbon;
  const fill = kind === 'change' ? `url(#${hatch})` : undefined;
  return (
    <g class={`flow-${kind}`} fill={fill}>
      <path d={bandPath([middle, inner], [end, outer], thickness)} />
      <path d={tipPath(kind, [end, outer], thickness)} />
    </g>
  );
}

/** Draws an arrow for a payment, a round end for change, a diamond for the fee. */
function tipPath(kind: FlowKind, [x, top]: readonly [number, number], thickness: number): string {
  const centre = top + thickness / 2;
  const half = Math.max(thickness / 2, 5);
  if (kind === 'change') return `M${x} ${centre - half}A${TIP - 1} ${half} 0 0 1 ${x} ${centre + half}Z`;
  const point = `L${x + TIP - 1} ${centre}L${x} ${centre + half}`;
  return kind === 'fee'
    ? `M${x} ${centre - half}${point}L${x - TIP + 1} ${centre}Z`
    : `M${x} ${centre - half}${point}Z`;
}

function FlowLabel({
  ribbon,
  x,
  isEnd = false,
}: {
  readonly ribbon: Ribbon;
  readonly x: number;
  readonly isEnd?: boolean;
}): JSX.Element {
  const { outer, thickness, row, sats, label } = ribbon;
  const centre = outer + thickness / 2;
  const hasTwo = row > 40;
  const anchor = isEnd ? 'end' : 'start';
  return (
    <g class={thickness < 18 ? 'flow-thin' : undefined}>
      <text class="flow-amount" x={x} y={centre + (hasTwo ? -3 : 4)} text-anchor={anchor}>
        {sats === undefined ? texts.review.unknownAmountShort : amountGroups(sats).join(THIN_SPACE)}
      </text>
      {hasTwo && (
        <text class="flow-label" x={x} y={centre + 13} text-anchor={anchor}>
          {label}
        </text>
      )}
    </g>
  );
}

const Legend = ({
  kind,
  hatch,
  text,
}: {
  readonly kind: FlowKind;
  readonly hatch: string;
  readonly text: string;
}): JSX.Element => (
  <li>
    <svg width="28" height="14" aria-hidden="true">
      <path
        class={`flow-${kind}`}
        fill={kind === 'change' ? `url(#${hatch})` : undefined}
        d={kind === 'input' ? 'M0 2H28V12H0Z' : `M0 2H16V12H0Z${tipPath(kind, [16, 2], 10)}`}
      />
    </svg>
    {text}
  </li>
);
