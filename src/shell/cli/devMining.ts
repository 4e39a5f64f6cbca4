import { withoutSecrets } from '../../core/encoding/redaction.ts';
import type { NoticeListener } from '../../node/state/notices.ts';
import { UsageError } from '../terminal/usageError.ts';

/** When a regtest mines by itself. */
export type Mining = 'on-transaction' | 'never' | { readonly seconds: number };

const MOST_SECONDS = 86_400;

/** @throws UsageError */
export function parseMining(text: string): Mining {
  if (text === 'on-transaction' || text === 'never') return text;
  const seconds = Number(/^([0-9]{1,5})s$/.exec(text)?.[1]);
  if (seconds >= 1 && seconds <= MOST_SECONDS) return { seconds };
  throw new UsageError(
    `--mine must be on-transaction, never, or seconds from 1s to ${MOST_SECONDS}s, not "${withoutSecrets(text)}"`,
  );
}

interface Miner {
  readonly hear: NoticeListener;
  readonly stop: () => void;
}

/** Mines at its times. On a transaction, it waits for the end of the call that sent it, whose answer precedes the block. */
export function startMiner(mining: Mining, mine: () => void): Miner {
  if (typeof mining === 'object') {
    const timer = setInterval(mine, 1000 * mining.seconds);
    return { hear: () => undefined, stop: () => clearInterval(timer) };
  }
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const mineSoon = (): void => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      mine();
    }, 0);
  };
  return {
    hear: (notices) => {
      const has = (type: string): boolean => notices.some((notice) => notice.type === type);
      // Who takes a block back wants its transactions to wait.
      if (mining === 'on-transaction' && has('transaction added') && !has('block disconnected')) mineSoon();
    },
    stop: () => clearTimeout(waiting),
  };
}
