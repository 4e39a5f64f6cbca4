import type { Descriptor } from '../../../core/descriptors/types.ts';

/** The address type of a descriptor's outputs. */
export type OutputKind = 'legacy' | 'p2sh-segwit' | 'bech32' | 'bech32m';

/** The use of an active descriptor's new addresses: `external` for receiving, `internal` for change. */
export type Side = 'external' | 'internal';

/** The active descriptors, which new addresses come from: at most one per output type and side. */
export interface ActiveDescriptors {
  /** Makes a descriptor active for its type and side, and inactive on the other side. */
  readonly activate: (id: string, kind: OutputKind, side: Side) => void;
  /** Makes a descriptor inactive on one side; it stays active on the other. */
  readonly deactivate: (id: string, kind: OutputKind, side: Side) => void;
  /** Returns the side on which a descriptor is active, or `undefined`. */
  readonly sideOf: (id: string) => Side | undefined;
  /** Returns the ids of the descriptors that are active on a side. */
  readonly on: (side: Side) => readonly string[];
  /** Returns the id of the descriptor that is active for a type and side, or `undefined`. */
  readonly get: (kind: OutputKind, side: Side) => string | undefined;
  /** Restores the roles from the wallet file, as loading the wallet does. */
  readonly reload: () => void;
}

type Roles = Readonly<Record<Side, Map<OutputKind, string>>>;

const SIDES = ['external', 'internal'] as const;
const noRoles = (): Roles => ({ external: new Map(), internal: new Map() });

/** Creates an empty set of roles. @see Bitcoin Core 31 `CWallet::LoadActiveScriptPubKeyMan` */
export function createActiveDescriptors(): ActiveDescriptors {
  const roles = noRoles();
  // The wallet file keeps the role that a descriptor lost by moving to the other side; loading reads internal roles last.
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
    sideOf: (id) => SIDES.find((side) => [...roles[side].values()].includes(id)),
    on: (side) => [...roles[side].values()],
    get: (kind, side) => roles[side].get(kind),
    reload: () => {
      for (const side of SIDES) roles[side].clear();
      for (const side of SIDES) for (const [kind, id] of persisted[side]) assign(id, kind, side);
    },
  };
}

/**
 * Returns the address type of a descriptor's outputs, or `undefined` if it has none or several.
 * @see `GetOutputType`
 */
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
