import type { Transaction } from '#libs/database';

export interface SsoProviderRow {
  readonly providerId: string;
  readonly domain: string;
  readonly protocol: 'oidc' | 'saml';
}

/** The SSO providers of the project and of its organizations, 1000 at most. */
export async function listSsoProviders(tx: Transaction): Promise<SsoProviderRow[]> {
  const { rows } = await tx.query<SsoProviderRow>(
    `select "providerId", domain,
       case when "samlConfig" is null then 'oidc' else 'saml' end as protocol
     from auth."ssoProvider" order by "providerId" limit 1000`,
  );
  return rows;
}
