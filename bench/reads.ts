// The cases that read. The baselines let PostgreSQL build the whole answer, which is what an SQL client
// would do.

import type { BenchCase, Evidence, HttpCall } from './case.js';
import {
  AUTHORS,
  COMMENTS_SHOWN,
  FIRST_POST_AT,
  POSTS,
  POSTS_OF_AUTHOR,
} from './database/tables.js';

function asJson(select: string): string {
  return `select coalesce(json_agg(t), '[]'::json)::text from (${select}) t`;
}

function get(path: string): HttpCall {
  return { method: 'GET', path };
}

/** By their titles; the second one is that of posts which the insert case has made. */
function posts(times: number): Evidence {
  return { pattern: /"(?:Post \d+|A new post)"/g, times };
}

function authors(times: number): Evidence {
  return { pattern: /"Author \d+"/g, times };
}

/** A page of 20 posts ends before this post, for every key; `at` is when it was made. */
export function pageBefore(key: number): { readonly id: number; readonly at: string } {
  const id = key + 21;
  return { id, at: new Date((FIRST_POST_AT + 60 * id) * 1000).toISOString() };
}

const ofAuthor = (author: number): string => `author_id=eq.${String(author)}`;
const NEWEST_20 = 'order=id.desc&limit=20';

const AUTHOR_SQL = (id: string): string =>
  `(select row_to_json(a) from (select id, name from public.authors where id = ${id}) a) as author`;

const COMMENTS_SQL = `(select coalesce(json_agg(c), '[]'::json) from (
  select m.id, m.body, ${AUTHOR_SQL('m.author_id')} from public.comments m
   where m.post_id = p.id order by m.id desc limit ${String(COMMENTS_SHOWN)}) c) as comments`;

const LISTS: readonly BenchCase[] = [
  {
    name: 'single',
    title: 'single row by key',
    isRead: true,
    rowsWritten: 0,
    evidence: [posts(1)],
    statements: [asJson('select * from public.posts where id = :n')],
    keys: POSTS,
    baselines: ['baseline', 'baseline-serial', 'baseline-claims'],
    isCrowded: true,
    productCall: (key) => get(`/rest/v1/posts?id=eq.${String(key)}`),
  },
  {
    name: 'list20',
    title: '20 rows of one author',
    isRead: true,
    rowsWritten: 0,
    evidence: [posts(20)],
    statements: [
      asJson('select * from public.posts where author_id = :n order by id desc limit 20'),
    ],
    keys: AUTHORS,
    baselines: ['baseline', 'baseline-serial'],
    isCrowded: true,
    productCall: (key) => get(`/rest/v1/posts?${ofAuthor(key)}&${NEWEST_20}`),
  },
  {
    name: 'list1000',
    title: '1,000 rows',
    isRead: true,
    rowsWritten: 0,
    evidence: [posts(1000)],
    statements: [asJson('select * from public.posts limit 1000')],
    keys: 1,
    baselines: ['baseline', 'baseline-claims'],
    isCrowded: false,
    productCall: () => get('/rest/v1/posts?limit=1000'),
  },
];

const EMBEDS: readonly BenchCase[] = [
  {
    name: 'embed',
    title: 'a page of 20 published posts with their authors',
    isRead: true,
    rowsWritten: 0,
    evidence: [posts(20), authors(20)],
    statements: [
      asJson(`select p.id, p.title, ${AUTHOR_SQL('p.author_id')} from public.posts p
               where p.created_at < to_timestamp(${String(FIRST_POST_AT)} + 60 * (:n + 21))
                 and p.published is true order by p.created_at desc limit 20`),
    ],
    keys: POSTS - 21,
    baselines: ['baseline', 'baseline-serial'],
    isCrowded: true,
    productCall: (key) =>
      get(
        `/rest/v1/posts?select=id,title,author:authors(id,name)` +
          `&created_at=lt.${pageBefore(key).at}&published=is.true&order=created_at.desc&limit=20`,
      ),
  },
  {
    name: 'nested',
    title: `20 posts with author and ${String(COMMENTS_SHOWN)} comments, each with its author`,
    isRead: true,
    rowsWritten: 0,
    evidence: [
      posts(20),
      authors(20 + 20 * COMMENTS_SHOWN),
      { pattern: /"Comment \d+"/g, times: 20 * COMMENTS_SHOWN },
    ],
    statements: [
      asJson(`select p.id, p.title, ${AUTHOR_SQL('p.author_id')}, ${COMMENTS_SQL}
                from public.posts p where p.author_id = :n order by p.id desc limit 20`),
    ],
    keys: AUTHORS,
    baselines: ['baseline'],
    isCrowded: false,
    productCall: (key) =>
      get(
        `/rest/v1/posts?select=id,title,author:authors(id,name),` +
          `comments(id,body,author:authors(id,name))&${ofAuthor(key)}&${NEWEST_20}` +
          `&comments.order=id.desc&comments.limit=${String(COMMENTS_SHOWN)}`,
      ),
  },
];

const COUNTED = {
  pattern: new RegExp(`(?:/|"(?:total|totalCount)":)${String(POSTS_OF_AUTHOR)}\\b`, 'g'),
  times: 1,
};

const FUNCTION_SQL = asJson('select * from public.posts_by(:n)');

const COUNT_AND_FUNCTIONS: readonly BenchCase[] = [
  {
    name: 'count',
    title: '20 rows of one author and how many there are',
    isRead: true,
    rowsWritten: 0,
    evidence: [posts(20), COUNTED],
    statements: [
      asJson('select * from public.posts where author_id = :n order by id desc limit 20'),
      'select count(*) from public.posts where author_id = :n',
    ],
    keys: AUTHORS,
    baselines: ['baseline'],
    isCrowded: false,
    productCall: (key) => ({
      ...get(`/rest/v1/posts?${ofAuthor(key)}&${NEWEST_20}`),
      headers: { prefer: 'count=exact' },
    }),
  },
  {
    name: 'rpc-get',
    title: 'function call by GET, 20 rows',
    isRead: true,
    rowsWritten: 0,
    evidence: [posts(20)],
    statements: [FUNCTION_SQL],
    keys: AUTHORS,
    baselines: ['baseline'],
    isCrowded: false,
    productCall: (key) => get(`/rest/v1/rpc/posts_by?author=${String(key)}`),
  },
  {
    name: 'rpc-post',
    title: 'function call by POST, 20 rows',
    isRead: true,
    rowsWritten: 0,
    evidence: [posts(20)],
    statements: [FUNCTION_SQL],
    keys: AUTHORS,
    baselines: ['baseline'],
    isCrowded: false,
    productCall: (key) => ({
      method: 'POST',
      path: '/rest/v1/rpc/posts_by',
      body: JSON.stringify({ author: key }),
    }),
  },
];

export const READS: readonly BenchCase[] = [...LISTS, ...EMBEDS, ...COUNT_AND_FUNCTIONS];
