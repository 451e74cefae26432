// Policies to begin with, filled with the columns of a table.
import { qualified, quoteName } from '../../sql/quote.js';
import type { PolicyDraft } from './policy-sql.js';

/** A table as far as templates look at it. */
export interface TemplateTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly references: {
      readonly schema: string;
      readonly table: string;
      readonly column: string;
    } | null;
  }[];
}

export interface Template {
  readonly key: string;
  readonly title: string;
  readonly draft: PolicyDraft;
  /** What the table lacks for it; the draft then has names to replace. */
  readonly lacks?: string;
}

interface Surroundings {
  readonly table: TemplateTable;
  /** All tables of the project: one of them may hold memberships. */
  readonly tables: readonly TemplateTable[];
  /** The type of `auth.uid()`. */
  readonly idType: 'text' | 'uuid';
}

type Column = TemplateTable['columns'][number];

const userNames =
  /^(?:user_?id|owner_?id|owner|author_?id|author|created_?by|account_?id|profile_?id)$/i;
const groupNames =
  /^(?:org(?:anization)?_?id|team_?id|workspace_?id|company_?id|group_?id|tenant_?id)$/i;
const publicNames = /^(?:is_?)?(?:public|published|visible)$/i;

/** Returns the templates for a table, those that fit its columns first. */
export function templatesFor(surroundings: Surroundings): readonly Template[] {
  const templates = [
    ownRows(surroundings),
    members(surroundings),
    publicRead(surroundings.table),
    roleClaim(),
    signedIn(),
    administrators(),
  ];
  return templates.toSorted(
    (one, other) => Number(one.lacks !== undefined) - Number(other.lacks !== undefined),
  );
}

function draft(change: Partial<PolicyDraft> & Pick<PolicyDraft, 'name'>): PolicyDraft {
  return {
    command: 'all',
    roles: ['authenticated'],
    using: '',
    check: '',
    isPermissive: true,
    ...change,
  };
}

function ownRows({ table, idType }: Surroundings): Template {
  const column = userColumnOf(table);
  const name = column?.name ?? 'user_id';
  return {
    key: 'own-rows',
    title: 'Own rows',
    draft: draft({
      name: 'own_rows',
      using: `${quoteName(name)} = ${callerId(column, idType)}`,
    }),
    ...(column === undefined && { lacks: 'The table has no column with the id of a user.' }),
  };
}

function members({ table, tables, idType }: Surroundings): Template {
  const column = table.columns.find(({ name }) => groupNames.test(name));
  const name = column?.name ?? 'organization_id';
  const membership = tables.flatMap((other) => {
    const user = userColumnOf(other);
    const group = other.columns.find((found) => found.name === name);
    const isOther = other.schema !== table.schema || other.name !== table.name;
    return isOther && user && group ? [{ other, user, group }] : [];
  })[0];
  const claim = `(select auth.jwt() ->> 'org_id')${column?.type === 'uuid' ? '::uuid' : ''}`;
  const using = membership
    ? [
        `${quoteName(name)} in (`,
        `  select m.${quoteName(membership.group.name)} from ${qualified(membership.other)} m`,
        `  where m.${quoteName(membership.user.name)} = ${callerId(membership.user, idType)}`,
        `)`,
      ].join('\n')
    : `${quoteName(name)} = ${claim}`;
  return {
    key: 'members',
    title: 'Members of an organization',
    draft: draft({ name: 'members', using }),
    ...(column === undefined && {
      lacks: 'The table has no column with the id of an organization.',
    }),
  };
}

function publicRead({ columns }: TemplateTable): Template {
  const column = columns.find(({ name, type }) => type === 'boolean' && publicNames.test(name));
  return {
    key: 'public-read',
    title: 'Public read',
    draft: draft({
      name: 'public_read',
      command: 'select',
      roles: ['public'],
      using: column ? quoteName(column.name) : 'true',
    }),
  };
}

function roleClaim(): Template {
  return {
    key: 'role-claim',
    title: 'A role in the claims',
    draft: draft({
      name: 'editors',
      using: `(select auth.jwt() -> 'app_metadata' ->> 'role') = 'editor'`,
    }),
  };
}

function signedIn(): Template {
  return {
    key: 'signed-in',
    title: 'Signed-in users only',
    draft: draft({ name: 'signed_in_read', command: 'select', using: 'true' }),
  };
}

function administrators(): Template {
  return {
    key: 'administrators',
    title: 'Administrators',
    draft: draft({
      name: 'administrators',
      using: `(select auth.jwt() ->> 'user_role') = 'ADMIN'`,
    }),
  };
}

/** The column that refers to users; else a column with such a name. */
function userColumnOf({ columns }: TemplateTable): Column | undefined {
  return (
    columns.find(
      ({ references }) => references?.schema === 'auth' && references.table === 'user',
    ) ?? columns.find(({ name }) => userNames.test(name))
  );
}

/** In a sub-select, which PostgreSQL evaluates once for all rows. */
function callerId(column: Column | undefined, idType: 'text' | 'uuid'): string {
  const isText = column !== undefined && column.type !== 'uuid';
  return idType === 'uuid' && isText ? '(select auth.uid()::text)' : '(select auth.uid())';
}
