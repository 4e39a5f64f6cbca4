import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CodeView, ExportForm, ExportSubject } from '../protocol.ts';
import { texts } from '../texts.ts';
import { usePage } from './page.ts';
import { Dialog, Field, Segments } from './parts.tsx';

type Code = ExportForm['code'];

const BATCH = 8;
const SPEEDS = { least: 1, usual: 4, most: 12 } as const;
const DENSITIES = { least: 100, usual: 400, most: 2000, step: 100 } as const;
/** White border in modules, which readers need. */
const BORDER = 4;

const wantsNoMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export function Codes({ form }: { readonly form: ExportSubject }): JSX.Element {
  const isSingle = form.kind === 'address';
  const [code, setCode] = useState<Code>(isSingle ? 'plain' : 'bbqr');
  const [density, setDensity] = useState<number>(DENSITIES.usual);
  const [speed, setSpeed] = useState<number>(SPEEDS.usual);
  const [isLarge, setIsLarge] = useState(false);
  const series = useSeries({ ...form, code, density }, speed);
  const { count } = series;
  return (
    <div class="codes">
      {!isSingle && (
        <Segments
          label={texts.codes.format}
          value={code}
          options={[
            ['bbqr', texts.codes.bbqr],
            ['ur', texts.codes.ur],
            ['plain', texts.codes.plain],
          ]}
          onChoose={setCode}
        />
      )}
      <Frame series={series} onEnlarge={() => setIsLarge(true)} />
      {isLarge && (
        <Dialog title={texts.codes.title} isFull onClose={() => setIsLarge(false)}>
          <Frame series={series} />
        </Dialog>
      )}
      {!isSingle && (
        <div class="columns">
          <Range
            label={texts.codes.density}
            value={density}
            range={DENSITIES}
            text={texts.codes.densityValue(density)}
            onChange={setDensity}
          />
          {count > 1 && (
            <Range
              label={texts.codes.speed}
              value={speed}
              range={{ ...SPEEDS, step: 1 }}
              text={texts.codes.perSecond(speed)}
              onChange={setSpeed}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface Series {
  readonly shown: CodeView | undefined;
  readonly label: string;
  readonly count: number;
  readonly isPlaying: boolean;
  readonly togglePlaying: () => void;
  readonly step: (by: number) => void;
}

function useSeries(form: ExportForm, speed: number): Series {
  const { code, density } = form;
  const [number, setNumber] = useState(0);
  const [isPlaying, setIsPlaying] = useState(!wantsNoMotion());
  const { shown, count } = useCodes(form, number);
  const isEndless = code === 'ur' && count > 1;
  const step = (by: number): void =>
    setNumber((now) => (isEndless ? Math.max(0, now + by) : (now + by + count) % count));
  useEffect(() => {
    if (!isPlaying || count < 2 || !shown) return;
    const timer = setTimeout(() => step(1), 1000 / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, count, speed, shown]);
  useEffect(() => setNumber(0), [code, density]);
  const label = isEndless ? texts.codes.endless(number + 1, count) : texts.codes.label(number + 1, count);
  return { shown, label, count, isPlaying, togglePlaying: () => setIsPlaying(!isPlaying), step };
}

interface FrameProps {
  readonly series: Series;
  readonly onEnlarge?: () => void;
}

const Frame = ({
  series: { shown, label, count, isPlaying, togglePlaying, step },
  onEnlarge,
}: FrameProps): JSX.Element => (
  <div class="code-frame">
    <CodeImage code={shown} label={label} />
    <p class="code-label">{label}</p>
    <div class="row center">
      {count > 1 && (
        <>
          <button type="button" aria-label={texts.codes.previous} onClick={() => step(-1)}>
            ‹
          </button>
          <button type="button" onClick={togglePlaying}>
            {isPlaying ? texts.codes.pause : texts.codes.play}
          </button>
          <button type="button" aria-label={texts.codes.next} onClick={() => step(1)}>
            ›
          </button>
        </>
      )}
      {onEnlarge && (
        <button type="button" class="quiet" onClick={onEnlarge}>
          {texts.codes.larger}
        </button>
      )}
    </div>
  </div>
);

function useCodes(form: ExportForm, number: number): { readonly shown: CodeView | undefined; readonly count: number } {
  const { client, ask } = usePage();
  const { code, density } = form;
  const batches = useRef(new Map<number, readonly CodeView[]>());
  const [count, setCount] = useState(1);
  const total = useRef(1);
  const [, setTaken] = useState(0);
  const key = `${code} ${density}`;
  const current = useRef(key);
  /** Fills the gap between two batches, but not between formats: a reader would take the old code for a new one. */
  const last = useRef<CodeView | undefined>(undefined);
  if (current.current !== key) {
    current.current = key;
    batches.current = new Map();
    last.current = undefined;
  }
  const batch = Math.floor(number / BATCH);
  useEffect(() => {
    const store = batches.current;
    const take = async (which: number): Promise<void> => {
      if (store.has(which)) return;
      store.set(which, []);
      const view = await client.call('codes', [{ ...form, from: which * BATCH, count: BATCH }]);
      store.set(which, view.codes);
      if (store !== batches.current) return;
      total.current = view.count;
      setCount(view.count);
      setTaken((times) => times + 1);
    };
    ask(async () => {
      await take(batch);
      if (code === 'ur' || (batch + 1) * BATCH < total.current) await take(batch + 1);
      // Long streams would fill the memory.
      for (const old of store.keys()) if (old > 0 && Math.abs(old - batch) > 2) store.delete(old);
    });
  }, [client, key, batch]);
  const taken = batches.current.get(batch)?.[number % BATCH];
  if (taken) last.current = taken;
  return { shown: last.current, count };
}

/** Draws dark on light in every theme, as readers need it. */
function CodeImage({ code, label }: { readonly code: CodeView | undefined; readonly label: string }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    if (!code) {
      canvas.current.width = 0;
      return;
    }
    const { size } = code;
    const side = size + 2 * BORDER;
    // Whole pixels for each module keep edges sharp when the browser scales the picture.
    const scale = Math.max(2, Math.ceil(1200 / side));
    Object.assign(canvas.current, { width: side * scale, height: side * scale });
    context.fillStyle = '#fff';
    context.fillRect(0, 0, side * scale, side * scale);
    context.imageSmoothingEnabled = false;
    const [offset, length] = [BORDER * scale, size * scale];
    context.drawImage(moduleCanvas(code), offset, offset, length, length);
  }, [code]);
  return <canvas ref={canvas} class="code" role="img" aria-label={label} />;
}

function moduleCanvas({ size, modules }: CodeView): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const pixels = new Uint32Array(size * size);
  for (const [i, isDark] of modules.entries()) pixels[i] = isDark ? 0xff00_0000 : 0xffff_ffff;
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), size, size), 0, 0);
  return canvas;
}

interface RangeProps {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly range: { readonly least: number; readonly most: number; readonly step: number };
  readonly onChange: (value: number) => void;
}

const Range = ({ label, value, text, range: { least, most, step }, onChange }: RangeProps): JSX.Element => (
  <Field label={label} help={text}>
    {({ id, describedBy }) => (
      <input
        id={id}
        aria-describedby={describedBy}
        aria-valuetext={text}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    )}
  </Field>
);
