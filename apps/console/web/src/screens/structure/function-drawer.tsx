import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { CodeEditor } from '../../ui/code-editor.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import type { FunctionDetails, SchemaFunction } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { ChangeDialog, ReviewDialog } from './change-dialog.js';
import { functionQuery } from './queries.js';
import {
  defineFunction,
  FUNCTION_TEMPLATE,
  grantFunction,
  requestRoles,
} from './sql/function-sql.js';
import { useMayChange, useSchema } from './use-structure.js';

interface FunctionDrawerProps {
  /** The function to change; undefined for a new one. */
  readonly of: SchemaFunction | undefined;
  readonly onClose: () => void;
}

/** The definition of a function in an editor, and who may call it. */
export default function FunctionDrawer({ of, onClose }: FunctionDrawerProps): ReactNode {
  return of ? (
    <KnownFunction of={of} onClose={onClose} />
  ) : (
    <Editor definition={FUNCTION_TEMPLATE} onClose={onClose} />
  );
}

function KnownFunction({
  of: { id, name },
  onClose,
}: {
  readonly of: SchemaFunction;
  readonly onClose: () => void;
}): ReactNode {
  const { ref } = useProject();
  const mayChange = useMayChange();
  const { data, error } = useQuery(functionQuery(ref, id));
  // `create or replace` cannot make an aggregate again.
  if (data && data.definition !== null && mayChange)
    return <Editor of={data} definition={data.definition} onClose={onClose} />;
  return (
    <Dialog title={name} place="drawer" onClose={onClose}>
      <DialogBody>
        {!data && !error && <Skeleton className="w-64" />}
        <ProblemNotice of={error} />
        {data && (
          <>
            <Code label="Definition" text={data.definition ?? 'An aggregate has no text.'} />
            <p className="text-[13px] text-soft">
              May be called by:{' '}
              {data.grantedTo.length === 0 ? 'no role' : data.grantedTo.join(', ')}
            </p>
          </>
        )}
      </DialogBody>
    </Dialog>
  );
}

interface EditorProps {
  readonly of?: FunctionDetails;
  readonly definition: string;
  readonly onClose: () => void;
}

function Editor({ of, definition, onClose }: EditorProps): ReactNode {
  const language = useSqlLanguage();
  const [text, setText] = useState(definition);
  const [isGranting, setGranting] = useState(false);
  if (of && isGranting) return <Grants of={of} onClose={() => setGranting(false)} />;
  const isChanged = of === undefined || text.trim() !== definition.trim();
  return (
    <ChangeDialog
      title={of ? `Change ${of.name}` : 'New function'}
      about="A function with other arguments is another function: the old one stays until it is dropped."
      problem={problemOf(text, isChanged)}
      change={defineFunction(text, of?.name)}
      side={
        of && (
          <Button look="quiet" onClick={() => setGranting(true)}>
            Who may call it
          </Button>
        )
      }
      onClose={onClose}
    >
      <CodeEditor
        label="Definition of the function"
        value={text}
        onChange={setText}
        language={language}
        className="h-[55vh]"
      />
    </ChangeDialog>
  );
}

function problemOf(text: string, isChanged: boolean): string | undefined {
  if (!isChanged) return 'Nothing is changed yet.';
  if (!/^\s*(?:--.*\n\s*)*create\b/i.test(text)) return 'Begin with create or replace function.';
  return undefined;
}

function Grants({
  of,
  onClose,
}: {
  readonly of: FunctionDetails;
  readonly onClose: () => void;
}): ReactNode {
  const [roles, setRoles] = useState<readonly string[]>(of.grantedTo);
  return (
    <ReviewDialog
      change={grantFunction(of, roles)}
      options={
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 text-[13px] font-semibold">Who may call it</legend>
          {requestRoles.map((role) => (
            <Tick
              key={role}
              label={role}
              checked={roles.includes(role)}
              onChange={({ currentTarget: { checked } }) =>
                setRoles(
                  requestRoles.filter((each) => (each === role ? checked : roles.includes(each))),
                )
              }
            />
          ))}
        </fieldset>
      }
      onClose={onClose}
    />
  );
}

/** SQL that completes the tables and columns of the project. */
function useSqlLanguage() {
  const { data } = useSchema();
  return useMemo(() => {
    const schema = Object.fromEntries(
      (data?.tables ?? []).map(({ name, columns }) => [name, columns.map((each) => each.name)]),
    );
    return sql({ dialect: PostgreSQL, schema });
  }, [data]);
}
