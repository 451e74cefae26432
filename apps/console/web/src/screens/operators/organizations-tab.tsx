import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, api } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, textsOf } from '../../ui/field.js';
import { showToast } from '../../ui/toast.js';
import type { Organization } from '../projects/queries.js';
import { RemoveButton, Row, Rows } from '../users/rows.js';
import { refreshOperators } from './actions.js';
import { Refusal } from './refusal.js';
import type { OperatorsSearch } from './search.js';
import type { OperatorsWorld } from './world.js';

interface OrganizationsTabProps {
  readonly world: OperatorsWorld;
  readonly onSearch: (change: OperatorsSearch) => void;
}

/** The organizations whose members the operator manages, and the way to their members. */
export function OrganizationsTab({ world, onSearch }: OrganizationsTabProps): ReactNode {
  const queryClient = useQueryClient();
  const [naming, setNaming] = useState<'new' | Organization>();
  const deleting = useMutation({
    mutationFn: ({ id: organizationId }: Organization) =>
      answer(
        api.DELETE('/platform/organizations/{organizationId}', {
          params: { path: { organizationId } },
        }),
      ),
    onSuccess: (_answer, { name }) => showToast({ kind: 'done', text: `${name} is deleted.` }),
    onSettled: () => refreshOperators(queryClient),
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto max-w-prose text-[14px] text-soft">
          An organization groups projects and the operators who work on them. A role in it holds on
          each of its projects.
        </p>
        {world.isAdmin && (
          <Button onClick={() => setNaming('new')}>
            <Plus aria-hidden className="size-4" />
            New organization
          </Button>
        )}
      </div>
      <Refusal of={deleting.error} />
      <Rows label="Organizations">
        {world.organizations.map((organization) => {
          const { id, name, slug, projects, members, capabilities } = organization;
          return (
            <Row
              key={id}
              title={name}
              about={
                <>
                  <code className="text-[12px]">{slug}</code> · {counted(projects, 'project')} ·{' '}
                  {counted(members, 'member')}
                </>
              }
              action={
                <span className="flex flex-wrap gap-1.5">
                  <Button
                    size="small"
                    aria-label={`Members of ${name}`}
                    onClick={() => onSearch({ tab: undefined, organization: id, q: undefined })}
                  >
                    Members
                  </Button>
                  {capabilities.includes('projects.manage') && (
                    <Button
                      size="small"
                      aria-label={`Rename ${name}`}
                      onClick={() => setNaming(organization)}
                    >
                      Rename
                    </Button>
                  )}
                  {projects === 0 && (
                    <RemoveButton
                      name="Delete"
                      what={name}
                      busy={deleting.isPending && deleting.variables.id === id}
                      onRemove={() => deleting.mutate(organization)}
                    />
                  )}
                </span>
              }
            />
          );
        })}
      </Rows>
      {naming && <NameDialog of={naming} onClose={() => setNaming(undefined)} />}
    </div>
  );
}

interface NameDialogProps {
  readonly of: 'new' | Organization;
  readonly onClose: () => void;
}

/** The name of a new organization, or another one for it. */
function NameDialog({ of: organization, onClose }: NameDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const naming = useMutation({
    mutationFn: (name: string) => {
      if (organization === 'new')
        return answer(api.POST('/platform/organizations', { body: { name } }));
      const params = { path: { organizationId: organization.id } };
      return answer(
        api.PATCH('/platform/organizations/{organizationId}', { params, body: { name } }),
      );
    },
    async onSuccess({ name }) {
      await refreshOperators(queryClient);
      const verb = organization === 'new' ? 'made' : 'renamed';
      showToast({ kind: 'done', text: `${name} is ${verb}.` });
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    naming.mutate(textsOf(event.currentTarget)('name').trim());
  };
  const isNew = organization === 'new';
  return (
    <Dialog
      title={isNew ? 'New organization' : `Rename ${organization.name}`}
      about={isNew ? 'You are its first owner.' : 'Its slug stays the same.'}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <Refusal of={naming.error} />
          <Field
            label="Name"
            name="name"
            defaultValue={isNew ? '' : organization.name}
            maxLength={80}
            required
            autoFocus
            autoComplete="off"
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={naming.isPending}>
            {isNew ? 'Make it' : 'Rename'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
