import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { DNS, type DnsRecord, wireName, wireRecord } from './zones.ts';

// A server of DNS on loopback that knows the records of one proof at a time, and answers as a resolver that was asked for DNSSEC.

export interface DnsServer {
  readonly port: number;
  /** The records that are answered from now on. */
  readonly serve: (records: readonly DnsRecord[]) => void;
  readonly close: () => Promise<void>;
}

const HEADER = 12;

function readQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: `${labels.join('.')}.`, type: query.readUInt16BE(at + 1), end: at + 5 };
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const covered = ({ data }: DnsRecord): number => data.readUInt16BE(0);

/** The type of a record, or for a signature, that of what it signs. */
const about = (record: DnsRecord): number => (record.type === DNS.RRSIG ? covered(record) : record.type);

function answersTo(records: readonly DnsRecord[], name: string, type: number): readonly DnsRecord[] {
  const at = (owner: string, of: number): readonly DnsRecord[] => {
    const found = records.filter((record) => isSame(record.owner, owner) && about(record) === of);
    return found.some((record) => record.type === of) ? found : [];
  };
  const direct = at(name, type);
  if (direct.length > 0) return direct;
  const alias = at(name, DNS.CNAME);
  if (alias.length > 0 && type !== DNS.DS && type !== DNS.DNSKEY) return alias;
  const below = records.find(
    ({ owner, type: of }) => of === DNS.DNAME && name.toLowerCase().endsWith(`.${owner.toLowerCase()}`),
  );
  if (!below) return [];
  const to = Buffer.concat([wireName(name.slice(0, -below.owner.length)).subarray(0, -1), below.data]);
  return [...at(below.owner, DNS.DNAME), { owner: name, type: DNS.CNAME, data: to }];
}

const unique = (records: readonly DnsRecord[]): readonly Buffer[] => [
  ...new Map(records.map((record) => [wireRecord(record).toString('hex').toLowerCase(), wireRecord(record)])).values(),
];

function reply(query: Buffer, records: readonly DnsRecord[]): Buffer {
  const { name, type, end } = readQuestion(query);
  const answer = unique(answersTo(records, name, type));
  const authority = unique(records.filter((record) => [DNS.NSEC, DNS.NSEC3].some((of) => of === about(record))));
  // The pseudo record of EDNS says that records of DNSSEC are in the answer.
  const edns = Buffer.from([0, 0, 41, 0x10, 0, 0, 0, 0x80, 0, 0, 0]);
  const header = Buffer.alloc(HEADER);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8580, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answer.length, 6);
  header.writeUInt16BE(authority.length, 8);
  header.writeUInt16BE(1, 10);
  return Buffer.concat([header, query.subarray(HEADER, end), ...answer, ...authority, edns]);
}

/** Marks an answer that does not fit: the client asks again over TCP. */
function truncated(query: Buffer): Buffer {
  const { end } = readQuestion(query);
  const header = Buffer.alloc(HEADER);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8780, 2);
  header.writeUInt16BE(1, 4);
  return Buffer.concat([header, query.subarray(HEADER, end)]);
}

const MOST_UDP = 1200;

export async function startDnsServer(): Promise<DnsServer> {
  let records: readonly DnsRecord[] = [];
  const udp = createSocket('udp4');
  udp.on('message', (query, { port, address }) => {
    const answer = reply(query, records);
    udp.send(answer.length > MOST_UDP ? truncated(query) : answer, port, address);
  });
  await new Promise<void>((done) => udp.bind(0, '127.0.0.1', done));
  const { port } = udp.address();
  const tcp = createServer((socket) => {
    let given = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      given = Buffer.concat([given, chunk]);
      while (given.length >= 2 && given.length >= 2 + given.readUInt16BE(0)) {
        const length = given.readUInt16BE(0);
        const answer = reply(given.subarray(2, 2 + length), records);
        const size = Buffer.alloc(2);
        size.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([size, answer]));
        given = given.subarray(2 + length);
      }
    });
  });
  await new Promise<void>((done) => tcp.listen(port, '127.0.0.1', done));
  return {
    port,
    serve: (next) => {
      records = next;
    },
    close: async () => {
      await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))]);
    },
  };
}
