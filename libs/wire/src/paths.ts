// Paths of a project that several parts of the product name, each below the address of the project. A path that one
// controller or one part of the auth engine names alone is written there; the client has its own.

/** Tables and functions. */
export const restPath = '/rest/v1';

/** Accounts: above all routes of the auth engine. */
export const authPath = '/api/auth';

/** Where identity providers send browsers back to: below `authPath`, and followed by the id of the provider. */
export const CALLBACK_PATHS = { social: '/callback/', custom: '/oauth2/callback/' } as const;

/** Uploads in parts. */
export const resumablePath = '/api/files/resumable';

/** Edge functions: followed by a route. */
export const edgePath = '/api/edge';

/** Groups of settings, for administrators. */
export const settingsPath = '/api/admin/settings';
