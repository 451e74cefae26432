// How often the pages ask again.

/** What others change appears after this time at the latest. */
export const refreshMs = 15_000;
/** While work that a page shows goes on, it asks this often. */
export const watchMs = 1500;
