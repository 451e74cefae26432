import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useState } from 'react';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice, Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { DomainsField, ProviderFields, type ProviderFieldsProps } from './sso-fields.js';
import { registrationOf, type TypedProvider } from './sso-provider.js';
import { TestResult, useSsoTest } from './sso-test.js';
import { SsoUrlFields } from './sso-urls.js';
import { useRefreshSso } from './use-refresh.js';

const steps = ['The company', 'At its provider', 'From its provider', 'Test'] as const;

const unset: TypedProvider = {
  protocol: 'oidc',
  providerId: '',
  domain: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  metadata: '',
  organizationId: '',
};

/** Connects an identity provider: what to enter there, what it gives, and a test. */
export default function SsoWizard({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { ref } = useProject();
  const refresh = useRefreshSso();
  const [step, setStep] = useState(0);
  const [provider, setProvider] = useState(unset);
  const test = useSsoTest(provider.providerId);
  const change = (values: Partial<TypedProvider>): void =>
    setProvider((before) => ({ ...before, ...values }));
  const register = useMutation({
    mutationFn: () =>
      answer(
        projectApi(ref).POST('/api/admin/sso/providers', {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fields with a default may be left out
          body: registrationOf(provider) as ProjectSchemas['CreateSsoProviderBody'],
        }),
      ),
    async onSuccess() {
      setStep(3);
      test.mutate();
      await refresh();
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (step === 3) onClose();
    else if (step === 2) register.mutate();
    else setStep(step + 1);
  };
  const name = steps[step] ?? steps[0];
  return (
    <Dialog
      title="Connect an identity provider"
      about={`Step ${step + 1} of ${steps.length}: ${name}`}
      place="wide"
      onClose={onClose}
    >
      <form onSubmit={submit} className="contents">
        <DialogBody>
          {step === 0 && <CompanyStep provider={provider} change={change} />}
          {step === 1 && (
            <>
              <p className="text-[14px]">
                {provider.protocol === 'oidc'
                  ? 'Register an application at the identity provider with this address. It gives a client id and a client secret.'
                  : 'Register a service provider at the identity provider with these values. It gives its metadata.'}
              </p>
              <SsoUrlFields providerId={provider.providerId} protocol={provider.protocol} />
            </>
          )}
          {step === 2 && <ProviderFields provider={provider} change={change} />}
          {step === 3 && (
            <>
              <Notice kind="good">
                {provider.providerId} is connected. Its domains count as proven, because you have
                registered it.
              </Notice>
              <TestResult of={test} />
            </>
          )}
          {step === 2 && <ProblemNotice of={register.error} effect="Nothing was registered." />}
        </DialogBody>
        <DialogButtons>
          {step === 2 && (
            <span className="mr-auto">
              <CopyButton
                text={curlOf({
                  method: 'POST',
                  path: projectPath(ref, '/api/admin/sso/providers'),
                  body: registrationOf({ ...provider, clientSecret: '<secret>' }),
                })}
                what="as curl: the registration, without its secret"
              >
                Copy as curl
              </CopyButton>
            </span>
          )}
          {step > 0 && step < 3 && <Button onClick={() => setStep(step - 1)}>Back</Button>}
          {step === 3 && (
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              Test again
            </Button>
          )}
          <Button type="submit" look="primary" busy={register.isPending}>
            {step === 3 ? 'Done' : step === 2 ? 'Register and test' : 'Next'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function CompanyStep({ provider, change }: ProviderFieldsProps): ReactNode {
  return (
    <>
      <Choice
        label="Protocol"
        value={provider.protocol}
        hint="What the identity provider speaks. Most speak both; OpenID Connect needs fewer values."
        onChange={({ currentTarget }) =>
          change({ protocol: currentTarget.value === 'saml' ? 'saml' : 'oidc' })
        }
      >
        <option value="oidc">OpenID Connect</option>
        <option value="saml">SAML 2.0</option>
      </Choice>
      <Field
        label="Id of the provider"
        required
        pattern="[A-Za-z0-9][A-Za-z0-9_\-]{0,62}"
        value={provider.providerId}
        placeholder="acme"
        hint="Part of its addresses: letters, digits, - and _. It cannot be changed later."
        onChange={({ currentTarget }) => change({ providerId: currentTarget.value })}
      />
      <DomainsField provider={provider} change={change} />
      <Field
        label="Id of an organization"
        value={provider.organizationId}
        hint="Whose members its users become. Empty: the provider is that of the project."
        onChange={({ currentTarget }) => change({ organizationId: currentTarget.value })}
      />
    </>
  );
}
