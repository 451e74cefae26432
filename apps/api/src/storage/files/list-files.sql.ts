import { fileJson } from '../core/stored-file.js';

export const FILE_ORDERS = ['name', 'key', 'size', 'createdAt', 'updatedAt'] as const;
export type FileOrder = (typeof FILE_ORDERS)[number];
export type Direction = 'asc' | 'desc';

/** What of a listing is in its text; the rest are values. */
export interface ListShape {
  /** Callers meet their policies, the platform none. */
  readonly reader: 'caller' | 'platform';
  /** All files below the prefix; otherwise those right below it, and the folders there. */
  readonly isRecursive: boolean;
  readonly order: FileOrder;
  readonly direction: Direction;
}

const COLUMNS: Readonly<Record<FileOrder, string>> = {
  name: 'name',
  key: 'key',
  size: 'size',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/**
 * One row with one JSON value: whether there is the bucket, how many entries match, and a page of them, folders
 * first. The values are bucket, prefix, the text behind the last key with that prefix or null, what names must
 * contain or null, limit and offset.
 */
export function listText({ reader, isRecursive, order, direction }: ListShape): string {
  const files = reader === 'caller' ? 'storage.files' : 'storage.stored_files';
  const sorting = `${COLUMNS[order]} ${direction}, key`;
  const folderDirection = order === 'name' || order === 'key' ? direction : 'asc';
  return `with named as (
    select f.id, f.key, f.size, f.created_at, f.updated_at, ${nameColumns(isRecursive)}
    from ${files} f
    where f.bucket = $1::text and f.key > $2::text and ($3::text is null or f.key < $3::text)
  ), matching as materialized (
    select * from named
    where $4::text is null or strpos(lower(name collate "default"), lower($4::text)) > 0
  ), folders as (
    select distinct name from matching where is_folder
  ), folder_page as (
    select name from folders order by name ${folderDirection} limit $5::bigint offset $6::bigint
  ), file_page as (
    select id, row_number() over (order by ${sorting}) as place
    from matching where not is_folder
    order by ${sorting}
    limit $5::bigint - (select count(*) from folder_page)
    offset greatest(0, $6::bigint - (select count(*) from folders))
  )
  select json_build_object(
    'hasBucket', exists (select from storage.buckets where slug = $1::text),
    'total', (select count(*) from folders) + (select count(*) from matching where not is_folder),
    'folders', coalesce((select json_agg(name order by name ${folderDirection}) from folder_page), '[]'),
    'files', coalesce((
      select json_agg(${fileJson('f')} order by file_page.place)
      from file_page join ${files} f using (id) join storage.buckets b on b.slug = f.bucket
    ), '[]')
  ) as page`;
}

/** Of a file its name, of what lies deeper the name of the folder. */
function nameColumns(isRecursive: boolean): string {
  if (isRecursive) return `split_part(f.key, '/', -1) as name, false as is_folder`;
  const rest = 'substr(f.key, length($2::text) + 1)';
  return `split_part(${rest}, '/', 1) as name, strpos(${rest}, '/') > 0 as is_folder`;
}
