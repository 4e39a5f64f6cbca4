interface ImportMeta {
  /** Imports the modules of a pattern. @see Vite */
  readonly glob: (pattern: string, options: { readonly eager: true }) => Readonly<Record<string, unknown>>;
}
