import { fileJson, followsBucketOf, listedMetadata } from '../core/stored-file.js';

export const FILE_ORDERS = ['name', 'key', 'size', 'createdAt', 'updatedAt'] as const;
export type FileOrder = (typeof FILE_ORDERS)[number];
export type Direction = 'asc' | 'desc';

/** The parts of a listing that are in the SQL text; the rest are values. */
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
  const fileValue = fileJson('f', {
    userMetadata: listedMetadata('f'),
    ...(reader === 'caller' && { followsBucket: followsBucketOf('f', 'b.public') }),
  });
  return `with named as (
    select f.id, f.key, f.size, f.created_at, f.updated_at, ${nameColumns(isRecursive)}
    from ${files} f
    where f.bucket operator(pg_catalog.=) $1::pg_catalog.text
      and f.key operator(pg_catalog.>) $2::pg_catalog.text
      and ($3::pg_catalog.text is null or f.key operator(pg_catalog.<) $3::pg_catalog.text)
  ), matching as materialized (
    select * from named
    where $4::pg_catalog.text is null or pg_catalog.strpos(
      pg_catalog.lower(name collate pg_catalog."default"), pg_catalog.lower($4::pg_catalog.text)
    ) operator(pg_catalog.>) 0
  ), folders as (
    select distinct name from matching where is_folder
  ), folder_page as (
    select name from folders order by name ${folderDirection}
    limit $5::pg_catalog.int8 offset $6::pg_catalog.int8
  ), counted as (
    select pg_catalog.count(*) as folders, (select pg_catalog.count(*) from folder_page) as shown
    from folders
  ), file_page as (
    select id, pg_catalog.row_number() over (order by ${sorting}) as place
    from matching where not is_folder
    order by ${sorting}
    limit $5::pg_catalog.int8 operator(pg_catalog.-) (select shown from counted)
    offset greatest(0, $6::pg_catalog.int8 operator(pg_catalog.-) (select folders from counted))
  )
  select pg_catalog.json_build_object(
    'hasBucket', exists (
      select from storage.buckets where slug operator(pg_catalog.=) $1::pg_catalog.text
    ),
    'total', (select folders from counted)
      operator(pg_catalog.+) (select pg_catalog.count(*) from matching where not is_folder),
    'folders', coalesce(
      (select pg_catalog.json_agg(name order by name ${folderDirection}) from folder_page), '[]'
    ),
    'files', coalesce((
      select pg_catalog.json_agg(${fileValue} order by file_page.place)
      from file_page
      join ${files} f on f.id operator(pg_catalog.=) file_page.id
      join storage.buckets b on b.slug operator(pg_catalog.=) f.bucket
    ), '[]')
  ) as page`;
}

/** Of a file its name, of what lies deeper the name of the folder. */
function nameColumns(isRecursive: boolean): string {
  if (isRecursive) return `pg_catalog.split_part(f.key, '/', -1) as name, false as is_folder`;
  const rest =
    'pg_catalog.substr(f.key, pg_catalog.length($2::pg_catalog.text) operator(pg_catalog.+) 1)';
  return `pg_catalog.split_part(${rest}, '/', 1) as name,
    pg_catalog.strpos(${rest}, '/') operator(pg_catalog.>) 0 as is_folder`;
}
