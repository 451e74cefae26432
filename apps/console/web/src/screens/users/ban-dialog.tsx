import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice, Field, textsOf } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import type { Ban } from './actions.js';
import { fullNameOf } from './names.js';
import type { User } from './queries.js';

interface BanDialogProps {
  readonly users: readonly User[];
  /** A sentence about the users of a selection who are left out. */
  readonly note?: string | undefined;
  readonly onBan: (ban: Ban) => Promise<unknown>;
  readonly onClose: () => void;
}

const hourMs = 3_600_000;
const lengths = [
  ['', 'Without an end'],
  ['1', 'For an hour'],
  ['24', 'For a day'],
  ['168', 'For 7 days'],
  ['720', 'For 30 days'],
  ['date', 'Until a date'],
] as const;

/** Why, and until when. */
export default function BanDialog({ users, note, onBan, onClose }: BanDialogProps): ReactNode {
  const [length, setLength] = useState('');
  const banning = useMutation({ mutationFn: onBan, onSuccess: onClose });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const until = endOf(length, text('date'));
    banning.mutate({ reason: text('reason'), ...(until !== undefined && { until }) });
  };
  const [user] = users;
  const who = users.length === 1 && user ? fullNameOf(user) : counted(users.length, 'user');
  return (
    <Dialog
      title={`Ban ${who}?`}
      about="A banned user cannot sign in, and every session and API key is refused. Nothing is deleted."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={banning.error} />
          {note !== undefined && <Notice kind="plain">{note}</Notice>}
          <Field
            label="Reason"
            name="reason"
            hint="For administrators; the user does not see it."
            maxLength={500}
            required
            autoFocus
            autoComplete="off"
          />
          <Choice
            label="How long"
            value={length}
            onChange={(event) => setLength(event.currentTarget.value)}
          >
            {lengths.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Choice>
          {length === 'date' && (
            <Field
              label="Until"
              name="date"
              type="datetime-local"
              hint="In the time zone of this browser."
              required
            />
          )}
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={banning.isPending}>
            Ban
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function endOf(length: string, date: string): string | undefined {
  if (length === '') return undefined;
  if (length === 'date') return new Date(date).toISOString();
  return new Date(Date.now() + Number(length) * hourMs).toISOString();
}
