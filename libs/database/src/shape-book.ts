// What one project's process remembers of the statements it runs: their names, and how fast they are.

/** The kinds of callers whose statements never share a name: another role costs a new plan each time. */
export type RoleClass = 'anon' | 'user' | 'service';

/** One text as run by one kind of callers. */
export interface Shape {
  readonly name: string;
  runs: number;
  /** The quickest of the recent runs, as seen from here; milliseconds. */
  bestMs: number;
  /** The usual time of a run while few of the project run, for the pace; milliseconds. */
  calmMs: number | undefined;
  /** How many more quick runs it takes until a slow one is forgotten. */
  suspicion: number;
}

/** A batch faster than this may share its connection: the next one hardly waits. */
const FAST_MS = 3;
const MIN_RUNS = 2;
/** How much older runs lose against newer ones. */
const FORGETTING = 1.05;
/** A run that took this long was slow on the server, not only noticed late by a busy process. */
const SLOW_MS = 100;
const SUSPICION = 50;

/** Bounded: the shape looked at longest ago is forgotten and gets a new name when it comes back. */
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
    const shapes = this.#byClass[roleClass];
    return shapes.get(text) ?? this.#add(shapes, text);
  }

  /** Forgets all shapes; their names are never given again. */
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
    const shape = {
      name: `q${(++this.#names).toString(36)}`,
      runs: 0,
      bestMs: Infinity,
      calmMs: undefined,
      suspicion: 0,
    };
    shapes.set(text, shape);
    return shape;
  }
}

/**
 * Whether the shape may share a connection. A busy process sees every answer late, so the quickest of the
 * recent runs shows how long the server takes; after one slow run the shape has to prove itself again.
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
