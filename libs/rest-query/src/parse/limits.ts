// How much one request may ask for. Each is far above what people write by hand, and keeps what a
// request costs to understand and to plan within bounds.

/** Characters of a query string, percent-encoded; servers refuse longer addresses anyway. */
export const MAX_QUERY_LENGTH = 16_384;
export const MAX_EMBED_DEPTH = 10;
export const MAX_EMBEDS = 50;
export const MAX_CONDITIONS = 500;
export const MAX_SELECT_ITEMS = 1000;
export const MAX_ORDER_TERMS = 50;
export const MAX_PATH_STEPS = 50;
/** Rows that are counted in place of a guess. A larger total is said to be this one. */
export const MAX_COUNTED = 100_000;
/** Logic trees inside logic trees. */
export const MAX_TREE_DEPTH = 50;
/** PostgreSQL cuts longer names silently (NAMEDATALEN). */
export const MAX_NAME_BYTES = 63;
/** Operands in logic trees that begin with a bracket which does not close them; each is costly to read. */
export const MAX_STRAY_BRACKETS = 20;
