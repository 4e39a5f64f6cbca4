import type { Descriptor } from '../../../core/descriptors/types.ts';

export type OutputKind = 'legacy' | 'p2sh-segwit' | 'bech32' | 'bech32m';

/** `external` for receiving, `internal` for change. */
export const SIDES = ['external', 'internal'] as const;
export type Side = (typeof SIDES)[number];

/** The descriptors that new addresses come from: at most one per output type and side. */
export interface ActiveDescriptors {
  /** Makes a descriptor active, and inactive on the other side. */
  readonly activate: (id: string, kind: OutputKind, side: Side) => void;
  readonly deactivate: (id: string, kind: OutputKind, side: Side) => void;
  readonly findSide: (id: string) => Side | undefined;
  readonly on: (side: Side) => readonly string[];
  readonly get: (kind: OutputKind, side: Side) => string | undefined;
  /** Restores the roles from the wallet file, as loading does. */
  readonly reload: () => void;
}

type Roles = Readonly<Record<Side, Map<OutputKind, string>>>;

const noRoles = (): Roles => ({ external: new Map(), internal: new Map() });

/** @see Bitcoin Core 31 `CWallet::LoadActiveScriptPubKeyMan` */
export function createActiveDescriptors(): ActiveDescriptors {
  const roles = noRoles();
  // The wallet file keeps a role that a descriptor lost by moving sides; loading reads internal roles last.
  const persisted = noRoles();

  const assign = (id: string, kind: OutputKind, side: Side): void => {
    roles[side].set(kind, id);
    const other = roles[side === 'internal' ? 'external' : 'internal'];
    if (other.get(kind) === id) other.delete(kind);
  };
  return {
    activate: (id, kind, side) => {
      persisted[side].set(kind, id);
      assign(id, kind, side);
    },
    deactivate: (id, kind, side) => {
      if (roles[side].get(kind) !== id) return;
      roles[side].delete(kind);
      persisted[side].delete(kind);
    },
    findSide: (id) => SIDES.find((side) => [...roles[side].values()].includes(id)),
    on: (side) => [...roles[side].values()],
    get: (kind, side) => roles[side].get(kind),
    reload: () => {
      for (const side of SIDES) roles[side].clear();
      for (const side of SIDES) for (const [kind, id] of persisted[side]) assign(id, kind, side);
    },
  };
}

/** Returns `undefined` for no or several address types. @see Bitcoin Core `GetOutputType` */
export function outputKind(descriptor: Descriptor): OutputKind | undefined {
  switch (descriptor.kind) {
    case 'pkh':
      return 'legacy';
    case 'sh':
      return ['wpkh', 'wsh'].includes(descriptor.inner.kind) ? 'p2sh-segwit' : 'legacy';
    case 'wpkh':
    case 'wsh':
      return 'bech32';
    case 'tr':
    case 'rawtr':
      return 'bech32m';
    default:
      return undefined;
  }
}
