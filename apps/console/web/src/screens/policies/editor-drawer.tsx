import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { BeforeSaving } from './before-saving.js';
import { PolicyFields } from './policy-fields.js';
import { hasUsing, type PolicyDraft, saveSql } from './policy-sql.js';
import { policiesQuery, type PolicyTable, refreshPolicies, runSql } from './queries.js';
import { policySentence } from './sentence.js';
import { accessInWords } from './table-state.js';
import { TemplateList } from './template-list.js';

interface EditorDrawerProps {
  /** `schema.table` */
  readonly table: string;
  /** The policy that is edited; undefined: a new one. */
  readonly policy: string | undefined;
  readonly onClose: () => void;
}

/** Writes a policy: from a template or by hand, tried and tested before it is saved. */
export default function EditorDrawer({
  table: name,
  policy,
  onClose,
}: EditorDrawerProps): ReactNode {
  const { ref } = useProject();
  const { data, error } = useQuery(policiesQuery(ref));
  const table = data?.tables.find((one) => `${one.schema}.${one.name}` === name);
  const title = policy === undefined ? `New policy for ${name}` : `Policy ${policy} of ${name}`;
  return (
    <Dialog title={title} place="drawer" onClose={onClose}>
      {table ? (
        <Editor table={table} tables={data?.tables ?? []} policy={policy} onClose={onClose} />
      ) : (
        <DialogBody>
          <ProblemNotice of={error} />
          {data ? (
            <Notice kind="warning">There is no table {name}.</Notice>
          ) : (
            !error && <Skeleton className="w-48" />
          )}
        </DialogBody>
      )}
    </Dialog>
  );
}

interface EditorProps {
  readonly table: PolicyTable;
  readonly tables: readonly PolicyTable[];
  readonly policy: string | undefined;
  readonly onClose: () => void;
}

function Editor({ table, tables, policy, onClose }: EditorProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const found = table.policies.find(({ name }) => name === policy);
  const [draft, setDraft] = useState<PolicyDraft>(() => draftOf(found));
  const language = useMemo(() => languageOf(table, tables), [table, tables]);
  const change = (part: Partial<PolicyDraft>): void =>
    setDraft((before) => ({ ...before, ...part }));
  const replaced = { replaces: found?.name, comment: found?.comment };
  const text = saveSql(table, draft, replaced);
  const problem = problemOf(draft, table, found?.name);
  const others = table.policies.filter(({ name }) => name !== found?.name);
  const after = { ...table, policies: [...others, draft] };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => runSql(ref, text),
    onSuccess: async () => {
      await refreshPolicies(queryClient, ref);
      showToast({ kind: 'done', text: `The policy ${draft.name} is saved.` });
      onClose();
    },
  });
  return (
    <>
      <div className="grow">
        <DialogBody>
          {policy !== undefined && !found && (
            <Notice kind="warning">
              There is no policy {policy} any more. Saving makes it again.
            </Notice>
          )}
          {!found && <TemplateList table={table} tables={tables} onChoose={setDraft} />}
          <PolicyFields draft={draft} language={language} onChange={change} />
          <Notice kind="plain">
            <p>{policySentence(spoken(draft))}</p>
            {(['anon', 'authenticated'] as const).map((role) => (
              <p key={role} className="text-[13px]">
                With it, <code>{role}</code> {accessInWords(after, role)}.
              </p>
            ))}
          </Notice>
          <Code label="SQL" text={text} />
          {problem === undefined && (
            <BeforeSaving table={table} draft={draft} replaces={found?.name} />
          )}
          <ProblemNotice of={error} effect="The policy is not saved." />
        </DialogBody>
      </div>
      <DialogButtons>
        {problem !== undefined && <p className="mr-auto text-[13px] text-soft">{problem}</p>}
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          busy={isPending}
          disabled={problem !== undefined}
          onClick={() => mutate()}
        >
          Save policy
        </Button>
      </DialogButtons>
    </>
  );
}

function draftOf(found: PolicyTable['policies'][number] | undefined): PolicyDraft {
  if (!found) {
    return {
      name: '',
      command: 'select',
      roles: ['authenticated'],
      using: '',
      check: '',
      isPermissive: true,
    };
  }
  const { name, command, roles, using, check, isPermissive } = found;
  return { name, command, roles, using: using ?? '', check: check ?? '', isPermissive };
}

function problemOf(
  { name, roles, command, using, check }: PolicyDraft,
  { policies }: PolicyTable,
  replaces: string | undefined,
): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  if (name.trim() !== replaces && policies.some((other) => other.name === name.trim())) {
    return 'The table has a policy of this name.';
  }
  if (roles.length === 0) return 'Choose at least one role.';
  const needed = hasUsing(command) ? using : check;
  return needed.trim() === '' ? 'Enter an expression.' : undefined;
}

function spoken({ using, check, ...rest }: PolicyDraft) {
  return {
    ...rest,
    using: using.trim() === '' ? null : using,
    check: check.trim() === '' ? null : check,
  };
}

/** Completes the columns of the table, other tables, and the functions that policies use. */
function languageOf(table: PolicyTable, tables: readonly PolicyTable[]) {
  const schema = Object.fromEntries([
    ...tables.map(({ schema: of, name, columns }) => [
      of === 'public' ? name : `${of}.${name}`,
      columns.map((column) => column.name),
    ]),
    ['auth', ['uid()', 'jwt()', 'role()', 'email()']],
  ]);
  return sql({
    dialect: PostgreSQL,
    schema,
    defaultTable: table.schema === 'public' ? table.name : `${table.schema}.${table.name}`,
  });
}
