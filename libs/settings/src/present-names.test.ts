import { describe, expect, test } from 'vitest';
import { applyWrite } from './apply-write.js';
import { getGroup } from './groups.js';
import { resolve } from './resolve.js';

const group = getGroup('auth.organization');

describe('auth.organization: the older key allowOrgSso means teamsEnabled', () => {
  test.each([
    { name: 'stored', stored: { allowOrgSso: true }, is: true },
    {
      name: 'stored beside the key of now, which wins',
      stored: { allowOrgSso: true, teamsEnabled: false },
      is: false,
    },
    { name: 'not stored', stored: {}, is: false },
  ])('$name: $is', ({ stored, is }) => {
    expect(resolve(group, { stored, env: {} })).toMatchObject({ teamsEnabled: is });
  });

  test('sent: it is stored under the key of now', () => {
    const written = applyWrite(group, { stored: undefined, env: {}, body: { allowOrgSso: true } });
    expect(written).toEqual({ teamsEnabled: true });
  });
});
