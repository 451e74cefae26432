import { fail } from '#libs/errors';
import type { Capability } from '#libs/wire';
import type { DataSource } from 'typeorm';
import { capabilitiesOn } from '../organizations/capabilities.js';
import { visibleTo } from '../organizations/organizations.js';
import type { Viewer } from './list-projects.js';

/** An organization and the operator's capabilities in it. */
export interface OwnOrganization {
  readonly organizationId: string;
  readonly capabilities: readonly Capability[];
}

/**
 * Returns the organization in which an operator creates a project: the named one, or the only one in which the operator
 * may create projects. Throws ORGANIZATION_NOT_FOUND, CAPABILITY_REQUIRED, and INVALID_INPUT if there are several.
 */
export async function organizationForProject(
  dataSource: DataSource,
  viewer: Viewer,
  named: string | undefined,
): Promise<OwnOrganization> {
  const may = ({ capabilities }: OwnOrganization): boolean =>
    capabilities.includes('projects.manage');
  if (named !== undefined) {
    const [organization] = await withCapabilities(dataSource, viewer, [named]);
    if (organization === undefined) throw fail('ORGANIZATION_NOT_FOUND');
    if (!may(organization)) throw fail('CAPABILITY_REQUIRED', { capability: 'projects.manage' });
    return organization;
  }
  // An administrator of the deployment could use any organization; the default is the one with the administrator's
  // membership.
  const own = await candidates(dataSource, { ...viewer, isDeploymentAdmin: false });
  const allowed = own.filter(may);
  const found =
    allowed.length === 0 && viewer.isDeploymentAdmin
      ? await candidates(dataSource, viewer)
      : allowed;
  const [organization, ...others] = found;
  if (organization === undefined)
    throw fail('CAPABILITY_REQUIRED', { capability: 'projects.manage' });
  if (others.length > 0) {
    throw fail('INVALID_INPUT', {
      field: 'organizationId',
      reason:
        'is required, because you belong to several organizations; GET /platform/organizations lists their ids',
    });
  }
  return organization;
}

async function candidates(dataSource: DataSource, viewer: Viewer): Promise<OwnOrganization[]> {
  const organizations: { id: string }[] = await dataSource.query(
    `select id from organization where ${visibleTo} order by name, id`,
    [viewer.operatorId, viewer.isDeploymentAdmin],
  );
  return withCapabilities(
    dataSource,
    viewer,
    organizations.map(({ id }) => id),
  );
}

async function withCapabilities(
  dataSource: DataSource,
  viewer: Viewer,
  organizationIds: readonly string[],
): Promise<OwnOrganization[]> {
  const found = await Promise.all(
    organizationIds.map(async (organizationId) => {
      const capabilities = await capabilitiesOn(dataSource, viewer.operatorId, { organizationId });
      return capabilities && { organizationId, capabilities };
    }),
  );
  return found.filter((organization) => organization !== undefined);
}
