// Decides which callers see which changes: evaluates the policies of the table on the rows of the event itself, inside
// PostgreSQL, as the role of the callers. Rows are not read again: they may have changed since, or be gone.

import { AppError } from '#libs/errors';
import type { DatabaseRole } from '#libs/wire';
import type { RealtimeDatabase } from '../ports.js';
import { CHANGED, INPUT, OUTPUT } from './block.js';
import {
  factsOf,
  NOTE_FACTS,
  READ_FACTS,
  READ_RIGHTS,
  rightsIn,
  type TableFacts,
} from './facts.js';
import type { ChangeFilter } from '#libs/realtime-core';
import { askFilters } from './ask-filters.js';
import { groupAudiences, layOutRows, type RowLayout } from './layout.js';
import { PolicyAnalysis } from './policy-analysis.js';
import { inputOfRows, PolicyCalls, type RunBlock } from './policy-calls.js';
import type { Method } from './program.js';
import { partsOfRows } from './row-parts.js';
import type { EvaluationError, Question, Verdict } from './types.js';
import { VerdictDraft } from './verdict-draft.js';

export interface VisibilityOptions {
  /** Limit of one call of the database. */
  readonly statementMs: number;
  /** How long a call waits for a lock, for example of a migration, before the verdict is that the table is locked. */
  readonly lockMs: number;
  /** The same as `statementMs` for filters, which clients write. */
  readonly filterMs: number;
  /** After this time of a question, its filters that cost the most are evaluated last; after twice as much they end. */
  readonly filterBudgetMs: number;
  /** Rows by callers of one call in a loop, so that it stays far from its limit. */
  readonly maxEvaluations: number;
  /** The same of one call in a join, whose answer may name each pair of them: about 2 MB of text. */
  readonly maxPairs: number;
  /** How many calls of a question may take too long before the rest of its callers is refused. */
  readonly maxTimeouts: number;
}

/** What a role may do with a table, for those who begin to listen. */
export interface TableRights {
  readonly schema: string;
  readonly name: string;
  readonly isSelectable: boolean;
  readonly readableColumns: readonly string[];
}

const defaults: VisibilityOptions = {
  statementMs: 2_000,
  lockMs: 500,
  filterMs: 500,
  filterBudgetMs: 3_000,
  maxEvaluations: 100_000,
  maxPairs: 200_000,
  maxTimeouts: 14,
};
const MAX_AUDIENCES = 5_000;
/** Tables with each of their roles. */
const MAX_FACTS = 1_000;
/** How often facts that change under an evaluation are read again. */
const MAX_ATTEMPTS = 3;
const CANCELLED = '57014';
/** The states of a call that has waited for a lock for too long. */
const LOCKED: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/** A question with what is known of its table. */
interface Work {
  readonly question: Question;
  readonly facts: TableFacts;
  readonly policies: PolicyAnalysis;
  readonly layout: RowLayout;
}

/** Of one project; holds no connection. */
export class Visibility {
  readonly #db: Pick<RealtimeDatabase, 'runAsRole'>;
  readonly #options: VisibilityOptions;
  /** The facts of tables with what was worked out from them. */
  readonly #policies = new Map<string, PolicyAnalysis>();

  constructor(db: Pick<RealtimeDatabase, 'runAsRole'>, options: Partial<VisibilityOptions> = {}) {
    this.#db = db;
    this.#options = { ...defaults, ...options };
  }

  /**
   * Returns what a role may do with a table, also while the table is locked; undefined if it does not exist. Throws the
   * errors of the database.
   */
  async rightsOf(table: number, role: DatabaseRole): Promise<TableRights | undefined> {
    const [rows] = await this.#db.runAsRole(role, [{ text: READ_RIGHTS, values: [String(table)] }]);
    const rights = rightsIn(rows?.[0]);
    if (!rights) return undefined;
    const { schema, name, isSelectable, columns } = rights;
    const readable = columns.filter(({ isReadable }) => isReadable);
    return { schema, name, isSelectable, readableColumns: readable.map((column) => column.name) };
  }

  /** Returns why a filter cannot be used; undefined if it can. Throws the errors of the database. */
  async checkFilter(
    { table, role }: Pick<Question, 'table' | 'role'>,
    filter: ChangeFilter,
  ): Promise<EvaluationError | 'locked' | undefined> {
    const place = { seq: '0', txid: '0', table, at: '' };
    const change = { ...place, kind: 'I', newText: '{}', oldText: null, isCut: false } as const;
    const question = { table, role, changes: [change], audiences: [], filters: [filter] };
    const { isLocked, hasGap, filterErrors } = await this.decide(question);
    if (isLocked) return 'locked';
    if (hasGap) return { code: '42P01', message: 'The table is gone, or changes all the time' };
    return filterErrors.get(0);
  }

  /**
   * Throws the errors of the database that are not about the policies, such as DATABASE_UNAVAILABLE; a policy or a filter
   * that fails is an error in the verdict.
   */
  async decide(question: Question): Promise<Verdict> {
    const layout = layOutRows(question.changes);
    try {
      return await this.#decide(question, layout);
    } catch (error) {
      if (!LOCKED.has(sqlStateOf(error))) throw error;
      return new VerdictDraft(question, layout).finish(undefined, { isLocked: true });
    }
  }

  async #decide(question: Question, layout: RowLayout): Promise<Verdict> {
    const { lockMs } = this.#options;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const key = keyOf(question.table, question.role);
      const known = this.#policies.get(key);
      const policies = known ?? (await this.#readPolicies(question.table, question.role, lockMs));
      if (!policies) break;
      const work = { question, facts: policies.facts, policies, layout };
      const verdict = await this.#evaluate(work, policies.method);
      if (verdict) return verdict;
      this.#policies.delete(key);
    }
    return new VerdictDraft(question, layout).finish(undefined, { hasGap: true });
  }

  /** Undefined if the facts have changed. */
  async #evaluate(work: Work, method: Method): Promise<Verdict | undefined> {
    const { question, facts, layout } = work;
    const draft = new VerdictDraft(question, layout);
    const outcome = await this.#askPolicies(work, method, draft);
    if (outcome === 'changed') return undefined;
    // A term that fails by itself may be fine where the evaluation for a caller does not reach it.
    if (outcome === 'failed') return this.#evaluate(work, 'loop');
    // Filters are evaluated on the rows that are visible then.
    if ((await this.#askFilters(work, draft)) === 'changed') return undefined;
    return draft.finish({ schema: facts.schema, name: facts.name });
  }

  async #askFilters(work: Work, draft: VerdictDraft) {
    const { facts, layout } = work;
    const wanted = draft.wantedFilters(facts);
    const { filterBudgetMs: budgetMs, filterMs: limitMs } = this.#options;
    const rows = layout.filterRow.map((row) => layout.rows[row] ?? '{}');
    const answer = await askFilters({ facts, wanted, rows, limitMs, budgetMs }, (text, call) =>
      this.#runner(work, call.limitMs)(text, inputOfRows(call.rows)),
    );
    if (!answer) return 'changed';
    draft.addFilters(answer);
    return 'done';
  }

  async #askPolicies(work: Work, method: Method, draft: VerdictDraft) {
    const { question, policies, layout } = work;
    // A join has only filters to check.
    if (question.audiences.length === 0) return 'done';
    const program = policies.program(method);
    const groups = groupAudiences(question.audiences, method, policies.reads);
    const run = this.#runner(work, this.#options.statementMs);
    const calls = new PolicyCalls(run, program, this.#options.maxTimeouts);
    let firstRow = 0;
    for (const rows of partsOfRows(layout.rows)) {
      const size = this.#sizeOfCall(rows.length, method);
      for (let first = 0; first < groups.audiences.length; first += size) {
        const audiences = groups.audiences.slice(first, first + size);
        for (const part of await calls.ask(rows, audiences, first)) {
          if (part.kind === 'changed') return 'changed';
          const hasFailed = part.kind === 'error' || part.answer.errors.has(-1);
          if (method === 'joined' && hasFailed) return 'failed';
          if (part.kind === 'answer')
            draft.add(part.answer, { first: part.first, firstRow, groups });
          else draft.refuse(part.error, { ...part, groups });
        }
      }
      firstRow += rows.length;
    }
    return 'done';
  }

  /** Runs blocks with their input as the role of the question. Throws 55P03 for a lock that lasts too long. */
  #runner({ question: { table, role }, facts }: Work, statementMs: number): RunBlock {
    return async (text, input) => {
      const queries = [
        { text: NOTE_FACTS, values: [String(table)] },
        { text: INPUT, values: input },
        { text, values: [] },
        { text: OUTPUT, values: [] },
      ];
      // Below the limit of the statement, so that a lock is not taken for a slow policy.
      const lockMs = Math.min(this.#options.lockMs, Math.ceil(statementMs / 2));
      try {
        const results = await this.#db.runAsRole(role, queries, { statementMs, lockMs });
        return { kind: 'output', text: results[3]?.[0]?.[0] ?? '' };
      } catch (error) {
        const code = sqlStateOf(error);
        if (code === CANCELLED) return { kind: 'timeout' };
        if (error instanceof AppError && error.code === 'RESULT_TOO_LARGE') {
          return { kind: 'too-large' };
        }
        const isAway = error instanceof AppError && error.status === 503;
        if (code === undefined || LOCKED.has(code) || isAway) throw error;
        // The block names the table: it fails before it compares the facts if the table has another name, or is gone.
        const current = await this.#readPolicies(table, role, lockMs);
        if (current?.facts.hash !== facts.hash) return { kind: 'output', text: CHANGED };
        const message = error instanceof Error ? error.message : '';
        return { kind: 'error', error: { code, message } };
      }
    };
  }

  #sizeOfCall(rows: number, method: Method): number {
    if (method === 'once') return Infinity;
    const { maxEvaluations, maxPairs } = this.#options;
    const most = method === 'joined' ? maxPairs : maxEvaluations;
    const fitting = Math.floor(most / Math.max(1, rows));
    return Math.max(1, Math.min(MAX_AUDIENCES, fitting));
  }

  async #readPolicies(
    table: number,
    role: DatabaseRole,
    lockMs: number,
  ): Promise<PolicyAnalysis | undefined> {
    const query = { text: READ_FACTS, values: [String(table)] };
    const [rows] = await this.#db.runAsRole(role, [query], { lockMs });
    const facts = factsOf(rows?.[0]);
    const key = keyOf(table, role);
    this.#policies.delete(key);
    if (!facts) return undefined;
    const policies = new PolicyAnalysis(facts);
    this.#policies.set(key, policies);
    for (const oldest of this.#policies.keys()) {
      if (this.#policies.size <= MAX_FACTS) break;
      this.#policies.delete(oldest);
    }
    return policies;
  }
}

function keyOf(table: number, role: DatabaseRole): string {
  return `${table} ${role}`;
}

function sqlStateOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof AppError ? error.cause : undefined;
  const code: unknown = Reflect.get(Object(cause), 'code');
  return typeof code === 'string' ? code : undefined;
}
