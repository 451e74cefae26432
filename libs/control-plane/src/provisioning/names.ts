/** The names of what a project has on the database server. A ref is an identifier (projects/ref.ts). */
export interface DatabaseNames {
  readonly database: string;
  /** Owns the schema public; the SQL editor runs as it. */
  readonly owner: string;
  /** Serves table requests. */
  readonly api: string;
  /** Does the platform's own work: accounts, settings. */
  readonly engine: string;
}

/** The names for a ref. */
export function namesOf(ref: string): DatabaseNames {
  return {
    database: `p_${ref}`,
    owner: `${ref}_owner`,
    api: `${ref}_api`,
    engine: `${ref}_engine`,
  };
}
