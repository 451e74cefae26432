// A project database with files in real drivers and the background work on them, without the application.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Client } from 'pg';

import type { ProjectDatabase } from '#libs/database';
import { Outbox } from '#libs/outbox';
import { createOutbound } from '#libs/outbound';
import {
  type ProjectStorage,
  type OpenStorageWorkDeps,
  StorageWork,
  type StorageSweepCounts,
  sweepStorage,
  webhookDeliverer,
  type WebhookParts,
  webhookSeal,
  type WebhookSeal,
} from '#libs/project-runtime';
import {
  type ObjectAddress,
  openLocalStorage,
  openS3Storage,
  type StorageDriver,
} from '#libs/storage-driver';

import { createStorageProject, oneOf, type StorageFixture } from '../database/storage-fixture.js';
import { openS3Server } from '../support/s3-server.js';
import { bytesAt, contentOf, s3Options, writing } from '../storage-driver/storage-places.js';

type DriverKind = StorageDriver['kind'];

export interface StoredFile extends ObjectAddress {
  readonly id: string;
  readonly bytes: Buffer;
}

export interface WorkFixture {
  readonly project: StorageFixture;
  /** As the platform's role. */
  readonly engine: Client;
  readonly db: ProjectDatabase;
  readonly seal: WebhookSeal;
  readonly folder: string;
  readonly drivers: Readonly<Record<DriverKind, StorageDriver | undefined>>;
  /** The same store for another project; the caller closes it. */
  openStore(ref: string): Promise<StorageDriver>;
  /** What the work has complained of: `<doing>: <message>`. */
  readonly complaints: string[];
  /** Where new files go, from now on. */
  useDriver(kind: DriverKind): void;
  deps(changes?: Partial<OpenStorageWorkDeps>): OpenStorageWorkDeps;
  /** Background work as one process does it; closed with the fixture. */
  startWork(changes?: Partial<OpenStorageWorkDeps>): StorageWork;
  /** The outbox with the webhooks, as one process has it; closed with the fixture. */
  openOutbox(changes?: Partial<WebhookParts>): Outbox;
  /** One sweep of the worker, for which everything is old. */
  sweep(changes?: Partial<Parameters<typeof sweepStorage>[0]>): Promise<StorageSweepCounts>;
  /** Makes a file as an upload does: reservation, bytes, row. */
  putFile(file?: NewFile): Promise<StoredFile>;
  /** The bytes of the file, read as a request does: the row says where they are. */
  readFile(id: string): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

export interface NewFile {
  readonly key?: string;
  readonly bytes?: Buffer;
  readonly driver?: DriverKind;
  readonly withSha256?: boolean;
}

/** With `s3` the project has a real S3 store beside the folder. */
export async function openWorkFixture(
  options: { readonly s3?: boolean } = {},
): Promise<WorkFixture> {
  const project = await createStorageProject();
  const engine = await project.login('engine');
  const db = project.open();
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-work-'));
  const { ref } = project.options;
  const server = options.s3 ? await openS3Server() : undefined;
  const bucket = await server?.createBucket();
  const openStore = async (owner: string): Promise<StorageDriver> => {
    if (!server || bucket === undefined) throw new Error('the fixture has no store');
    return openS3Storage({ ...s3Options(server, bucket), ref: owner });
  };
  const s3 = server && (await openStore(ref));
  const drivers = { local: openLocalStorage({ root: folder }), s3 };
  const complaints: string[] = [];
  const works: { close(): Promise<void> }[] = [];
  const onError = (error: unknown, doing: string) =>
    void complaints.push(`${doing}: ${messageOf(error)}`);
  let kind: DriverKind = 'local';
  await engine.query("insert into storage.buckets (slug, name) values ('docs', 'Docs')");
  const seal = webhookSeal(ref, Buffer.alloc(32, 7));
  const deps = (changes: Partial<OpenStorageWorkDeps> = {}): OpenStorageWorkDeps => ({
    db,
    acquireStorage: () => Promise.resolve(leaseOf(storageOf(kind, drivers))),
    deliverSoon: () => undefined,
    storageFolder: folder,
    onError,
    ...changes,
  });
  return {
    project,
    engine,
    db,
    seal,
    folder,
    drivers,
    openStore,
    complaints,
    deps,
    useDriver(next) {
      kind = next;
    },
    startWork(changes) {
      const work = new StorageWork(deps(changes));
      works.push(work);
      return work;
    },
    openOutbox(changes) {
      const webhook = webhookDeliverer({
        db,
        outbound: createOutbound({ allowedHosts: ['127.0.0.1'] }),
        webhookSeal: seal,
        now: Date.now,
        onError,
        ...changes,
      });
      const outbox = new Outbox({ db, deliverers: { webhook }, onError });
      works.push(outbox);
      return outbox;
    },
    sweep: (changes) =>
      sweepStorage({
        ...deps(),
        now: Date.now,
        signal: new AbortController().signal,
        orphanAgeMs: 0,
        ...changes,
      }),
    putFile: (file = {}) => storeFile(engine, drivers, { ...file, driver: file.driver ?? kind }),
    async readFile(id) {
      const { rows } = await engine.query<PlaceRow>(
        'select bucket, stored_key as key, version, driver from storage.stored_files where id = $1',
        [id],
      );
      const { driver, ...address } = oneOf(rows);
      return bytesAt(driverOf(drivers, driver), address);
    },
    async close() {
      await Promise.all(works.map((work) => work.close()));
      await project.drop();
      await s3?.close();
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface PlaceRow {
  readonly bucket: string;
  readonly key: string;
  readonly version: string;
  readonly driver: DriverKind;
}

type Drivers = WorkFixture['drivers'];

async function storeFile(
  engine: Client,
  drivers: Drivers,
  {
    key = `${randomUUID()}.txt`,
    bytes = Buffer.from(`content of ${key}`),
    driver,
    withSha256 = false,
  }: NewFile & { readonly driver: DriverKind },
): Promise<StoredFile> {
  const [id, version] = [randomUUID(), randomUUID()];
  const address = { bucket: 'docs', key, version };
  await engine.query(
    `select storage.reserve_upload($1, 'docs', $2, $3, $4, 'stream', $5, 'text/plain', 'private', null, true,
       now() + interval '1 hour')`,
    [id, key, version, driver, bytes.length],
  );
  await driverOf(drivers, driver).write(address, contentOf(bytes), writing());
  const sha256 = withSha256 ? createHash('sha256').update(bytes).digest() : null;
  const { rows } = await engine.query<{ id: string }>(
    'select (file).id from storage.commit_upload($1, $2, sha256 => $3)',
    [id, bytes.length, sha256],
  );
  return { ...address, id: oneOf(rows).id, bytes };
}

function storageOf(kind: DriverKind, drivers: Drivers): ProjectStorage {
  return {
    kind,
    get driver() {
      return driverOf(drivers, kind);
    },
    driverOf: (wanted) => driverOf(drivers, wanted),
    close: () => Promise.resolve(),
  };
}

function driverOf(drivers: Drivers, kind: DriverKind): StorageDriver {
  const driver = drivers[kind];
  if (!driver) throw new Error(`the fixture has no driver ${kind}`);
  return driver;
}

/** A lease on something that outlives it. */
export function leaseOf<T>(value: T) {
  const release = (): void => undefined;
  return { value, release, [Symbol.dispose]: release };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
