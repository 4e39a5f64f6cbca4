import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type { SqliteCode } from './sqlitePackage.ts';

/** @see https://www.sqlite.org/rescode.html */
export const SQLITE_CORRUPT = 11;
export const SQLITE_NOTADB = 26;
const SQLITE_OK = 0;
const SQLITE_NOMEM = 7;
const SQLITE_ROW = 100;
const SQLITE_DONE = 101;
/** SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE */
const OPEN_FLAGS = 6;

/** For the package's script. */
export interface SqliteFiles {
  readonly constants: object;
  readonly openSync: (path: string, flags: number) => number;
  readonly closeSync: (file: number) => void;
  readonly readSync: (file: number, into: Uint8Array, at: number, length: number, position: number | bigint) => number;
  readonly writeSync: (file: number, from: Uint8Array, at: number, length: number, position: number) => number;
  readonly fsyncSync: (file: number) => void;
  readonly ftruncateSync: (file: number, size: number) => void;
  readonly fstatSync: (file: number) => { readonly size: number };
  readonly accessSync: (path: string) => void;
  readonly unlinkSync: (path: string) => void;
  readonly mkdirSync: (path: string) => void;
  readonly rmdirSync: (path: string) => void;
}

/** SQLite's C functions. Pointers are offsets in WebAssembly memory. */
interface Library {
  readonly _malloc: (size: number) => number;
  readonly _free: (pointer: number) => void;
  readonly _sqlite3_open_v2: (path: number, into: number, flags: number, vfs: number) => number;
  readonly _sqlite3_exec: (database: number, sql: number, callback: number, given: number, error: number) => number;
  readonly _sqlite3_prepare_v2: (database: number, sql: number, size: number, into: number, rest: number) => number;
  readonly _sqlite3_get_autocommit: (database: number) => number;
  readonly _sqlite3_bind_blob: (
    statement: number,
    place: number,
    bytes: number,
    size: number,
    destructor: number,
  ) => number;
  readonly _sqlite3_bind_int64: (statement: number, place: number, value: bigint) => number;
  readonly _sqlite3_step: (statement: number) => number;
  readonly _sqlite3_reset: (statement: number) => number;
  readonly _sqlite3_column_blob: (statement: number, column: number) => number;
  readonly _sqlite3_column_bytes: (statement: number, column: number) => number;
  readonly _sqlite3_column_int64: (statement: number, column: number) => bigint;
}

interface Row {
  readonly bytes: (column: number) => Uint8Array;
  readonly number: (column: number) => number;
}

export interface Statement {
  /** Passes each row to `onRow`, which must not use the database. @throws what `fault` returns */
  readonly run: (values: readonly (Uint8Array | number)[], onRow?: (row: Row) => void) => void;
}

export interface Sqlite {
  readonly exec: (sql: string) => void;
  readonly prepare: (sql: string) => Statement;
  readonly isInTransaction: () => boolean;
}

/**
 * Opens a database with an instance of SQLite of its own, so that a failed one affects no other. Nothing closes it:
 * without open files, it is garbage. Calls the C functions, since the package's own classes report faults as texts
 * only, and overwrite memory when an allocation fails. `fault` makes the error for a result code.
 */
export function openSqlite(code: SqliteCode, files: SqliteFiles, path: string, fault: (code: number) => Error): Sqlite {
  const { library, memory } = instantiate(code, files);
  const check = (result: number): void => {
    if (result !== SQLITE_OK) throw fault(result);
  };
  const allocate = (size: number): number => {
    const pointer = library._malloc(size);
    if (pointer === 0) throw fault(SQLITE_NOMEM);
    return pointer;
  };
  const put = (bytes: Uint8Array): number => {
    const pointer = allocate(bytes.length + 1);
    const heap = new Uint8Array(memory.buffer);
    heap.set(bytes, pointer);
    heap[pointer + bytes.length] = 0;
    return pointer;
  };
  const withText = (text: string, use: (pointer: number) => number): void => {
    const pointer = put(Buffer.from(text));
    try {
      check(use(pointer));
    } finally {
      library._free(pointer);
    }
  };
  const place = allocate(4);
  const pointerAt = (): number => new DataView(memory.buffer).getUint32(place, true);

  withText(path, (name) => library._sqlite3_open_v2(name, place, OPEN_FLAGS, 0));
  const database = pointerAt();
  return {
    exec: (sql) => withText(sql, (text) => library._sqlite3_exec(database, text, 0, 0, 0)),
    isInTransaction: () => library._sqlite3_get_autocommit(database) === 0,
    prepare: (sql) => {
      withText(sql, (text) => library._sqlite3_prepare_v2(database, text, -1, place, 0));
      return createStatement(library, memory, pointerAt(), { put, fault });
    },
  };
}

function createStatement(
  library: Library,
  memory: Memory,
  statement: number,
  { put, fault }: { readonly put: (bytes: Uint8Array) => number; readonly fault: (code: number) => Error },
): Statement {
  const row: Row = {
    bytes: (column) => {
      const from = library._sqlite3_column_blob(statement, column);
      const size = library._sqlite3_column_bytes(statement, column);
      return new Uint8Array(memory.buffer, from, size).slice();
    },
    number: (column) => Number(library._sqlite3_column_int64(statement, column)),
  };
  const bind = (values: readonly (Uint8Array | number)[], pointers: number[]): void => {
    for (const [i, value] of values.entries()) {
      if (typeof value === 'number') {
        library._sqlite3_bind_int64(statement, i + 1, BigInt(value));
        continue;
      }
      const pointer = put(value);
      pointers.push(pointer);
      // SQLite reads the bytes in place until the statement has ended.
      library._sqlite3_bind_blob(statement, i + 1, pointer, value.length, 0);
    }
  };
  return {
    run: (values, onRow) => {
      const pointers: number[] = [];
      try {
        bind(values, pointers);
        let result = library._sqlite3_step(statement);
        for (; result === SQLITE_ROW; result = library._sqlite3_step(statement)) onRow?.(row);
        if (result !== SQLITE_DONE) throw fault(result);
      } finally {
        library._sqlite3_reset(statement);
        for (const pointer of pointers) library._free(pointer);
      }
    },
  };
}

/** Missing in the types of Node. */
interface Assembly {
  readonly Module: new (wasm: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  readonly RuntimeError: ErrorConstructor;
}

/** The buffer is replaced when the memory grows. */
interface Memory {
  readonly buffer: ArrayBuffer;
}

const isMemory = (value: unknown): value is Memory =>
  typeof value === 'object' && value !== null && 'buffer' in value && 'grow' in value;

/** Compiled WebAssembly, shared by databases. */
const compiled = new WeakMap<Uint8Array, object>();

/** Runs the package's script with `files` in the place of `node:fs`. */
function instantiate({ script, wasm }: SqliteCode, files: SqliteFiles): { library: Library; memory: Memory } {
  const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly: Assembly };
  const require = createRequire(import.meta.filename);
  const run = compileFunction(script, ['Module', 'WebAssembly', 'require', 'module', '__filename', '__dirname']);
  const code = compiled.get(wasm) ?? new assembly.Module(wasm);
  compiled.set(wasm, code);
  let memory: Memory | undefined;
  /** Intercepts the memory, which the script does not export. */
  const watched = {
    RuntimeError: assembly.RuntimeError,
    Module: new Proxy(assembly.Module, { construct: () => code }),
    Instance: new Proxy(assembly.Instance, {
      construct: (kind, [module, imports]) => {
        const instance = new kind(module, imports);
        memory = Object.values(instance.exports).find(isMemory);
        return instance;
      },
    }),
  };
  const library = { wasmBinary: wasm.subarray(0, 0) };
  run(library, watched, (name: string) => (name === 'node:fs' ? files : require(name)), {}, '', '');
  if (memory === undefined) throw new TypeError('SQLite has no memory');
  return { library: library as unknown as Library, memory };
}
