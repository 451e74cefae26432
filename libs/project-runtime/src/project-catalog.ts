// The catalog of one project with the requests compiled against it. Each request reads the current schema version in
// its own lookup, so a change by any process applies to the very next request.
import { buildCatalog, type Catalog, readCatalog } from '#libs/catalog';
import type { EngineQueries } from '#libs/database';
import { createQueryCompiler, type QueryCompiler } from '#libs/rest-query';
import { createPause } from '#libs/steps';

import type { StoredCatalog } from './stored-catalog.js';

const maxShapes = 500;

/** A catalog and the requests compiled against it; both are replaced together. */
export interface CompiledCatalog {
  readonly catalog: Catalog;
  readonly compiler: QueryCompiler;
}

export interface CatalogParts {
  readonly db: EngineQueries;
  readonly stored: Pick<StoredCatalog, 'find' | 'keep'>;
  /** Called when a catalog was read: the project is used for rows. */
  readonly onRead?: () => void;
  /** Called if a catalog could not be stored. The next process then reads the system catalogs. */
  readonly onKeepError: (error: unknown) => void;
}

export class ProjectCatalog {
  private current: CompiledCatalog | undefined;
  private loading: Promise<CompiledCatalog> | undefined;

  constructor(private readonly parts: CatalogParts) {}

  /** The loaded catalog, without a query to the database. */
  peek(): CompiledCatalog | undefined {
    return this.current;
  }

  /** The catalog, read on first use. */
  async get(): Promise<CompiledCatalog> {
    return this.current ?? this.load();
  }

  /** The catalog of `schemaVersion` or a later one: read again unless the loaded catalog has it. */
  async reload(schemaVersion: string): Promise<CompiledCatalog> {
    if (this.current?.catalog.schemaVersion === schemaVersion) return this.current;
    // A load in progress may have begun before the change: wait for it and check again.
    await this.loading;
    if (this.current?.catalog.schemaVersion === schemaVersion) return this.current;
    return this.load();
  }

  private load(): Promise<CompiledCatalog> {
    this.loading ??= this.read().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  private async read(): Promise<CompiledCatalog> {
    const { db, stored, onKeepError, onRead } = this.parts;
    const kept = await stored.find();
    const text = kept ?? (await readCatalog((sql, values) => db.queryAsEngine(sql, values)));
    const catalog = await buildCatalog(text, createPause());
    this.current = { catalog, compiler: createQueryCompiler({ maxShapes }) };
    if (kept === undefined) stored.keep(text, catalog.schemaVersion).catch(onKeepError);
    onRead?.();
    return this.current;
  }
}
