import { describe, expect, test } from 'vitest';

import type { Capability, Role } from './capabilities.js';
import { accessInWords, cellAt, peopleOf, rightsAt, roleWith, selectPeople } from './people.js';
import type { Membership, Operator } from './queries.js';

const operator = (email: string, changes: Partial<Operator> = {}): Operator => ({
  id: `id-${email}`,
  email,
  name: '',
  status: 'active',
  isDeploymentAdmin: false,
  mustChangePassword: false,
  twoFactorEnabled: false,
  createdAt: '2030-01-01T00:00:00Z',
  lastSignInAt: null,
  ...changes,
});

const membership = (
  email: string,
  role: Role,
  projectRef: string | null = null,
  capabilities: Capability[] = [],
): Membership => ({
  id: `${email} ${role} ${projectRef}`,
  operatorId: `id-${email}`,
  email,
  name: '',
  status: 'active',
  isDeploymentAdmin: false,
  twoFactorEnabled: true,
  organizationId: 'acme',
  projectRef,
  role,
  capabilities,
  createdAt: '2030-01-01T00:00:00Z',
});

const onAcme = { organizationId: 'acme', ref: null };
const onShop = { organizationId: 'acme', ref: 'shop' };
const personWith = (memberships: Membership[], changes: Partial<Operator> = {}) => {
  const [person] = peopleOf(memberships, [operator('ada', changes)]);
  if (!person) throw new Error('there is no person');
  return person;
};

describe('the people', () => {
  test('are all operators, with their memberships', () => {
    const people = peopleOf([membership('ada', 'owner')], [operator('ada'), operator('bob')]);
    expect(people.map(({ email, memberships }) => [email, memberships.length])).toEqual([
      ['ada', 1],
      ['bob', 0],
    ]);
  });

  test('are those with memberships where the accounts are not known', () => {
    const found = [membership('ada', 'owner'), membership('ada', 'viewer', 'shop')];
    const [person, ...others] = peopleOf(found, undefined);
    expect(others).toEqual([]);
    expect(person).toMatchObject({ email: 'ada', twoFactorEnabled: true });
    expect(person?.lastSignInAt).toBeUndefined();
    expect(person?.memberships).toHaveLength(2);
  });

  test('whose second factor is not shown are not said to be without one', () => {
    const [ada] = peopleOf([], [operator('ada')]);
    const people = ada ? [{ ...ada, twoFactorEnabled: null }] : [];
    expect(selectPeople(people, {})).toHaveLength(1);
    expect(selectPeople(people, { state: 'no-second-factor' })).toEqual([]);
  });

  test.each([
    { search: {}, expected: ['ada', 'bob'] },
    { search: { q: 'AD' }, expected: ['ada'] },
    { search: { organization: 'acme' }, expected: ['ada'] },
    { search: { state: 'disabled' }, expected: ['bob'] },
    { search: { state: 'admin' }, expected: ['bob'] },
    { search: { state: 'no-second-factor', q: 'ada' }, expected: ['ada'] },
  ] as const)('that match $search are $expected', ({ search, expected }) => {
    const bob = operator('bob', { status: 'disabled', isDeploymentAdmin: true });
    const people = peopleOf([membership('ada', 'owner')], [operator('ada'), bob]);
    expect(selectPeople(people, search).map(({ email }) => email)).toEqual(expected);
  });
});

describe('a right', () => {
  test('comes from the organization, from the project, or from both', () => {
    const person = personWith([membership('ada', 'viewer'), membership('ada', 'support', 'shop')]);
    const rights = rightsAt(person, onShop);
    expect(rights.get('content.read')).toEqual([
      { kind: 'organization', role: 'viewer' },
      { kind: 'project', role: 'support' },
    ]);
    expect(rights.get('audit.read')).toEqual([{ kind: 'project', role: 'support' }]);
    expect(rights.has('members.manage')).toBe(false);
    expect([...rightsAt(person, onAcme).keys()]).toEqual(['content.read']);
  });

  test('holds on no other project', () => {
    const person = personWith([membership('ada', 'owner', 'shop')]);
    expect(rightsAt(person, { organizationId: 'acme', ref: 'other' }).size).toBe(0);
    expect(rightsAt(person, onAcme).size).toBe(0);
  });

  test('is each one for administrators of the deployment', () => {
    const rights = rightsAt(personWith([], { isDeploymentAdmin: true }), onShop);
    expect(rights.size).toBe(8);
    expect(rights.get('projects.manage')).toEqual([{ kind: 'administrator' }]);
  });
});

describe('a cell', () => {
  test.each([
    { name: 'nothing', memberships: [], text: '', from: 'none' },
    {
      name: 'the role in the organization',
      memberships: [membership('ada', 'developer')],
      text: 'Developer',
      from: 'organization',
    },
    {
      name: 'the own role',
      memberships: [membership('ada', 'support', 'shop')],
      text: 'Support',
      from: 'own',
    },
    {
      name: 'what both roles are together',
      memberships: [membership('ada', 'developer'), membership('ada', 'viewer', 'shop')],
      text: 'Developer',
      from: 'own',
    },
    {
      name: 'the number of capabilities of their own',
      memberships: [membership('ada', 'custom', 'shop', ['audit.read', 'content.read'])],
      text: 'Custom, 2',
      from: 'own',
    },
  ])('says $name', ({ memberships, text, from }) => {
    expect(cellAt(personWith(memberships), onShop, undefined)).toEqual({ text, from });
  });

  test('says whether a capability is given, and by what', () => {
    const both = [membership('ada', 'viewer'), membership('ada', 'support', 'shop')];
    const person = personWith(both);
    expect(cellAt(person, onShop, 'audit.read')).toEqual({ text: 'Yes', from: 'own' });
    expect(cellAt(person, onShop, 'members.manage').from).toBe('none');
    const viewer = personWith([membership('ada', 'viewer')]);
    expect(cellAt(viewer, onShop, 'content.read')).toEqual({ text: 'Yes', from: 'organization' });
    expect(cellAt(viewer, onAcme, 'content.read')).toEqual({ text: 'Yes', from: 'own' });
    const admin = personWith([], { isDeploymentAdmin: true });
    expect(cellAt(admin, onShop, 'content.read')).toEqual({ text: 'Yes', from: 'administrator' });
  });
});

test.each([
  { given: [], expected: undefined },
  { given: ['content.read'], expected: 'viewer' },
  { given: ['audit.read', 'content.read', 'content.write'], expected: 'support' },
  { given: ['audit.read'], expected: 'custom' },
] as const)('$given is the role $expected', ({ given, expected }) => {
  expect(roleWith(new Set(given))).toBe(expected);
});

test.each([
  { memberships: [], expected: 'Nothing' },
  {
    memberships: [
      membership('ada', 'owner'),
      membership('ada', 'support', 'a'),
      membership('ada', 'support', 'b'),
      membership('ada', 'viewer', 'c'),
    ],
    expected: 'Owner in Acme, Support on 2 projects, Viewer on 1 project',
  },
])('$expected', ({ memberships, expected }) => {
  expect(accessInWords(personWith(memberships), () => 'Acme')).toBe(expected);
});
