// What Hermes 0.12 lacks and the library needs.
globalThis.TextEncoder = class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), (byte) => byte.charCodeAt(0));
  }
};
for (const prototype of [Array.prototype, Object.getPrototypeOf(Uint8Array.prototype)]) {
  Object.defineProperty(prototype, 'at', {
    value(index) {
      return this[index < 0 ? this.length + index : index];
    },
  });
}
