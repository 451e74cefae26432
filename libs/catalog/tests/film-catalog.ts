// Tables that refer to each other in every way there is.
import { catalogOf, foreignKey, table } from './build-catalog.js';

const junctionKeys = [
  foreignKey('film_id -> films(id)', { name: 'roles_film_fkey' }),
  foreignKey('actor_id -> actors(id)', { name: 'roles_actor_fkey' }),
];

/** Films with their directors, actors and scripts, and small groups of tables of their own. */
export const filmCatalog = catalogOf([
  table('films', {
    primaryKey: ['id'],
    columns: ['id int', 'director_id int'],
    foreignKeys: [foreignKey('director_id -> directors(id)', { name: 'films_director_fkey' })],
    computedRelations: [
      relation('sequels', 'films', 'many'),
      relation('premieres', 'films', 'one'),
    ],
  }),
  table('directors', { primaryKey: ['id'], columns: ['id int'] }),
  table('actors', { primaryKey: ['id'], columns: ['id int'] }),
  table('scripts', {
    primaryKey: ['film_id'],
    columns: ['film_id int'],
    foreignKeys: [foreignKey('film_id -> films(id)', { isOneToOne: true })],
  }),
  table('roles', {
    primaryKey: ['film_id', 'actor_id', 'part'],
    columns: ['film_id int', 'actor_id int', 'part text'],
    foreignKeys: junctionKeys,
  }),
  table('reviews', {
    primaryKey: ['id'],
    columns: ['id int', 'film_id int', 'actor_id int'],
    foreignKeys: junctionKeys,
  }),
  table('premieres', {
    primaryKey: ['id'],
    columns: ['id int', 'film_id int'],
    foreignKeys: [foreignKey('film_id -> films(id)', { name: 'premieres_film_fkey' })],
  }),
  table('posters', {
    primaryKey: ['film_id', 'director_id'],
    columns: ['film_id int', 'director_id int'],
    foreignKeys: [
      foreignKey('film_id -> films(id)', { name: 'posters_film_fkey', isOneToOne: true }),
      foreignKey('director_id -> actors(id)', { name: 'posters_actor_fkey' }),
    ],
  }),
  table('orders', {
    primaryKey: ['id'],
    columns: ['id int', 'billing_id int', 'shipping_id int'],
    foreignKeys: [
      foreignKey('billing_id -> addresses(id)', { name: 'billing' }),
      foreignKey('shipping_id -> addresses(id)', { name: 'shipping' }),
    ],
  }),
  table('addresses', { primaryKey: ['id'], columns: ['id int'] }),
  table('seats', {
    columns: ['hall text', 'place int', 'ticket int'],
    foreignKeys: [foreignKey('hall, place -> places(hall, number)', { name: 'seats_place_fkey' })],
  }),
  table('places', { primaryKey: ['hall', 'number'], columns: ['hall text', 'number int'] }),
  table('people', {
    primaryKey: ['id'],
    columns: ['id int', 'boss_id int'],
    foreignKeys: [foreignKey('boss_id -> people(id)', { name: 'people_boss_fkey' })],
  }),
  table('nodes', {
    primaryKey: ['id'],
    columns: ['id int', 'left_id int', 'right_id int'],
    foreignKeys: [
      foreignKey('left_id -> nodes(id)', { name: 'nodes_left_fkey' }),
      foreignKey('right_id -> nodes(id)', { name: 'nodes_right_fkey' }),
    ],
  }),
  table('users', { primaryKey: ['id'], columns: ['id int'] }),
  table('follows', {
    primaryKey: ['from_id', 'to_id'],
    columns: ['from_id int', 'to_id int'],
    foreignKeys: [
      foreignKey('from_id -> users(id)', { name: 'follows_from_fkey' }),
      foreignKey('to_id -> users(id)', { name: 'follows_to_fkey' }),
    ],
  }),
  table('students', {
    primaryKey: ['id'],
    columns: ['id int', 'tutor_id int'],
    foreignKeys: [foreignKey('tutor_id -> teachers(id)', { name: 'students_tutor_fkey' })],
  }),
  table('teachers', { primaryKey: ['id'], columns: ['id int'] }),
  ...['lessons', 'exams'].map((name) =>
    table(name, {
      primaryKey: ['student_id', 'teacher_id'],
      columns: ['student_id int', 'teacher_id int'],
      foreignKeys: [
        foreignKey('student_id -> students(id)', { name: `${name}_student_fkey` }),
        foreignKey('teacher_id -> teachers(id)', { name: `${name}_teacher_fkey` }),
      ],
    }),
  ),
  table('session', {
    primaryKey: ['user_id', 'film_id'],
    columns: ['user_id int', 'film_id int'],
    foreignKeys: [foreignKey('user_id -> users(id)'), foreignKey('film_id -> films(id)')],
  }),
  table('logins', {
    columns: ['session_id int', 'outside_id int'],
    foreignKeys: [
      foreignKey('session_id -> session(user_id)'),
      foreignKey('outside_id -> users(id)', { schema: 'auth' }),
    ],
  }),
]);

function relation(name: string, to: string, cardinality: 'one' | 'many') {
  const routine = { schema: 'public', name };
  return { name, routine, table: to, cardinality, isDefiner: false };
}
