// A deployment as a team may have it after some weeks: a shop with customers, orders, files and requests, and projects
// beside it. The product is started as its users start it, in an empty folder.
import sharp from 'sharp';

import { liftLimits } from '../soak/run-soak.js';
import type { ProjectUnderTest } from '../support/project.js';
import { asRecord } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import { TrialDeployment } from '../trial/deployment.js';
import { revenueByDay, shopOrders, shopTables, visits } from './shop-sql.js';

const shopRef = 'shop';
/** The projects beside it, each with its requests in a minute. */
const others = [
  { ref: 'warehouse', name: 'Warehouse', perMinute: 41 },
  { ref: 'recipes', name: 'Recipe blog', perMinute: 12 },
  { ref: 'club', name: 'Running club', perMinute: 3 },
  { ref: 'desk', name: 'Support desk', perMinute: 64 },
  { ref: 'survey', name: 'Field survey', perMinute: 7 },
  { ref: 'photos', name: 'Photo archive', perMinute: 28 },
  { ref: 'staging', name: 'Corner shop (staging)', perMinute: 0 },
] as const;

const people = [
  'Ada Lovelace',
  'Alan Turing',
  'Barbara Liskov',
  'Donald Knuth',
  'Edsger Dijkstra',
  'Frances Allen',
  'Grace Hopper',
  'Hedy Lamarr',
  'Jean Bartik',
  'Katherine Johnson',
  'Margaret Hamilton',
  'Radia Perlman',
];
const password = 'correct horse battery';

export interface Shop {
  readonly deployment: TrialDeployment;
  readonly ref: string;
  /** The id of a saved query. */
  readonly queryId: string;
}

/** Fills an empty deployment. `visitCount` is how many rows the largest table has. */
export async function fillShop(deployment: TrialDeployment, visitCount: number): Promise<Shop> {
  const project = deployment.projectIn(
    shopRef,
    await sent(deployment.console(newProject({ ref: shopRef, name: 'Corner shop' }))),
  );
  await liftLimits(project);
  await turnOnProviders(project);
  await project.sql(shopTables);
  await project.sql(visits(visitCount));
  const tokens = await signUpPeople(project);
  // Accounts are closed to the owner of the project.
  for (const statement of shopOrders) await deployment.ask(statement, project.database);
  await addOrganizations(project, tokens);
  await addFiles(project);
  await useApi(project, tokens);
  await addTeam(deployment);
  const queryId = await addQueries(deployment);
  for (const { ref, name } of others) {
    // One after the other, as people make them.
    await sent(deployment.console(newProject({ ref, name })));
  }
  await sent(
    deployment.console({ method: 'POST', path: '/platform/projects/staging/pause', body: {} }),
  );
  await ageData(deployment, project);
  return { deployment, ref: shopRef, queryId };
}

function newProject(body: { readonly ref: string; readonly name: string }): Call {
  return { method: 'POST', path: '/platform/projects', body };
}

/** Returns the session tokens of the new users. */
async function signUpPeople(project: ProjectUnderTest): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (const name of people) {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.org`;
    const call = { method: 'POST', path: '/api/auth/sign-up/email' };
    // In this order: their ids and times follow it.
    const reply = await sent(project.send({ ...call, body: { email, password, name } }));
    tokens.push(String(asRecord(reply.body)['token']));
  }
  return tokens;
}

/** Cafés that buy together, each made by another user. */
async function addOrganizations(
  project: ProjectUnderTest,
  tokens: readonly string[],
): Promise<void> {
  const made = [
    { name: 'Corner café', slug: 'corner-cafe' },
    { name: 'Grinders’ guild', slug: 'grinders-guild' },
    { name: 'Harbor roasters', slug: 'harbor-roasters' },
  ];
  for (const [at, body] of made.entries()) {
    const headers = { authorization: `Bearer ${tokens[at]}` };
    const path = '/api/auth/organization/create';
    await sent(project.send({ method: 'POST', path, headers, body }));
  }
}

/** One that is set up, and one that still needs its client. */
async function turnOnProviders(project: ProjectUnderTest): Promise<void> {
  const body = {
    github: { enabled: true, clientId: 'corner-shop', clientSecret: 'of the example' },
    google: { enabled: true },
  };
  await sent(project.asService({ method: 'PUT', path: '/api/admin/settings/auth.social', body }));
}

const colors = ['#b4532a', '#2f6f5e', '#3b5b92', '#8a6d1f', '#6b4a7d', '#4d5a63'];

async function addFiles(project: ProjectUnderTest): Promise<void> {
  for (const body of [
    { slug: 'products', name: 'Pictures of products', public: true },
    { slug: 'invoices', name: 'Invoices' },
  ]) {
    const call = { method: 'POST', path: '/api/admin/storage/buckets', body };
    await sent(project.asService(call));
  }
  for (const [at, color] of colors.entries()) {
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360">
      <rect width="480" height="360" fill="${color}"/><circle cx="240" cy="180" r="${70 + at * 8}" fill="#fff"/></svg>`;
    const png = await sharp(Buffer.from(picture)).png().toBuffer();
    await upload(project, `products/product-${at + 1}.png?visibility=public`, 'image/png', png);
    const text = Buffer.from(`Invoice ${2041 + at}\n\nMoka pot  34.90\n`);
    await upload(project, `invoices/2026/${2041 + at}.txt`, 'text/plain', text);
  }
}

async function upload(
  project: ProjectUnderTest,
  path: string,
  type: string,
  body: Buffer,
): Promise<void> {
  const headers = { 'content-type': type, 'content-length': String(body.length) };
  await sent(
    project.asService({ method: 'PUT', path: `/api/files/object/${path}`, headers, body }),
  );
}

/** Requests as apps make them; some are refused. */
async function useApi(project: ProjectUnderTest, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    const headers = { authorization: `Bearer ${token}` };
    await project.send({ path: '/rest/v1/products?select=name,price&order=name' });
    await project.send({ path: '/rest/v1/orders?select=*,order_items(*)', headers });
    await project.send({ path: '/rest/v1/best_seller?days=eq.7', headers });
    await project.send({ method: 'POST', path: '/rest/v1/products', headers, body: { name: 'x' } });
  }
}

/** An invitation, and one more key. */
async function addTeam(deployment: TrialDeployment): Promise<void> {
  const path = `/platform/projects/${shopRef}`;
  const { body } = await sent(deployment.console({ method: 'GET', path }));
  const { organizationId } = asRecord(body);
  const invitation = { email: 'grace@example.org', organizationId, role: 'developer' };
  const calls = [
    { path: '/platform/operators/invitations', body: invitation },
    { path: `${path}/keys`, body: { kind: 'publishable' } },
  ];
  for (const call of calls) await sent(deployment.console({ method: 'POST', ...call }));
}

/** Returns the id of the first query. */
async function addQueries(deployment: TrialDeployment): Promise<string> {
  const path = `/platform/projects/${shopRef}/api/admin/queries`;
  const add = (body: object): Promise<Reply> =>
    sent(deployment.console({ method: 'POST', path, body }));
  const { body } = await add({ name: 'Revenue by day', sql: revenueByDay, isShared: true });
  await add({ name: 'Best sellers of the week', sql: 'select * from best_sellers(7);' });
  return String(asRecord(body)['id']);
}

/** Spreads projects, users and usage over the last weeks. */
async function ageData(deployment: TrialDeployment, project: ProjectUnderTest): Promise<void> {
  await deployment.ask(
    `update auth."user" set "createdAt" = now() - place * interval '2 days 5 hours',
       role = case place when 7 then 'ADMIN' else 'USER' end,
       status = case place when 4 then 'inactive' else 'active' end
     from (select id, row_number() over (order by email) as place from auth."user") placed
     where placed.id = "user".id`,
    project.database,
  );
  await deployment.ask(
    `update auth.last_sign_in set at = now() - (place * place) % 23 * interval '5 hours'
     from (select id, row_number() over (order by email) as place from auth."user") placed
     where placed.id = "userId"`,
    project.database,
  );
  const busy = [
    { ref: shopRef, perMinute: 96 },
    ...others.filter(({ perMinute }) => perMinute > 0),
  ];
  for (const { ref, perMinute } of busy) {
    await deployment.ask(usageSql(ref, perMinute, { table: 'minute', times: 1500 }));
    await deployment.ask(usageSql(ref, perMinute * 1440, { table: 'day', times: 29 }));
  }
  await deployment.ask(
    `update project set measured_at = now(), created_at = created_at - place * interval '9 days 4 hours',
       storage_bytes = place * place * 7300000, database_bytes = 12000000 + place * 3700000
     from (select ref, row_number() over (order by created_at desc) as place from project) placed
     where placed.ref = project.ref`,
  );
}

/** More by day than by night, with a few errors. */
function usageSql(
  ref: string,
  requests: number,
  { table, times }: { readonly table: 'minute' | 'day'; readonly times: number },
): string {
  return `insert into project_usage_${table}
    select '${ref}', at, count, count / 60, case when n % 97 = 0 then 1 else 0 end, count * 310, count * 2400,
      count / 25, 3, array[0, count / 10, count * 4 / 10, count * 3 / 10, count / 10, count / 20, 0, 0, 0, 0, 0, 0, 0, 0]
    from (select n, date_trunc('${table}', now()) - n * interval '1 ${table}' as at,
      (${requests} * (1 + 0.6 * sin(n / 229.0) + 0.2 * sin(n / 13.0)))::int8 as count
      from generate_series(1, ${times}) n) steps
    on conflict do nothing`;
}

/** Throws unless the server has accepted. */
async function sent(asking: Promise<Reply>): Promise<Reply> {
  const reply = await asking;
  if (reply.status >= 300)
    throw new Error(`the shop is not complete: ${reply.status} ${reply.text}`);
  return reply;
}
