/** Members of a wallet's row, which `change` replaces. */
export interface Settings<Row> {
  readonly row: Row;
  readonly change: (members: Partial<Row>) => void;
}
