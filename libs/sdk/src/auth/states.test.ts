// What listeners hear, as rules over the whole table.
import { describe, expect, test } from 'vitest';

import {
  isHappening,
  TRANSITIONS,
  type Happening,
  type SessionState,
  type Step,
} from './states.js';

const rows = Object.entries(TRANSITIONS).flatMap(([state, row]) =>
  Object.entries(row).map(([happening, step]) => ({ state, happening, step })),
);
const stepsOf = (happening: Happening): readonly Step[] =>
  Object.values(TRANSITIONS).map((row) => row[happening]);

test('everything can happen in every state', () => {
  expect(rows).toHaveLength(4 * 9);
});

test.each(rows)('$happening while $state leads to a state of the table', ({ step }) => {
  expect(Object.keys(TRANSITIONS)).toContain(step.next);
});

test('nothing leads back to not having read', () => {
  expect(rows.filter(({ step }) => step.next === 'unread')).toEqual([]);
});

test('only a new listener hears INITIAL_SESSION, and nothing else with it', () => {
  for (const { happening, step } of rows) {
    const isStart = happening === 'found' || happening === 'not-found';
    expect(step.events.includes('INITIAL_SESSION')).toBe(isStart);
    if (isStart) expect(step.events).toEqual(['INITIAL_SESSION']);
  }
});

test.each<{ happening: Happening; next: SessionState }>([
  { happening: 'sign-in', next: 'signed-in' },
  { happening: 'second-factor', next: 'signed-in' },
  { happening: 'step-up', next: 'signed-in' },
  { happening: 'challenge', next: 'second-factor' },
  { happening: 'end', next: 'signed-out' },
])('$happening leads to $next from everywhere', ({ happening, next }) => {
  expect(stepsOf(happening).map((step) => step.next)).toEqual([next, next, next, next]);
});

describe('what is heard', () => {
  test.each<{ name: string; state: SessionState; happening: Happening; events: string[] }>([
    {
      name: 'a sign-in that waited for its second factor is a sign-in, and a challenge that is met',
      state: 'second-factor',
      happening: 'second-factor',
      events: ['SIGNED_IN', 'MFA_CHALLENGE_VERIFIED'],
    },
    {
      name: 'a second factor on a session that lives signs signedOut in',
      state: 'signed-in',
      happening: 'step-up',
      events: ['MFA_CHALLENGE_VERIFIED'],
    },
    {
      name: 'who is signed out already does not hear it twice',
      state: 'signed-out',
      happening: 'end',
      events: [],
    },
    {
      name: 'a session that signedOut had heard of is signed in by being refreshed',
      state: 'signed-out',
      happening: 'refresh',
      events: ['SIGNED_IN'],
    },
    {
      name: 'a challenge is no sign-in',
      state: 'signed-out',
      happening: 'challenge',
      events: [],
    },
    {
      name: 'a prolonged session',
      state: 'signed-in',
      happening: 'refresh',
      events: ['TOKEN_REFRESHED'],
    },
    {
      name: 'a changed user',
      state: 'signed-in',
      happening: 'user-change',
      events: ['USER_UPDATED'],
    },
    { name: 'a session that ends', state: 'signed-in', happening: 'end', events: ['SIGNED_OUT'] },
  ])('$name', ({ state, happening, events }) => {
    expect(TRANSITIONS[state][happening].events).toEqual(events);
  });
});

test.each([
  { text: 'end', is: true },
  { text: 'toString', is: false },
  { text: 'SIGNED_OUT', is: false },
  { text: 7, is: false },
])('$text names something that happens: $is', ({ text, is }) => {
  expect(isHappening(text)).toBe(is);
});
