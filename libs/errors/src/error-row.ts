/** A line of the table in codes.ts. */
export interface ErrorRow {
  readonly status: number;
  readonly message: string;
}
