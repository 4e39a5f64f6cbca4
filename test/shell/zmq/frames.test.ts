import { describe, expect, test } from 'vitest';
import {
  decodeFrame,
  encodeCommand,
  encodeFrame,
  encodeGreeting,
  encodeMessage,
  encodeProperty,
  greetingFault,
  LONGEST_FRAME,
  readCommand,
  readProperties,
} from '../../../src/shell/zmq/frames.ts';
import { formatHex, parseHex } from '../../support/library.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('a greeting', () => {
  test('is that of ZMTP 3.1 with the mechanism NULL', () => {
    expect(formatHex(encodeGreeting())).toBe(
      `ff${'00'.repeat(8)}7f0301${formatHex(bytes('NULL'))}${'00'.repeat(16)}00${'00'.repeat(31)}`,
    );
  });

  test('is judged as it comes', () => {
    const greeting = encodeGreeting();
    for (let size = 0; size <= greeting.length; size += 1)
      expect(greetingFault(greeting.slice(0, size))).toBeUndefined();
  });

  test.each([
    ['another protocol', bytes('GET / HTTP/1.1'), 'it does not speak ZMTP'],
    ['no signature', parseHex(`ff${'00'.repeat(8)}7e`), 'it does not speak ZMTP'],
    ['version 2', parseHex(`ff${'00'.repeat(8)}7f01`), 'it speaks version 1 of ZMTP, not 3'],
    [
      'a login',
      parseHex(`ff${'00'.repeat(8)}7f0301${formatHex(bytes('PLAIN'))}`),
      'it asks for a login, and there is none',
    ],
  ])('of %s is refused', (_, start, fault) => {
    expect(greetingFault(start)).toBe(fault);
  });
});

describe('a frame', () => {
  test.each([0, 1, 255, 256, LONGEST_FRAME])('of %i bytes comes back', (length) => {
    const frame = { isCommand: false, hasMore: true, body: new Uint8Array(length).fill(7) };
    const encoded = encodeFrame(frame);
    expect(encoded).toHaveLength(length + (length > 255 ? 9 : 2));
    expect(decodeFrame(encoded)).toEqual({ frame, size: encoded.length });
    expect(decodeFrame(encoded.slice(0, -1))).toBeUndefined();
  });

  test.each([
    ['a reserved flag', '0800'],
    ['a command that has more', '0500'],
  ])('with %s is refused', (_, hex) => {
    expect(decodeFrame(parseHex(hex))).toEqual({ fault: 'a frame has flags that do not exist' });
  });

  test.each(['020000000000001001', '02ffffffffffffffff'])('that is too long is refused before it comes: %s', (hex) => {
    expect(decodeFrame(parseHex(hex))).toEqual({ fault: 'a frame is longer than 4096 bytes' });
  });
});

test('a message has a frame for each part', () => {
  const encoded = encodeMessage([bytes('rawtx'), new Uint8Array(300), parseHex('00000001')]);
  expect(formatHex(encoded)).toBe(`0105${formatHex(bytes('rawtx'))}03000000000000012c${'00'.repeat(300)}000400000001`);
});

describe('a command', () => {
  test('has a name and data', () => {
    const encoded = encodeCommand('READY', encodeProperty('Socket-Type', 'PUB'));
    const decoded = decodeFrame(encoded);
    if (!decoded || 'fault' in decoded) throw new Error('no frame');
    const command = readCommand(decoded.frame.body);
    expect(command?.name).toBe('READY');
    expect(readProperties(command?.data ?? new Uint8Array())).toEqual(new Map([['socket-type', 'PUB']]));
  });

  test.each(['', '00', '0541'])('without a whole name is none: "%s"', (hex) => {
    expect(readCommand(parseHex(hex))).toBeUndefined();
  });

  test.each(['00', '0141', '014100000002ff', '0141ffffffff00'])('has no properties in %s', (hex) => {
    expect(readProperties(parseHex(hex))).toBeUndefined();
  });
});
