// The system users of projects. As root, the functions of each project run under a user id of their own, so that they
// cannot read the files of another project even if a fault of Deno lets them out of its sandbox.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { fail } from '#libs/errors';

import type { Account } from './command.js';
import { systemErrorCode } from './system-error.js';

/** User ids, both ends included. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** Far from the ids of real accounts; the second is for containers that have 65,536 ids. */
const ranges: readonly IdRange[] = [
  { first: 600_000_000, last: 699_999_999 },
  { first: 40_000, last: 59_999 },
];
const maxCollisions = 1_000;

/** The ids that this root user may give to others. Throws FUNCTIONS_UNAVAILABLE if it may not switch users. */
export async function findIdRange(): Promise<IdRange> {
  const [users, groups] = await Promise.all([readMap('uid_map'), readMap('gid_map')]);
  const range = ranges.find((each) => isMapped(each, users) && isMapped(each, groups));
  if (range !== undefined) return range;
  const reason = 'root may not switch to other users here; start as an ordinary user';
  throw fail('FUNCTIONS_UNAVAILABLE', { reason });
}

/** The ids that exist in this user namespace (user_namespaces(7)). */
async function readMap(name: string): Promise<readonly IdRange[]> {
  const text = await readFile(`/proc/self/${name}`, 'utf8').catch(() => '0 0 4294967295');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
      return { first, last: first + count - 1 };
    });
}

function isMapped(range: IdRange, map: readonly IdRange[]): boolean {
  return map.some(({ first, last }) => first <= range.first && range.last <= last);
}

/**
 * Returns the user of a project, the same each time. `folder` holds a symbolic link for each id that is in use, which
 * points to the ref of its project: such a link is made with its content in one step.
 */
export async function ensureAccount(folder: string, ref: string, range: IdRange): Promise<Account> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const size = range.last - range.first + 1;
  const begin = createHash('sha256').update(ref).digest().readUInt32BE(0) % size;
  for (let count = 0; count < maxCollisions; count += 1) {
    const id = range.first + ((begin + count) % size);
    if (await take(join(folder, String(id)), ref)) return { uid: id, gid: id };
  }
  throw fail('FUNCTIONS_UNAVAILABLE', { reason: 'no user id is free' });
}

async function take(link: string, ref: string): Promise<boolean> {
  try {
    await symlink(ref, link);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    return (await readlink(link)) === ref;
  }
}
