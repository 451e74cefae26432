// Changes of policies that are tried before they are saved, and their SQL. They run as the owner of the project.
import { fail } from '#libs/errors';
import { quoteIdent } from '#libs/wire';

import { fieldsOf, optionalText, record, text, word } from './read-fields.js';

export const policyCommands = ['all', 'select', 'insert', 'update', 'delete'] as const;
export type PolicyCommand = (typeof policyCommands)[number];

interface Place {
  readonly schema: string;
  readonly table: string;
}

/** A policy as the editor has it. */
export interface SavedPolicy extends Place {
  readonly kind: 'save';
  readonly name: string;
  /** The policy that it replaces. */
  readonly replaces: string | undefined;
  readonly command: PolicyCommand;
  /** Names of roles; `public` is every role. */
  readonly roles: readonly string[];
  readonly using: string | undefined;
  readonly check: string | undefined;
  readonly isPermissive: boolean;
}

export type PolicyChange =
  | SavedPolicy
  | ({ readonly kind: 'drop'; readonly name: string } & Place)
  | ({ readonly kind: 'rls'; readonly isEnabled: boolean } & Place);

const maxChanges = 20;
const maxExpressionLength = 16 * 1024;
const maxNameLength = 63;

/** Returns the changes of a request. Throws INVALID_INPUT and UNKNOWN_FIELD (400), which name the field. */
export function readChanges(value: unknown): readonly PolicyChange[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > maxChanges) {
    const reason = `must be a list of at most ${maxChanges} changes`;
    throw fail('INVALID_INPUT', { field: 'policies', reason });
  }
  return value.map((change, index) => readChange(change, `policies.${index}`));
}

function readChange(value: unknown, field: string): PolicyChange {
  const change = record(value, field);
  const kind = word(change['kind'], `${field}.kind`, ['save', 'drop', 'rls']);
  const place = {
    schema: optionalText(change['schema'], `${field}.schema`, maxNameLength) ?? 'public',
    table: text(change['table'], `${field}.table`, maxNameLength),
  };
  switch (kind) {
    case 'save':
      return readSaved(change, field, place);
    case 'drop':
      fieldsOf(change, field, ['kind', 'schema', 'table', 'name']);
      return { kind, ...place, name: text(change['name'], `${field}.name`, maxNameLength) };
    case 'rls':
      fieldsOf(change, field, ['kind', 'schema', 'table', 'isEnabled']);
      return { kind, ...place, isEnabled: flag(change['isEnabled'], `${field}.isEnabled`) };
  }
}

const savedFields = [
  'kind',
  'schema',
  'table',
  'name',
  'replaces',
  'command',
  'roles',
  'using',
  'check',
  'isPermissive',
];

function readSaved(
  change: Readonly<Record<string, unknown>>,
  field: string,
  place: Place,
): SavedPolicy {
  fieldsOf(change, field, savedFields);
  const expression = (name: 'using' | 'check'): string | undefined => {
    const found = optionalText(change[name], `${field}.${name}`, maxExpressionLength)?.trim();
    return found === '' ? undefined : found;
  };
  return {
    kind: 'save',
    ...place,
    name: text(change['name'], `${field}.name`, maxNameLength),
    replaces: optionalText(change['replaces'], `${field}.replaces`, maxNameLength),
    command: word(change['command'], `${field}.command`, policyCommands),
    roles: readRoles(change['roles'], `${field}.roles`),
    using: expression('using'),
    check: expression('check'),
    isPermissive: flag(change['isPermissive'] ?? true, `${field}.isPermissive`),
  };
}

function readRoles(value: unknown, field: string): readonly string[] {
  if (value === undefined || value === null) return ['public'];
  if (!Array.isArray(value) || value.length === 0 || value.length > 10) {
    throw fail('INVALID_INPUT', { field, reason: 'must be a list of 1 to 10 roles' });
  }
  return value.map((role, index) => text(role, `${field}.${index}`, maxNameLength));
}

function flag(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  throw fail('INVALID_INPUT', { field, reason: 'must be true or false' });
}

/** The statements of a change. The author of the expressions may run any SQL as the owner. */
export function statementsOf(change: PolicyChange): readonly string[] {
  const table = `${quoteIdent(change.schema)}.${quoteIdent(change.table)}`;
  switch (change.kind) {
    case 'rls':
      return [`alter table ${table} ${change.isEnabled ? 'enable' : 'disable'} row level security`];
    case 'drop':
      return [`drop policy ${quoteIdent(change.name)} on ${table}`];
    case 'save':
      return [
        ...(change.replaces === undefined
          ? []
          : [`drop policy ${quoteIdent(change.replaces)} on ${table}`]),
        creationOf(change, table),
      ];
  }
}

function creationOf(policy: SavedPolicy, table: string): string {
  const { name, command, roles, using, check, isPermissive } = policy;
  return [
    `create policy ${quoteIdent(name)} on ${table}`,
    `as ${isPermissive ? 'permissive' : 'restrictive'}`,
    `for ${command}`,
    `to ${roles.map((role) => (role === 'public' ? 'public' : quoteIdent(role))).join(', ')}`,
    ...(using === undefined ? [] : [`using (${using}\n)`]),
    ...(check === undefined ? [] : [`with check (${check}\n)`]),
  ].join(' ');
}
