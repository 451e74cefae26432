// The operators with their memberships, and what they may do at a place.

import { counted } from '../../ui/counted.js';
import {
  type Capability,
  capabilitiesByRole,
  capabilitiesOf,
  capabilityNames,
  type Role,
  roleTitles,
} from './capabilities.js';
import type { Membership, Operator } from './queries.js';
import type { OperatorsSearch } from './search.js';

/** An operator as far as the one who looks may see it. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly status: Operator['status'];
  readonly isDeploymentAdmin: boolean;
  /** Null: shown to administrators of the deployment and the operator alone. */
  readonly twoFactorEnabled: boolean | null;
  /** Null: not yet. Undefined: shown to administrators of the deployment alone. */
  readonly lastSignInAt: string | null | undefined;
  readonly mustChangePassword: boolean;
  readonly memberships: readonly Membership[];
  readonly membershipAt: ReadonlyMap<string, Membership>;
}

/** An organization or, with a ref, one of its projects. */
export interface Place {
  readonly organizationId: string;
  readonly ref: string | null;
}

const keyOf = ({ organizationId, ref }: Place): string => `${organizationId} ${ref ?? ''}`;

/** Everyone, by address: all operators where they are known, else those with a membership. */
export function peopleOf(
  memberships: readonly Membership[],
  operators: readonly Operator[] | undefined,
): readonly Person[] {
  const byOperator = new Map<string, Membership[]>();
  for (const membership of memberships) {
    const own = byOperator.get(membership.operatorId);
    if (own) own.push(membership);
    else byOperator.set(membership.operatorId, [membership]);
  }
  const withMemberships = (id: string) => {
    const own = byOperator.get(id) ?? [];
    const places = own.map(
      (each) =>
        [keyOf({ organizationId: each.organizationId, ref: each.projectRef }), each] as const,
    );
    return { memberships: own, membershipAt: new Map(places) };
  };
  if (operators) return operators.map((each) => ({ ...each, ...withMemberships(each.id) }));
  return [...byOperator].flatMap(([id, [first]]) => {
    if (!first) return [];
    const { email, name, status, isDeploymentAdmin, twoFactorEnabled } = first;
    const account = { id, email, name, status, isDeploymentAdmin, twoFactorEnabled };
    const unknown = { lastSignInAt: undefined, mustChangePassword: false };
    return [{ ...account, ...unknown, ...withMemberships(id) }];
  });
}

/** What a person is called. */
export function nameOf({ name, email }: Pick<Person, 'name' | 'email'>): string {
  return name.trim() === '' ? email : name;
}

/** The people that the address asks for. */
export function selectPeople(
  people: readonly Person[],
  { q = '', organization, state }: OperatorsSearch,
): readonly Person[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return people.filter((person) => {
    const text = `${person.name} ${person.email}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (organization === undefined ||
        person.memberships.some(({ organizationId }) => organizationId === organization)) &&
      (state === undefined || hasState(person, state))
    );
  });
}

function hasState(person: Person, state: NonNullable<OperatorsSearch['state']>): boolean {
  switch (state) {
    case 'active':
    case 'disabled':
      return person.status === state;
    case 'admin':
      return person.isDeploymentAdmin;
    case 'no-second-factor':
      return person.twoFactorEnabled === false;
  }
}

/** Where a capability comes from. */
export type Source =
  | { readonly kind: 'administrator' }
  | { readonly kind: 'organization' | 'project'; readonly role: Role };

/** Why a person may do what at a place. Without a key: the person may not. */
export function rightsAt(person: Person, place: Place): ReadonlyMap<Capability, readonly Source[]> {
  const { own, inherited } = membershipsAt(person, place);
  const sources: (readonly [Source, readonly Capability[]])[] = [];
  if (person.isDeploymentAdmin) sources.push([{ kind: 'administrator' }, capabilityNames]);
  if (inherited)
    sources.push([{ kind: 'organization', role: inherited.role }, capabilitiesOf(inherited)]);
  if (own) {
    const kind = place.ref === null ? 'organization' : 'project';
    sources.push([{ kind, role: own.role }, capabilitiesOf(own)]);
  }
  const rights = capabilityNames.flatMap((capability) => {
    const found = sources.filter(([, given]) => given.includes(capability));
    return found.length > 0 ? [[capability, found.map(([source]) => source)] as const] : [];
  });
  return new Map(rights);
}

/** The membership at the place itself, and the one in the organization that holds for its projects. */
export function membershipsAt(
  { membershipAt }: Person,
  place: Place,
): { readonly own: Membership | undefined; readonly inherited: Membership | undefined } {
  const { organizationId, ref } = place;
  return {
    own: membershipAt.get(keyOf(place)),
    inherited: ref === null ? undefined : membershipAt.get(keyOf({ organizationId, ref: null })),
  };
}

/** The role that says most about a set of capabilities; `custom` if no role has exactly these. */
export function roleWith(capabilities: ReadonlySet<Capability>): Role | undefined {
  if (capabilities.size === 0) return undefined;
  const found = Object.entries(capabilitiesByRole).find(
    ([, given]) =>
      given.length === capabilities.size && given.every((each) => capabilities.has(each)),
  );
  const role = found?.[0];
  return role === 'owner' || role === 'developer' || role === 'support' || role === 'viewer'
    ? role
    : 'custom';
}

/** What a cell of the matrix says. */
export interface Cell {
  readonly text: string;
  /** Where it comes from, for the color and for screen readers. */
  readonly from: 'administrator' | 'organization' | 'own' | 'none';
}

const empty: Cell = { text: '', from: 'none' };

/** What a person may do at a place in a word or, with a capability, whether it is among it. */
export function cellAt(person: Person, place: Place, capability: Capability | undefined): Cell {
  const rights = rightsAt(person, place);
  if (rights.size === 0) return empty;
  const { own, inherited } = membershipsAt(person, place);
  if (capability !== undefined) {
    const sources = rights.get(capability);
    if (!sources) return empty;
    const [first] = sources;
    const last = sources.at(-1);
    if (first?.kind === 'administrator') return { text: 'Yes', from: 'administrator' };
    return { text: 'Yes', from: last?.kind === 'project' || !inherited ? 'own' : 'organization' };
  }
  if (person.isDeploymentAdmin) return { text: 'Administrator', from: 'administrator' };
  const role = own && inherited ? roleWith(new Set(rights.keys())) : (own ?? inherited)?.role;
  if (role === undefined) return empty;
  const text = role === 'custom' ? `Custom, ${rights.size}` : roleTitles[role];
  return { text, from: own ? 'own' : 'organization' };
}

/** The memberships in a few words, such as “Owner in Default, Support on 2 projects”. */
export function accessInWords(
  { memberships, isDeploymentAdmin }: Person,
  organizationName: (id: string) => string,
): string {
  const wide = memberships
    .filter(({ projectRef }) => projectRef === null)
    .map(
      ({ role, organizationId }) => `${roleTitles[role]} in ${organizationName(organizationId)}`,
    );
  const narrow = new Map<Role, number>();
  for (const { role, projectRef } of memberships) {
    if (projectRef !== null) narrow.set(role, (narrow.get(role) ?? 0) + 1);
  }
  const onProjects = [...narrow].map(
    ([role, count]) => `${roleTitles[role]} on ${counted(count, 'project')}`,
  );
  const all = [...wide, ...onProjects];
  if (all.length === 0) return isDeploymentAdmin ? 'Everything' : 'Nothing';
  return all.join(', ');
}
