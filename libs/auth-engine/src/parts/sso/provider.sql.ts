// Statements on providers and their domains.
import { randomUUID } from 'node:crypto';
import { queryRows, type EnginePool, type RunStatement } from '../../engine-pool.js';
import { protocolOf, type Protocol, type SsoDomain, type SsoProvider } from './provider.js';

interface Row {
  readonly id: string;
  readonly providerId: string;
  readonly issuer: string;
  readonly organizationId: string | null;
  readonly oidcConfig: string | null;
  readonly samlConfig: string | null;
  readonly domains: readonly SsoDomain[];
}

const select = `
  select p.id, p."providerId", p.issuer, p."organizationId", p."oidcConfig", p."samlConfig",
    coalesce((
      select pg_catalog.json_agg(pg_catalog.json_build_object('domain', d.domain, 'isVerified', d."verifiedAt" is not null)
        order by d.domain)
      from auth."ssoDomain" d where d."ssoProviderId" = p.id
    ), '[]') as domains
  from auth."ssoProvider" p`;

/** Connections, of which a statement takes one for itself, or a transaction that is open. */
type Source = EnginePool | RunStatement;

function runOn(source: Source): RunStatement {
  if (typeof source === 'function') return source;
  return (text, values) => queryRows(source, text, values);
}

async function find(
  source: Source,
  condition: string,
  values: readonly unknown[],
): Promise<readonly SsoProvider[]> {
  const text = `${select} where ${condition} order by p."createdAt", p.id`;
  const rows = await runOn(source)<Row>(text, values);
  return rows.flatMap(({ oidcConfig, samlConfig, ...row }) => {
    const protocol = protocolOf(parsed(oidcConfig), parsed(samlConfig));
    return protocol ? [{ ...row, protocol }] : [];
  });
}

function parsed(config: string | null): unknown {
  return config === null ? undefined : JSON.parse(config);
}

/** The provider with this id. */
export async function findProvider(
  source: Source,
  providerId: string,
): Promise<SsoProvider | undefined> {
  return (await find(source, 'p."providerId" = $1', [providerId]))[0];
}

/** The provider that has proven this domain. */
export async function findProviderOfDomain(
  pool: EnginePool,
  domain: string,
): Promise<SsoProvider | undefined> {
  const condition = `p.id = (select d."ssoProviderId" from auth."ssoDomain" d
    where d.domain = $1 and d."verifiedAt" is not null)`;
  return (await find(pool, condition, [domain]))[0];
}

/** The provider of the organization with this slug; of several the first that was registered. */
export async function findProviderOfOrganization(
  pool: EnginePool,
  slug: string,
): Promise<SsoProvider | undefined> {
  const condition = `p."organizationId" = (select o.id from auth.organization o where o.slug = $1)`;
  return (await find(pool, condition, [slug]))[0];
}

/** All providers, or those of the organizations that the user manages. */
export function listProviders(
  pool: EnginePool,
  managerId: string | undefined,
): Promise<readonly SsoProvider[]> {
  if (managerId === undefined) return find(pool, 'true', []);
  const condition = `p."organizationId" in (select m."organizationId" from auth.member m
    where m."userId" = $1 and m.role in ('owner', 'admin'))`;
  return find(pool, condition, [managerId]);
}

/** Whether the user is an owner or admin of the organization. */
export async function managesOrganization(
  pool: EnginePool,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const rows = await queryRows(
    pool,
    `select from auth.member
     where "userId" = $1 and "organizationId" = $2 and role in ('owner', 'admin')`,
    [userId, organizationId],
  );
  return rows.length > 0;
}

/** Whether accounts say that they sign in by the provider with this id. */
export async function hasAccounts(source: Source, providerId: string): Promise<boolean> {
  const rows = await runOn(source)(
    'select from auth.account where pg_catalog.lower("providerId") = pg_catalog.lower($1) limit 1',
    [providerId],
  );
  return rows.length > 0;
}

/**
 * Keeps the id from custom providers until the transaction ends; false when one has it already. A save that is
 * being stored is waited for. A save that was decided before notices that the settings have another version, and
 * is decided again when the provider is there (custom-oauth/provider-ids.ts).
 */
export async function keepFromCustomProviders(
  run: RunStatement,
  providerId: string,
): Promise<boolean> {
  await run('update platform.settings_version set version = version + 1');
  const rows = await run(
    `select from platform.app_settings s, pg_catalog.jsonb_path_query(s.value, '$.providers[*].providerId') id
     where s.name = 'auth.oauth.custom' and pg_catalog.lower(id #>> '{}') = pg_catalog.lower($1)`,
    [providerId],
  );
  return rows.length === 0;
}

/** The provider of this row as it is now; no other request changes it until the transaction ends. */
export async function lockProvider(
  run: RunStatement,
  id: string,
): Promise<SsoProvider | undefined> {
  // Of its own: a row that was waited for is read again, but not what a subquery says of it.
  await run('select from auth."ssoProvider" where id = $1 for update', [id]);
  return (await find(run, 'p.id = $1', [id]))[0];
}

/** How many providers the organization has; undefined when there is no organization. Others wait meanwhile. */
export async function countProviders(
  run: RunStatement,
  organizationId: string,
): Promise<number | undefined> {
  const locked = await run('select id from auth.organization where id = $1 for no key update', [
    organizationId,
  ]);
  if (locked.length === 0) return undefined;
  const rows = await run<{ count: number }>(
    'select pg_catalog.count(*)::pg_catalog.int4 as count from auth."ssoProvider" where "organizationId" = $1',
    [organizationId],
  );
  return rows[0]?.count;
}

/** What is written of a provider. */
export interface ProviderValues {
  readonly providerId: string;
  readonly issuer: string;
  readonly domains: readonly string[];
  /** Its secrets are sealed. */
  readonly protocol: Protocol;
}

/** Adds a provider without domains; answers the id of its row. */
export async function insertProvider(
  run: RunStatement,
  values: ProviderValues,
  owner: { readonly organizationId: string | undefined; readonly userId: string | undefined },
): Promise<string> {
  const id = randomUUID();
  await run(
    `insert into auth."ssoProvider"
       (id, "providerId", issuer, domain, "oidcConfig", "samlConfig", "organizationId", "userId")
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, values.providerId, ...columnsOf(values), owner.organizationId, owner.userId],
  );
  return id;
}

/** Changes everything of a provider but its id and whose it is. */
export async function updateProvider(
  run: RunStatement,
  id: string,
  values: ProviderValues,
): Promise<void> {
  await run(
    `update auth."ssoProvider" set issuer = $2, domain = $3, "oidcConfig" = $4, "samlConfig" = $5,
       "updatedAt" = pg_catalog.now()
     where id = $1`,
    [id, ...columnsOf(values)],
  );
}

function columnsOf({ issuer, domains, protocol: { kind, config } }: ProviderValues) {
  const text = JSON.stringify(config);
  return [issuer, domains.join(','), kind === 'oidc' ? text : null, kind === 'saml' ? text : null];
}

/** Makes `domains` the domains of a provider. Those that it keeps stay as proven as they are. */
export async function setDomains(
  run: RunStatement,
  id: string,
  { domains, areVerified }: { readonly domains: readonly string[]; readonly areVerified: boolean },
): Promise<void> {
  await run('delete from auth."ssoDomain" where "ssoProviderId" = $1 and domain <> all ($2)', [
    id,
    domains,
  ]);
  await run(
    `insert into auth."ssoDomain" (domain, "ssoProviderId", "verifiedAt")
     select domain, $1, case when $3 then pg_catalog.now() end from pg_catalog.unnest($2::pg_catalog.text[]) domain
     on conflict (domain, "ssoProviderId") do update
       set "verifiedAt" = coalesce("ssoDomain"."verifiedAt", excluded."verifiedAt")`,
    [id, domains, areVerified],
  );
}

/** The first of the domains that another provider has proven. */
export async function findTakenDomain(
  run: RunStatement,
  id: string,
  domains: readonly string[],
): Promise<string | undefined> {
  const rows = await run<{ domain: string }>(
    `select domain from auth."ssoDomain"
     where domain = any ($2) and "verifiedAt" is not null and "ssoProviderId" <> $1 order by domain`,
    [id, domains],
  );
  return rows[0]?.domain;
}

/** Takes domains as proven. */
export async function verifyDomains(
  run: RunStatement,
  id: string,
  domains: readonly string[],
): Promise<void> {
  await run(
    `update auth."ssoDomain" set "verifiedAt" = coalesce("verifiedAt", pg_catalog.now())
     where "ssoProviderId" = $1 and domain = any ($2)`,
    [id, domains],
  );
}

/** Deletes a provider; its domains and the identities of its people go with it. */
export async function deleteProvider(run: RunStatement, id: string): Promise<void> {
  await run('delete from auth."ssoProvider" where id = $1', [id]);
}
