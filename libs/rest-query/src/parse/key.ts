// The marks of a key (see `query-template.ts`). NUL begins each of them, because a request with NUL is
// refused: no text of a request can be taken for a mark.

/** Closes a field: a name, a text. */
export const FIELD_END = '\0f';
/** Stands where an operand was taken out. The n-th of a key is the operand of slot n. */
export const OPERAND = '\0v';
/** Stands for an offset above 0. */
export const SOME_OFFSET = '\0o';
