/** What the examples use of the npm package `bitcoin-core`, which has no types. */
declare module 'bitcoin-core' {
  class Client {
    constructor(options: { readonly host: string; readonly username: string; readonly password: string });
    command(method: string, ...params: readonly unknown[]): Promise<unknown>;
  }

  export { Client as default };
}
