// What the conditions of a sweep depend on. The statement that does the work has the same conditions as the question
// whether there is any, for another time.

/** The time of a sweep, and how many days rows are kept, as SQL. */
export interface SweepValues {
  readonly at: string;
  readonly keepDays: string;
}

/** The time of a sweep that runs, as SQL. */
export const now = 'pg_catalog.now()';
