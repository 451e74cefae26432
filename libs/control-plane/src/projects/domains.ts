import { fail } from '#libs/errors';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { ProjectDomain } from '../entities/project-domain.entity.js';
import { changeRecord } from './change-record.js';
import type { ProjectsContext } from './projects-context.js';

/** The most host names that one project may have. */
export const maxDomains = 50;

/** Lets a project answer under a host name, given in the form of parseCustomDomain. Throws DOMAIN_TAKEN. */
export async function addDomain(
  context: ProjectsContext,
  actor: AuditActor,
  input: { readonly ref: string; readonly domain: string },
): Promise<void> {
  const { ref, domain } = input;
  await changeRecord(context, ref, async (manager, project) => {
    if ((await manager.countBy(ProjectDomain, { ref })) >= maxDomains) {
      throw fail('CONFLICT', { reason: `A project has at most ${maxDomains} domains` });
    }
    const inserted: unknown[] = await manager.query(
      'insert into project_domain (domain, ref) values ($1, $2) on conflict do nothing returning ref',
      [domain, ref],
    );
    if (inserted.length === 0) throw fail('DOMAIN_TAKEN', { domain });
    const { organizationId } = project;
    const after = { domain };
    await recordAudit(manager, {
      actor,
      action: 'project.add-domain',
      organizationId,
      ref,
      target: domain,
      after,
    });
  });
}

/** Ends that a project answers under a host name. Throws DOMAIN_NOT_FOUND. */
export async function removeDomain(
  context: ProjectsContext,
  actor: AuditActor,
  input: { readonly ref: string; readonly domain: string },
): Promise<void> {
  const { ref, domain } = input;
  await changeRecord(context, ref, async (manager, project) => {
    const deleted = await manager.delete(ProjectDomain, { ref, domain });
    if (deleted.affected !== 1) throw fail('DOMAIN_NOT_FOUND');
    const { organizationId } = project;
    const before = { domain };
    await recordAudit(manager, {
      actor,
      action: 'project.remove-domain',
      organizationId,
      ref,
      target: domain,
      before,
    });
  });
}

/** The host names of a project besides the one of its ref. */
export async function listDomains(
  context: ProjectsContext,
  ref: string,
): Promise<{ readonly domain: string; readonly createdAt: Date }[]> {
  const domains = await context.dataSource.manager.find(ProjectDomain, {
    where: { ref },
    order: { domain: 'ASC' },
  });
  return domains.map(({ domain, createdAt }) => ({ domain, createdAt }));
}
