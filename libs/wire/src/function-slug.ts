/** The form of the slug of an edge function, and of each segment of its route, as the source of a regular expression. */
export const functionSlug = '[a-z0-9][a-z0-9_-]{0,62}';
