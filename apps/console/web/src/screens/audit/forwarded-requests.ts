// Entries of requests that the console has forwarded to the API of a project. Such an entry has the method and the path
// of the request as its target, and the status of the answer; readers want to know what was done to which table or user.

import { isRecord } from '../../api/json.js';

/** The parts of an entry that say which request it was. */
interface Recorded {
  readonly action: string;
  /** `POST /api/admin/sql`, and behind it ` as <user id or anon>` for a request with the rights of another caller. */
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * What each request does. `:name` is one part of the path and `*` all parts that follow; both appear again in
 * the words. The first that matches counts.
 */
export const REQUESTS: readonly (readonly [request: string, words: string])[] = [
  ['POST /admin/sql', 'Ran SQL'],
  ['DELETE /admin/sql/:id', 'Cancelled a run of SQL'],
  ['POST /admin/rows/:table', 'Changed rows of :table'],
  ['POST /rest/v1/batch', 'Sent a batch of requests on tables'],
  ['GET /rest/v1/rpc/:function', 'Called the function :function'],
  ['POST /rest/v1/rpc/:function', 'Called the function :function'],
  ['GET /rest/v1/:table', 'Read rows of :table'],
  ['HEAD /rest/v1/:table', 'Counted rows of :table'],
  ['POST /rest/v1/:table', 'Added rows to :table'],
  ['PUT /rest/v1/:table', 'Replaced a row of :table'],
  ['PATCH /rest/v1/:table', 'Changed rows of :table'],
  ['DELETE /rest/v1/:table', 'Deleted rows of :table'],
  ['POST /admin/queries', 'Saved a query'],
  ['PATCH /admin/queries/:id', 'Changed a saved query'],
  ['DELETE /admin/queries/:id', 'Deleted a saved query'],
  ['POST /admin/policies/try', 'Tried policies'],
  ['POST /admin/policies/tests', 'Saved a test of policies'],
  ['POST /admin/policies/tests/run', 'Ran tests of policies'],
  ['PATCH /admin/policies/tests/:id', 'Changed a test of policies'],
  ['DELETE /admin/policies/tests/:id', 'Deleted a test of policies'],
  ['PUT /admin/functions/secrets', 'Set secrets of edge functions'],
  ['DELETE /admin/functions/secrets', 'Deleted secrets of edge functions'],
  ['POST /admin/functions/tokens', 'Made a token for edge functions'],
  ['DELETE /admin/functions/tokens/:id', 'Revoked a token for edge functions'],
  ['POST /admin/functions/triggers', 'Made a trigger of a table'],
  ['PATCH /admin/functions/triggers/:id', 'Changed a trigger of a table'],
  ['DELETE /admin/functions/triggers/:id', 'Deleted a trigger of a table'],
  [
    'POST /admin/functions/triggers/:id/deliveries/:delivery/retry',
    'Sent changes of a table to a trigger again',
  ],
  ['POST /admin/functions/schedules', 'Made a schedule of an edge function'],
  ['PATCH /admin/functions/schedules/:id', 'Changed a schedule of an edge function'],
  ['DELETE /admin/functions/schedules/:id', 'Deleted a schedule of an edge function'],
  ['POST /admin/functions/schedules/:id/run', 'Ran a schedule of an edge function'],
  ['POST /admin/functions', 'Made an edge function'],
  ['PUT /admin/functions/:slug', 'Deployed the edge function :slug'],
  ['PATCH /admin/functions/:slug', 'Changed the edge function :slug'],
  ['DELETE /admin/functions/:slug', 'Deleted the edge function :slug'],
  ['POST /admin/functions/:slug/activate', 'Returned to a version of the edge function :slug'],
  ['GET /edge/*', 'Called the edge function at *'],
  ['POST /edge/*', 'Called the edge function at *'],
  ['POST /admin/settings/email/test', 'Sent a test mail'],
  ['POST /admin/settings/sms/test', 'Sent a test SMS'],
  ['POST /admin/settings/email/preview', 'Previewed a mail'],
  ['PUT /admin/settings/:group', 'Saved the settings :group'],
  ['DELETE /admin/settings/:group', 'Reverted the settings :group'],
  ['POST /admin/settings/:group/history/:id/restore', 'Restored the settings :group'],
  ['POST /admin/auth/keys/rotate', 'Rotated the signing key'],
  ['POST /admin/users', 'Made a user'],
  ['POST /admin/users/invite', 'Invited a user'],
  ['POST /admin/users/generate-link', 'Made a link for a user'],
  ['PATCH /admin/users/:id', 'Changed the user :id'],
  ['DELETE /admin/users/:id', 'Deleted the user :id'],
  ['POST /admin/users/:id/ban', 'Banned the user :id'],
  ['POST /admin/users/:id/impersonate', 'Began a session as the user :id'],
  ['POST /admin/users/:id/reset-password', 'Set the password of the user :id'],
  ['POST /admin/users/:id/unban', 'Lifted the ban of the user :id'],
  ['POST /admin/users/:id/promote', 'Made the user :id an administrator'],
  ['POST /admin/users/:id/demote', 'Took the administration from the user :id'],
  ['POST /admin/users/:id/activate', 'Activated the user :id'],
  ['POST /admin/users/:id/deactivate', 'Deactivated the user :id'],
  ['DELETE /admin/users/:id/sessions', 'Ended all sessions of the user :id'],
  ['DELETE /admin/users/:id/sessions/:session', 'Ended a session of the user :id'],
  ['DELETE /admin/users/:id/factors/:factor', 'Removed a second factor of the user :id'],
  ['DELETE /admin/users/:id/api-keys/:key', 'Deleted an API key of the user :id'],
  ['DELETE /admin/users/:id/passkeys/:passkey', 'Deleted a passkey of the user :id'],
  ['PUT /admin/organizations/:id/members/:user', 'Gave the user :user a role in an organization'],
  ['DELETE /admin/organizations/:id/members/:user', 'Took the user :user out of an organization'],
  [
    'DELETE /admin/organizations/:id/invitations/:invitation',
    'Cancelled an invitation to an organization',
  ],
  ['POST /admin/sso/providers', 'Registered an SSO provider'],
  ['PATCH /admin/sso/providers/:provider', 'Changed the SSO provider :provider'],
  ['DELETE /admin/sso/providers/:provider', 'Deleted the SSO provider :provider'],
  ['POST /admin/sso/providers/:provider/test', 'Tested the SSO provider :provider'],
  ['POST /admin/sso/providers/:provider/verify-domains', 'Verified domains of :provider'],
  ['DELETE /admin/inbox', 'Emptied the inbox'],
  ['POST /admin/messages/:id/retry', 'Sent a message again'],
  ['POST /admin/hooks/deliveries/:id/retry', 'Sent an event again'],
  ['PUT /admin/realtime/tables/:table', 'Changed who may listen to :table'],
  ['POST /admin/realtime/inspect', 'Joined channels as other callers'],
  ['POST /admin/realtime/send', 'Sent a message to a channel'],
  ['POST /admin/storage/buckets', 'Made a bucket'],
  ['PATCH /admin/storage/buckets/:bucket', 'Changed the bucket :bucket'],
  ['DELETE /admin/storage/buckets/:bucket', 'Deleted the bucket :bucket'],
  ['POST /admin/storage/buckets/:bucket/empty', 'Began to empty the bucket :bucket'],
  ['POST /admin/storage/buckets/:bucket/recount', 'Counted the files of the bucket :bucket'],
  ['PUT /admin/storage/buckets/:bucket/cors', 'Set the CORS rules of the bucket :bucket'],
  ['DELETE /admin/storage/buckets/:bucket/cors', 'Deleted the CORS rules of the bucket :bucket'],
  ['POST /admin/storage/buckets/:bucket/tokens', 'Made an access token of the bucket :bucket'],
  ['DELETE /admin/storage/buckets/:bucket/tokens/:id', 'Deleted an access token of :bucket'],
  ['POST /admin/storage/buckets/:bucket/webhooks', 'Made a webhook of the bucket :bucket'],
  ['PATCH /admin/storage/buckets/:bucket/webhooks/:id', 'Changed a webhook of :bucket'],
  ['DELETE /admin/storage/buckets/:bucket/webhooks/:id', 'Deleted a webhook of :bucket'],
  ['POST /admin/storage/buckets/:bucket/webhooks/:id/test', 'Tested a webhook of :bucket'],
  [
    'POST /admin/storage/buckets/:bucket/webhooks/:id/rotate-secret',
    'Replaced the secret of a webhook of :bucket',
  ],
  [
    'POST /admin/storage/buckets/:bucket/webhooks/:id/deliveries/:delivery/redeliver',
    'Sent an event of :bucket to its webhook again',
  ],
  ['POST /admin/storage/relocation', 'Began to move all files'],
  ['DELETE /admin/storage/relocation', 'Stopped the move of files'],
  ['POST /storage/:bucket/upload', 'Uploaded a file to the bucket :bucket'],
  ['DELETE /storage/:bucket/files/*', 'Deleted the file * of the bucket :bucket'],
  ['PUT /files/object/:bucket/*', 'Uploaded the file * to the bucket :bucket'],
  ['DELETE /files/object/:bucket/*', 'Deleted the file * of the bucket :bucket'],
  ['POST /files/presign', 'Began an upload'],
  ['POST /files/:id/finalize', 'Finished an upload'],
  ['POST /files/resumable', 'Began an upload in parts'],
  ['PATCH /files/resumable/:id', 'Uploaded a part of a file'],
  ['DELETE /files/resumable/:id', 'Gave an upload up'],
  ['POST /files/copy', 'Copied a file'],
  ['POST /files/move', 'Moved a file'],
  ['POST /files/remove', 'Deleted files'],
  ['POST /files', 'Uploaded a file'],
  ['PATCH /files/:id', 'Changed the file :id'],
  ['DELETE /files/:id', 'Deleted the file :id'],
];

const forwardedActions = new Set(['project.request', 'project.settings', 'project.impersonate']);
const asAnother = ' as ';

/**
 * What the request of an entry does, such as “Changed rows of orders”; method and path where no words are known.
 * Undefined for an entry of another kind. It does not say whether the request succeeded: see {@link outcomeInWords}.
 */
export function requestInWords({ action, target }: Recorded): string | undefined {
  if (!forwardedActions.has(action)) return undefined;
  const at = action === 'project.impersonate' ? target.lastIndexOf(asAnother) : -1;
  const request = at < 0 ? target : target.slice(0, at);
  const words = wordsOf(request) ?? request;
  if (at < 0) return words;
  const whom = target.slice(at + asAnother.length);
  return `${words} as ${whom === 'anon' ? 'a visitor' : `the user ${whom}`}`;
}

/** How the request of an entry ended, if it did not succeed: `refused with 403`. Undefined for another entry. */
export function outcomeInWords({ action, after }: Recorded): string | undefined {
  if (!forwardedActions.has(action)) return undefined;
  const status = isRecord(after) ? after['status'] : undefined;
  if (typeof status !== 'number') return 'the outcome is not known';
  if (status >= 500) return `failed with ${status}`;
  return status >= 400 ? `refused with ${status}` : undefined;
}

/**
 * The values of an entry, side by side. An entry of settings has those from before alone, and those from afterwards
 * beside the status, unless nothing was changed.
 */
export function valuesOf({ action, before, after }: Recorded): {
  readonly before: unknown;
  readonly after: unknown;
} {
  if (action !== 'project.settings') return { before, after };
  const isChanged = isRecord(after) && 'settings' in after;
  return { before: isChanged ? { settings: before } : null, after };
}

function wordsOf(request: string): string | undefined {
  const at = request.indexOf(' ');
  const method = request.slice(0, at);
  const path = request.slice(at + 1).replace(/^\/api(?=\/)/, '');
  for (const [pattern, words] of REQUESTS) {
    const [wanted = '', form = ''] = pattern.split(' ');
    const values = wanted === method ? valuesIn(path.split('/'), form.split('/')) : undefined;
    if (values) return words.replaceAll(/:\w+|\*/g, (name) => values.get(name) ?? name);
  }
  return undefined;
}

/** The parts of a path by their names in a form; undefined if the path does not have this form. */
function valuesIn(
  path: readonly string[],
  form: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const isOpen = form.at(-1) === '*';
  if (isOpen ? path.length < form.length : path.length !== form.length) return undefined;
  const values = new Map<string, string>();
  for (const [index, part] of form.entries()) {
    const value = part === '*' ? path.slice(index).join('/') : (path[index] ?? '');
    if (part === '*' || part.startsWith(':')) values.set(part, value);
    else if (part !== value) return undefined;
  }
  return values;
}
