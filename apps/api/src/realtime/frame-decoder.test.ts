import { expect, test } from 'vitest';

import { frameBytes, FrameDecoder } from './frame-decoder.js';

function valueIn(packet: string): unknown {
  const decoder = new FrameDecoder();
  const values: unknown[] = [];
  decoder.on('decoded', ({ data }) => values.push((data as readonly unknown[])[1]));
  decoder.add(packet);
  return values[0];
}

test.each([
  ['a message', '2["rt:send",{"topic":"a","event":"e","payload":"ü"}]'],
  ['a join', '21["rt:join",{"topic":"a","config":{"postgres_changes":[]}}]'],
  ['a frame that is not read', '21["rt:send",{]'],
])('%s has the bytes of its whole packet', (_name, packet) => {
  expect(frameBytes(valueIn(packet))).toBe(Buffer.byteLength(packet));
});

test('what is no frame has none', () => {
  expect(frameBytes(valueIn('2["rt:send","text"]'))).toBe(0);
});
