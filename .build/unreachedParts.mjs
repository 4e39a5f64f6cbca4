/**
 * What the page never reaches in libraries, though bundlers cannot tell: what it is there, and what stands for it in the
 * page, which lets the minifier drop the rest.
 */
const PARTS = [
  {
    file: /\/lzma1\/lib\/lzma\.js$/,
    // The page unpacks bytes, and packs nothing.
    parts: [
      [/\bnew Encoder\(\)/, 'undefined'],
      [/^ {4}(?:compress|compressString|#encodeString|decompressString|#decodeUTF8)\([^)]*\) \{$.*?^ {4}\}$/gms, ''],
    ],
  },
  {
    file: /\/pako\/dist\/pako\.mjs$/,
    // BBQr is deflated at level 9, without a dictionary, and without a head and a checksum of zlib or gzip.
    parts: [
      [/\b(?:s|state|strm\.state)\.wrap\b(?! = )/g, '0'],
      [/\bs\.status === (?:INIT|GZIP|EXTRA|NAME|COMMENT|HCRC)_STATE\b/g, 'false'],
      [/\bcase FLAGS:.*?(?=\bcase TYPE:)/s, ''],
      [/\bs\.level\b(?! = )/g, '9'],
      [/\bs\.strategy\b(?! = )/g, '0'],
      [/\bconfiguration_table\[9\]\.func\b/, 'deflate_slow'],
      [/(?<=new Config\(.*, )deflate_(?:stored|fast)(?=\))/g, 'deflate_slow'],
      [/\bdictionary\.length\b/g, '0'],
    ],
  },
  {
    file: /\/qr\/index\.js$/,
    // The page draws the modules of a code itself.
    parts: [[/\boutput === '(?:ascii|term|svg|gif|data-url)'/g, 'false']],
  },
  {
    file: /\/qr\/decode\.js$/,
    // The page takes only the text of a code.
    parts: [[/\b(?:this\.|ctx\.)?opts\.(?:pointsOnDetect|imageOnResult|imageOnBitmap)\b/g, 'undefined']],
  },
];

/** A Rolldown plugin that leaves these parts out. It fails if a library no longer has one of them. */
export const unreachedParts = {
  name: 'unreached-parts',
  transform: {
    filter: { id: PARTS.map(({ file }) => file) },
    handler(code, id) {
      const { parts } = PARTS.find(({ file }) => file.test(id));
      return parts.reduce((text, [part, instead]) => {
        const rest = text.replace(part, instead);
        if (rest === text) throw new Error(`${id} has no part like ${part}`);
        return rest;
      }, code);
    },
  },
};
