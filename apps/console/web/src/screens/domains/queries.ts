// What the screen reads and changes. Domains need `content.read`, their changes `projects.manage`, origins
// `secrets.manage`.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { answer, api, projectApi, type ProjectSchemas, type Schemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';
import { domainsQuery } from '../project/queries.js';

export type Domain = Schemas['DomainView'];
export type CheckedDomain = Schemas['CheckedDomain'];
export type DnsReport = Schemas['DnsReport'];
export type TxtCheck = Schemas['TxtCheck'];
export type AddressCheck = Schemas['AddressCheck'];
export type OriginsReport = ProjectSchemas['OriginsReport'];
export type TrustedOrigin = ProjectSchemas['TrustedOrigin'];
export type OriginCheck = ProjectSchemas['OriginCheck'];

/** DNS is queried again by itself after this time. */
const dnsMs = 60_000;

export const liveDomainsQuery = (ref: string) => ({
  ...domainsQuery(ref),
  refetchInterval: refreshMs,
});

/** What DNS says of a host name of the project. */
export const dnsQuery = (ref: string, domain: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'dns', domain],
    queryFn: () => {
      const params = { path: { ref, domain } };
      return answer(api.GET('/platform/projects/{ref}/domains/{domain}/dns', { params }));
    },
    staleTime: dnsMs,
    refetchInterval: dnsMs,
    retry: false,
  });

/** The origins that may use cookies; with `origin` also whether pages of that address may. */
export const originsQuery = (ref: string, origin: string | undefined) =>
  queryOptions({
    queryKey: ['projects', ref, 'origins', origin],
    queryFn: () => {
      const params = { query: { ...(origin !== undefined && { origin }) } };
      return answer(projectApi(ref).GET('/api/admin/auth/origins', { params }));
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    retry: false,
  });

export const addDomain = (ref: string, domain: string): Promise<Domain> =>
  answer(
    api.POST('/platform/projects/{ref}/domains', { params: { path: { ref } }, body: { domain } }),
  );

const ofDomain = (ref: string, domain: string) => ({ params: { path: { ref, domain } } });

export const verifyDomain = (ref: string, domain: string): Promise<CheckedDomain> =>
  answer(api.POST('/platform/projects/{ref}/domains/{domain}/verify', ofDomain(ref, domain)));

export const vouchForDomain = (ref: string, domain: string): Promise<Domain> =>
  answer(api.POST('/platform/projects/{ref}/domains/{domain}/vouch', ofDomain(ref, domain)));

export async function removeDomain(ref: string, domain: string): Promise<void> {
  await answer(api.DELETE('/platform/projects/{ref}/domains/{domain}', ofDomain(ref, domain)));
}
