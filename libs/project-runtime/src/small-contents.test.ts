import { expect, test } from 'vitest';

import { SmallContents } from './small-contents.js';

const content = (text: string) => Buffer.from(text.padEnd(1000, '.'));

test('what was kept is found, byte for byte', () => {
  const contents = new SmallContents(1_000_000);
  contents.keep('one', 'v1', content('a'));
  expect(contents.find('one', 'v1')).toEqual(content('a'));
  expect(contents.find('one', 'v2')).toBeUndefined();
});

test('nothing is found under the version of another project', () => {
  const contents = new SmallContents(1_000_000);
  contents.keep('one', 'v1', content('a'));
  expect(contents.find('two', 'v1')).toBeUndefined();
  expect(contents.find('one v1', '')).toBeUndefined();
});

test('what was read longest ago goes first', () => {
  const contents = new SmallContents(3 * 1512);
  for (const version of ['v1', 'v2', 'v3']) contents.keep('one', version, content(version));
  contents.find('one', 'v1');
  contents.keep('one', 'v4', content('v4'));
  const isThere = ['v1', 'v2', 'v3', 'v4'].map((version) => !!contents.find('one', version));
  expect(isThere).toEqual([true, false, true, true]);
});

test('keeping the same again takes no more room', () => {
  const contents = new SmallContents(2 * 1512);
  contents.keep('one', 'v1', content('a'));
  for (let times = 0; times < 5; times += 1) contents.keep('one', 'v2', content('b'));
  expect(contents.find('one', 'v1')).toEqual(content('a'));
});

test('what is longer than all room is not kept, and what was there has gone for it', () => {
  const contents = new SmallContents(1600);
  contents.keep('one', 'v1', content('a'));
  contents.keep('one', 'v2', Buffer.alloc(2000));
  expect([contents.find('one', 'v1'), contents.find('one', 'v2')]).toEqual([undefined, undefined]);
});

test('a piece of a longer buffer does not keep all of it', () => {
  const contents = new SmallContents(1_000_000);
  contents.keep('one', 'v1', Buffer.alloc(64_000, 'x').subarray(10, 20));
  const found = contents.find('one', 'v1');
  expect([found?.toString(), found?.buffer.byteLength]).toEqual(['xxxxxxxxxx', 10]);
});
