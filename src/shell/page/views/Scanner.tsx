import type { JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../browser/pageClient.ts';
import { createPainter } from '../browser/pictures.ts';
import { rangesText } from '../format.ts';
import type { OpenedView, ScanView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { usePage } from './page.ts';
import { Select } from './parts.tsx';
import { countScanAsUse } from './useIdle.ts';

/** Milliseconds of rest for the processor. */
const PAUSE = 60;

export function Scanner(): JSX.Element {
  const [isOn, setIsOn] = useState(false);
  const { accept, run, client } = usePage();
  const finish = (opened: OpenedView): void => {
    setIsOn(false);
    run(() => accept(opened));
  };
  return (
    <div class="scanner">
      {isOn ? (
        <Camera client={client} onOpened={finish} onStop={() => setIsOn(false)} />
      ) : (
        <button type="button" onClick={() => setIsOn(true)}>
          {texts.open.camera}
        </button>
      )}
    </div>
  );
}

interface CameraProps {
  readonly client: Client;
  readonly onOpened: (opened: OpenedView) => void;
  readonly onStop: () => void;
}

type Device = readonly [id: string, label: string];

function Camera({ client, onOpened, onStop }: CameraProps): JSX.Element {
  const video = useRef<HTMLVideoElement>(null);
  const stop = useRef<HTMLButtonElement>(null);
  const [device, setDevice] = useState('');
  const { scan, devices, isLive, fault, restart } = useScan(video, device, { client, onOpened });
  useEffect(() => stop.current?.focus(), []);
  return (
    <div class="camera">
      {fault ? (
        <p role="alert" class="notice bad">
          {fault}
        </p>
      ) : (
        <>
          <div class="viewfinder">
            <video ref={video} muted playsInline aria-label={texts.camera.title} />
          </div>
          <p class="help">{isLive ? texts.camera.aim : texts.camera.starting}</p>
          <ScanProgress scan={scan} />
        </>
      )}
      {devices.length > 1 && (
        <Select
          label={texts.camera.choose}
          value={device || (devices[0]?.[0] ?? '')}
          options={devices}
          onChoose={setDevice}
        />
      )}
      <div class="row">
        <button type="button" ref={stop} onClick={onStop}>
          {texts.camera.stop}
        </button>
        {scan.status !== 'none' && (
          <button type="button" class="quiet" onClick={restart}>
            {texts.camera.again}
          </button>
        )}
      </div>
    </div>
  );
}

interface Scan {
  readonly scan: ScanView;
  readonly devices: readonly Device[];
  readonly isLive: boolean;
  readonly fault: string | undefined;
  readonly restart: () => void;
}

function useScan(
  video: RefObject<HTMLVideoElement | null>,
  device: string,
  { client, onOpened }: Pick<CameraProps, 'client' | 'onOpened'>,
): Scan {
  const [devices, setDevices] = useState<readonly Device[]>([]);
  const [scan, setScan] = useState<ScanView>({ status: 'none' });
  const [isLive, setIsLive] = useState(false);
  const [fault, setFault] = useState<string>();
  const reset = (): void => void client.call('resetScan', []).catch(() => undefined);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    startCamera(video.current, device, signal)
      .then(async (cameras) => {
        if (signal.aborted) return;
        setDevices(cameras);
        setIsLive(true);
        onOpened(await scanVideo(video.current, { client, signal, onScan: setScan }));
      })
      .catch((error: unknown) => {
        if (!signal.aborted) setFault(faultText(error));
      });
    return () => controller.abort();
  }, [client, device]);
  useEffect(() => reset, [client]);
  const restart = (): void => {
    setScan({ status: 'none' });
    reset();
  };
  return { scan, devices, isLive, fault, restart };
}

function ScanProgress({ scan }: { readonly scan: ScanView }): JSX.Element {
  if (scan.status !== 'partial') {
    return (
      <p role="status" class="scan-status">
        {scan.status === 'ignored' && texts.camera.ignored[scan.reason]}
      </p>
    );
  }
  const missing = new Set(scan.missing);
  return (
    <div class="scan-progress">
      <div class="cells" aria-hidden="true">
        {Array.from({ length: scan.count }, (_, i) => (
          <span key={i} class={missing.has(i) ? 'cell' : 'cell read'} />
        ))}
      </div>
      <p role="status" class="scan-status">
        {texts.camera.cells(scan.count - missing.size, scan.count)}.{' '}
        {texts.camera.missing(rangesText(scan.missing.map((index) => index + 1)))}
      </p>
    </div>
  );
}

async function startCamera(
  video: HTMLVideoElement | null,
  deviceId: string,
  signal: AbortSignal,
): Promise<readonly Device[]> {
  const { mediaDevices } = navigator;
  if (!mediaDevices?.getUserMedia) throw new Error(isSecureContext ? texts.camera.absent : texts.camera.insecure);
  const size = { width: { ideal: 1280 }, height: { ideal: 960 } };
  const choice = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: 'environment' };
  const stream = await mediaDevices.getUserMedia({ audio: false, video: { ...size, ...choice } });
  const stop = (): void => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted || !video) {
    stop();
    return [];
  }
  signal.addEventListener('abort', stop);
  video.srcObject = stream;
  await video.play();
  const devices = await mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind }) => kind === 'videoinput')
    .map(({ deviceId: id, label }, i) => [id, label || `${texts.camera.choose} ${i + 1}`]);
}

interface Scanning {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly onScan: (scan: ScanView) => void;
}

/** Sends each picture after the answer to the last one. */
async function scanVideo(video: HTMLVideoElement | null, { client, signal, onScan }: Scanning): Promise<OpenedView> {
  const paint = createPainter('camera');
  for (;;) {
    signal.throwIfAborted();
    if (isEnded(video)) throw new Error(texts.camera.ended);
    const picture = video && paint({ image: video, width: video.videoWidth, height: video.videoHeight });
    const scan: ScanView = picture
      ? await client.call('scan', [picture], { transfer: [picture.data.buffer] })
      : { status: 'none' };
    signal.throwIfAborted();
    // New codes count as use; a device left in front of the camera does not keep the keys in memory.
    if (scan.status === 'complete' || (scan.status === 'partial' && scan.isNew)) countScanAsUse();
    if (scan.status === 'complete') return scan.opened;
    if (scan.status === 'none') await new Promise((resolve) => setTimeout(resolve, PAUSE));
    else onScan(scan);
    await nextFrame(video);
  }
}

const isEnded = (video: HTMLVideoElement | null): boolean =>
  video?.srcObject instanceof MediaStream && !video.srcObject.active;

/** Limits the wait for browsers that report no frames. */
const nextFrame = (video: HTMLVideoElement | null): Promise<void> =>
  new Promise((resolve) => {
    const wait = setTimeout(resolve, 250);
    video?.requestVideoFrameCallback?.(() => {
      clearTimeout(wait);
      resolve();
    });
  });

function faultText(error: unknown): string {
  if (error instanceof DOMException) return texts.camera.faults[error.name] ?? texts.camera.fault;
  return error instanceof Error ? error.message : texts.camera.fault;
}
