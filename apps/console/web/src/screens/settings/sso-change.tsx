import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { projectPath } from '../../api/place.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { DomainsField, ProviderFields } from './sso-fields.js';
import { changesOf, fieldsOf, type SsoProvider } from './sso-provider.js';
import { useRefreshSso } from './use-refresh.js';

interface SsoChangeProps {
  readonly of: SsoProvider;
  readonly onClose: () => void;
}

/** Changes an identity provider that is connected; what is not typed stays. */
export default function SsoChange({ of, onClose }: SsoChangeProps): ReactNode {
  const { ref } = useProject();
  const refresh = useRefreshSso();
  const [stored] = useState(() => fieldsOf(of));
  const [provider, setProvider] = useState(stored);
  const { providerId } = stored;
  const body = changesOf(stored, provider);
  const hiddenBody = changesOf(stored, {
    ...provider,
    clientSecret: provider.clientSecret && '<secret>',
  });
  const saving = useMutation({
    mutationFn: () =>
      answer(
        projectApi(ref).PATCH('/api/admin/sso/providers/{providerId}', {
          params: { path: { providerId } },
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is left out stays
          body: body as ProjectSchemas['ChangeSsoProviderBody'],
        }),
      ),
    async onSuccess() {
      await refresh();
      onClose();
      showToast({ kind: 'done', text: `${providerId} was changed.` });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate();
  };
  const fields = {
    provider,
    isStored: true,
    change: (values: Partial<typeof provider>) =>
      setProvider((before) => ({ ...before, ...values })),
  };
  return (
    <Dialog
      title={`Change ${providerId}`}
      about="Its id, its protocol and its organization stay, and so do its addresses."
      place="wide"
      onClose={onClose}
    >
      <form onSubmit={submit} className="contents">
        <DialogBody>
          <DomainsField {...fields} />
          <ProviderFields {...fields} />
          <ProblemNotice of={saving.error} effect="Nothing was changed." />
        </DialogBody>
        <RequestButtons
          request={{
            method: 'PATCH',
            path: projectPath(ref, `/api/admin/sso/providers/${providerId}`),
            body: hiddenBody,
          }}
          what="the change, without its secret"
          isReady={Object.keys(body).length > 0}
          busy={saving.isPending}
          onCancel={onClose}
        >
          Save
        </RequestButtons>
      </form>
    </Dialog>
  );
}
