import { useEffect, useRef, useState } from 'preact/hooks';

const SCANNED = 'scanned';

const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchmove', SCANNED] as const;

/** A person who holds codes before the camera touches nothing. */
export const countScanAsUse = (): unknown => dispatchEvent(new Event(SCANNED));

export function useIdle(minutes: number, isArmed: boolean, onEnd: () => void): number {
  const [secondsLeft, setSecondsLeft] = useState(minutes * 60);
  const atEnd = useRef(onEnd);
  atEnd.current = onEnd;
  useEffect(() => {
    if (!isArmed) return;
    let end = Date.now() + minutes * 60_000;
    const restart = (): void => {
      end = Date.now() + minutes * 60_000;
    };
    // The countdown goes on while the computer sleeps.
    const tick = (): void => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setSecondsLeft(seconds);
      if (seconds === 0) atEnd.current();
    };
    tick();
    const timer = setInterval(tick, 1000);
    for (const sign of SIGNS_OF_USE) addEventListener(sign, restart, { passive: true, capture: true });
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS_OF_USE) removeEventListener(sign, restart, { capture: true });
      document.removeEventListener('visibilitychange', tick);
    };
  }, [minutes, isArmed]);
  return secondsLeft;
}
