import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice, Field, Tick } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { CallerFields, callerOf, firstCaller } from './caller-fields.js';
import { type ChangeEvent, changeEvents, type ListenerChoice } from './listener.js';
import { tablesQuery } from './queries.js';

interface JoinDialogProps {
  readonly onJoin: (choice: ListenerChoice) => void;
  readonly onClose: () => void;
}

/** As whom to join which channel. */
export function JoinDialog({ onJoin, onClose }: JoinDialogProps): ReactNode {
  const [caller, setCaller] = useState(firstCaller);
  const [topic, setTopic] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const [changes, setChanges] = useState(noChanges);
  const [problem, setProblem] = useState<string>();
  const [table = ''] = changes.tables;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const chosen = callerOf(caller);
    const named = topic.trim() || table;
    if (typeof chosen === 'string') setProblem(chosen);
    else if (named === '') setProblem('Give a topic, or choose a table.');
    else {
      const filter = changes.tables.length === 1 ? changes.filter.trim() : '';
      onJoin({ ...chosen, ...changes, filter, topic: named, isPrivate });
    }
  };
  return (
    <Dialog
      title="Join a channel"
      about="The server treats it as a client with these rights. It is in the audit log."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <CallerFields
            draft={caller}
            onChange={(change) => setCaller((before) => ({ ...before, ...change }))}
          />
          <Field
            label="Topic"
            value={topic}
            placeholder={table || 'room-1'}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            hint="Messages and presence go to all who have joined the same topic."
            onChange={({ target }) => setTopic(target.value)}
          />
          <Tick
            label="Private"
            hint="Policies on realtime.messages decide who may receive and send."
            checked={isPrivate}
            onChange={({ target }) => setPrivate(target.checked)}
          />
          <ChangeFields
            draft={changes}
            onChange={(change) => setChanges((before) => ({ ...before, ...change }))}
          />
          {problem !== undefined && <Notice kind="problem">{problem}</Notice>}
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Join
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

interface ChangesDraft {
  readonly tables: readonly string[];
  readonly event: ChangeEvent;
  readonly filter: string;
}

const noChanges: ChangesDraft = { tables: [], event: '*', filter: '' };

interface ChangeFieldsProps {
  readonly draft: ChangesDraft;
  readonly onChange: (change: Partial<ChangesDraft>) => void;
}

/** The tables whose changes are wanted, and which of these. */
function ChangeFields({ draft, onChange }: ChangeFieldsProps): ReactNode {
  const { ref } = useProject();
  const { tables: chosen, event, filter } = draft;
  const { data, error } = useQuery(tablesQuery(ref));
  const toggle = (table: string, isChosen: boolean): void =>
    onChange({
      tables: isChosen ? [...chosen, table] : chosen.filter((one) => one !== table),
    });
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="pb-1.5 text-[13px] font-semibold">Changes of tables</legend>
      <ProblemNotice of={error} />
      {data?.length === 0 && <p className="text-[13px] text-soft">There is no table yet.</p>}
      {data && data.length > 0 && (
        <div className="grid max-h-40 grid-cols-[minmax(0,1fr)] gap-1.5 overflow-y-auto rounded-md border border-line px-3 py-2">
          {data.map(({ table, enabled }) => (
            <Tick
              key={table}
              label={enabled ? table : `${table} (off)`}
              checked={chosen.includes(table)}
              onChange={({ target }) => toggle(table, target.checked)}
            />
          ))}
        </div>
      )}
      {chosen.length > 0 && (
        <Choice
          label="Event"
          value={event}
          onChange={({ target }) =>
            onChange({ event: changeEvents.find((one) => one === target.value) ?? event })
          }
        >
          {changeEvents.map((one) => (
            <option key={one} value={one}>
              {one === '*' ? 'All' : one}
            </option>
          ))}
        </Choice>
      )}
      {chosen.length === 1 && (
        <Field
          label="Filter"
          value={filter}
          placeholder="moons=gt.2"
          hint="As in the API of tables. Empty: all rows."
          spellCheck={false}
          className="font-mono text-[13px]"
          onChange={({ target }) => onChange({ filter: target.value })}
        />
      )}
    </fieldset>
  );
}
