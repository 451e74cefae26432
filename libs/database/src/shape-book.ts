// What a process remembers of one project's statements: their names, and how fast they are.

/** The kinds of callers whose statements never share a name: another role needs a new plan each time. */
export type RoleClass = 'anon' | 'user' | 'service';

/** One text as run by one kind of callers. */
export interface Shape {
  /** Of its prepared statement; empty for a text that is parsed each time. */
  readonly name: string;
  runs: number;
  /** The fastest of the recent runs, as measured here; milliseconds. */
  bestMs: number;
  /** The usual time of a run while few of the project run, for the pace; milliseconds. */
  calmMs: number | undefined;
  /** How many more fast runs it takes until a slow one is forgotten. */
  suspicion: number;
}

/** A batch faster than this may share its connection: the next one barely waits. */
const FAST_MS = 3;
const MIN_RUNS = 2;
/** How fast the weight of older runs decays. */
const FORGETTING = 1.05;
/** A run that took this long was slow on the server, not only noticed late by a busy process. */
const SLOW_MS = 100;
const SUSPICION = 50;
/**
 * A longer text is forgotten: clients write parts of texts, such as filters, and each text is kept here and, with its
 * plan, by PostgreSQL in each connection.
 */
const MAX_TEXT_LENGTH = 16_384;

/** Bounded: the least recently used shape is removed and gets a new name when it returns. */
export class ShapeBook {
  readonly #maxShapes: number;
  readonly #byClass: Record<RoleClass, Map<string, Shape>> = {
    anon: new Map(),
    user: new Map(),
    service: new Map(),
  };
  #names = 0;

  constructor(maxShapes: number) {
    this.#maxShapes = maxShapes;
  }

  shapeOf(roleClass: RoleClass, text: string): Shape {
    if (text.length > MAX_TEXT_LENGTH) return newShape('');
    const shapes = this.#byClass[roleClass];
    return shapes.get(text) ?? this.#add(shapes, text);
  }

  /** Removes all shapes; their names are never used again. */
  clear(): void {
    for (const shapes of Object.values(this.#byClass)) shapes.clear();
  }

  #add(shapes: Map<string, Shape>, text: string): Shape {
    if (shapes.size >= this.#maxShapes) {
      for (const oldest of shapes.keys()) {
        shapes.delete(oldest);
        break;
      }
    }
    const shape = newShape(`q${(++this.#names).toString(36)}`);
    shapes.set(text, shape);
    return shape;
  }
}

function newShape(name: string): Shape {
  return { name, runs: 0, bestMs: Infinity, calmMs: undefined, suspicion: 0 };
}

/**
 * Whether the shape may share a connection. A busy process notices every answer late, so the fastest of the recent runs
 * shows how long the server takes; after one slow run several fast runs are needed again.
 */
export function isFast(shape: Shape): boolean {
  return shape.runs >= MIN_RUNS && shape.bestMs < FAST_MS && shape.suspicion === 0;
}

export function noteRun(shape: Shape, serviceMs: number): void {
  shape.runs++;
  shape.bestMs = Math.min(serviceMs, shape.bestMs * FORGETTING);
  if (serviceMs > SLOW_MS) shape.suspicion = SUSPICION;
  else if (shape.suspicion > 0) shape.suspicion--;
}
