import { expect, test } from 'vitest';
import { clientFrame, FrameReader, serverFrame } from './text-frames.js';

const sizes = [0, 1, 125, 126, 65_535, 65_536];

test.each(sizes.flatMap((size) => [1, 3, 100_000].map((step) => ({ size, step }))))(
  'texts of $size characters arrive in chunks of $step bytes',
  ({ size, step }) => {
    const text = 'x'.repeat(size);
    const bytes = Buffer.concat([serverFrame(text), clientFrame(text), serverFrame('end')]);
    const taken: string[] = [];
    const reader = new FrameReader((payload) => taken.push(payload.toString()));
    for (let at = 0; at < bytes.length; at += step) reader.push(bytes.subarray(at, at + step));
    expect(taken.map((one) => one.length)).toEqual([size, size, 3]);
    expect(taken.slice(0, 2)).toEqual([text, text]);
  },
);

test('a masked text is unmasked', () => {
  // The example of RFC 6455 section 5.7.
  const masked = Buffer.from('818537fa213d7f9f4d5158', 'hex');
  const taken: string[] = [];
  new FrameReader((payload) => taken.push(payload.toString())).push(masked);
  expect(taken).toEqual(['Hello']);
});

test.each([
  { name: 'a close', bytes: [0x88, 0] },
  { name: 'bytes that are no text', bytes: [0x82, 0] },
])('$name is an error', ({ bytes }) => {
  expect(() => new FrameReader(() => undefined).push(Buffer.from(bytes))).toThrow();
});
