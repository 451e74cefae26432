// A project's database in which a process listens to every table, and its outbox.
import { Client } from 'pg';

import { copyProject, type ProjectCopy } from '../support/project-copy.js';
import { testDatabaseUrl } from '../support/test-server.js';

const everyBit = Array.from({ length: 62 }, (_, bit) => bit);

/** A line of the outbox, its rows parsed. */
export interface Line {
  readonly kind: string;
  readonly table: string | null;
  readonly new: unknown;
  readonly old: unknown;
  readonly isCut: boolean;
}

type Login = 'owner' | 'engine' | 'superuser';

export class CaptureFixture {
  readonly #clients: Client[] = [];
  #lastSeq = '0';

  private constructor(
    readonly copy: ProjectCopy,
    readonly owner: Client,
    readonly engine: Client,
  ) {}

  /** Makes the database; `tables` runs as its owner before the gate of `bits` is opened. */
  static async open(tables = '', bits = everyBit): Promise<CaptureFixture> {
    const copy = await copyProject();
    const owner = await connect(copy, 'owner');
    const engine = await connect(copy, 'engine');
    const fixture = new CaptureFixture(copy, owner, engine);
    fixture.#clients.push(owner, engine);
    await owner.query(tables);
    await fixture.listen(bits);
    return fixture;
  }

  /** Another session in the database. */
  async connect(login: Login = 'owner'): Promise<Client> {
    const client = await connect(this.copy, login);
    this.#clients.push(client);
    return client;
  }

  /** Opens the gate as a process does. */
  async listen(bits: readonly number[], node = 'test', seconds = 600): Promise<void> {
    await this.engine.query('select realtime.listen($1, $2, $3)', [bits, node, seconds]);
  }

  /** The lines since the last call, in their order. */
  async lines(): Promise<readonly Line[]> {
    const { rows } = await this.engine.query<{ seq: string; line: Line }>(
      `select seq, json_build_object('kind', kind, 'table', tbl::regclass::text, 'new', n, 'old', o,
         'isCut', is_cut) as line
       from realtime.outbox where seq > $1 order by seq`,
      [this.#lastSeq],
    );
    this.#lastSeq = rows.at(-1)?.seq ?? this.#lastSeq;
    return rows.map(({ line }) => line);
  }

  /** Runs a script as the owner and returns the lines that it has written. */
  async run(script: string): Promise<readonly Line[]> {
    await this.lines();
    await this.owner.query(script);
    return this.lines();
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
    await this.copy.drop();
  }
}

/** A line of the table `docs`, or of another one. */
export const inserted = (row: unknown, table = 'public.docs'): Line => line('I', table, row, null);
export const updated = (before: unknown, after: unknown, table = 'public.docs'): Line =>
  line('U', table, after, before);
export const deleted = (row: unknown, table = 'public.docs'): Line => line('D', table, null, row);
export const cut = (whole: Line): Line => ({ ...whole, isCut: true });

function line(kind: string, table: string, after: unknown, before: unknown): Line {
  return { kind, table, new: after, old: before, isCut: false };
}

async function connect({ names, password }: ProjectCopy, login: Login): Promise<Client> {
  const url = new URL(testDatabaseUrl(names.database));
  if (login !== 'superuser') {
    url.username = names[login];
    url.password = encodeURIComponent(password);
  }
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client;
}
