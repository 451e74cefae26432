// Everything that the parts of the screen need: people, organizations, projects, and what may be done with them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { useOperator } from '../../session/operator.js';
import {
  type Organization,
  organizationsQuery,
  type Project,
  projectsQuery,
} from '../projects/queries.js';
import type { Capability } from './capabilities.js';
import { type Person, peopleOf, type Place } from './people.js';
import { membershipsQuery, operatorsQuery } from './queries.js';

export interface OperatorsWorld {
  /** The operator who is signed in. */
  readonly selfId: string;
  readonly isAdmin: boolean;
  readonly people: readonly Person[];
  /** Those whose members the operator manages. */
  readonly organizations: readonly Organization[];
  /** Theirs, without deleted ones. */
  readonly projects: readonly Project[];
  readonly organizationName: (id: string) => string;
  readonly projectName: (ref: string) => string;
  readonly placeName: (place: Place) => string;
  /** What the operator may give in an organization. */
  readonly capabilitiesIn: (organizationId: string) => readonly Capability[];
}

/**
 * Whether a membership that ends can be given again without an invitation: by an administrator of the deployment, or
 * while the person has another one in the organization.
 */
export function canGiveBack(
  { isAdmin }: OperatorsWorld,
  { memberships }: Person,
  { organizationId, ref }: Place,
): boolean {
  return (
    isAdmin ||
    memberships.some((each) => each.organizationId === organizationId && each.projectRef !== ref)
  );
}

interface Read {
  readonly world: OperatorsWorld | undefined;
  readonly error: unknown;
  readonly readAt: number;
  readonly retry: () => void;
}

const noProjects: readonly Project[] = [];

export function useWorld(): Read {
  const session = useOperator();
  const organizations = useQuery(organizationsQuery);
  const projects = useQuery(projectsQuery);
  const memberships = useQuery(membershipsQuery);
  const self = session.data?.operator;
  const isAdmin = self?.isDeploymentAdmin === true;
  const operators = useQuery({ ...operatorsQuery, enabled: isAdmin });
  const reads = [session, organizations, projects, memberships, ...(isAdmin ? [operators] : [])];
  const [own, known, all] = [memberships.data, organizations.data, operators.data];
  const shownProjects = projects.data ?? noProjects;
  const world = useMemo((): OperatorsWorld | undefined => {
    if (!self || !known || !own || (isAdmin && !all)) return undefined;
    return worldOf({
      selfId: self.id,
      isAdmin,
      people: peopleOf(own, isAdmin ? all : undefined),
      organizations: known,
      projects: shownProjects,
    });
  }, [self, known, own, all, shownProjects, isAdmin]);
  return {
    world,
    error: reads.find(({ error }) => error)?.error,
    readAt: memberships.dataUpdatedAt,
    retry: () => {
      for (const read of reads) void read.refetch();
    },
  };
}

function worldOf(
  given: Pick<OperatorsWorld, 'selfId' | 'isAdmin' | 'people' | 'organizations' | 'projects'>,
): OperatorsWorld {
  const known = new Map(given.organizations.map((each) => [each.id, each]));
  const organizations = given.organizations.filter(({ capabilities }) =>
    capabilities.includes('members.manage'),
  );
  const managed = new Set(organizations.map(({ id }) => id));
  const projects = given.projects.filter(
    ({ organizationId, status }) =>
      managed.has(organizationId) && status !== 'deleted' && status !== 'deleting',
  );
  const names = new Map(projects.map(({ ref, name }) => [ref, name]));
  const organizationName = (id: string): string => known.get(id)?.name ?? id;
  const projectName = (ref: string): string => names.get(ref) ?? ref;
  return {
    ...given,
    organizations,
    projects,
    organizationName,
    projectName,
    placeName: ({ organizationId, ref }) =>
      ref === null ? `the organization ${organizationName(organizationId)}` : projectName(ref),
    capabilitiesIn: (id) => known.get(id)?.capabilities ?? [],
  };
}
