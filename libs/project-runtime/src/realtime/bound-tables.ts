// What a join needs to know of the tables of its bindings. Thousands of clients come back at the same time with the same
// bindings: what was found for one of them is used for all, until the schema changes.
import { createHash } from 'node:crypto';

import { type Catalog, findExposedTable } from '#libs/catalog';
import type { ProjectDatabase } from '#libs/database';
import { fail } from '#libs/errors';
import {
  type BindTables,
  type BoundTable,
  filterError,
  lockOf,
  TableLocked,
  type Visibility,
} from '#libs/realtime';
import { type Binding, bindingId } from '#libs/realtime-core';
import type { DatabaseRole } from '#libs/wire';

import type { ProjectCatalog } from '../project-catalog.js';
import { findCapturedTable } from './captured-table.sql.js';
import { readSchemaVersion } from './schema-version.sql.js';

/** Bindings that are remembered, each with each role. */
const maxKnown = 2_000;

export interface BoundTablesParts {
  readonly db: ProjectDatabase;
  readonly catalog: ProjectCatalog;
  readonly visibility: Visibility;
}

interface Wanted {
  readonly role: DatabaseRole;
  readonly binding: Binding;
  /** The place of the binding in the frame of the client. */
  readonly path: string;
  /** Whether the filter has been checked before. */
  readonly isChecked: boolean;
  /** Whether a lock is known: filters that need it are not checked. */
  readonly isLocked: (lock: string) => boolean;
}

interface Found {
  readonly bound: BoundTable;
  /** Whether everything about it is checked. */
  readonly isCertain: boolean;
}

export class BoundTables {
  #version = '';
  #known = new Map<string, BoundTable>();

  constructor(private readonly parts: BoundTablesParts) {}

  /** The tables of the bindings, one after the other: a join holds one connection at a time. */
  readonly find: BindTables = async (
    { role },
    bindings,
    { areChecked: isChecked = false, isLocked = () => false } = {},
  ) => {
    const { db, catalog: catalogs } = this.parts;
    const version = await readSchemaVersion(db);
    const { catalog } = await catalogs.reload(version);
    const bound: BoundTable[] = [];
    for (const [index, binding] of bindings.entries()) {
      const path = `config.postgres_changes[${index}]`;
      const wanted = { role, binding, path, isChecked, isLocked };
      bound.push(await this.#findOne(wanted, { version, catalog }));
    }
    return bound;
  };

  async #findOne(
    wanted: Wanted,
    { version, catalog }: { readonly version: string; readonly catalog: Catalog },
  ): Promise<BoundTable> {
    if (this.#version !== version) {
      this.#version = version;
      this.#known.clear();
    }
    const id = bindingId(wanted.binding, sha256);
    const key = `${wanted.role} ${id}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found = await this.#read(wanted, id, catalog);
    // The schema may have changed meanwhile.
    if (this.#version === version && found.isCertain) this.#remember(key, found.bound);
    return found.bound;
  }

  #remember(key: string, bound: BoundTable): void {
    this.#known.set(key, bound);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKnown) break;
      this.#known.delete(oldest);
    }
  }

  async #read(wanted: Wanted, id: string, catalog: Catalog): Promise<Found> {
    const { role, binding } = wanted;
    const { db, visibility } = this.parts;
    if (binding.schema !== 'public') throw fail('PGRST106', { schema: binding.schema });
    findExposedTable(catalog, binding.table);
    const table = await findCapturedTable(db, binding.table);
    if (table === undefined) throw fail('TABLE_NOT_EXPOSED', { table: binding.table });
    const may = await visibility.rightsOf(table, role);
    if (!may) throw fail('TABLE_NOT_EXPOSED', { table: binding.table });
    if (!may.isSelectable) throw fail('42501');
    return { bound: { id, binding, table }, isCertain: await this.#hasUsableFilter(wanted, table) };
  }

  /** False for a filter that was checked before and cannot be checked now. Throws why a filter cannot be used. */
  async #hasUsableFilter(wanted: Wanted, table: number) {
    const { role, binding, path, isChecked, isLocked } = wanted;
    if (!binding.filter) return true;
    const lock = lockOf(table, role);
    if (!isChecked && isLocked(lock)) throw new TableLocked(lock);
    const error = await this.parts.visibility.checkFilter({ table, role }, binding.filter);
    if (error === undefined) return true;
    if (error === 'locked' && isChecked) return false;
    if (error === 'locked') throw new TableLocked(lock);
    const field = `${path}.filter`;
    throw filterError(error, { field, table: binding.table, reason: error.message });
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
