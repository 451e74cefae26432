// The marks in a key (see `query-template.ts`). Each begins with NUL. Requests with NUL are refused, so no text of a
// request can be mistaken for a mark.

/** Ends a field: a name, a text. */
export const FIELD_END = '\0f';
/** Replaces an operand that was taken out. The n-th one in a key is the operand of slot n. */
export const OPERAND = '\0v';
/** Replaces an offset above 0. */
export const SOME_OFFSET = '\0o';
