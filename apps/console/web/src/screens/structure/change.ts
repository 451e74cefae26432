// A change of the schema as people see it before it runs.

/** A change that is ready to be reviewed. */
export interface Change {
  /** What it does, for the heading: `Drop the table notes`. */
  readonly title: string;
  /** What is said when it is done: `The table notes was dropped.` */
  readonly done: string;
  /** Statements without their semicolons, in their order. They run in one transaction. */
  readonly statements: readonly string[];
  /** What is lost by it, in sentences. */
  readonly losses: readonly string[];
  /** What has to be typed before it runs; undefined if nothing is lost. */
  readonly confirm?: string | undefined;
}

/** The script of a change. */
export function scriptOf({ statements }: Pick<Change, 'statements'>): string {
  return statements.map((statement) => `${statement};`).join('\n');
}

/** A change that loses nothing. */
export function harmless(change: Omit<Change, 'losses' | 'confirm'>): Change {
  return { ...change, losses: [] };
}
