import { MAGAZINE } from './embed-setup.js';
import type { Answer, RunRequest } from './run-request.js';

/** Functions of every kind over the magazine; `runs` counts how often a body ran. */
export const FUNCTIONS = `${MAGAZINE}
create sequence runs;
create type pair as (a int, b text);
create type mood as enum ('calm', 'stormy');
create function ran() returns int language sql volatile as $$ select nextval('runs')::int $$;

create function add(a int, b int default 10) returns int language sql immutable as $$ select a + b $$;
create function greet(name text) returns text language sql stable as $$ select 'hi ' || name $$;
create function nothing() returns int language sql immutable as $$ select null::int $$;
create function as_json(v jsonb) returns json language sql immutable as $$ select v::json $$;
create function as_jsonb(v json) returns jsonb language sql immutable as $$ select v::jsonb $$;
create function echo(body json) returns json language sql immutable as $$ select body $$;
create function raw_text(text) returns text language sql immutable as $$ select $1 $$;
create function raw_bytes(bytea) returns int language sql immutable as $$ select length($1) $$;
create function raw_json(json) returns json language sql immutable as $$ select $1 $$;
create function kinds(n numeric, d date, t text[], m mood, p pair, r int4range) returns text language sql
  immutable as $$ select concat_ws('|', n, d, t, m, p, r) $$;
create function "Camel Case"("Max Rows" int) returns int language sql immutable as $$ select "Max Rows" $$;
create function same(id int) returns int language sql immutable as $$ select id $$;
create function numbers(n int) returns setof int language sql immutable as $$ select generate_series(1, n) $$;
create function gaps() returns setof text language sql immutable as $$ values ('a'), (null) $$;

create function one_pair(a int) returns pair language sql immutable as $$ select row(a, 'x')::pair $$;
create function no_pair() returns pair language sql immutable as $$ select null::pair $$;
create function outs(a int, out twice int, out half numeric) language sql immutable
  as $$ select a * 2, a / 2.0 $$;
create function pairs() returns setof pair language sql immutable
  as $$ values (1, 'x'), (2, 'y'), (null, null) $$;
create function squares(n int) returns table (i int, square int) language sql volatile
  as $$ select i, i * i from generate_series(1, n) i where nextval('runs') > 0 or true $$;
create function all_posts() returns setof posts language sql stable as $$ select * from posts $$;
create function counted_posts() returns setof posts language plpgsql volatile as $$
  begin perform nextval('runs'); return query select * from posts; end $$;
create function posts_from(first_id int) returns setof posts language plpgsql volatile as $$
  begin perform nextval('runs'); return query select * from posts where id >= first_id; end $$;
create function first_post() returns posts language sql stable
  as $$ select * from posts order by id limit 1 $$;
create function no_post() returns posts language sql stable as $$ select * from posts where false $$;

create function store(title text) returns void language plpgsql as $$
  begin insert into tags values ((select max(id) + 1 from tags), title); end $$;
create function answer(status text, headers text) returns text language plpgsql as $$
  begin
    perform set_config('response.status', status, true), set_config('response.headers', headers, true);
    return 'ok';
  end $$;
`;

export interface Call {
  readonly fn: string;
  readonly body?: string;
  readonly query?: string;
  readonly accept?: string;
  readonly prefer?: string;
  readonly type?: string;
}

/** Calls of functions by their arguments in a body or in the query string. */
export function callsOn(run: RunRequest) {
  return {
    post: ({ fn, body = '{}', query, accept, prefer, type }: Call): Promise<Answer> =>
      run({
        function: fn,
        method: 'POST',
        queryString: query ?? '',
        headers: { accept, prefer, contentType: type },
        body,
      }),
    get: ({ fn, query, accept, prefer }: Call, method: 'GET' | 'HEAD' = 'GET'): Promise<Answer> =>
      run({ function: fn, method, queryString: query ?? '', headers: { accept, prefer } }),
  };
}
