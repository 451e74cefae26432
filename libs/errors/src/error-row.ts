/** A line of the table in codes.ts. */
export interface ErrorRow {
  /** What the caller gets as the code, where it is not the name of the line. */
  readonly publicCode?: string;
  readonly status: number;
  readonly message: string;
}
