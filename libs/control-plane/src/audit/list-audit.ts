import { pageByBytes } from '#libs/wire';
import { In, type DataSource } from 'typeorm';
import { AuditEntry } from '../entities/audit-entry.entity.js';

/** The filters. Absent fields do not filter. */
export interface AuditFilter {
  readonly organizationId?: string | undefined;
  readonly ref?: string | undefined;
  readonly operatorId?: string | undefined;
  /** An action, or its first part: `project` matches `project.create`. */
  readonly action?: string | undefined;
  /** The id or name of what was changed. */
  readonly target?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** The id of the last entry of the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/**
 * Returns the matching entries, newest first, and the id with which the next page continues. A page has fewer entries
 * than `limit` if they have more than 8 MB.
 */
export async function listAudit(
  dataSource: DataSource,
  filter: AuditFilter,
): Promise<{ readonly entries: AuditEntry[]; readonly next: string | null }> {
  const query = dataSource.manager
    .createQueryBuilder(AuditEntry, 'entry')
    .select('entry.id', 'id')
    .addSelect(
      `coalesce(pg_catalog.octet_length("entry"."before"::pg_catalog.text), 0)
       + coalesce(pg_catalog.octet_length("entry"."after"::pg_catalog.text), 0)`,
      'bytes',
    )
    .orderBy('entry.id', 'DESC')
    .limit(filter.limit + 1);
  const narrow = (condition: string, values: Record<string, unknown>): void => {
    if (Object.values(values)[0] !== undefined) query.andWhere(condition, values);
  };
  narrow('entry.organizationId = :organizationId', { organizationId: filter.organizationId });
  narrow('entry.ref = :ref', { ref: filter.ref });
  narrow('entry.operatorId = :operatorId', { operatorId: filter.operatorId });
  narrow(`(entry.action = :action or starts_with(entry.action, :action || '.'))`, {
    action: filter.action,
  });
  narrow('entry.target = :target', { target: filter.target });
  narrow('entry.at >= :from', { from: filter.from });
  narrow('entry.at < :to', { to: filter.to });
  narrow('entry.id < :before', { before: filter.before });
  const found = await query.getRawMany<{ readonly id: string; readonly bytes: number }>();
  const { entries, hasMore } = pageByBytes(found, filter.limit);
  const ids = entries.map(({ id }) => id);
  return {
    entries: await dataSource.manager.find(AuditEntry, {
      where: { id: In(ids) },
      order: { id: 'DESC' },
    }),
    next: hasMore ? (ids.at(-1) ?? null) : null,
  };
}
