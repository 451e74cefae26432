// The database of the shop that pictures show: tables with rows, policies, a function and an index.

const products = [
  ['Moka pot', 'Brewing', 34.9],
  ['French press', 'Brewing', 29],
  ['Pour-over kettle', 'Brewing', 58.5],
  ['Ceramic dripper', 'Brewing', 19.9],
  ['Paper filters, 100', 'Brewing', 6.5],
  ['Hand grinder', 'Grinding', 89],
  ['Burr set', 'Grinding', 24],
  ['Electric grinder', 'Grinding', 149],
  ['House blend, 500 g', 'Beans', 14.5],
  ['Ethiopia Sidamo, 250 g', 'Beans', 11.9],
  ['Decaf, 250 g', 'Beans', 10.9],
  ['Espresso roast, 1 kg', 'Beans', 27],
  ['Espresso cup', 'Cups', 9.5],
  ['Cappuccino cup', 'Cups', 11],
  ['Travel mug', 'Cups', 24.9],
  ['Glass server', 'Cups', 32],
] as const;

const categories = ['Brewing', 'Grinding', 'Beans', 'Cups'];

const productRows = products
  .map(
    ([name, category, price], at) =>
      `('${name}', ${categories.indexOf(category) + 1}, ${price}, ${(at * 37) % 90}, '{${category.toLowerCase()}${at % 3 === 0 ? ',new' : ''}}', '{"weight_g": ${180 + at * 45}}', ${at % 7 !== 6})`,
  )
  .join(',\n  ');

export const shopTables = `
create type order_status as enum ('open', 'paid', 'sent', 'returned');
create table categories (
  id int primary key generated always as identity,
  name text not null unique,
  shelf text not null
);
insert into categories (name, shelf) values
  ${categories.map((name, at) => `('${name}', '${'ABCD'.charAt(at)}${at + 1}')`).join(', ')};
create table products (
  id bigint primary key generated always as identity,
  name text not null,
  category_id int not null references categories,
  price numeric(8, 2) not null check (price >= 0),
  stock int not null default 0,
  tags text[] not null default '{}',
  details jsonb not null default '{}',
  is_listed boolean not null default true,
  created_at timestamptz not null default now()
);
insert into products (name, category_id, price, stock, tags, details, is_listed) values
  ${productRows};
update products set created_at = date_trunc('minute', now()) - id * interval '31 hours';
create table orders (
  id bigint primary key generated always as identity,
  customer text not null default auth.uid() references auth."user" (id) on delete cascade,
  status order_status not null default 'open',
  placed_at timestamptz not null default now(),
  note text
);
comment on column orders.note is 'What the customer wrote';
create index orders_placed_at on orders (placed_at desc);
create table order_items (
  order_id bigint references orders on delete cascade,
  product_id bigint references products,
  quantity int not null default 1 check (quantity > 0),
  primary key (order_id, product_id)
);
create table reviews (
  id bigint primary key generated always as identity,
  product_id bigint not null references products on delete cascade,
  author text not null default auth.uid() references auth."user" (id) on delete cascade,
  stars int not null check (stars between 1 and 5),
  body text
);
create table visits (
  id bigint primary key,
  path text not null,
  at timestamptz not null
);
create function best_sellers(days int) returns table (name text, sold bigint)
language sql stable as $$
  select products.name, sum(quantity)
  from order_items join orders on orders.id = order_id join products on products.id = product_id
  where placed_at > now() - days * interval '1 day'
  group by products.name order by 2 desc
$$;
create policy listed_products on products for select using (is_listed);
create policy all_categories on categories for select using (true);
create policy own_orders on orders to authenticated
  using (customer = auth.uid()) with check (customer = auth.uid());
create policy items_of_own_orders on order_items for select to authenticated
  using (exists (select from orders where orders.id = order_id and customer = auth.uid()));
create policy everyone_reads_reviews on reviews for select using (true);
create policy own_reviews on reviews for insert to authenticated with check (author = auth.uid());
comment on policy own_orders on orders is 'Customers see and change their own orders.';
`;

/** Statements for orders of the users that the shop has, with items and reviews. */
export const shopOrders = [
  `insert into orders (customer, status, placed_at, note)
  select id, (array['sent', 'paid', 'sent', 'open', 'sent', 'returned'])[n % 6 + 1]::order_status,
    now() - n * interval '3 hours 17 minutes', case when n % 9 = 0 then 'Please ring twice' end
  from (select id, row_number() over (order by email) as place, count(*) over () as users
    from auth."user") people
  join generate_series(1, 240) n on n % users = place - 1
  order by n`,
  `insert into order_items (order_id, product_id, quantity)
  select orders.id, (orders.id * 7 + item * 5) % 16 + 1, (orders.id + item) % 3 + 1
  from orders, generate_series(0, 2) item on conflict do nothing`,
  `insert into reviews (product_id, author, stars, body)
  select id % 16 + 1, customer, 5 - id % 3, 'Arrived quickly.' from orders where id % 5 = 0`,
] as const;

/** Rows to scroll through; row `n` is the n-th of the table. */
export function visits(count: number): string {
  return `insert into visits
    select n, '/products/' || n % 16 + 1, '2026-01-01'::timestamptz + n * interval '40 seconds'
    from generate_series(1, ${count}) n;
    analyze;`;
}

export const revenueByDay = `select date_trunc('day', placed_at)::date as day,
  count(distinct orders.id) as orders,
  sum(quantity * price) as revenue
from orders
join order_items on order_id = orders.id
join products on products.id = product_id
where status <> 'returned'
group by day
order by day desc;`;
