// Rows of a project's database for each kind of work that its sweep does.
import type { DueSweep } from '#libs/project-runtime';

/** Removes all work, and makes the bucket that files and garbage are of. */
export const nothingDue = `
  truncate auth."user", auth.verification, auth.rate_limit, auth.user_deletion, platform.hook_deliveries, platform.outbox,
    platform.messages, platform.app_settings, storage.buckets, storage.uploads, storage.garbage,
    storage.relocations, realtime.outbox, realtime.interest, platform.edge_function_logs,
    platform.edge_function_invocations cascade;
  insert into storage.buckets (slug, name) values ('docs', 'Docs')`;

/** A user who was last changed so long ago. */
export const user = (isGuest: boolean, ago: string) =>
  `insert into auth."user" (id, name, email, "isAnonymous", "updatedAt")
   values ('u', 'U', 'u@test.example', ${isGuest}, now() - interval '${ago}');`;
/** A session of that user which expired so long ago. */
export const session = (ago: string) =>
  `insert into auth.session (id, "expiresAt", "tokenHash", "userId")
   values ('s', now() - interval '${ago}', sha256('token'), 'u');`;
const banned = (ago: string) =>
  `update auth."user" set status = 'inactive', "banReason" = 'spam',
     "bannedUntil" = now() - interval '${ago}';`;
const delivery = (created: string) =>
  `insert into platform.outbox (kind, source, event_id, target, status, payload, created_at)
   values ('hook', 'events', 'e', 't', 'succeeded', '{}', now() - interval '${created}')`;
const message = (status: string, ages: { created?: string; next?: string; expired?: string }) =>
  `insert into platform.messages
     (id, channel, kind, recipient, sealed_values, status, created_at, next_try_at, expires_at)
   values (gen_random_uuid(), 'email', 'test', 'r', 'v1.x.y', '${status}',
     now() - interval '${ages.created ?? '1 day'}', now() - ${quoted(ages.next)}::interval,
     now() - ${quoted(ages.expired)}::interval)`;
const quoted = (text: string | undefined) => (text === undefined ? 'null' : `'${text}'`);
const garbage = (driver: string, ago: string) =>
  `insert into storage.garbage (driver, version, bucket, stored_key, not_before)
   values ('${driver}', gen_random_uuid(), 'docs', 'k', now() - interval '${ago}')`;
const uploadId = '00000000-0000-7000-8000-000000000002';
const upload = (ago: string) =>
  `select storage.reserve_upload('${uploadId}', 'docs', 'k', gen_random_uuid(), 'local', 'stream', 1, 'text/plain',
     'private', null, true, now() - interval '${ago}');`;
const relocation = (ago: string) =>
  `insert into storage.relocations (state, from_driver, to_driver, total_files, total_bytes, leased_until)
   values ('running', 'local', 's3', 0, 0, now() - interval '${ago}')`;
const emptying = (ago: string) =>
  `insert into storage.emptyings (bucket, state, until, total_files, leased_until)
   values ('docs', 'running', now(), 0, now() - interval '${ago}')`;
const change = (ago: string) =>
  `insert into realtime.outbox (kind, at) values ('B', now() - interval '${ago}')`;
const interest = (ago: string) =>
  `insert into realtime.interest values (2, 'n', now() - interval '${ago}')`;
const functionLog = (ago: string) =>
  `insert into platform.edge_function_logs (slug, version, level, message, at)
   values ('f', 1, 'info', 'm', now() - interval '${ago}')`;
const invocation = (ago: string) =>
  `insert into platform.edge_function_invocations (slug, version, request_id, method, path, status,
     duration_ms, cpu_ms, memory_kb, is_cold_start, at)
   values ('f', 1, 'r', 'GET', '/', 200, 1, 1, 1, true, now() - interval '${ago}')`;
/** Settings of a project that are stored. */
export const storedSettings = (group: string, value: object) =>
  `insert into platform.app_settings (name, value) values ('${group}', '${JSON.stringify(value)}');`;

/** Of each kind rows that are due, and rows like them that are not, or that another kind alone is due for. */
export const dueWork: Readonly<Record<DueSweep, { readonly due: string; readonly other: string }>> =
  {
    guests: { due: user(true, '31 days'), other: user(true, '29 days') },
    userDeletions: {
      due: `insert into auth.user_deletion values ('u', null, null, null, now() - interval '61 minutes')`,
      other: `insert into auth.user_deletion values ('u', null, null, null, now() - interval '59 minutes')`,
    },
    sessions: { due: user(false, '0') + session('1 s'), other: user(false, '0') + session('-1 h') },
    verifications: {
      due: `insert into auth.verification values ('v', 'i', 'x', now() - interval '1 s')`,
      other: `insert into auth.verification values ('v', 'i', 'x', now() + interval '1 h')`,
    },
    rateLimits: {
      due: `insert into auth.rate_limit (key, uses, ends_at) values ('k', 1, now() - interval '1 s')`,
      other: `insert into auth.rate_limit (key, uses, ends_at) values ('k', 1, now() + interval '1 h')`,
    },
    bans: {
      due: user(false, '0') + banned('1 s'),
      other: user(false, '0') + banned('-1 h'),
    },
    oldDeliveries: {
      due: delivery('15 days'),
      other: delivery('13 days'),
    },
    formerDeliveries: {
      due: `insert into platform.hook_deliveries (hook, event_id, target, status, payload)
        values ('events', 'e', 't', 'dead', '{}')`,
      other: delivery('1 day'),
    },
    oldMessages: {
      due: message('sent', { created: '15 days' }),
      other: message('sent', { created: '13 days' }),
    },
    worthlessValues: {
      due: message('failed', { expired: '1 s' }),
      other: message('failed', { expired: '-1 h' }),
    },
    overdueMessages: {
      due: message('queued', { next: '11 minutes' }),
      other: message('queued', { next: '9 minutes' }),
    },
    garbage: { due: garbage('local', '1 s'), other: garbage('local', '-1 h') },
    uploads: { due: upload('1 s'), other: upload('-1 h') },
    relocation: { due: relocation('1 s'), other: relocation('-1 h') },
    emptying: { due: emptying('1 s'), other: emptying('-1 h') },
    files: {
      due: `${upload('-1 h')} select storage.commit_upload('${uploadId}', 1)`,
      other: upload('-1 h'),
    },
    changes: { due: change('11 minutes'), other: change('9 minutes') },
    gates: { due: interest('11 minutes'), other: interest('9 minutes') },
    functionLogs: { due: functionLog('8 days'), other: functionLog('6 days') },
    functionInvocations: { due: invocation('8 days'), other: invocation('6 days') },
    objects: { due: garbage('s3', '-1 h'), other: garbage('local', '-1 h') },
  };
/** The rows of a move say that objects may be in the store, too. */
export const besides: Partial<Record<DueSweep, readonly DueSweep[]>> = { relocation: ['objects'] };
