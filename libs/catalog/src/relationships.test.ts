import { describe, expect, test } from 'vitest';
import { AppError } from '#libs/errors';
import { filmCatalog } from '../tests/film-catalog.js';
import type { Table } from './catalog.js';
import type { Relationship } from './relationship.js';
import { findRelationship } from './relationships.js';

function tableOf(name: string): Table {
  const found = filmCatalog.tableByName.get(name);
  if (!found) throw new Error(`there is no table ${name}`);
  return found;
}

/** `from`, then the relation with its hint: `orders`, `addresses!billing`. */
function find(from: string, text: string): Relationship {
  const [relationName = '', hint] = text.split('!');
  return findRelationship(filmCatalog, tableOf(from), { relation: relationName, hint });
}

function describeWay(relationship: Relationship): string {
  const { kind, cardinality, to } = relationship;
  const pairs = (list: readonly { readonly from: string; readonly to: string }[]) =>
    list.map((pair) => `${pair.from}=${pair.to}`).join(' ');
  switch (relationship.kind) {
    case 'foreign-key':
      return `${cardinality} ${to.name} ${pairs(relationship.pairs)}`;
    case 'junction': {
      const { through, near, far } = relationship;
      return `${cardinality} ${to.name} ${pairs(near.pairs)} ${through.name} ${pairs(far.pairs)}`;
    }
    case 'computed':
      return `${kind} ${cardinality} ${to.name} ${relationship.routine.name}`;
  }
}

describe('one way', () => {
  test.each([
    ['along the key: one', 'films', 'directors', 'one directors director_id=id'],
    ['back: many', 'directors', 'films', 'many films id=director_id'],
    ['back along a unique key: one', 'films', 'scripts', 'one scripts id=film_id'],
    ['along a unique key: one', 'scripts', 'films', 'one films film_id=id'],
    ['the constraint as the name', 'films', 'films_director_fkey', 'one directors director_id=id'],
    ['the constraint, back', 'directors', 'films_director_fkey', 'many films id=director_id'],
    ['the column as the name', 'films', 'director_id', 'one directors director_id=id'],
    ['a composite key', 'seats', 'places', 'one places hall=hall place=number'],
    ['a composite key, back', 'places', 'seats', 'many seats hall=hall number=place'],
    ['through a junction', 'films', 'actors', 'many actors id=film_id roles actor_id=id'],
    ['the junction itself', 'films', 'roles', 'many roles id=film_id'],
    ['a hint that is not needed', 'films', 'directors!director_id', 'one directors director_id=id'],
    ['a computed relation', 'films', 'sequels', 'computed many films sequels'],
    ['a computed relation of a name', 'films', 'premieres', 'computed one films premieres'],
  ])('%s', (_name, from, text, expected) => {
    expect(describeWay(find(from, text))).toBe(expected);
  });
});

describe('hints', () => {
  test.each([
    ['the constraint', 'orders', 'addresses!billing', 'one addresses billing_id=id'],
    ['the column', 'orders', 'addresses!shipping_id', 'one addresses shipping_id=id'],
    ['the constraint, back', 'addresses', 'orders!shipping', 'many orders id=shipping_id'],
    ['the column, back', 'addresses', 'orders!billing_id', 'many orders id=billing_id'],
    ['the column that is referred to', 'directors', 'films!id', 'many films id=director_id'],
    ['a column of a composite key', 'seats', 'places!number', 'one places hall=hall place=number'],
    ['the junction', 'films', 'actors!roles', 'many actors id=film_id roles actor_id=id'],
    ['a direct key beside junctions', 'students', 'teachers!tutor_id', 'one teachers tutor_id=id'],
    [
      'a junction beside a direct key',
      'students',
      'teachers!exams',
      'many teachers id=student_id exams teacher_id=id',
    ],
    [
      'the constraint that leads on from the junction',
      'users',
      'users!follows_to_fkey',
      'many users id=from_id follows to_id=id',
    ],
    [
      'the column that leads on from the junction',
      'users',
      'users!from_id',
      'many users id=to_id follows from_id=id',
    ],
  ])('%s', (_name, from, text, expected) => {
    expect(describeWay(find(from, text))).toBe(expected);
  });
});

describe('a table that refers to itself', () => {
  test.each([
    ['its name leads to those who refer', 'people', 'people', 'many people id=boss_id'],
    ['with the column too', 'people', 'people!boss_id', 'many people id=boss_id'],
    ['with the constraint too', 'people', 'people!people_boss_fkey', 'many people id=boss_id'],
    ['the column leads along it', 'people', 'boss_id', 'one people boss_id=id'],
    ['the constraint leads along it', 'people', 'people_boss_fkey', 'one people boss_id=id'],
    ['of two keys the hint chooses', 'nodes', 'nodes!left_id', 'many nodes id=left_id'],
    ['of two keys the column chooses', 'nodes', 'right_id', 'one nodes right_id=id'],
  ])('%s', (_name, from, text, expected) => {
    expect(describeWay(find(from, text))).toBe(expected);
  });
});

function refusal(from: string, text: string): AppError {
  try {
    find(from, text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${text} of ${from} is found`);
}

describe('more than one way is PGRST201', () => {
  test.each([
    {
      name: 'two keys',
      from: 'orders',
      text: 'addresses',
      choices: 'addresses!billing, addresses!shipping',
      cardinalities: ['many-to-one', 'many-to-one'],
    },
    {
      name: 'two keys, back',
      from: 'addresses',
      text: 'orders',
      choices: 'orders!billing, orders!shipping',
      cardinalities: ['one-to-many', 'one-to-many'],
    },
    {
      name: 'a hint that fits both',
      from: 'addresses',
      text: 'orders!id',
      choices: 'orders!billing, orders!shipping',
      cardinalities: ['one-to-many', 'one-to-many'],
    },
    {
      name: 'a direct key and junctions',
      from: 'students',
      text: 'teachers',
      choices: 'teachers!students_tutor_fkey, teachers!lessons, teachers!exams',
      cardinalities: ['many-to-one', 'many-to-many', 'many-to-many'],
    },
    {
      name: 'two keys to the table itself',
      from: 'nodes',
      text: 'nodes',
      choices: 'nodes!nodes_left_fkey, nodes!nodes_right_fkey',
      cardinalities: ['one-to-many', 'one-to-many'],
    },
    {
      name: 'both directions of a junction',
      from: 'users',
      text: 'users',
      choices: 'users!follows_to_fkey, users!follows_from_fkey',
      cardinalities: ['many-to-many', 'many-to-many'],
    },
  ])('$name', ({ from, text, choices, cardinalities }) => {
    const error = refusal(from, text);
    expect(error).toMatchObject({
      code: 'PGRST201',
      status: 300,
      hint: `Write one of these instead of ${text.split('!')[0]}: ${choices}`,
      details: cardinalities.map((cardinality) => expect.objectContaining({ cardinality })),
    });
  });

  test('each choice leads to one of the candidates', () => {
    for (const [from, text] of [
      ['orders', 'addresses'],
      ['students', 'teachers'],
      ['users', 'users'],
      ['nodes', 'nodes'],
    ] as const) {
      const choices = refusal(from, text).hint?.split(': ')[1]?.split(', ') ?? [];
      const ways = choices.map((choice) => describeWay(find(from, choice)));
      expect(new Set(ways).size).toBe(choices.length);
    }
  });

  test('the details describe the keys', () => {
    expect(refusal('orders', 'addresses').details).toEqual([
      {
        cardinality: 'many-to-one',
        relationship: 'billing using orders(billing_id) and addresses(id)',
        embedding: 'orders with addresses',
      },
      {
        cardinality: 'many-to-one',
        relationship: 'shipping using orders(shipping_id) and addresses(id)',
        embedding: 'orders with addresses',
      },
    ]);
    expect(refusal('users', 'users').details).toMatchObject([
      { relationship: 'follows using follows_from_fkey(from_id) and follows_to_fkey(to_id)' },
      { relationship: 'follows using follows_to_fkey(to_id) and follows_from_fkey(from_id)' },
    ]);
  });
});

describe('no way is PGRST200', () => {
  test.each([
    { name: 'no key', from: 'films', text: 'orders', hint: undefined },
    { name: 'a misspelt table', from: 'films', text: 'director', hint: 'directors' },
    { name: 'a misspelt relation', from: 'films', text: 'sequel', hint: 'sequels' },
    { name: 'a wrong hint', from: 'orders', text: 'addresses!bills', hint: undefined },
    {
      name: 'a misspelt hint',
      from: 'orders',
      text: 'addresses!billin',
      hint: 'addresses!billing',
    },
    {
      name: 'no junction: the key is no part of its primary key',
      from: 'directors',
      text: 'actors',
    },
    {
      name: 'no junction: one of its keys is unique',
      from: 'films',
      text: 'actors!posters',
      hint: undefined,
    },
    { name: 'the column of a key from the other side', from: 'directors', text: 'director_id' },
    { name: 'a blocked table', from: 'users', text: 'session', hint: undefined },
    { name: 'a junction that is blocked', from: 'users', text: 'films', hint: undefined },
    { name: 'a key to a blocked table', from: 'logins', text: 'session_id', hint: undefined },
    { name: 'a key to another schema', from: 'logins', text: 'users', hint: undefined },
    { name: 'a name of Object.prototype', from: 'films', text: '__proto__', hint: undefined },
  ])('$name', ({ from, text, hint }) => {
    expect(refusal(from, text)).toMatchObject({
      code: 'PGRST200',
      status: 400,
      hint: hint && `Perhaps you meant ${hint}`,
    });
  });

  test('the details say what was searched for, in part when it is long', () => {
    expect(refusal('films', 'orders!x').details).toBe(
      'No foreign key and no computed relation leads from films to orders by the hint x',
    );
    const { message, details } = refusal('films', `${'x'.repeat(500)}!${'y'.repeat(500)}`);
    expect(message.length + String(details).length).toBeLessThan(400);
  });

  test('rows of a function that are called like a table have no keys', () => {
    const rows = { ...tableOf('directors') };
    const name = { relation: 'films', hint: undefined };
    expect(() => findRelationship(filmCatalog, rows, name)).toThrow(
      expect.objectContaining({ code: 'PGRST200' }),
    );
  });
});
