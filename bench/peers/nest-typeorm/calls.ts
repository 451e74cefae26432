// The cases in the words of the NestJS application.

import type { CaseName, HttpCall } from '../../case.js';
import { pageBefore } from '../../reads.js';

function list(path: string): (key: number) => HttpCall {
  return (key) => ({ method: 'GET', path: `${path}?authorId=${String(key)}&limit=20` });
}

/** The cases that it has a route for. */
export const TYPEORM_CALLS: Readonly<Partial<Record<CaseName, (key: number) => HttpCall>>> = {
  single: (key) => ({ method: 'GET', path: `/posts/${String(key)}` }),
  list20: list('/posts'),
  list1000: () => ({ method: 'GET', path: '/posts?limit=1000' }),
  embed: (key) => ({
    method: 'GET',
    path: `/posts/with-author?before=${pageBefore(key).at}&limit=20`,
  }),
  nested: list('/posts/with-comments'),
  count: list('/posts/counted'),
  insert: (key) => ({
    method: 'POST',
    path: '/posts',
    body: JSON.stringify({ authorId: key, title: 'A new post', body: 'What the new post says' }),
  }),
};
