import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Rules by which the types of arguments are checked. */
export interface ArgumentRules {
  /** Core 31 checks the types of all arguments and reports every wrong one; 0.21 reports the first, as -3. */
  readonly checksAllTypes: boolean;
}

/** The rows of {@link ArgumentRules}. */
export const argumentRules: ByGeneration<ArgumentRules> = byGeneration<ArgumentRules>({
  'core-0.21': { checksAllTypes: false },
  'core-31': { checksAllTypes: true },
});

/** Rules by which named parameters become the arguments of a method. */
export interface NameRules {
  /** Core 31 refuses a parameter that is named twice; in 0.21, the last value counts. */
  readonly refusesRepeatedNames: boolean;
  /** Core 31 takes positional arguments from the named parameter `args`; 0.21 has no such parameter. */
  readonly takesArgsByName: boolean;
  /** Core 31 takes the fields of an options object as named parameters; 0.21 does not. */
  readonly takesOptionsByName: boolean;
}

/** The rows of {@link NameRules}. */
export const nameRules: ByGeneration<NameRules> = byGeneration<NameRules>({
  'core-0.21': { refusesRepeatedNames: false, takesArgsByName: false, takesOptionsByName: false },
  'core-31': { refusesRepeatedNames: true, takesArgsByName: true, takesOptionsByName: true },
});

/** Rules by which a value of the wrong type inside an argument is refused. */
export interface ValueRules {
  /** Core 31 names both types in an error -3; 0.21 says in words, in an error -1, which type it expected. */
  readonly namesValueTypes: boolean;
}

/** The rows of {@link ValueRules}. */
export const valueRules: ByGeneration<ValueRules> = byGeneration<ValueRules>({
  'core-0.21': { namesValueTypes: false },
  'core-31': { namesValueTypes: true },
});

/** Rules by which a field of the wrong type is refused. */
export interface FieldRules {
  /** The error: `JSON value of type … for field …` in Core 31, `Expected type …` in 0.21. @see `RPCTypeCheckObj` */
  readonly wrongField: (name: string, want: string, got: string) => string;
}

/** The rows of {@link FieldRules}. */
export const fieldRules: ByGeneration<FieldRules> = byGeneration<FieldRules>({
  'core-0.21': { wrongField: (name, want, got) => `Expected type ${want} for ${name}, got ${got}` },
  'core-31': {
    wrongField: (name, want, got) => `JSON value of type ${got} for field ${name} is not of expected type ${want}`,
  },
});
