import { fail } from '#libs/errors';
import type { DataSource } from 'typeorm';
import type { ProjectStatus } from '../entities/project.entity.js';

/** The viewer: an administrator of the deployment sees everything. */
export interface Viewer {
  readonly operatorId: string;
  readonly isDeploymentAdmin: boolean;
}

/** A project in a list. */
export interface ProjectView {
  readonly ref: string;
  readonly name: string;
  readonly status: string;
  readonly idType: 'text' | 'uuid';
  readonly organizationId: string;
  readonly organizationName: string;
  readonly createdAt: Date;
  /** When a deleted project is removed for good; null for all others. */
  readonly deleteAt: Date | null;
}

export interface ProjectFilter {
  /** Part of the ref or the name, ignoring case. */
  readonly search?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly status?: ProjectStatus | undefined;
  /** The last ref of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

const columns = `
  project.ref, project.name, project.status, project.id_type as "idType",
  project.organization_id as "organizationId", organization.name as "organizationName",
  project.created_at as "createdAt", project.delete_at as "deleteAt"`;

const visible = `
  ($2 or exists (
    select from membership
    where membership.operator_id = $1 and membership.organization_id = project.organization_id
      and (membership.project_ref is null or membership.project_ref = project.ref)))`;

/**
 * Returns the projects in which the viewer has a membership, by ref, and the ref with which the next page continues.
 */
export async function listProjects(
  dataSource: DataSource,
  viewer: Viewer,
  filter: ProjectFilter,
): Promise<{ readonly projects: ProjectView[]; readonly next: string | null }> {
  const found: ProjectView[] = await dataSource.query(
    `select ${columns}
     from project join organization on organization.id = project.organization_id
     where ${visible}
       and ($3::pg_catalog.text is null or pg_catalog.strpos(pg_catalog.lower(project.ref || ' ' || project.name), pg_catalog.lower($3)) > 0)
       and ($4::pg_catalog.text is null or project.organization_id = $4)
       and ($5::pg_catalog.text is null or project.ref > $5)
       and ($7::pg_catalog.text is null or project.status = $7)
     order by project.ref
     limit $6`,
    [
      viewer.operatorId,
      viewer.isDeploymentAdmin,
      filter.search ?? null,
      filter.organizationId ?? null,
      filter.after ?? null,
      filter.limit + 1,
      filter.status ?? null,
    ],
  );
  const projects = found.slice(0, filter.limit);
  const hasMore = found.length > filter.limit;
  return { projects, next: hasMore ? (projects.at(-1)?.ref ?? null) : null };
}

/** Returns one project. Throws PROJECT_NOT_FOUND; the caller has checked who may see it. */
export async function getProject(dataSource: DataSource, ref: string): Promise<ProjectView> {
  const found: ProjectView[] = await dataSource.query(
    `select ${columns}
     from project join organization on organization.id = project.organization_id
     where project.ref = $1`,
    [ref],
  );
  const [project] = found;
  if (project === undefined) throw fail('PROJECT_NOT_FOUND');
  return project;
}
