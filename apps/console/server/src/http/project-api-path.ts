/**
 * The route that forwards to the API of a project: the path below `/api` of the project follows it. The proxy answers
 * it, and the description shows it.
 */
export const projectApiPath = 'platform/projects/:ref/api';
