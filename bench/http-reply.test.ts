import { describe, expect, test } from 'vitest';
import { ReplyReader } from './http-reply.js';

const reply = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 11\r\nX: y\r\n\r\nhello world');

describe('ReplyReader', () => {
  test('a reply in one piece is complete and gives its status', () => {
    const reader = new ReplyReader();
    expect(reader.feed(reply)).toBe(true);
    expect(reader.status).toBe(201);
  });

  test('a reply cut at any byte is complete with its last piece only', () => {
    for (let cut = 1; cut < reply.length; cut += 1) {
      const reader = new ReplyReader();
      expect(reader.feed(reply.subarray(0, cut))).toBe(false);
      expect(reader.feed(reply.subarray(cut))).toBe(true);
    }
  });

  test('the next reply on the connection is read from its own head', () => {
    const reader = new ReplyReader();
    reader.feed(reply);
    expect(reader.feed(Buffer.from('HTTP/1.1 500 X\r\ncontent-length: 0\r\n\r\n'))).toBe(true);
    expect(reader.status).toBe(500);
  });

  test('204 needs no length', () => {
    expect(new ReplyReader().feed(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'))).toBe(true);
  });

  test.each([
    { name: 'no declared length', text: 'HTTP/1.1 200 OK\r\n\r\n' },
    { name: 'more bytes than declared', text: 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab' },
  ])('$name is refused', ({ text }) => {
    expect(() => new ReplyReader().feed(Buffer.from(text))).toThrow();
  });
});
