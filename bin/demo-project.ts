/**
 * The tables of the demo project: a public list, posts with comments that belong to their authors, and private to-dos.
 * Row level security is on from the start; the policies define the rest.
 */
export const demoSql = `
create table planets (
  id int primary key,
  name text not null unique,
  kind text not null check (kind in ('rocky', 'gas giant', 'ice giant')),
  moons int not null default 0,
  radius_km numeric(8, 1) not null,
  has_rings boolean not null default false
);
create policy "everybody reads the planets" on planets for select using (true);

insert into planets (id, name, kind, moons, radius_km, has_rings) values
  (1, 'Mercury', 'rocky', 0, 2439.7, false),
  (2, 'Venus', 'rocky', 0, 6051.8, false),
  (3, 'Earth', 'rocky', 1, 6371.0, false),
  (4, 'Mars', 'rocky', 2, 3389.5, false),
  (5, 'Jupiter', 'gas giant', 95, 69911.0, true),
  (6, 'Saturn', 'gas giant', 146, 58232.0, true),
  (7, 'Uranus', 'ice giant', 28, 25362.0, true),
  (8, 'Neptune', 'ice giant', 16, 24622.0, true);

create table posts (
  id bigint generated always as identity primary key,
  author_id text default auth.uid(),
  title text not null check (pg_catalog.length(title) between 1 and 200),
  body text not null default '',
  is_published boolean not null default false,
  created_at timestamptz not null default pg_catalog.now()
);
create index posts_author_id_idx on posts (author_id);
create policy "everybody reads published posts" on posts for select
  using (is_published or author_id = (select auth.uid()));
create policy "users write posts of their own" on posts for insert to authenticated
  with check (author_id = (select auth.uid()));
create policy "authors change their posts" on posts for update to authenticated
  using (author_id = (select auth.uid())) with check (author_id = (select auth.uid()));
create policy "authors delete their posts" on posts for delete to authenticated
  using (author_id = (select auth.uid()));

create table comments (
  id bigint generated always as identity primary key,
  post_id bigint not null references posts (id) on delete cascade,
  author_id text default auth.uid(),
  body text not null check (pg_catalog.length(body) between 1 and 2000),
  created_at timestamptz not null default pg_catalog.now()
);
create index comments_post_id_idx on comments (post_id);
create policy "comments are read with their post" on comments for select
  using (exists (select from posts where posts.id = post_id));
create policy "users comment in their own name" on comments for insert to authenticated
  with check (author_id = (select auth.uid()) and exists (select from posts where posts.id = post_id));
create policy "authors delete their comments" on comments for delete to authenticated
  using (author_id = (select auth.uid()));

insert into posts (author_id, title, body, is_published) values
  (null, 'Welcome to Rowhouse', 'Everybody reads this post: it is published.', true),
  (null, 'A draft', 'Only its author reads a draft, and this one has none.', false);
insert into comments (post_id, author_id, body) values (1, null, 'Sign up and leave a comment of your own.');

create table todos (
  id bigint generated always as identity primary key,
  user_id text not null default auth.uid(),
  title text not null check (pg_catalog.length(title) between 1 and 200),
  is_done boolean not null default false,
  due_on date,
  created_at timestamptz not null default pg_catalog.now()
);
create index todos_user_id_idx on todos (user_id);
create policy "to-dos are private" on todos to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
`;
