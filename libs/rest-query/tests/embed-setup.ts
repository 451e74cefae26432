// Tables that lead to each other in every way: a small magazine.
export const MAGAZINE = `
create table authors (id int primary key, name text, country text);
create table profiles (author_id int primary key references authors, bio text, site text unique);
create table posts (
  id int primary key, title text, author_id int references authors, editor_id int references authors,
  views int, about jsonb
);
create table comments (id int primary key, post_id int references posts, likes int, body text);
create table tags (id int primary key, name text);
create table post_tags (
  post_id int references posts, tag_id int references tags, place int, primary key (post_id, tag_id)
);
create table people (
  id int primary key, name text, boss int references people, deputy int unique references people
);
create table issues (year int, number int, title text, primary key (year, number));
create table articles (
  id int primary key, year int, number int, title text,
  foreign key (number, year) references issues (number, year)
);
create table visits (id int, day date, post_id int references posts, primary key (id, day))
  partition by range (day);
create table visits_old partition of visits for values from ('2000-01-01') to ('2020-01-01');
create table visits_new partition of visits for values from ('2020-01-01') to ('2040-01-01');

insert into authors values (1, 'Ann', 'se'), (2, 'Bob', 'fr'), (3, 'Cyd', null);
insert into profiles values (1, 'writes', 'ann.example'), (2, null, null);
insert into posts values
 (1, 'one', 1, 2, 10, '{"c": 1}'), (2, 'two', 1, null, 30, '{"a": {"b": ["x", "y"]}}'),
 (3, 'three', 2, 1, 20, null), (4, 'four', null, null, null, '[1, 2]');
insert into comments values
 (1, 1, 5, 'first'), (2, 1, 1, 'second'), (3, 1, null, 'third'), (4, 2, 7, 'fourth'), (5, null, 9, 'lost');
insert into tags values (1, 'red'), (2, 'green'), (3, 'blue');
insert into post_tags values (1, 1, 2), (1, 2, 1), (2, 2, 1), (3, 3, 1);
insert into people values (1, 'Eve', null, null), (2, 'Fay', 1, null), (3, 'Gus', 1, 2), (4, 'Hal', 3, null);
insert into issues values (2024, 1, 'winter'), (2024, 2, 'spring'), (2025, 1, 'again');
insert into articles values (1, 2024, 1, 'snow'), (2, 2024, 1, 'ice'), (3, 2025, 1, 'sun'), (4, 2024, null, 'none');
insert into visits values (1, '2010-05-05', 1), (2, '2030-05-05', 1), (3, '2030-06-06', 2);
`;

/** A request, and the body of its answer without the blanks that PostgreSQL writes into JSON. */
export interface Row {
  readonly name: string;
  readonly table?: string;
  readonly query: string;
  readonly body: string;
}

/** JSON text without blanks between its parts. */
export function compact(json: string): string {
  return JSON.stringify(JSON.parse(json));
}
