import type { ProjectDatabase } from '#libs/database';

/** The database as far as the rights of callers are read. A trial has a transaction of its own in the place of `db`. */
export interface AskedDatabase {
  readonly db: Pick<ProjectDatabase, 'runTable' | 'queryAsEngine'>;
}
