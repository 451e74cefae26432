import { expect, test } from 'vitest';
import { faultIn } from './verify.js';

const EVIDENCE = [
  { pattern: /"Post \d+"/g, times: 2 },
  { pattern: /\/200\b/g, times: 1 },
];

test.each([
  { name: 'all that is asked for', text: '["Post 1","Post 2"]\n0-1/200', isRight: true },
  { name: 'a row too few', text: '["Post 1"]\n0-0/200', isRight: false },
  { name: 'a row too many', text: '["Post 1","Post 2","Post 3"]\n0-2/200', isRight: false },
  { name: 'another count', text: '["Post 1","Post 2"]\n0-1/2000', isRight: false },
  { name: 'nothing', text: '', isRight: false },
])('an answer with $name is right: $isRight', ({ text, isRight }) => {
  expect(faultIn(text, EVIDENCE) === undefined).toBe(isRight);
});

test('the fault says what was missed and what was found', () => {
  expect(faultIn('"Post 1"', EVIDENCE)).toContain('1 times, not 2');
});
