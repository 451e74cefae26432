import { expect, test } from 'vitest';

import { EventReader, readEvents } from './event-stream.js';

const text =
  'retry: 100\n\nevent: joined\ndata: {"a":1}\n\n: \n\nevent: frame\ndata: {"b":"é: x"}\n\n';
const events = [
  { event: 'joined', data: '{"a":1}' },
  { event: 'frame', data: '{"b":"é: x"}' },
];

test('events are read however the text is cut', () => {
  for (let length = 1; length <= text.length; length += 1) {
    const reader = new EventReader();
    const read = [];
    for (let at = 0; at < text.length; at += length) {
      read.push(...reader.read(text.slice(at, at + length)));
    }
    expect(read, `parts of ${length}`).toEqual(events);
  }
});

test('what is not complete is no event', () => {
  expect(new EventReader().read('event: joined\ndata: {"a":1}\n')).toEqual([]);
});

test('letters of several bytes are read across parts', async () => {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const byte of bytes) stream.enqueue(new Uint8Array([byte]));
      stream.close();
    },
  });
  const read: unknown[] = [];
  await readEvents(body, (event) => read.push(event));
  expect(read).toEqual(events);
});
