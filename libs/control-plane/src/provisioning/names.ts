import { randomBytes } from 'node:crypto';

/** The logins of a project on the database server; `libs/project-runtime` describes the purpose of each. */
export const loginKinds = [
  'owner',
  'editor',
  'api',
  'engine',
  'platform',
  'deleter',
  'lab',
] as const;
export type LoginKind = (typeof loginKinds)[number];

/** Whether a word is the kind of a login. */
export const isLoginKind = (word: string): word is LoginKind =>
  loginKinds.some((kind) => kind === word);

/** The names of a project's database and logins on the server. */
export interface DatabaseNames extends Readonly<Record<LoginKind, string>> {
  readonly database: string;
}

const idBytes = 10;

/** A new identifier for the database and the logins of a project. Neighbors cannot guess it. */
export function newDatabaseId(): string {
  return `d${randomBytes(idBytes).toString('hex')}`;
}

/** The names for a database identifier. */
export function namesOf(databaseId: string): DatabaseNames {
  return {
    database: `p_${databaseId}`,
    owner: `${databaseId}_owner`,
    editor: `${databaseId}_editor`,
    api: `${databaseId}_api`,
    engine: `${databaseId}_engine`,
    platform: `${databaseId}_platform`,
    deleter: `${databaseId}_deleter`,
    lab: `${databaseId}_lab`,
  };
}
