/**
 * The value of a parameter of a statement, in PostgreSQL's text format. Pieces of UTF-8 are sent one after the other, as
 * they are: their owner must not change them.
 */
export type ParameterValue = string | null | readonly Buffer[];
