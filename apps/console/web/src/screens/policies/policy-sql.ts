// Policies as SQL, the way the editor shows and saves them.
import { nameList, qualified, quoteName, quoteText } from '../../sql/quote.js';
import type { SpokenPolicy } from './sentence.js';

export type PolicyCommand = SpokenPolicy['command'];

/** A policy as the editor has it; an empty expression is none. */
export interface PolicyDraft {
  readonly name: string;
  readonly command: PolicyCommand;
  readonly roles: readonly string[];
  readonly using: string;
  readonly check: string;
  readonly isPermissive: boolean;
}

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A change of policies as the API tries it. */
export type PolicyChange =
  | ({
      readonly kind: 'save';
      readonly schema: string;
      readonly table: string;
      readonly replaces?: string;
    } & PolicyDraft)
  | {
      readonly kind: 'drop';
      readonly schema: string;
      readonly table: string;
      readonly name: string;
    };

/** Rows that exist are filtered by USING, new ones by WITH CHECK. */
export const hasUsing = (command: PolicyCommand): boolean => command !== 'insert';
export const hasCheck = (command: PolicyCommand): boolean =>
  command === 'all' || command === 'insert' || command === 'update';

/** The draft without expressions that its command does not have. */
export function trimmed(draft: PolicyDraft): PolicyDraft {
  return {
    ...draft,
    name: draft.name.trim(),
    using: hasUsing(draft.command) ? draft.using.trim() : '',
    check: hasCheck(draft.command) ? draft.check.trim() : '',
  };
}

/** The policy that a draft replaces, and the comment that it keeps. */
export interface Replaced {
  readonly replaces?: string | undefined;
  readonly comment?: string | null | undefined;
}

/** The statements that save a draft. */
export function saveSql(
  table: TableName,
  draft: PolicyDraft,
  { replaces, comment }: Replaced = {},
): string {
  const { name, command, roles, using, check, isPermissive } = trimmed(draft);
  const lines = [
    `create policy ${quoteName(name)} on ${qualified(table)}`,
    ...(isPermissive ? [] : ['  as restrictive']),
    `  for ${command} to ${nameList(roles)}`,
    ...(using === '' ? [] : [`  using (${using})`]),
    ...(check === '' ? [] : [`  with check (${check})`]),
  ];
  return [
    ...(replaces === undefined ? [] : [dropSql(table, replaces)]),
    `${lines.join('\n')};`,
    ...(comment
      ? [`comment on policy ${quoteName(name)} on ${qualified(table)} is ${quoteText(comment)};`]
      : []),
  ].join('\n');
}

export function dropSql(table: TableName, name: string): string {
  return `drop policy ${quoteName(name)} on ${qualified(table)};`;
}

export function rlsSql(table: TableName, isEnabled: boolean): string {
  return `alter table ${qualified(table)} ${isEnabled ? 'enable' : 'disable'} row level security;`;
}

export function changeOf(table: TableName, draft: PolicyDraft, replaces?: string): PolicyChange {
  return {
    kind: 'save',
    schema: table.schema,
    table: table.name,
    ...trimmed(draft),
    ...(replaces !== undefined && { replaces }),
  };
}
