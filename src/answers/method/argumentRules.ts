import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface ArgumentRules {
  /** Core 29 reports every wrong type, 0.21 the first. */
  readonly checksAllTypes: boolean;
}

export const argumentRules: ByGeneration<ArgumentRules> = byGeneration<ArgumentRules>({
  'core-0.21': { checksAllTypes: false },
  'core-29': { checksAllTypes: true },
});

export interface NameRules {
  /** In 0.21, the last value counts. */
  readonly refusesRepeatedNames: boolean;
  /** The named parameter `args` holds positional arguments. */
  readonly takesArgsByName: boolean;
  /** The fields of an options object are named parameters. */
  readonly takesOptionsByName: boolean;
}

export const nameRules: ByGeneration<NameRules> = byGeneration<NameRules>({
  'core-0.21': { refusesRepeatedNames: false, takesArgsByName: false, takesOptionsByName: false },
  'core-29': { refusesRepeatedNames: true, takesArgsByName: true, takesOptionsByName: true },
});

export interface ValueRules {
  /** Core 29 names both types in an error -3; 0.21 says in words, in an error -1, which type it expected. */
  readonly namesValueTypes: boolean;
}

export const valueRules: ByGeneration<ValueRules> = byGeneration<ValueRules>({
  'core-0.21': { namesValueTypes: false },
  'core-29': { namesValueTypes: true },
});

export interface FieldRules {
  /** @see `RPCTypeCheckObj` */
  readonly wrongField: (name: string, want: string, got: string) => string;
}

export const fieldRules: ByGeneration<FieldRules> = byGeneration<FieldRules>({
  'core-0.21': { wrongField: (name, want, got) => `Expected type ${want} for ${name}, got ${got}` },
  'core-29': {
    wrongField: (name, want, got) => `JSON value of type ${got} for field ${name} is not of expected type ${want}`,
  },
});
