import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { CopyField } from '../../ui/copy.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useProject } from '../project/use-project.js';

interface UrlsProps {
  readonly providerId: string;
  readonly protocol: 'oidc' | 'saml';
}

/** What is entered at the identity provider. */
export function SsoUrlFields({ providerId, protocol }: UrlsProps): ReactNode {
  const { ref } = useProject();
  const { data, error } = useQuery({
    queryKey: ['projects', ref, 'settings', 'sso-urls', providerId],
    queryFn: () =>
      answer(
        projectApi(ref).GET('/api/admin/sso/providers/{providerId}/urls', {
          params: { path: { providerId } },
        }),
      ),
    retry: false,
  });
  if (!data) return error ? <ProblemNotice of={error} /> : <Skeleton className="w-64" />;
  const { oidc, saml } = data;
  return protocol === 'oidc' ? (
    <CopyField label="Redirect URI (callback URL)" text={oidc.redirectURI} />
  ) : (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <CopyField label="Assertion consumer service (ACS URL)" text={saml.redirectURI} />
      <CopyField label="Entity id of the service provider" text={saml.entityID} />
      <CopyField label="Metadata of the service provider" text={saml.spMetadataUrl} />
    </div>
  );
}
