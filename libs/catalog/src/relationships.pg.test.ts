import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import type { Catalog } from './catalog.js';
import { loadCatalog } from './load.js';
import { findRelationship } from './relationships.js';

const database = `catalog_relationships_${process.pid}_${Date.now()}`;
const server = process.env['TEST_DATABASE_URL'] ?? '';
const admin = new pg.Client(server);
const client = new pg.Client({
  connectionString: Object.assign(new URL(server), { pathname: database }).href,
});

const SETUP = `
create schema platform;
create table platform.schema_version (version bigint not null);
insert into platform.schema_version values (1);
create table cities (country text, name text, primary key (country, name));
create table people (
  id int primary key,
  country text, city text,
  mentor_id int references people,
  foreign key (country, city) references cities
);
create table passports (id int primary key, person_id int unique references people);
create table badges (person_id int primary key references people);
create table clubs (id int primary key);
create table members (
  person_id int references people, club_id int references clubs, since date,
  primary key (person_id, club_id, since)
);
create table visits (id int primary key, person_id int references people, club_id int references clubs);
create table events (id int, day date, club_id int references clubs, primary key (id, day))
  partition by range (day);
create table events_2024 partition of events for values from ('2024-01-01') to ('2025-01-01');
create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01');
create table tickets (
  id int primary key, event_id int, day date,
  foreign key (event_id, day) references events (id, day)
);
create table refunds (id int, day date, event_id int, primary key (id, day),
  foreign key (event_id, day) references events (id, day)) partition by range (day);
create table refunds_2024 partition of refunds for values from ('2024-01-01') to ('2025-01-01');
create view named_people as select * from people;
create function club_mates(people) returns setof people language sql stable as 'select * from people';
create function favourite(people) returns setof clubs rows 1 language sql stable as 'select * from clubs';
`;

let catalog: Catalog;

beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database ${database}`);
  await client.connect();
  await client.query(SETUP);
  catalog = await loadCatalog(async (text) => (await client.query(text)).rows);
});

afterAll(async () => {
  await client.end();
  await admin.query(`drop database if exists ${database} with (force)`);
  await admin.end();
});

function find(from: string, relation: string, hint?: string) {
  const table = catalog.tableByName.get(from);
  if (!table) throw new Error(`there is no table ${from}`);
  return findRelationship(catalog, table, { relation, hint });
}

test.each([
  ['a composite key', 'people', 'cities', 'foreign-key', 'one'],
  ['a composite key, back', 'cities', 'people', 'foreign-key', 'many'],
  ['back along a unique column', 'people', 'passports', 'foreign-key', 'one'],
  ['back along a primary key', 'people', 'badges', 'foreign-key', 'one'],
  ['the table itself', 'people', 'people', 'foreign-key', 'many'],
  ['the table itself by the column', 'people', 'mentor_id', 'foreign-key', 'one'],
  ['a junction with more in its primary key', 'people', 'clubs', 'junction', 'many'],
  ['a partitioned table', 'clubs', 'events', 'foreign-key', 'many'],
  ['from a partitioned table', 'events', 'clubs', 'foreign-key', 'one'],
  ['a key to a partitioned table', 'tickets', 'events', 'foreign-key', 'one'],
  ['a key to a partitioned table, back', 'events', 'tickets', 'foreign-key', 'many'],
  ['between partitioned tables', 'events', 'refunds', 'foreign-key', 'many'],
  ['a function of a row', 'people', 'club_mates', 'computed', 'many'],
  ['a function that gives one row', 'people', 'favourite', 'computed', 'one'],
])('%s', (_name, from, relation, kind, cardinality) => {
  expect(find(from, relation)).toMatchObject({ kind, cardinality });
});

test('the columns of a composite key stay in pairs', () => {
  expect(find('people', 'cities')).toMatchObject({
    pairs: [
      { from: 'country', to: 'country' },
      { from: 'city', to: 'name' },
    ],
  });
});

test.each([
  ['a partition', 'clubs', 'events_2024'],
  ['a view', 'people', 'named_people'],
])('%s is no target', (_name, from, relation) => {
  expect(() => find(from, relation)).toThrow(expect.objectContaining({ code: 'PGRST200' }));
});
