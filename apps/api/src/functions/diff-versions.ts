import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { readVersion } from './functions.js';
import { findVersionBefore } from './functions.sql.js';

/** A file that differs between two versions. */
export interface ChangedFile {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Null: the version does not have the file. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface VersionDiff {
  readonly from: number;
  readonly to: number;
  /** By path. */
  readonly files: readonly ChangedFile[];
}

/** What changed from the version `from`, by default the one before, to `to`. Throws FUNCTION_VERSION_NOT_FOUND. */
export async function diffVersions(
  project: ProjectRuntime,
  slug: string,
  { from, to }: { readonly from: number | undefined; readonly to: number },
): Promise<VersionDiff> {
  const { files: newer } = await readVersion(project, slug, to);
  const other = from ?? (await findVersionBefore(project.db, slug, to));
  if (other === undefined) throw fail('FUNCTION_VERSION_NOT_FOUND', { slug, version: to - 1 });
  const { files: older } = await readVersion(project, slug, other);
  const paths = [...new Set([...Object.keys(older), ...Object.keys(newer)])].sort();
  const files = paths.flatMap((path) => fileBetween(path, older[path], newer[path]));
  return { from: other, to, files };
}

function fileBetween(path: string, before = absent, after = absent): readonly ChangedFile[] {
  if (before === after) return [];
  const kind = before === absent ? 'added' : after === absent ? 'removed' : 'changed';
  const shown = (text: string) => (text === absent ? null : text);
  return [{ path, kind, before: shown(before), after: shown(after) }];
}

/** No text of a file: PostgreSQL stores no NUL. */
const absent = '\0';
