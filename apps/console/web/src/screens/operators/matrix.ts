// The rows and columns of the matrix of operators and projects.
import type { Organization, Project } from '../projects/queries.js';
import { type Person, type Place, rightsAt, selectPeople } from './people.js';
import type { OperatorsSearch } from './search.js';

/** An organization with all of its projects, or one project. */
export interface MatrixRow {
  readonly key: string;
  readonly name: string;
  readonly place: Place;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Each organization that the address asks for, followed by its projects by name. */
export function rowsOf(
  organizations: readonly Organization[],
  projects: readonly Project[],
  { project = '', organization }: OperatorsSearch,
): readonly MatrixRow[] {
  const words = project.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ ref, name }: Project): boolean => {
    const text = `${ref} ${name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const byOrganization = new Map<string, Project[]>();
  for (const each of projects.filter(fits)) {
    const own = byOrganization.get(each.organizationId);
    if (own) own.push(each);
    else byOrganization.set(each.organizationId, [each]);
  }
  return organizations
    .filter(({ id }) => organization === undefined || id === organization)
    .flatMap(({ id, name }) => {
      const own = byOrganization.get(id) ?? [];
      // With a filter, an organization is shown for its projects alone.
      if (own.length === 0 && words.length > 0) return [];
      const sorted = own.toSorted((one, other) => collator.compare(one.name, other.name));
      return [
        { key: id, name, place: { organizationId: id, ref: null } },
        ...sorted.map((each) => ({
          key: `${id} ${each.ref}`,
          name: each.name,
          place: { organizationId: id, ref: each.ref },
        })),
      ];
    });
}

/** The operators that the address asks for; with a capability, those who have it at one of the rows. */
export function columnsOf(
  people: readonly Person[],
  rows: readonly MatrixRow[],
  { q, state, capability }: OperatorsSearch,
): readonly Person[] {
  const found = selectPeople(people, { q, state });
  if (capability === undefined) return found;
  return found.filter((person) =>
    rows.some(({ place }) => rightsAt(person, place).has(capability)),
  );
}
