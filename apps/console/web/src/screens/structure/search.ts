// What the address of the structure says: which part is open, and of which table.
export const tableParts = ['columns', 'keys', 'indexes', 'triggers', 'policies'] as const;
type TablePart = (typeof tableParts)[number];
const projectParts = ['enums', 'functions'] as const;
type ProjectPart = (typeof projectParts)[number];

export interface StructureSearch {
  readonly table?: string | undefined;
  /** A part of the table, the columns unless it is given, or one of the project as a whole. */
  readonly part?: TablePart | ProjectPart | undefined;
}

/** The parameters that are valid. */
export function readStructureSearch(given: Record<string, unknown>): StructureSearch {
  const { table, part } = { table: undefined, part: undefined, ...given };
  return {
    // The router reads numbers out of addresses: `?table=42`.
    table: typeof table === 'string' || typeof table === 'number' ? String(table) : undefined,
    part: [...tableParts, ...projectParts].find((known) => known === part && known !== 'columns'),
  };
}
