import { type AppError, fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { AuditActor } from '../audit/record-audit.js';
import { ProjectDomain } from '../entities/project-domain.entity.js';
import { Project } from '../entities/project.entity.js';
import { changeRecord } from './change-record.js';
import { auditOf, challengeName, type DomainView, shownTexts, viewOf } from './domains.js';
import type { ProjectsContext } from './projects-context.js';
import type { ReadTxt, TxtAnswer } from './txt-records.js';

const uniqueViolation = '23505';
/** Claims that are looked up in one run of the background check, those with the oldest check first. */
const checksPerRun = 50;
/** The most of them for one project, so that its claims do not delay other projects. */
const checksPerProject = 5;
/** Claims older than this are no longer checked in the background, only on request. */
const pendingDays = 30;

interface Claim {
  readonly ref: string;
  readonly domain: string;
}

/** The result of looking up the record that verifies a claim. */
export interface FailedLookup {
  /** The name that was looked up. */
  readonly name: string;
  readonly type: 'TXT';
  readonly expected: string;
  /** Records at that name that look like the token of a claim, at most 20. Others are not shown. */
  readonly found: readonly string[];
  readonly problem: 'no-record' | 'other-value' | 'no-answer';
  /** For people. */
  readonly reason: string;
}

/** A claim after a lookup. */
export interface CheckedDomain extends DomainView {
  /** Only if the lookup did not verify the claim. */
  readonly lookup?: FailedLookup;
}

/**
 * Looks the TXT record of a claim up now and returns the claim: `pending` while the record is missing, with the records
 * that were found. If another project has verified the name and its record is gone from the DNS, it loses the name to
 * this project. Throws DOMAIN_NOT_FOUND, and DOMAIN_TAKEN while the other project's record is still there or an
 * administrator has verified its claim.
 */
export async function verifyDomain(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, domain, readTxt }: Claim & { readonly readTxt: ReadTxt },
): Promise<CheckedDomain> {
  const { manager } = context.dataSource;
  const claim = await getClaim(manager, { ref, domain });
  if (claim.verifiedAt !== null) return viewOf(claim);
  // Recorded first: a name whose lookup fails must not be the first of every run.
  await manager.update(ProjectDomain, { ref, domain }, { checkedAt: new Date() });
  const answer = await readTxt(challengeName(domain));
  const { texts } = answer;
  if (!texts.includes(claim.token)) {
    const unproven = await getClaim(manager, { ref, domain });
    return { ...viewOf(unproven), lookup: failedLookup(unproven, answer) };
  }
  const holder = await manager.findOneBy(ProjectDomain, { domain, verifiedAt: Not(IsNull()) });
  if (holder !== null) {
    if (holder.proof === 'operator' || texts.includes(holder.token)) throw taken(domain);
    // The domains of a deleted project are kept in case it is restored.
    if (!(await isServed(manager, holder.ref))) throw taken(domain);
    await withdraw(context, actor, holder);
  }
  return prove(context, actor, { ref, domain, proof: 'dns' });
}

function failedLookup({ domain, token }: ProjectDomain, answer: TxtAnswer): FailedLookup {
  const { texts, failure } = answer;
  const name = challengeName(domain);
  const facts = { name, type: 'TXT', expected: token, found: shownTexts(texts) } as const;
  if (failure !== undefined) {
    const reason = `The name servers gave no answer for ${name} (${failure})`;
    return { ...facts, problem: 'no-answer', reason };
  }
  return texts.length === 0
    ? { ...facts, problem: 'no-record', reason: `There is no TXT record at ${name}` }
    : { ...facts, problem: 'other-value', reason: `No TXT record at ${name} has the value` };
}

/**
 * Verifies a claim on the word of an administrator of the deployment, without a DNS record. Throws DOMAIN_NOT_FOUND,
 * and DOMAIN_TAKEN while another project is served under the name.
 */
export async function vouchForDomain(
  context: ProjectsContext,
  actor: AuditActor,
  claim: Claim,
): Promise<DomainView> {
  await getClaim(context.dataSource.manager, claim);
  return prove(context, actor, { ...claim, proof: 'operator' });
}

/** Looks up unverified claims. Returns those that are verified now. */
export async function checkPendingDomains(
  context: ProjectsContext,
  readTxt: ReadTxt,
  options: { readonly signal: AbortSignal; onError(error: unknown, domain: string): void },
): Promise<readonly Claim[]> {
  const waiting: Claim[] = await context.dataSource.query(
    `select ref, domain from (
       select d.ref, d.domain, coalesce(d.checked_at, d.created_at) as waits_since,
         pg_catalog.row_number() over (
           partition by d.ref order by coalesce(d.checked_at, d.created_at), d.domain
         ) as turn
       from project_domain d join project p on p.ref = d.ref
       where d.verified_at is null
         and d.created_at > pg_catalog.now() - $1 * '1 day'::pg_catalog.interval
         and p.status in ('active', 'paused')
     ) waiting
     where turn <= $2 order by turn, waits_since limit $3`,
    [pendingDays, checksPerProject, checksPerRun],
  );
  const proven: Claim[] = [];
  for (const claim of waiting) {
    if (options.signal.aborted) break;
    try {
      // One after the other: no request waits for it, and a slow name server gets one query at a time.
      const { state } = await verifyDomain(context, 'system', { ...claim, readTxt });
      if (state === 'verified') proven.push(claim);
    } catch (error) {
      options.onError(error, claim.domain);
    }
  }
  return proven;
}

async function isServed(manager: EntityManager, ref: string): Promise<boolean> {
  return manager.existsBy(Project, { ref, status: In(['active', 'paused']) });
}

async function getClaim(manager: EntityManager, claim: Claim): Promise<ProjectDomain> {
  const { ref, domain } = claim;
  const found = await manager.findOneBy(ProjectDomain, { ref, domain });
  if (found === null) throw fail('DOMAIN_NOT_FOUND');
  return found;
}

async function prove(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, domain, proof }: Claim & { readonly proof: 'dns' | 'operator' },
): Promise<DomainView> {
  try {
    return await changeRecord(context, ref, async (manager, project) => {
      const changed = { verifiedAt: new Date(), proof };
      const { affected } = await manager.update(ProjectDomain, { ref, domain }, changed);
      if (affected !== 1) throw fail('DOMAIN_NOT_FOUND');
      await auditOf(manager, project, { actor, verb: 'verify-domain', domain, after: { proof } });
      return viewOf(await getClaim(manager, { ref, domain }));
    });
  } catch (error) {
    const code = isRecord(error) ? error['code'] : undefined;
    throw code === uniqueViolation ? taken(domain) : error;
  }
}

/** Stops serving another project under a name whose claim it has lost. */
async function withdraw(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, domain, proof }: ProjectDomain,
): Promise<void> {
  await changeRecord(context, ref, async (manager, project) => {
    await manager.update(ProjectDomain, { ref, domain }, { verifiedAt: null, proof: null });
    await auditOf(manager, project, { actor, verb: 'lose-domain', domain, before: { proof } });
  });
}

const taken = (domain: string): AppError => fail('DOMAIN_TAKEN', { domain });
