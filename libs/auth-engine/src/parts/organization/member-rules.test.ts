import { describe, expect, test } from 'vitest';
import { ROLES } from './checks.js';
import { mayChangeRole, mayRemove } from './member-rules.js';

describe('removing', () => {
  test.each([
    { actor: 'owner', may: ['owner', 'admin', 'member'] },
    { actor: 'admin', may: ['admin', 'member'] },
    { actor: 'member', may: [] },
  ] as const)('$actor may remove $may', ({ actor, may }) => {
    expect(ROLES.filter((target) => mayRemove(actor, target))).toEqual(may);
  });
});

describe('changing roles', () => {
  const changes = ROLES.flatMap((from) => ROLES.map((to) => ({ from, to })));

  test('an owner may make anybody anything', () => {
    expect(changes.every(({ from, to }) => mayChangeRole('owner', from, to))).toBe(true);
  });

  test('an admin changes no owner and makes none', () => {
    const allowed = changes.filter(({ from, to }) => mayChangeRole('admin', from, to));
    expect(allowed).toHaveLength(4);
    expect(allowed.some(({ from, to }) => from === 'owner' || to === 'owner')).toBe(false);
  });

  test('a member changes nobody', () => {
    expect(changes.some(({ from, to }) => mayChangeRole('member', from, to))).toBe(false);
  });
});
