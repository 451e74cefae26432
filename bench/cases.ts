// The table of what is measured: each case is the same work asked of every target in its own words.

import { AUTHORS, POSTS } from './database/tables.js';

export const CASE_NAMES = ['single', 'list20', 'list1000', 'insert'] as const;
export type CaseName = (typeof CASE_NAMES)[number];

/** A request without its headers. */
export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

export interface BenchCase {
  readonly name: CaseName;
  readonly title: string;
  /** How many rows the reply holds; an insert answers none. */
  readonly rows: number;
  readonly isRead: boolean;
  /** The statement of the baselines; `:n`, at most once, is a number from 1 to `keys`. */
  readonly sql: string;
  readonly keys: number;
  productCall(key: number): HttpCall;
  peerCall(key: number): HttpCall;
}

// The baselines let PostgreSQL build the whole answer, which is what an SQL client would do.
function asJson(select: string): string {
  return `select coalesce(json_agg(t), '[]'::json)::text from (${select}) t`;
}

export const CASES: readonly BenchCase[] = [
  {
    name: 'single',
    title: 'single row by key',
    rows: 1,
    isRead: true,
    sql: asJson('select * from public.posts where id = :n'),
    keys: POSTS,
    productCall: (key) => ({ method: 'GET', path: `/rest/v1/posts?id=eq.${String(key)}` }),
    peerCall: (key) => ({ method: 'GET', path: `/posts/${String(key)}` }),
  },
  {
    name: 'list20',
    title: '20 rows of one author',
    rows: 20,
    isRead: true,
    sql: asJson('select * from public.posts where author_id = :n order by id desc limit 20'),
    keys: AUTHORS,
    productCall: (key) => ({
      method: 'GET',
      path: `/rest/v1/posts?author_id=eq.${String(key)}&order=id.desc&limit=20`,
    }),
    peerCall: (key) => ({ method: 'GET', path: `/posts?authorId=${String(key)}&limit=20` }),
  },
  {
    name: 'list1000',
    title: '1,000 rows',
    rows: 1000,
    isRead: true,
    sql: asJson('select * from public.posts limit 1000'),
    keys: 1,
    productCall: () => ({ method: 'GET', path: '/rest/v1/posts?limit=1000' }),
    peerCall: () => ({ method: 'GET', path: '/posts?limit=1000' }),
  },
  {
    name: 'insert',
    title: 'insert one row',
    rows: 0,
    isRead: false,
    sql: `insert into public.posts (author_id, title, body)
            values (:n, 'A new post', 'What the new post says')`,
    keys: AUTHORS,
    productCall: (key) => ({
      method: 'POST',
      path: '/rest/v1/posts',
      body: JSON.stringify({
        author_id: key,
        title: 'A new post',
        body: 'What the new post says',
      }),
    }),
    peerCall: (key) => ({
      method: 'POST',
      path: '/posts',
      body: JSON.stringify({ authorId: key, title: 'A new post', body: 'What the new post says' }),
    }),
  },
];
