import type { Descriptor } from '../descriptors/types.ts';

/** The address type of a descriptor's outputs. */
export type OutputKind = 'legacy' | 'p2sh-segwit' | 'bech32' | 'bech32m';

/** Whom the new addresses of an active descriptor are for: others, or the wallet's own change. */
export type Side = 'external' | 'internal';

/** The descriptors that new addresses come from: at most one of each output type and side. */
export interface ActiveDescriptors {
  /** Makes a descriptor the active one of its type and side, and ends its role on the other side. */
  readonly activate: (id: string, kind: OutputKind, side: Side) => void;
  /** Ends the role of a descriptor on one side; on the other side it stays active. */
  readonly deactivate: (id: string, kind: OutputKind, side: Side) => void;
  /** The side on which a descriptor is active; `undefined` where it is not. */
  readonly sideOf: (id: string) => Side | undefined;
  /** The descriptors that are active on a side. */
  readonly on: (side: Side) => readonly string[];
  /** Reads the roles again as the wallet's file has them. */
  readonly reload: () => void;
}

type Roles = Readonly<Record<Side, Map<OutputKind, string>>>;

const SIDES = ['external', 'internal'] as const;
const noRoles = (): Roles => ({ external: new Map(), internal: new Map() });

/** Makes an empty set of roles. @see Bitcoin Core 31 `CWallet::LoadActiveScriptPubKeyMan` */
export function createActiveDescriptors(): ActiveDescriptors {
  const roles = noRoles();
  // The file keeps the role on the side that a descriptor has left, and when it is read, internal ones come last.
  const written = noRoles();

  const take = (id: string, kind: OutputKind, side: Side): void => {
    roles[side].set(kind, id);
    const other = roles[side === 'internal' ? 'external' : 'internal'];
    if (other.get(kind) === id) other.delete(kind);
  };
  return {
    activate: (id, kind, side) => {
      written[side].set(kind, id);
      take(id, kind, side);
    },
    deactivate: (id, kind, side) => {
      if (roles[side].get(kind) !== id) return;
      roles[side].delete(kind);
      written[side].delete(kind);
    },
    sideOf: (id) => SIDES.find((side) => [...roles[side].values()].includes(id)),
    on: (side) => [...roles[side].values()],
    reload: () => {
      for (const side of SIDES) roles[side].clear();
      for (const side of SIDES) for (const [kind, id] of written[side]) take(id, kind, side);
    },
  };
}

/** The address type of a descriptor's outputs; `undefined` where it has several, or none. @see `GetOutputType` */
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
