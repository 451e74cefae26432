import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Choice, Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { candidatesQuery, type Role, roles } from './queries.js';

interface AddMemberProps {
  /** The users who are members already, as far as they are shown. */
  readonly memberIds: readonly string[];
  readonly busy: boolean;
  readonly onAdd: (member: { readonly userId: string; readonly role: Role }) => void;
}

/** Finds a user, and makes the user a member. */
export function AddMember({ memberIds, busy, onAdd }: AddMemberProps): ReactNode {
  const { ref } = useProject();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState<Role>('member');
  const { data, error } = useQuery(candidatesQuery(ref, text.trim()));
  const found = data?.users.filter(({ id }) => !memberIds.includes(id)) ?? [];
  const userId = found.some(({ id }) => id === chosen) ? chosen : (found[0]?.id ?? '');
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (userId !== '' && !busy) onAdd({ userId, role });
  };
  return (
    <form
      aria-label="Add a member"
      onSubmit={submit}
      className="grid gap-3 rounded-lg border border-line p-4"
    >
      <h3 className="text-[14px] font-semibold">Add a member</h3>
      <ProblemNotice of={error} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Find a user"
          type="search"
          value={text}
          placeholder="Part of the email address or name"
          autoComplete="off"
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Choice
          label="User"
          value={userId}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {found.length === 0 && <option value="">none found</option>}
          {found.map(({ id, email }) => (
            <option key={id} value={id}>
              {email ?? id}
            </option>
          ))}
        </Choice>
        <Choice
          label="Role"
          value={role}
          onChange={({ currentTarget: { value } }) =>
            setRole(roles.find((each) => each === value) ?? 'member')
          }
        >
          {roles.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Choice>
        <div className="self-end">
          <Button type="submit" busy={busy} disabled={userId === ''}>
            Add
          </Button>
        </div>
      </div>
    </form>
  );
}
