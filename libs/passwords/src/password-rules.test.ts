import { expect, test } from 'vitest';
import { passwordProblem } from './password-rules.js';

const none = {
  minPasswordLength: 8,
  maxPasswordLength: 12,
  requireLowercase: false,
  requireUppercase: false,
  requireDigit: false,
  requireSymbol: false,
};
const all = {
  ...none,
  requireLowercase: true,
  requireUppercase: true,
  requireDigit: true,
  requireSymbol: true,
};

test.each([
  { name: 'the shortest is allowed', password: '12345678', problem: undefined },
  { name: 'a shorter one is not', password: '1234567', problem: 'it needs at least 8 characters' },
  { name: 'the longest is allowed', password: 'x'.repeat(12), problem: undefined },
  {
    name: 'a longer one is not',
    password: 'x'.repeat(13),
    problem: 'it has more than 12 characters',
  },
  {
    name: 'a picture is one character: too few',
    password: '🐎'.repeat(7),
    problem: 'it needs at least 8 characters',
  },
  {
    name: 'a picture is one character: not too many',
    password: '🐎'.repeat(12),
    problem: undefined,
  },
  {
    name: 'a letter is one character, however it is sent: too few',
    password: 'e\u0301'.repeat(7),
    problem: 'it needs at least 8 characters',
  },
  {
    name: 'a letter is one character, however it is sent: not too many',
    password: '\u1f82'.normalize('NFD').repeat(12),
    problem: undefined,
  },
  { name: 'every kind at once', rules: all, password: 'Abcdef1!', problem: undefined },
  {
    name: 'letters of other scripts count',
    rules: all,
    password: 'Жизнь٣—хороша',
    max: 13,
    problem: undefined,
  },
  {
    name: 'a lower-case letter is missed',
    rules: all,
    password: 'ABCDEF1!',
    problem: 'it needs a lower-case letter',
  },
  {
    name: 'an upper-case letter is missed',
    rules: all,
    password: 'abcdef1!',
    problem: 'it needs an upper-case letter',
  },
  { name: 'a digit is missed', rules: all, password: 'Abcdefg!', problem: 'it needs a digit' },
  {
    name: 'a symbol is missed, and a space is none',
    rules: all,
    password: 'Abcdef 1',
    problem: 'it needs a symbol',
  },
  {
    name: 'all that is missed is named',
    rules: all,
    password: 'ABC',
    problem: 'it needs at least 8 characters, a lower-case letter, a digit and a symbol',
  },
])('$name', ({ rules = none, password, max = 12, problem }) => {
  expect(passwordProblem({ ...rules, maxPasswordLength: max }, password)).toBe(problem);
});
