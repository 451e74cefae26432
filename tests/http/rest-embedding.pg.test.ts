// Spec, "Embedding" below the filter operators, and what goes beyond it: aggregates, spread, null filters
// on embeds, order by a to-one relation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table authors (id int primary key, name text);
    create table books (
      id int primary key, title text,
      author_id int references authors (id),
      translator_id int constraint translated_by references authors (id));
    create table covers (book_id int primary key references books (id), color text);
    create table tags (id int primary key, word text);
    create table book_tags (
      book_id int references books (id), tag_id int references tags (id), primary key (book_id, tag_id));
    create table folders (id int primary key, name text, parent_id int references folders (id));
    create table shelves (deployment int, place int, label text, primary key (deployment, place));
    create table copies (
      id int primary key, deployment int, place int,
      foreign key (deployment, place) references shelves (deployment, place));
    create function is_long(books) returns boolean immutable language sql
      as 'select length($1.title) > 5';
    create function namesakes(books) returns setof authors stable rows 10 language sql
      as 'select * from authors where name = $1.title';
    create policy everybody on authors using (true);
    create policy everybody on books using (true);
    create policy everybody on covers using (true);
    create policy everybody on tags using (true);
    create policy everybody on book_tags using (true);
    create policy everybody on folders using (true);
    create policy everybody on shelves using (true);
    create policy everybody on copies using (true);
    insert into authors values (1, 'Ann'), (2, 'Bo'), (3, 'Cy');
    insert into books values (1, 'Alpha', 1, 2), (2, 'Beta', 1, null), (3, 'Bo', 2, 1), (4, 'Delta', null, null);
    insert into covers values (1, 'red'), (3, 'blue');
    insert into tags values (1, 'old'), (2, 'new');
    insert into book_tags values (1, 1), (1, 2), (2, 2);
    insert into folders values (1, 'root', null), (2, 'home', 1), (3, 'docs', 2);
    insert into shelves values (1, 1, 'A'), (1, 2, 'B');
    insert into copies values (1, 1, 2), (2, null, null);`);
});
afterAll(() => sky.close());

interface Row {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
}

const expectRows = async ({ path, body }: Row) => {
  const reply = await sky.get(path);
  expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body });
};

describe('foreign keys resolve in both directions', () => {
  test.each<Row>([
    {
      name: 'to one: select=id,title,author(id,name)',
      path: 'planets?select=id,name,stars(id,name)&id=in.(1,6)&order=id',
      body: [
        { id: 1, name: 'Mercury', stars: { id: 1, name: 'Sun' } },
        { id: 6, name: 'null', stars: null },
      ],
    },
    {
      name: 'to many',
      path: 'stars?select=name,planets(id)&order=id&planets.order=id',
      body: [
        { name: 'Sun', planets: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] },
        { name: 'Proxima', planets: [{ id: 5 }] },
        { name: 'Vega', planets: [] },
      ],
    },
    {
      name: 'one to one is an object on both sides',
      path: 'books?select=id,covers(color,books(id))&id=lte.2&order=id',
      body: [
        { id: 1, covers: { color: 'red', books: { id: 1 } } },
        { id: 2, covers: null },
      ],
    },
    {
      name: 'many to many through a junction',
      path: 'books?select=id,tags(word)&id=lte.2&order=id&tags.order=id',
      body: [
        { id: 1, tags: [{ word: 'old' }, { word: 'new' }] },
        { id: 2, tags: [{ word: 'new' }] },
      ],
    },
    {
      name: 'a foreign key of two columns',
      path: 'copies?select=id,shelves(label)&order=id',
      body: [
        { id: 1, shelves: { label: 'B' } },
        { id: 2, shelves: null },
      ],
    },
    {
      name: 'a table and itself, by the column to the parent, by the foreign key to the children',
      path: 'folders?select=name,parent:parent_id(name),children:folders!parent_id(name)&id=eq.2',
      body: [{ name: 'home', parent: { name: 'root' }, children: [{ name: 'docs' }] }],
    },
    {
      name: 'to any depth',
      path: 'moons?select=name,planets(name,stars(name,planets(id)))&id=eq.1&planets.stars.planets.limit=1&planets.stars.planets.order=id',
      body: [
        { name: 'Moon', planets: { name: 'Earth', stars: { name: 'Sun', planets: [{ id: 1 }] } } },
      ],
    },
    {
      name: 'with an alias, which filters and order then address',
      path: 'planets?select=id,satellites:moons(name)&id=eq.4&satellites.order=name.desc&satellites.limit=1',
      body: [{ id: 4, satellites: [{ name: 'Titan' }] }],
    },
    {
      name: 'one table twice under two aliases',
      path: 'planets?select=small:moons(id),large:moons(id)&id=eq.4&small.radius=lt.200&large.radius=gt.2000',
      body: [{ small: [{ id: 2 }], large: [{ id: 4 }] }],
    },
  ])('$name', expectRows);
});

describe('!inner / !left choose the join', () => {
  test.each<Row>([
    {
      name: 'without, a filter on the embed keeps every parent',
      path: 'planets?select=id,moons(id)&moons.radius=gt.2000&id=in.(3,4)&order=id',
      body: [
        { id: 3, moons: [] },
        { id: 4, moons: [{ id: 4 }] },
      ],
    },
    {
      name: '!left is the same',
      path: 'planets?select=id,moons!left(id)&moons.radius=gt.2000&id=in.(3,4)&order=id',
      body: [
        { id: 3, moons: [] },
        { id: 4, moons: [{ id: 4 }] },
      ],
    },
    {
      name: '!inner keeps the parents with a row',
      path: 'planets?select=id,moons!inner(id)&moons.radius=gt.2000',
      body: [{ id: 4, moons: [{ id: 4 }] }],
    },
    {
      name: '!inner to one',
      path: 'planets?select=id,stars!inner(name)&stars.name=eq.Proxima',
      body: [{ id: 5, stars: { name: 'Proxima' } }],
    },
    {
      name: '!inner at depth',
      path: 'stars?select=id,planets!inner(id,moons!inner(id))&planets.moons.name=eq.Moon',
      body: [{ id: 1, planets: [{ id: 3, moons: [{ id: 1 }] }] }],
    },
    {
      name: 'null filters on embeds: relation=is.null',
      path: 'stars?select=name,planets()&planets=is.null',
      body: [{ name: 'Vega' }],
    },
    {
      name: 'also in a logic tree: relation.not.is.null',
      path: 'stars?select=name,planets()&or=(name.eq.Vega,planets.not.is.null)&planets.kind=eq.gas&order=id',
      body: [{ name: 'Sun' }, { name: 'Vega' }],
    },
  ])('$name', expectRows);

  test('the count follows the join', async () => {
    const path = 'stars?select=id,planets!inner(id,moons!inner(id))';
    const reply = await sky.get(path, { prefer: 'count=exact' });
    expect(reply.headers['content-range']).toBe('0-0/1');
    const head = await sky.send('HEAD', path, { headers: { prefer: 'count=exact' } });
    expect(head.headers['content-range']).toBe('0-0/1');
  });
});

describe('any other !hint names the foreign key to disambiguate', () => {
  test('more than one is 300 PGRST201 with the candidates in details', async () => {
    const reply = await sky.get('books?select=id,authors(name)');
    expect(reply.status).toBe(300);
    expect(reply.body).toMatchObject({ code: 'PGRST201', status: 300 });
    expect(reply.text).toContain('books_author_id_fkey');
    expect(reply.text).toContain('translated_by');
  });

  test.each<Row>([
    {
      name: 'by the name of the constraint',
      path: 'books?select=authors!translated_by(name)&id=eq.1',
      body: [{ authors: { name: 'Bo' } }],
    },
    {
      name: 'by the column',
      path: 'books?select=authors!author_id(name)&id=eq.1',
      body: [{ authors: { name: 'Ann' } }],
    },
    {
      name: 'from the other side',
      path: 'authors?select=books!translated_by(id)&id=eq.1',
      body: [{ books: [{ id: 3 }] }],
    },
    {
      name: 'by the junction',
      path: 'books?select=tags!book_tags(word)&id=eq.2',
      body: [{ tags: [{ word: 'new' }] }],
    },
    {
      name: 'with a join, in either order',
      path: 'books?select=id,a:authors!inner!translated_by(id),b:authors!author_id!inner(id)&order=id',
      body: [
        { id: 1, a: { id: 2 }, b: { id: 1 } },
        { id: 3, a: { id: 1 }, b: { id: 2 } },
      ],
    },
  ])('$name', expectRows);

  test.each([
    { name: 'a table that nothing leads to', path: 'books?select=planets(id)', code: 'PGRST200' },
    { name: 'an unknown relation', path: 'books?select=nothing(id)', code: 'PGRST200' },
    {
      name: 'a hint that fits nothing',
      path: 'books?select=authors!nothing(id)',
      code: 'PGRST200',
    },
    { name: 'a filter on what is not embedded', path: 'books?authors.id=eq.1', code: 'PGRST108' },
    { name: 'an unknown column inside', path: 'planets?select=moons(nothing)', code: 'PGRST204' },
  ])('$name is 400 $code', async ({ path, code }) => {
    const reply = await sky.get(path);
    expect([reply.status, reply.body]).toMatchObject([400, { code, status: 400 }]);
  });
});

describe('beyond the specification', () => {
  test.each<Row>([
    {
      name: 'spread of a to-one relation',
      path: 'planets?select=name,...stars(star:name)&id=eq.5',
      body: [{ name: 'b', star: 'Proxima' }],
    },
    {
      name: 'spread of a to-many relation',
      path: 'planets?select=id,...moons(names:name)&id=eq.4&moons.order=id',
      body: [{ id: 4, names: ['Mimas', 'Rhea', 'Titan'] }],
    },
    {
      name: 'order by a to-one relation',
      path: 'planets?select=id,stars()&order=stars(name).asc,id.desc&id=in.(1,2,5)',
      body: [{ id: 5 }, { id: 2 }, { id: 1 }],
    },
    {
      name: 'aggregates by group',
      path: 'planets?select=kind,count(),mass.max()&kind=not.is.null&order=kind',
      body: [
        { kind: 'gas', count: 1, max: 95.16 },
        { kind: 'rocky', count: 4, max: 1.07 },
      ],
    },
    {
      name: 'aggregates of an embed',
      path: 'planets?select=id,moons(count())&id=in.(1,4)&order=id',
      body: [
        { id: 1, moons: [{ count: 0 }] },
        { id: 4, moons: [{ count: 3 }] },
      ],
    },
    {
      name: 'computed columns',
      path: 'books?select=id,is_long&is_long=is.false&order=is_long,id',
      body: [
        { id: 1, is_long: false },
        { id: 2, is_long: false },
        { id: 3, is_long: false },
        { id: 4, is_long: false },
      ],
    },
    {
      name: 'computed relations',
      path: 'books?select=id,namesakes(id)&id=eq.3',
      body: [{ id: 3, namesakes: [{ id: 2 }] }],
    },
  ])('$name', expectRows);
});
