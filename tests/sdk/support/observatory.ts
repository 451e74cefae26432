/**
 * Tables that everybody reads and nobody changes, with every kind of relationship between them: planets of
 * stars (many-to-one), atmospheres (one-to-one), missions through visits (many-to-many), missions after
 * missions (self reference), transfers with two ways to a planet, samples of sites (composite key), and a
 * computed column and a computed relation of planets.
 */
export const observatorySql = `
create table stars (id int primary key, name text not null, mass numeric);
create table planets (
  id int primary key, star_id int references stars, name text not null, moon_count int, mass numeric,
  has_rings boolean, tags text[], facts jsonb, orbit int4range, about text,
  about_words tsvector generated always as (to_tsvector('english', about)) stored
);
create table moons (id int primary key, planet_id int not null references planets, name text, radius_km int);
create table atmospheres (planet_id int primary key references planets, pressure numeric);
create table missions (id int primary key, name text not null, follows int references missions);
create table visits (
  mission_id int references missions, planet_id int references planets, year int,
  primary key (mission_id, planet_id)
);
create table transfers (
  id int primary key,
  origin int constraint transfers_origin_fkey references planets,
  target int constraint transfers_target_fkey references planets
);
create table sites (planet_id int references planets, nr int, name text, primary key (planet_id, nr));
create table samples (
  id int primary key, planet_id int, nr int, grams int, foreign key (planet_id, nr) references sites
);
create function label(planets) returns text stable language sql as $$ select $1.name || ' #' || $1.id $$;
create function biggest_moon(planets) returns setof moons rows 1 stable language sql
  as 'select * from moons where planet_id = $1.id order by radius_km desc limit 1';

insert into stars values (1, 'Sun', 1), (2, 'Vega', 2.1), (3, 'Proxima', 0.12);
insert into planets (id, star_id, name, moon_count, mass, has_rings, tags, facts, orbit, about) values
  (1, 1, 'Mercury', 0, 0.06, false, '{rocky,hot}', '{"days": 88, "air": null}', '[46,70)',
    'The smallest planet, close to the Sun'),
  (2, 1, 'Earth', 1, 1, false, '{rocky,water}',
    '{"days": 365, "air": {"main": "nitrogen", "parts": ["N2", "O2"]}}', '[147,153)',
    'Blue planet with one big moon and much water'),
  (3, 1, 'Mars', 2, 0.11, false, '{rocky,cold}', '{"days": 687, "air": {"main": "carbon dioxide"}}',
    '[206,250)', 'Red planet with two small moons'),
  (4, 1, 'Jupiter', 95, 317.8, true, '{gas,cold}', '{"days": 4333, "air": {"main": "hydrogen"}}',
    '[740,817)', 'The biggest planet, a ball of gas'),
  (5, 3, 'Proxima b', null, 1.07, null, '{}', null, null, null),
  (6, null, 'X, (lost)', null, null, null, null, null, null, null);
insert into moons values (1, 2, 'Luna', 1737), (2, 3, 'Phobos', 11), (3, 3, 'Deimos', 6), (4, 4, 'Io', 1822),
  (5, 4, 'Europa', 1561), (6, 4, 'Ganymede', 2634), (7, 4, 'Callisto', 2410);
insert into atmospheres values (2, 1), (3, 0.006);
insert into missions values (1, 'Voyager', null), (2, 'Galileo', null), (3, 'Juno', 2), (4, 'Viking', null);
insert into visits values (1, 4, 1979), (2, 4, 1995), (3, 4, 2016), (4, 3, 1976), (2, 2, 1990);
insert into transfers values (1, 2, 3), (2, 2, 4);
insert into sites values (3, 1, 'Chryse'), (3, 2, 'Utopia');
insert into samples values (1, 3, 1, 20), (2, 3, 2, 35), (3, 3, 2, 5);

do $$
declare name text;
begin
  foreach name in array array['stars', 'planets', 'moons', 'atmospheres', 'missions', 'visits', 'transfers',
    'sites', 'samples'] loop
    execute format('create policy "everybody reads" on %I for select using (true)', name);
  end loop;
end $$;
`;
