/** A page in a browser, as a person uses it. Elements are found by XPath, which the drivers of all browsers know. */
export interface Driver {
  /** The name and the version of the browser. */
  readonly version: string;
  /** False if the page does not have the size and the turn of a phone's screen. */
  readonly isPhone: boolean;
  readonly open: (url: string) => Promise<void>;
  /** Waits until an element is visible. */
  readonly see: (xpath: string) => Promise<void>;
  readonly click: (xpath: string) => Promise<void>;
  /** Clicks into a field and types, one key after the other. */
  readonly type: (xpath: string, text: string) => Promise<void>;
  /** Presses a key together with Control. */
  readonly control: (key: 'a' | 'v' | 'x') => Promise<void>;
  readonly press: (key: 'Tab' | 'Enter') => Promise<void>;
  /** Types where the focus is. */
  readonly write: (text: string) => Promise<void>;
  readonly select: (xpath: string, value: string) => Promise<void>;
  readonly chooseFile: (xpath: string, path: string) => Promise<void>;
  /** Takes a picture of an element, as PNG. */
  readonly picture: (xpath: string) => Promise<Buffer>;
  /** Runs a function in the page; it must be whole by itself. */
  readonly run: <Result>(task: () => Result | Promise<Result>) => Promise<Result>;
  /** Goes to an address that may not answer. */
  readonly leaveFor: (url: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How a browser is started. */
export interface Start {
  /** The port on this computer of the proxy through which all of its requests go. */
  readonly proxy: number;
  readonly width: number;
  readonly height: number;
}

/** A browser that tests open the page in. */
export interface Engine {
  readonly name: string;
  /** The files that it needs, and the packages of Debian that have them. */
  readonly needs: Readonly<Record<string, string>>;
  readonly start: (start: Start) => Promise<Driver>;
}

/** How long an element may take to appear, in milliseconds. */
export const PATIENCE = 20_000;
