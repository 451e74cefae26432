// The catalog of one project with the requests compiled against it. Requests learn the current schema
// version from their own lookup, so a change made anywhere is seen by the very next request.
import { buildCatalog, type Catalog, readCatalog } from '#libs/catalog';
import type { EngineQueries } from '#libs/database';
import { createQueryCompiler, type QueryCompiler } from '#libs/rest-query';
import { createPause } from '#libs/steps';

import type { StoredCatalog } from './stored-catalog.js';

const maxShapes = 500;

/** A catalog and what was compiled against it; both go together. */
export interface CompiledCatalog {
  readonly catalog: Catalog;
  readonly compiler: QueryCompiler;
}

export interface CatalogParts {
  readonly db: EngineQueries;
  readonly stored: Pick<StoredCatalog, 'find' | 'keep'>;
  /** Called when a catalog could not be stored. The next process reads the system catalogs then. */
  readonly onKeepError: (error: unknown) => void;
}

export class ProjectCatalog {
  private current: CompiledCatalog | undefined;
  private loading: Promise<CompiledCatalog> | undefined;

  constructor(private readonly parts: CatalogParts) {}

  /** The catalog at hand, without a look at the database. */
  peek(): CompiledCatalog | undefined {
    return this.current;
  }

  /** The catalog, read on first use. */
  async get(): Promise<CompiledCatalog> {
    return this.current ?? this.load();
  }

  /** The catalog of `schemaVersion` or a later one: read again unless the one at hand is it. */
  async reload(schemaVersion: string): Promise<CompiledCatalog> {
    if (this.current?.catalog.schemaVersion === schemaVersion) return this.current;
    // A load under way may have begun before the change: wait for it and look again.
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
    const { db, stored, onKeepError } = this.parts;
    const kept = await stored.find();
    const text = kept ?? (await readCatalog((sql, values) => db.queryAsEngine(sql, values)));
    const catalog = await buildCatalog(text, createPause());
    this.current = { catalog, compiler: createQueryCompiler({ maxShapes }) };
    if (kept === undefined) stored.keep(text, catalog.schemaVersion).catch(onKeepError);
    return this.current;
  }
}
