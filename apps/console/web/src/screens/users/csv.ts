// Users as comma-separated values. Users choose their names themselves, so they are guarded.
import { csvField, spreadsheetText } from '../../ui/csv.js';
import { download } from '../../ui/download.js';
import type { User } from './queries.js';

const columns = [
  'id',
  'email',
  'emailVerified',
  'phoneNumber',
  'phoneNumberVerified',
  'name',
  'username',
  'role',
  'status',
  'banReason',
  'bannedUntil',
  'is_anonymous',
  'twoFactorEnabled',
  'providers',
  'lastSignInAt',
  'createdAt',
  'updatedAt',
  'app_metadata',
  'user_metadata',
] as const satisfies readonly (keyof User)[];

/** A file with a line for each user, after a line with the names of the columns. */
export function csvOf(users: readonly User[]): string {
  const lines = users.map((user) =>
    columns.map((name) => csvField(spreadsheetText(textOf(user[name])))).join(','),
  );
  return [columns.join(','), ...lines, ''].join('\r\n');
}

function textOf(value: User[(typeof columns)[number]]): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Offers a file for download. */
export function downloadCsv(name: string, users: readonly User[]): void {
  download(name, 'text/csv;charset=utf-8', [csvOf(users)]);
}
