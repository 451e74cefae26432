import { expect, test } from 'vitest';

import { parseTrialOptions, usage } from './options.js';

const given = { names: ['cold', 'soak'], seed: 7 };
const parse = (...args: string[]) => parseTrialOptions(args, given);

test('the defaults are the trial of the whole deployment', () => {
  expect(parse()).toEqual({ projects: 300, minutes: 20, soakMinutes: 60, only: [], seed: 7 });
});

test('every option is read', () => {
  const args = '--projects 30 --minutes 2.5 --soak-minutes 1 --only cold,soak --seed 9'.split(' ');
  expect(parse(...args)).toEqual({
    projects: 30,
    minutes: 2.5,
    soakMinutes: 1,
    only: ['cold', 'soak'],
    seed: 9,
  });
});

test.each([
  { name: 'too few projects', args: ['--projects', '19'], message: '--projects must be a whole' },
  { name: 'half a project', args: ['--projects', '20.5'], message: '--projects must be a whole' },
  { name: 'no minutes', args: ['--minutes', '0'], message: '--minutes must be a number above 0' },
  { name: 'minutes as a word', args: ['--soak-minutes', 'x'], message: '--soak-minutes must be' },
  { name: 'an unknown case', args: ['--only', 'cold,clod'], message: 'does not know "clod"' },
  { name: 'a seed of 0', args: ['--seed', '0'], message: '--seed must be a whole number from 1' },
  { name: 'an unknown option', args: ['--project', '30'], message: '--project' },
])('$name is refused', ({ args, message }) => {
  expect(() => parse(...args)).toThrow(message);
});

test('help names the cases', () => {
  expect(parse('--help')).toBeUndefined();
  expect(usage(given.names)).toContain('cold soak');
});
