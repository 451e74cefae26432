// What the address of the list says: which projects, in which order, and how they are shown.
import { searchText } from '../../shell/search-text.js';
import type { Project } from './queries.js';
import { sizeOf, type Usages } from './usage.js';

export const statusFilters = ['active', 'paused', 'deleted'] as const;
export type StatusFilter = (typeof statusFilters)[number];

export const sortFields = ['name', 'status', 'requests', 'size', 'used', 'created'] as const;
export type SortField = (typeof sortFields)[number];

/** Undefined: as if the address did not say it. */
export interface ProjectsSearch {
  /** Part of the name or the ref. */
  readonly q?: string | undefined;
  readonly status?: StatusFilter | undefined;
  readonly organization?: string | undefined;
  /** By the name unless it is given. */
  readonly sort?: SortField | undefined;
  /** The order of `sort` reversed. */
  readonly reversed?: true | undefined;
  readonly view?: 'grid' | undefined;
  /** The ref of the project whose details are open. */
  readonly open?: string | undefined;
  /** The dialog that is open. */
  readonly dialog?: 'create' | undefined;
}

/** The parameters that are valid. The others are undefined: what is left out is taken from the address as it is. */
export function readSearch(given: Record<string, unknown>): ProjectsSearch {
  const text = (name: string): string | undefined => searchText(given[name]);
  return {
    q: text('q'),
    status: statusFilters.find((known) => known === given['status']),
    organization: text('organization'),
    sort: sortFields.find((known) => known === given['sort'] && known !== 'name'),
    reversed: given['reversed'] === true ? true : undefined,
    view: given['view'] === 'grid' ? 'grid' : undefined,
    open: text('open'),
    dialog: given['dialog'] === 'create' ? 'create' : undefined,
  };
}

/** Whether the address asks for all projects but the deleted ones. */
export function isAll({ q = '', status, organization }: ProjectsSearch): boolean {
  return q.trim() === '' && status === undefined && organization === undefined;
}

/** Whether a project is in a state; those that are being made or removed count to their side. */
export function hasStatus({ status }: Project, wanted: StatusFilter): boolean {
  return status === wanted || (wanted === 'deleted' && status === 'deleting');
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

type Order = (one: Project, other: Project, usages: Usages) => number;

const byName: Order = (one, other) =>
  collator.compare(one.name, other.name) || (one.ref < other.ref ? -1 : 1);

/** Orders that begin with the largest, the last or the newest: that is what people look for. */
export const startsHigh: ReadonlySet<SortField> = new Set(['requests', 'size', 'used', 'created']);

const orders: Readonly<Record<SortField, Order>> = {
  name: byName,
  status: (one, other) => collator.compare(one.status, other.status),
  requests: (one, other, usages) =>
    (usages.get(other.ref)?.requestCount ?? 0) - (usages.get(one.ref)?.requestCount ?? 0),
  size: (one, other, usages) => bytesOf(other, usages) - bytesOf(one, usages),
  used: (one, other, usages) =>
    collator.compare(
      usages.get(other.ref)?.lastRequestAt ?? '',
      usages.get(one.ref)?.lastRequestAt ?? '',
    ),
  created: (one, other) => collator.compare(other.createdAt, one.createdAt),
};

function bytesOf({ ref }: Project, usages: Usages): number {
  const usage = usages.get(ref);
  return (usage && sizeOf(usage)) ?? -1;
}

/** The projects that the address asks for, in its order. Deleted ones only on request. */
export function select(
  projects: readonly Project[],
  { q = '', status, organization, sort = 'name', reversed }: ProjectsSearch,
  usages: Usages,
): readonly Project[] {
  const wanted = q.trim().toLowerCase();
  const found = projects.filter(
    (project) =>
      (status ? hasStatus(project, status) : !hasStatus(project, 'deleted')) &&
      (organization === undefined || project.organizationId === organization) &&
      `${project.ref} ${project.name}`.toLowerCase().includes(wanted),
  );
  const sorted = found.toSorted(
    (one, other) => orders[sort](one, other, usages) || byName(one, other, usages),
  );
  return reversed ? sorted.toReversed() : sorted;
}
