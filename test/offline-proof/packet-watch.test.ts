import { describe, expect, it } from 'vitest';
import { readQuestion, toAnswer } from '../../server/offline-proof/dns-stand-in.ts';
import { toAttempt } from '../../server/offline-proof/packet-watch.ts';

const tcp = (flags: number, port: number) => [
  0x90,
  0,
  port >> 8,
  port & 255,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0x50,
  flags,
  0,
  0,
];
const ipv4 = (protocol: number, target: number[], rest: number[]) =>
  Uint8Array.from([0x45, 0, 0, 0, 0, 0, 0, 0, 64, protocol, 0, 0, 10, 0, 0, 1, ...target, ...rest]);
const ipv6 = (next: number, target: number[], rest: number[]) =>
  Uint8Array.from([0x60, 0, 0, 0, 0, 0, next, 64, ...Array<number>(16).fill(0), ...target, ...rest]);
const documentation = [0x20, 0x01, 0x0d, 0xb8, ...Array<number>(11).fill(0), 1];

describe('a packet', () => {
  it.each([
    [
      'a connection begins',
      ipv4(6, [192, 0, 2, 1], tcp(2, 443)),
      { kind: 'connect', target: '192.0.2.1:443' },
    ],
    ['its answer does not count again', ipv4(6, [192, 0, 2, 1], tcp(0x12, 443)), null],
    ['a refusal does not count', ipv4(6, [192, 0, 2, 1], tcp(0x14, 443)), null],
    ['loopback', ipv4(6, [127, 0, 0, 53], tcp(2, 80)), null],
    [
      'a datagram',
      ipv4(17, [224, 0, 0, 251], [0x90, 0, 0x14, 0xe9]),
      { kind: 'datagram', target: '224.0.0.251:5353' },
    ],
    ['a look-up is the stand-in’s to count', ipv4(17, [9, 9, 9, 9], [0x90, 0, 0, 53]), null],
    ['a ping', ipv4(1, [9, 9, 9, 9], [8, 0]), { kind: 'other', target: '9.9.9.9 (protocol 1)' }],
    ['the kernel’s refusal', ipv4(1, [9, 9, 9, 9], [3, 3]), null],
    [
      'IPv6',
      ipv6(6, documentation, tcp(2, 443)),
      { kind: 'connect', target: '[2001:0db8:0000:0000:0000:0000:0000:0001]:443' },
    ],
    ['::1', ipv6(6, [...Array<number>(15).fill(0), 1], tcp(2, 443)), null],
    ['no packet at all', new Uint8Array(3), null],
  ])('%s', (_name, packet, expected) => expect(toAttempt(packet)).toEqual(expected));
});

describe('the stand-in for name servers', () => {
  const query = Buffer.concat([
    Buffer.from([0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    Buffer.from('\x07example\x03com\x00\x00\x01\x00\x01', 'latin1'),
  ]);

  it('reads the name and answers with an address of nobody', () => {
    const question = readQuestion(query)!;
    expect(question).toMatchObject({ name: 'example.com', type: 1 });
    const answer = toAnswer(query, question);
    expect([answer[0], answer[1], answer[7]]).toEqual([0xab, 0xcd, 1]);
    expect([...answer.subarray(-4)]).toEqual([192, 0, 2, 1]);
  });

  it('takes no damaged question', () => {
    expect(readQuestion(query.subarray(0, 18))).toBeNull();
    expect(readQuestion(Buffer.alloc(12, 0xff))).toBeNull();
  });
});
