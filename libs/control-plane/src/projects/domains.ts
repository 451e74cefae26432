// Custom domains. A project claims a host name and is served there once the claim is verified: by a TXT record that
// only the owner of the domain can create, or by an administrator of the deployment. An unverified claim does not block
// other projects.
import { fail } from '#libs/errors';
import { randomBytes } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { type EntityManager, IsNull } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { ProjectDomain } from '../entities/project-domain.entity.js';
import type { Project } from '../entities/project.entity.js';
import { changeRecord } from './change-record.js';
import type { ProjectsContext } from './projects-context.js';

/** The most host names that one project may claim. */
const maxDomains = 50;
/** The most of them that may be unverified: the server looks each of them up repeatedly. */
const maxPendingDomains = 10;
const tokenBytes = 20;
/** The value of a TXT record that verifies a claim, in hex. */
const tokenShape = new RegExp(`^[0-9a-f]{${2 * tokenBytes}}$`);
/** The most records in an answer. */
const maxShown = 20;

/** A claim as operators see it. */
export interface DomainView {
  /** In ASCII, as browsers send it. */
  readonly domain: string;
  /** For people; the same as `domain` for a name without letters beyond ASCII. */
  readonly unicode: string;
  readonly state: 'pending' | 'verified';
  /** The TXT record that verifies the claim. */
  readonly record: { readonly name: string; readonly type: 'TXT'; readonly value: string };
  readonly proof: ProjectDomain['proof'];
  readonly createdAt: Date;
  readonly verifiedAt: Date | null;
  readonly checkedAt: Date | null;
}

interface Claim {
  readonly ref: string;
  readonly domain: string;
}

/** The name of the TXT record that verifies a claim to a domain. */
export const challengeName = (domain: string): string => `_rowhouse-challenge.${domain}`;

/**
 * Returns those of the texts at a challenge name that look like the token of a claim, at most 20. Others are not shown:
 * the name is anyone's, and may lead into a private zone that the server can read.
 */
export const shownTexts = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => tokenShape.test(text)).slice(0, maxShown);

/**
 * Claims a host name in the form of parseCustomDomain. Nothing is served before the claim is verified. Throws CONFLICT
 * for a claim that the project already has, and TOO_MANY_DOMAINS.
 */
export async function addDomain(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, domain }: Claim,
): Promise<DomainView> {
  return changeRecord(context, ref, async (manager, project) => {
    if (await manager.existsBy(ProjectDomain, { ref, domain })) {
      throw fail('CONFLICT', { reason: `The project already has the domain ${domain}` });
    }
    if ((await manager.countBy(ProjectDomain, { ref })) >= maxDomains) {
      throw fail('TOO_MANY_DOMAINS', { limit: maxDomains, kind: 'custom' });
    }
    const pending = { ref, verifiedAt: IsNull() };
    if ((await manager.countBy(ProjectDomain, pending)) >= maxPendingDomains) {
      throw fail('TOO_MANY_DOMAINS', { limit: maxPendingDomains, kind: 'pending' });
    }
    const token = randomBytes(tokenBytes).toString('hex');
    const unproven = { verifiedAt: null, proof: null, checkedAt: null };
    await manager.insert(ProjectDomain, { domain, ref, token, ...unproven });
    await auditOf(manager, project, { actor, verb: 'add-domain', domain, after: { domain } });
    return viewOf(await manager.findOneByOrFail(ProjectDomain, { domain, ref }));
  });
}

/** Deletes a claim; the project is no longer served under the name. Throws DOMAIN_NOT_FOUND. */
export async function removeDomain(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, domain }: Claim,
): Promise<void> {
  await changeRecord(context, ref, async (manager, project) => {
    const deleted = await manager.delete(ProjectDomain, { ref, domain });
    if (deleted.affected !== 1) throw fail('DOMAIN_NOT_FOUND');
    await auditOf(manager, project, { actor, verb: 'remove-domain', domain, before: { domain } });
  });
}

/** The claims of a project, verified or not. */
export async function listDomains(context: ProjectsContext, ref: string): Promise<DomainView[]> {
  const domains = await context.dataSource.manager.find(ProjectDomain, {
    where: { ref },
    order: { domain: 'ASC' },
  });
  return domains.map(viewOf);
}

/** The details of a claim in an audit entry. */
interface DomainChange {
  readonly actor: AuditActor;
  readonly verb: 'add-domain' | 'remove-domain' | 'verify-domain' | 'lose-domain';
  readonly domain: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Writes the entry of a change of a claim. */
export async function auditOf(
  manager: EntityManager,
  { organizationId, ref }: Project,
  { actor, verb, domain, ...change }: DomainChange,
): Promise<void> {
  const action = `project.${verb}`;
  await recordAudit(manager, { actor, action, organizationId, ref, target: domain, ...change });
}

/** A claim as operators see it. */
export function viewOf(claim: ProjectDomain): DomainView {
  const { domain, token, verifiedAt, proof, createdAt, checkedAt } = claim;
  return {
    domain,
    unicode: domainToUnicode(domain),
    state: verifiedAt === null ? 'pending' : 'verified',
    record: { name: challengeName(domain), type: 'TXT', value: token },
    proof,
    createdAt,
    verifiedAt,
    checkedAt,
  };
}
