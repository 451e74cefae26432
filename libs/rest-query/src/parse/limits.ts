// Limits of one request. Each is far above what people write by hand, and bounds the cost of parsing and planning a
// request.

/** Characters of a query string, percent-encoded; servers refuse longer URLs anyway. */
export const MAX_QUERY_LENGTH = 16_384;
export const MAX_EMBED_DEPTH = 10;
export const MAX_EMBEDS = 50;
export const MAX_CONDITIONS = 500;
export const MAX_SELECT_ITEMS = 1000;
export const MAX_ORDER_TERMS = 50;
export const MAX_PATH_STEPS = 50;
/** The most rows that are counted instead of a guess. A larger total is reported as this number. */
export const MAX_COUNTED = 100_000;
/** Logic trees inside logic trees. */
export const MAX_TREE_DEPTH = 50;
/** PostgreSQL cuts longer names silently (NAMEDATALEN). */
export const MAX_NAME_BYTES = 63;
/** Operands in logic trees that begin with a bracket which does not close them; each is expensive to read. */
export const MAX_STRAY_BRACKETS = 20;
