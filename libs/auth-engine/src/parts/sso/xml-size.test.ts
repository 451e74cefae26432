import { expect, test } from 'vitest';

import { xmlExcess } from './xml-size.js';

test.each([
  ['', undefined],
  ['<a/>'.repeat(10), undefined],
  ['<a/>'.repeat(11), 'it has more than 10 tags'],
  ['<!---->'.repeat(11), 'it has more than 10 tags'],
  [`<a ${'b="" '.repeat(2_000)}/>`, undefined],
  [`<a ${'b="" '.repeat(2_001)}/>`, 'it has more than 2000 attributes'],
  [`<a ${'b = "" '.repeat(2_001)}/>`, 'it has more than 2000 attributes'],
  [`<a ${'b="" '.repeat(1_000)}${"c='' ".repeat(1_001)}/>`, 'it has more than 2000 attributes'],
])('%#', (xml, excess) => {
  expect(xmlExcess(xml, 10)).toBe(excess);
});
