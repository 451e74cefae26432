// The plan that `explain (format json)` writes, as a tree to be shown.
import { isRecord, type JsonObject, parseJson } from '../../api/json.js';

export interface PlanNode {
  readonly id: string;
  /** What it does, and on which table or index. */
  readonly title: string;
  /** Conditions, keys and counts, in words. */
  readonly facts: readonly string[];
  /** Rows that were expected, and rows that came. */
  readonly expectedRows: number;
  readonly rows: number | undefined;
  /** In the units of the planner. */
  readonly cost: number;
  /** With its children; milliseconds. Undefined of a plan that was not run. */
  readonly ms: number | undefined;
  /** Which part of the whole the node takes without its children, from 0 to 1: of the time, or of the cost. */
  readonly share: number;
  readonly isCostly: boolean;
  readonly children: readonly PlanNode[];
}

export interface Plan {
  readonly root: PlanNode;
  readonly planningMs: number | undefined;
  readonly executionMs: number | undefined;
}

/** A node that takes at least this part of the whole is marked. */
const costlyShare = 0.25;

/** The plan in the text of an answer; undefined for any other text. */
export function readPlan(text: string): Plan | undefined {
  const value = parseJson(text);
  const whole = isRecord(value) ? value : Array.isArray(value) ? objectIn(value[0]) : undefined;
  const root = objectIn(whole?.['Plan']);
  if (!whole || !root) return undefined;
  return {
    root: nodeOf(root, '1', weightOf(root)),
    planningMs: numberIn(whole, 'Planning Time'),
    executionMs: numberIn(whole, 'Execution Time'),
  };
}

/** The nodes of a plan in the order in which they are shown, with their depth. */
export function* nodesOf(node: PlanNode, depth = 0): Generator<{ node: PlanNode; depth: number }> {
  yield { node, depth };
  for (const child of node.children) yield* nodesOf(child, depth + 1);
}

function nodeOf(plan: JsonObject, id: string, whole: number): PlanNode {
  const parts = childrenOf(plan);
  const own = weightOf(plan) - parts.reduce((sum, part) => sum + weightOf(part), 0);
  const share = whole > 0 ? Math.min(1, Math.max(0, own / whole)) : 0;
  const loops = numberIn(plan, 'Actual Loops') ?? 1;
  const rows = numberIn(plan, 'Actual Rows');
  return {
    id,
    title: titleOf(plan),
    facts: factsOf(plan),
    expectedRows: numberIn(plan, 'Plan Rows') ?? 0,
    rows: rows === undefined ? undefined : Math.round(rows * loops),
    cost: numberIn(plan, 'Total Cost') ?? 0,
    ms: msOf(plan),
    share,
    isCostly: share >= costlyShare,
    children: parts.map((part, index) => nodeOf(part, `${id}.${index + 1}`, whole)),
  };
}

/** The time of all loops, or the cost of a plan that was not run. */
const weightOf = (plan: JsonObject): number => msOf(plan) ?? numberIn(plan, 'Total Cost') ?? 0;

function msOf(plan: JsonObject): number | undefined {
  const ms = numberIn(plan, 'Actual Total Time');
  return ms === undefined ? undefined : ms * (numberIn(plan, 'Actual Loops') ?? 1);
}

function titleOf(plan: JsonObject): string {
  const kind = textIn(plan, 'Operation') ?? textIn(plan, 'Node Type') ?? 'Step';
  const join = textIn(plan, 'Join Type');
  const index = textIn(plan, 'Index Name');
  const table = textIn(plan, 'Relation Name') ?? textIn(plan, 'CTE Name');
  const alias = textIn(plan, 'Alias');
  const named = [
    join !== undefined && join !== 'Inner' ? `${kind} (${join})` : kind,
    index === undefined ? '' : `with ${index}`,
    table === undefined ? '' : `on ${table}`,
    alias === undefined || alias === table || table === undefined ? '' : `as ${alias}`,
  ];
  return named.filter((part) => part !== '').join(' ');
}

const shownFacts = [
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'Sort Key',
  'Group Key',
  'Sort Method',
  'Function Name',
] as const;
const shownCounts = [
  'Rows Removed by Filter',
  'Rows Removed by Join Filter',
  'Heap Fetches',
  'Shared Read Blocks',
  'Temp Written Blocks',
] as const;

function factsOf(plan: JsonObject): readonly string[] {
  const texts = shownFacts.flatMap((name) => {
    const value = plan[name];
    const text = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' ? [`${name}: ${text}`] : [];
  });
  const counts = shownCounts.flatMap((name) => {
    const count = numberIn(plan, name) ?? 0;
    return count > 0 ? [`${name}: ${count.toLocaleString('en')}`] : [];
  });
  return [...texts, ...counts];
}

function childrenOf(plan: JsonObject): readonly JsonObject[] {
  const parts = plan['Plans'];
  return Array.isArray(parts) ? parts.filter(isRecord) : [];
}

function numberIn(of: JsonObject, name: string): number | undefined {
  const value = of[name];
  return typeof value === 'number' ? value : undefined;
}

function textIn(of: JsonObject, name: string): string | undefined {
  const value = of[name];
  return typeof value === 'string' ? value : undefined;
}

const objectIn = (value: unknown): JsonObject | undefined => (isRecord(value) ? value : undefined);
