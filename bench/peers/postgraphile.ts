// PostGraphile 4, the last that runs on Node.js 20: GraphQL over the same tables, under the same policies
// with the role of a signed token. It looks no session up.

import { join } from 'node:path';
import { freePort } from '#libs/postgres-server';
import type { CaseName, HttpCall } from '../case.js';
import type { ServerChild } from '../child.js';
import { COMMENTS_SHOWN } from '../database/tables.js';
import { pageBefore } from '../reads.js';
import { startCommand } from './command.js';
import type { PeerPlace } from './place.js';

const CONNECTIONS = 16;
const POST = 'id authorId ownerId title body published createdAt';
const AUTHOR = 'authorByAuthorId { id name }';
const OF_AUTHOR = 'condition: { authorId: $key }, orderBy: ID_DESC, first: 20';
const COMMENTS = `commentsByPostId(orderBy: ID_DESC, first: ${String(COMMENTS_SHOWN)}) {
  nodes { id body ${AUTHOR} } }`;

function ask(query: string, variables?: object): HttpCall {
  return { method: 'POST', path: '/graphql', body: JSON.stringify({ query, variables }) };
}

function query(
  type: 'Int' | 'BigInt' | 'Cursor',
  selection: string,
  valueOf: (key: number) => unknown = (key) => key,
): (key: number) => HttpCall {
  const text = `query ($key: ${type}!) { ${selection.replaceAll(/\s+/g, ' ')} }`;
  return (key) => ask(text, { key: valueOf(key) });
}

/** Where the page of a key begins, as the server itself writes it for this order. */
function cursorOf(key: number): string {
  const { at, id } = pageBefore(key);
  return Buffer.from(JSON.stringify(['created_at_desc', [at, id]])).toString('base64');
}

/** The cases that it can express. */
export const POSTGRAPHILE_CALLS: Readonly<Partial<Record<CaseName, (key: number) => HttpCall>>> = {
  // A number that may not fit into a double travels as a text.
  single: query('BigInt', `postById(id: $key) { ${POST} }`, String),
  list20: query('Int', `allPosts(${OF_AUTHOR}) { nodes { ${POST} } }`),
  list1000: () => ask(`{ allPosts(first: 1000) { nodes { ${POST} } } }`),
  embed: query(
    'Cursor',
    `allPosts(condition: { published: true }, orderBy: CREATED_AT_DESC, first: 20, after: $key) {
      nodes { id title ${AUTHOR} } }`,
    cursorOf,
  ),
  nested: query('Int', `allPosts(${OF_AUTHOR}) { nodes { id title ${AUTHOR} ${COMMENTS} } }`),
  count: query('Int', `allPosts(${OF_AUTHOR}) { totalCount nodes { ${POST} } }`),
  'rpc-post': query('Int', `postsBy(author: $key) { nodes { ${POST} } }`),
};

export async function startPostgraphile(place: PeerPlace): Promise<ServerChild> {
  const port = await freePort();
  const flags = {
    connection: place.databaseUrl,
    schema: 'public',
    host: '127.0.0.1',
    port: String(port),
    'max-pool-size': String(CONNECTIONS),
    'jwt-secret': place.jwtSecret,
    'jwt-verify-audience': '',
  };
  return startCommand({
    cwd: place.folder,
    port,
    args: [
      join(place.folder, 'node_modules/postgraphile/cli.js'),
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
      '--disable-query-log',
      '--disable-graphiql',
    ],
  });
}
