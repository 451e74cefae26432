import { expect, test } from 'vitest';
import { fitOf, projectRelease } from './release.js';

const first = { name: '0001_first', sql: 'create table a ()' };
const second = { name: '0002_second', sql: '-- expand\ncreate table b ()' };
const removal = { name: '0003_removal', sql: '-- contract: requires 0002_second\ndrop table a' };
const step = { name: '0001_step', sql: 'select 1' };

const one = projectRelease([first], [step]);
const two = projectRelease([first, second], [step]);
const three = projectRelease([first, second, removal], [step]);
const hasOtherRights = { ...two, hash: 'another hash' };

test('a release says what it knows, needs and requires of others', () => {
  expect(three).toMatchObject({
    knows: ['0001_first', '0002_second', '0003_removal', '0001_step'],
    needs: ['0001_first', '0002_second', '0001_step'],
    requires: ['0002_second'],
  });
});

test.each([
  { name: 'its own', own: two, found: two, isEarlier: false, fit: 'current' },
  { name: 'one before an expansion', own: two, found: one, isEarlier: true, fit: 'behind' },
  { name: 'one after an expansion', own: one, found: two, isEarlier: false, fit: 'newer' },
  { name: 'one before a contraction', own: three, found: two, isEarlier: true, fit: 'older' },
  { name: 'one after a contraction', own: two, found: three, isEarlier: false, fit: 'newer' },
  { name: 'one contracted beyond it', own: one, found: three, isEarlier: false, fit: 'ahead' },
  { name: 'earlier rights', own: two, found: hasOtherRights, isEarlier: true, fit: 'older' },
  { name: 'later rights', own: two, found: hasOtherRights, isEarlier: false, fit: 'newer' },
  {
    name: 'one that was started before it and has more',
    own: one,
    found: two,
    isEarlier: true,
    fit: 'newer',
  },
])('a release finds $name: $fit', ({ own, found, isEarlier, fit }) => {
  expect(fitOf(own, { ...found, isEarlier })).toBe(fit);
});
