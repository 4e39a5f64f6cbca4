/** A JSON-RPC call as a request has it. */
export interface PlainCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

const KEY = '03774ae7f858a9411e5ef4246b70c65aac5649980be5c17891bbec17895da008cb';
const OTHER_KEY = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const TPUB =
  'tpubD6NzVbkrYhZ4YiNvEkVBBTtZHvMMNesKUC5gVjcgb4Z2HXwY6qHZaQsNrcPionogDUGJvTxWUbYCgGoTDb2vjP4fdYbbXqUfmsbXbc9RtRk';
const TX = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
const PSBT = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';
const PSBT_V2 = 'cHNidP8BAgQCAAAAAQQBAAEFAQAB+wQCAAAAAA==';

/** Calls whose answers depend on the release of a node, but neither on its chain nor on its wallets. */
export const CHAINLESS_CALLS: readonly PlainCall[] = [
  { method: 'decoderawtransaction', params: [TX] },
  { method: 'decoderawtransaction', params: ['00'] },
  { method: 'decodescript', params: ['6a'] },
  { method: 'decodescript', params: [`21${KEY}ac`] },
  { method: 'createrawtransaction', params: [[], [{ data: '00' }]] },
  { method: 'createrawtransaction', params: [[], [], 0, true, 3] },
  { method: 'combinerawtransaction', params: [[]] },
  { method: 'createpsbt', params: [[], [{ data: '00' }]] },
  { method: 'converttopsbt', params: [TX] },
  { method: 'decodepsbt', params: [PSBT] },
  { method: 'decodepsbt', params: [PSBT_V2] },
  { method: 'decodepsbt', params: ['cHNidP8BAAo='] },
  { method: 'decodepsbt', params: ['cHNidP8BAAoCAAAAAAAAAAAAAQAKAgAAAAAAAAAAAAA='] },
  { method: 'analyzepsbt', params: [PSBT] },
  { method: 'finalizepsbt', params: [PSBT] },
  { method: 'combinepsbt', params: [[PSBT, PSBT]] },
  { method: 'joinpsbts', params: [[PSBT]] },
  { method: 'validateaddress', params: ['mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8'] },
  { method: 'validateaddress', params: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'] },
  { method: 'createmultisig', params: [1, [KEY, OTHER_KEY]] },
  { method: 'getdescriptorinfo', params: [`wpkh(${KEY})`] },
  { method: 'getdescriptorinfo', params: [`pkh( ${KEY})`] },
  { method: 'getdescriptorinfo', params: [`unused(${TPUB})`] },
  { method: 'getdescriptorinfo', params: [`rawtr(musig(${KEY},${OTHER_KEY}))`] },
  { method: 'deriveaddresses', params: [`wpkh(${KEY})#wzup4nrq`, null] },
  { method: 'verifymessage', params: ['mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8', 'AAAA', 'message'] },
];
