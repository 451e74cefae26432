// A test of an identity provider, and what it has found.
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { Check } from '../../ui/check.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';

type SsoTest = ReturnType<typeof useSsoTest>;

/** Tries whether people can sign in by a provider. */
export function useSsoTest(providerId: string) {
  const { ref } = useProject();
  return useMutation({
    mutationFn: () =>
      answer(
        projectApi(ref).POST('/api/admin/sso/providers/{providerId}/test', {
          params: { path: { providerId } },
        }),
      ),
  });
}

const checkNames: Readonly<Record<string, string>> = {
  settings: 'Settings of single sign-on',
  id: 'Id of the provider',
  domains: 'Domains',
  secrets: 'Secrets',
  endpoints: 'Addresses of the provider',
  certificates: 'Certificates',
};
const checkKinds = { ok: 'good', warning: 'warning', failed: 'problem' } as const;

export function TestResult({ of: { data, error } }: { readonly of: SsoTest }): ReactNode {
  return (
    <>
      <ProblemNotice of={error} />
      {data && (
        <div role="status" className="grid gap-2">
          <p className="text-[14px] font-medium">
            {data.ready ? 'People can sign in.' : 'People cannot sign in yet.'}
          </p>
          <p className="text-[13px] text-soft">
            The test has read the settings and{' '}
            {data.checks.some(({ name }) => name === 'endpoints')
              ? 'called the addresses of the provider.'
              : 'read the certificates of the provider.'}{' '}
            It has signed no user in: whether the provider knows your app shows at the first
            sign-in.
          </p>
          <ul className="grid gap-1.5">
            {data.checks.map((check) => (
              <Check
                key={check.name}
                kind={checkKinds[check.status]}
                title={checkNames[check.name] ?? check.name}
              >
                {check.status !== 'ok' && check.reason}
              </Check>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
