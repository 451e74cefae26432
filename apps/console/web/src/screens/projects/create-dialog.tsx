import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, api } from '../../api/client.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Choice, Field, textsOf } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { CreatedDialog } from './created-dialog.js';
import { type NewProject, type Organization, projectsQuery } from './queries.js';

interface CreateDialogProps {
  readonly organizations: readonly Organization[];
  readonly onClose: () => void;
}

interface Body {
  readonly name: string;
  readonly ref?: string;
  readonly idType: 'text' | 'uuid';
  readonly organizationId?: string;
}

/** One form, then what is shown once. */
export default function CreateDialog({ organizations, onClose }: CreateDialogProps): ReactNode {
  const [created, setCreated] = useState<NewProject>();
  if (created) return <CreatedDialog project={created} onClose={onClose} />;
  return <CreateForm organizations={organizations} onCreated={setCreated} onClose={onClose} />;
}

function CreateForm({
  organizations,
  onCreated,
  onClose,
}: CreateDialogProps & { readonly onCreated: (project: NewProject) => void }): ReactNode {
  const queryClient = useQueryClient();
  const [body, setBody] = useState<Body>({ name: '', idType: 'text' });
  const creating = useMutation({
    mutationFn: (wanted: Body) => answer(api.POST('/platform/projects', { body: wanted })),
    onSuccess: async (project) => {
      onCreated(project);
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
    },
  });
  const own = organizations.filter(({ capabilities }) => capabilities.includes('projects.manage'));
  const read = (form: HTMLFormElement): Body => bodyOf(textsOf(form), own);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    creating.mutate(read(event.currentTarget));
  };
  return (
    <Dialog
      title="New project"
      about="A database with its API, users and files, ready in about a second."
      onClose={onClose}
    >
      <form onSubmit={submit} onChange={(event) => setBody(read(event.currentTarget))}>
        <DialogBody>
          <ProblemNotice of={creating.error} />
          <Field label="Name" name="name" maxLength={80} required autoFocus autoComplete="off" />
          <Field
            label="Ref (optional)"
            hint="Part of the address; cannot be changed later. 3 to 31 lower-case letters and digits, starting with a letter. Leave it empty for a random one."
            name="ref"
            pattern="[a-z][a-z0-9]{2,30}"
            title="3 to 31 lower-case letters and digits, starting with a letter"
            className="font-mono"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          {own.length > 1 && (
            <Choice label="Organization" name="organization">
              {own.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Choice>
          )}
          <Choice
            label="Type of user ids"
            name="idType"
            hint="Choose UUID for tables that come from a project with UUIDs. It cannot be changed later."
          >
            <option value="text">Text, 24 characters (default)</option>
            <option value="uuid">UUID</option>
          </Choice>
        </DialogBody>
        <RequestButtons
          request={{ method: 'POST', path: '/platform/projects', body }}
          busy={creating.isPending}
          onCancel={onClose}
        >
          {creating.isPending ? 'Creating…' : 'Create'}
        </RequestButtons>
      </form>
    </Dialog>
  );
}

function bodyOf(text: (name: string) => string, own: readonly Organization[]): Body {
  const ref = text('ref').trim();
  const organizationId = text('organization') || own[0]?.id;
  return {
    name: text('name').trim(),
    ...(ref !== '' && { ref }),
    idType: text('idType') === 'uuid' ? 'uuid' : 'text',
    ...(organizationId !== undefined && { organizationId }),
  };
}
