import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { Check } from '../../ui/check.js';
import { CopyButton, CopyField } from '../../ui/copy.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { WaitingRows } from './list-parts.js';
import { ssoProvidersQuery } from './queries.js';
import { readProvider, type SsoProvider } from './sso-provider.js';
import { TestResult, useSsoTest } from './sso-test.js';
import { SsoUrlFields } from './sso-urls.js';
import { useOpenForm } from './use-form.js';
import { useRefreshSso } from './use-refresh.js';

const SsoWizard = lazy(() => import('./sso-wizard.js'));
const SsoChange = lazy(() => import('./sso-change.js'));

/** The identity providers of the project and its organizations. */
export default function SsoTab(): ReactNode {
  const { ref } = useProject();
  const { loaded } = useOpenForm();
  const { data, error, refetch } = useQuery(ssoProvidersQuery(ref));
  const [isAdding, setAdding] = useState(false);
  const providers = data?.map(readProvider) ?? [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-end gap-2">
        <CopyButton
          text={curlOf({ path: projectPath(ref, '/api/admin/sso/providers') })}
          what="as curl: the providers"
        >
          Copy as curl
        </CopyButton>
        <Button look="primary" onClick={() => setAdding(true)}>
          <Plus aria-hidden className="size-4" />
          Connect a provider
        </Button>
      </div>
      {loaded.values['enabled'] === false && (
        <Notice kind="warning">
          Single sign-on is off: no user signs in by a provider until it is turned on under
          “Settings”.
        </Notice>
      )}
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && <WaitingRows />}
      {data && providers.length === 0 && (
        <p className="text-[14px] text-soft">
          No company has connected its identity provider. “Connect a provider” says what to enter
          there and tries the connection.
        </p>
      )}
      {providers.map((provider) => (
        <ProviderPanel key={provider.providerId} of={provider} />
      ))}
      {isAdding && (
        <Suspense>
          <SsoWizard onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  );
}

function ProviderPanel({ of: provider }: { readonly of: SsoProvider }): ReactNode {
  const { ref } = useProject();
  const refresh = useRefreshSso();
  const [isChanging, setChanging] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { providerId, type, issuer, organizationId, domains } = provider;
  const params = { path: { providerId } };
  const test = useSsoTest(providerId);
  const verify = useMutation({
    mutationFn: (domain: string) =>
      answer(
        projectApi(ref).POST('/api/admin/sso/providers/{providerId}/verify-domains', {
          params,
          body: { domain },
        }),
      ),
    async onSuccess(_provider, domain) {
      await refresh();
      showToast({ kind: 'done', text: `${domain} counts as proven.` });
    },
  });
  return (
    <Panel
      title={providerId}
      side={
        <span className="flex flex-wrap gap-2">
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Addresses
          </Button>
          <Button
            size="small"
            busy={test.isPending}
            aria-label={`Test ${providerId}`}
            onClick={() => test.mutate()}
          >
            Test
          </Button>
          <Button
            size="small"
            aria-label={`Change ${providerId}`}
            onClick={() => setChanging(true)}
          >
            Change
          </Button>
          <Button
            size="small"
            aria-label={`Delete ${providerId}`}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Button>
        </span>
      }
    >
      <p className="text-[14px] break-words text-soft">
        {type === 'oidc' ? 'OpenID Connect' : 'SAML'}, {issuer}
        {organizationId !== undefined && `, of the organization ${organizationId}`}
      </p>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
        {domains.map(({ domain, isVerified, record }) => (
          <Check
            key={domain}
            kind={isVerified ? 'good' : 'open'}
            title={isVerified ? `${domain} is proven` : `${domain} is not proven`}
          >
            {record && (
              <div className="mt-1.5 grid grid-cols-[minmax(0,1fr)] gap-2">
                <p>
                  Its owner adds this {record.type} record, or you vouch for the domain yourself.
                </p>
                <CopyField label={`Name of the ${record.type} record`} text={record.name} />
                <CopyField label={`Value of the ${record.type} record`} text={record.value} />
                <Button
                  size="small"
                  className="justify-self-start"
                  busy={verify.isPending}
                  aria-label={`Verify ${domain}`}
                  onClick={() => verify.mutate(domain)}
                >
                  Verify
                </Button>
              </div>
            )}
          </Check>
        ))}
      </ul>
      {isOpen && <SsoUrlFields providerId={providerId} protocol={type} />}
      <ProblemNotice of={verify.error} />
      <TestResult of={test} />
      <Suspense>
        {isChanging && <SsoChange of={provider} onClose={() => setChanging(false)} />}
      </Suspense>
      {isDeleting && <DeleteProvider of={provider} onClose={() => setDeleting(false)} />}
    </Panel>
  );
}

interface DeleteProps {
  readonly of: SsoProvider;
  readonly onClose: () => void;
}

function DeleteProvider({ of: { providerId }, onClose }: DeleteProps): ReactNode {
  const { ref } = useProject();
  const refresh = useRefreshSso();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () =>
      answer(
        projectApi(ref).DELETE('/api/admin/sso/providers/{providerId}', {
          params: { path: { providerId } },
        }),
      ),
    async onSuccess() {
      await refresh();
      onClose();
    },
  });
  return (
    <Dialog
      title={`Delete ${providerId}`}
      about="Its users can no longer sign in this way. Their accounts stay."
      role="alertdialog"
      onClose={onClose}
    >
      <DialogBody>
        <Field
          label={`Type “${providerId}” to confirm`}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <ProblemNotice of={remove.error} effect="Nothing was deleted." />
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          disabled={typed !== providerId}
          busy={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Delete
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
