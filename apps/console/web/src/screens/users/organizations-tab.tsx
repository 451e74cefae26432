import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Choice, Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { useProject } from '../project/use-project.js';
import { organizationsQuery, type UserDetail } from './queries.js';
import { Nothing, RemoveButton, Row, Rows } from './rows.js';
import { useUserChange } from './use-user-change.js';

const roles = ['owner', 'admin', 'member'] as const;
type Role = (typeof roles)[number];
const roleOf = (text: string): Role => roles.find((role) => role === text) ?? 'member';

interface Membership {
  readonly organizationId: string;
  readonly role: Role;
}

/** The organizations of the user, with the role in each. */
export function OrganizationsTab({ detail }: { readonly detail: UserDetail }): ReactNode {
  const { user, memberships } = detail;
  const pathOf = (id: string) => ({ params: { path: { id, userId: user.id } } });
  const setting = useUserChange((ref, { organizationId, role }: Membership) =>
    answer(
      projectApi(ref).PUT('/api/admin/organizations/{id}/members/{userId}', {
        ...pathOf(organizationId),
        body: { role },
      }),
    ),
  );
  const removing = useUserChange((ref, id: string) =>
    answer(projectApi(ref).DELETE('/api/admin/organizations/{id}/members/{userId}', pathOf(id))),
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ProblemNotice of={setting.error ?? removing.error} />
      {memberships.length === 0 ? (
        <Nothing>The user belongs to no organization.</Nothing>
      ) : (
        <Rows label="Organizations">
          {memberships.map(({ organizationId, organizationName, organizationSlug, ...rest }) => (
            <Row
              key={organizationId}
              title={organizationName}
              about={
                <>
                  {organizationSlug} · since <Time at={rest.createdAt} />
                  {rest.teams.length > 0 && ` · ${rest.teams.map(({ name }) => name).join(', ')}`}
                </>
              }
              action={
                <span className="flex items-center gap-2">
                  <Choice
                    label={`Role in ${organizationName}`}
                    isBare
                    className="w-auto"
                    value={roleOf(rest.role)}
                    onChange={(event) =>
                      setting.mutate({ organizationId, role: roleOf(event.currentTarget.value) })
                    }
                  >
                    {roles.map((role) => (
                      <option key={role}>{role}</option>
                    ))}
                  </Choice>
                  <RemoveButton
                    name="Remove"
                    what={`the user from ${organizationName}`}
                    busy={removing.isPending}
                    onRemove={() => removing.mutate(organizationId)}
                  />
                </span>
              }
            />
          ))}
        </Rows>
      )}
      <AddForm
        memberOf={memberships.map(({ organizationId }) => organizationId)}
        busy={setting.isPending}
        onAdd={(membership) => setting.mutate(membership)}
      />
    </div>
  );
}

interface AddFormProps {
  readonly memberOf: readonly string[];
  readonly busy: boolean;
  readonly onAdd: (membership: Membership) => void;
}

/** Finds an organization, and makes the user a member of it. */
function AddForm({ memberOf, busy, onAdd }: AddFormProps): ReactNode {
  const { ref } = useProject();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState<Role>('member');
  const { data, error } = useQuery(organizationsQuery(ref, text.trim()));
  const found = data?.organizations.filter(({ id }) => !memberOf.includes(id)) ?? [];
  const organizationId = found.some(({ id }) => id === chosen) ? chosen : (found[0]?.id ?? '');
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (organizationId !== '') onAdd({ organizationId, role });
  };
  return (
    <form onSubmit={submit} className="grid gap-3 rounded-lg border border-line p-4">
      <h3 className="text-[14px] font-semibold">Add to an organization</h3>
      <ProblemNotice of={error} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Find"
          type="search"
          value={text}
          placeholder="Name, slug or id"
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Choice
          label="Organization"
          value={organizationId}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {found.length === 0 && <option value="">none found</option>}
          {found.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice
          label="Role"
          value={role}
          onChange={(event) => setRole(roleOf(event.currentTarget.value))}
        >
          {roles.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Choice>
        <div className="self-end">
          <Button type="submit" busy={busy} disabled={organizationId === ''}>
            Add
          </Button>
        </div>
      </div>
    </form>
  );
}
