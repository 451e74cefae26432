import { queryOptions } from '@tanstack/react-query';

import { answer, api, type Schemas } from '../../api/client.js';
import { isStudio } from '../../api/place.js';
import { refreshMs } from '../../api/refresh.js';

export type Project = Schemas['AddressedProject'];
export type NewProject = Schemas['NewProjectView'];
export type Organization = Schemas['OrganizationView'];

/** The most that one answer has. */
const pageSize = 1000;
export const pageOfOrganizations = 200;

/** All projects that the operator may see, deleted ones too. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async (): Promise<readonly Project[]> => {
    const projects: Project[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const query = { limit: pageSize, ...(after !== undefined && { after }) };
      // Each page begins where the one before has ended.
      const page = await answer(api.GET('/platform/projects', { params: { query } }));
      projects.push(...page.projects);
      after = page.next;
    }
    return projects;
  },
  refetchInterval: refreshMs,
});

export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async (): Promise<readonly Organization[]> => {
    const organizations: Organization[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const query = { limit: pageOfOrganizations, ...(after !== undefined && { after }) };
      const page = await answer(api.GET('/platform/organizations', { params: { query } }));
      organizations.push(...page.organizations);
      after = page.next;
    }
    return organizations;
  },
});

/** A project with what the operator may do with it; in the studio, the only one with what the administrator may do. */
export const projectQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref],
    queryFn: async (): Promise<Schemas['ProjectDetails']> =>
      isStudio()
        ? (await import('../../session/administrator.js')).readOwnProject()
        : answer(api.GET('/platform/projects/{ref}', { params: { path: { ref } } })),
    staleTime: 5_000,
  });

/** Size, connections and users of a project; only while its database can be reached. */
export const conditionQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'condition'],
    queryFn: () =>
      answer(api.GET('/platform/projects/{ref}/status', { params: { path: { ref } } })),
    retry: false,
  });
