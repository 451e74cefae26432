import { describe, expect, test } from 'vitest';

import type { Organization, Project } from '../projects/queries.js';
import { columnsOf, rowsOf } from './matrix.js';
import { peopleOf } from './people.js';
import type { Membership } from './queries.js';

const organization = (id: string): Organization => ({
  id,
  name: id.toUpperCase(),
  slug: id,
  createdAt: '2030-01-01T00:00:00Z',
  projects: 0,
  members: 0,
  capabilities: ['members.manage'],
});

const project = (ref: string, name: string, organizationId: string): Project => ({
  ref,
  name,
  status: 'active',
  idType: 'text',
  organizationId,
  organizationName: organizationId.toUpperCase(),
  createdAt: '2030-01-01T00:00:00Z',
  deleteAt: null,
  url: `http://${ref}.localhost`,
});

const organizations = [organization('acme'), organization('beta'), organization('empty')];
const projects = [
  project('p10', 'Shop 10', 'acme'),
  project('p2', 'Shop 2', 'acme'),
  project('blog', 'Blog', 'beta'),
];

describe('the rows', () => {
  test.each([
    {
      search: {},
      expected: ['ACME', 'Shop 2', 'Shop 10', 'BETA', 'Blog', 'EMPTY'],
    },
    { search: { organization: 'beta' }, expected: ['BETA', 'Blog'] },
    { search: { project: 'shop 1' }, expected: ['ACME', 'Shop 10'] },
    { search: { project: 'BLOG' }, expected: ['BETA', 'Blog'] },
    { search: { project: 'none' }, expected: [] },
  ])('for $search are $expected', ({ search, expected }) => {
    expect(rowsOf(organizations, projects, search).map(({ name }) => name)).toEqual(expected);
  });
});

describe('the columns', () => {
  const membership = (email: string, role: 'viewer' | 'support', ref: string): Membership => ({
    id: email,
    operatorId: email,
    email,
    name: '',
    status: 'active',
    isDeploymentAdmin: false,
    twoFactorEnabled: false,
    organizationId: 'acme',
    projectRef: ref,
    role,
    capabilities: [],
    createdAt: '2030-01-01T00:00:00Z',
  });
  const people = peopleOf(
    [membership('ada', 'support', 'p2'), membership('bob', 'viewer', 'p10')],
    undefined,
  );
  const rows = rowsOf(organizations, projects, {});

  test.each([
    { search: {}, expected: ['ada', 'bob'] },
    { search: { q: 'bo' }, expected: ['bob'] },
    { search: { capability: 'audit.read' }, expected: ['ada'] },
    { search: { capability: 'content.read' }, expected: ['ada', 'bob'] },
    { search: { capability: 'members.manage' }, expected: [] },
  ] as const)('for $search are $expected', ({ search, expected }) => {
    expect(columnsOf(people, rows, search).map(({ email }) => email)).toEqual(expected);
  });

  test('with a capability are those who have it at a row in sight', () => {
    const some = rowsOf(organizations, projects, { project: 'shop 10' });
    const found = columnsOf(people, some, { capability: 'content.read' });
    expect(found.map(({ email }) => email)).toEqual(['bob']);
  });
});
