// Requests that follow the grammar, over catalogs that nobody would write: each is refused with a reason, or
// becomes statements that PostgreSQL understands and that hold nothing of the request but what may be there.
import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';
import fc from 'fast-check';
import pg from 'pg';

import { AppError, databaseError } from '#libs/errors';
import { compileBatch, createQueryCompiler, type Limits } from '#libs/rest-query';
import { finish } from '#libs/steps';

import { answeredError } from '../../apps/api/src/rest/execute.js';
import { batchWork, requestWork, type Work } from '../../apps/api/src/rest/work.js';
import { compileAtOnce } from '../../libs/rest-query/tests/run-request.js';
import { Dice } from './dice.js';
import { prepareError } from './prepare.js';
import { randomBatch } from './random-batches.js';
import { openRandomDatabase, type RandomDatabase } from './random-database.js';
import { randomRequest } from './random-requests.js';
import { MARK, type Permitted } from './request-text.js';
import { runsOf, seed } from './settings.js';
import { strangerIn, type Vocabulary, vocabularyOf } from './statement-check.js';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });

const RUNS = runsOf(2_000);
const RUNS_OF_A_CATALOG = 1_000;
const runs = Math.min(RUNS, RUNS_OF_A_CATALOG);
const limits: Limits = { maxRows: 100, functionSchemas: [], definerFunctions: [] };

/** What a request may ask for in vain: its operators, casts, groups and targets do not fit the types. */
const MISTAKES: readonly (string | undefined)[] = [
  '42883',
  '42804',
  '42846',
  '42803',
  '42725',
  '42P18',
  '42704',
  '42P10',
  '428C9',
];

/** A request or a batch, what it becomes, and what of it may stand in the text of statements. */
interface Case {
  /** For the report of a failure. */
  readonly said: unknown;
  readonly permitted: Permitted;
  /** Statuses of a mistake that PostgreSQL finds. */
  readonly refusals: readonly number[];
  /** Whether the rows of the answer are JSON. */
  readonly givesJson: boolean;
  readonly compile: () => Work;
}

const catalogs = Array.from({ length: Math.ceil(RUNS / RUNS_OF_A_CATALOG) }, (_, i) => seed + i);

describe.each(catalogs)('over the catalog of seed %i', (catalogSeed) => {
  let database: RandomDatabase;
  let known: Vocabulary;
  const compiler = createQueryCompiler({ maxShapes: 100 });

  beforeAll(async () => {
    database = await openRandomDatabase(catalogSeed);
    known = vocabularyOf(database.catalog);
  });
  afterAll(() => database.close());

  const requestCase = (dice: Dice): Case => {
    const request = randomRequest(dice, database.catalog);
    const { input } = request;
    return {
      said: input,
      permitted: request,
      // What a function's own text names may be missing as well.
      refusals: input.resource.kind === 'function' ? [400, 404] : [400],
      givesJson: input.headers.accept === undefined,
      compile: () => requestWork(input, compileAtOnce(compiler, database.catalog, limits, input)),
    };
  };
  const batchCase = (dice: Dice): Case => {
    const batch = randomBatch(dice, database.catalog);
    const compiled = () =>
      finish(compileBatch(compiler, { catalog: database.catalog, limits }, batch.text));
    return {
      said: batch.text,
      permitted: batch,
      refusals: [400],
      givesJson: true,
      compile: () => batchWork(compiled()),
    };
  };
  const makeCase = (dice: Dice): Case => (dice.chance(15) ? batchCase(dice) : requestCase(dice));

  /** Checks as many cases; what a check throws is told with the request that it was about. */
  const forCases = (numRuns: number, check: (work: Work, from: Case) => Promise<void> | void) =>
    fc.assert(
      fc.asyncProperty(fc.gen(), async (generate) => {
        const from = makeCase(new Dice(generate));
        try {
          const work = compileOr(from);
          if (work) await check(work, from);
        } catch (error) {
          const text = `${String(error)}\nof ${JSON.stringify(from.said)}`;
          throw new Error(text, { cause: error });
        }
      }),
      {
        numRuns,
        seed: catalogSeed,
        interruptAfterTimeLimit: 600_000,
        markInterruptAsFailure: true,
      },
    );

  test('a request is refused, or PostgreSQL prepares its statements', async () => {
    let prepared = 0;
    await forCases(runs, async (work, { refusals }) => {
      for (const statement of work.statements) {
        const error = await prepareError(database.client, statement);
        if (!error) prepared++;
        else {
          const { code, message } = error;
          expect({ message, code, text: statement.text }).toMatchObject({
            code: MISTAKES.includes(code) ? code : 'a mistake of the request',
          });
          expect(refusals).toContain(toldStatus(work, error));
        }
      }
    });
    // Else it would be refusals alone that are tested.
    expect(prepared).toBeGreaterThan(runs / 3);
  });

  test('the text of a statement is made of the catalog, of names that are asked for, and of SQL', () =>
    forCases(runs, ({ statements }, { permitted }) => {
      for (const { text } of statements) {
        expect({ text, stranger: strangerIn(text, known, permitted) }).toEqual({ text });
        expect(text).not.toContain(MARK);
      }
    }));

  test('what runs gives rows that are JSON, or an error that is the fault of the request', async () => {
    const { client } = database;
    await client.query("set statement_timeout = '5s'");
    let answered = 0;
    await forCases(Math.ceil(runs / 3), async (work, { givesJson }) => {
      await client.query('begin');
      try {
        for (const { text, values, gives } of work.statements) {
          const { rows } = await client.query({ text, values: [...values], rowMode: 'array' });
          if (gives === 'rows' && givesJson) rows.forEach(([row]) => JSON.parse(String(row)));
        }
        answered++;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        const { message } = error;
        const status = toldStatus(work, error);
        expect({ message, isFault: status >= 500 }).toEqual({ message, isFault: false });
      } finally {
        await client.query('rollback');
      }
    });
    expect(answered).toBeGreaterThan(runs / 15);
  });
});

/** What a request becomes; undefined when it is refused, which is no fault of the server. */
function compileOr({ compile }: Case): Work | undefined {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.status).toBeLessThan(500);
    return undefined;
  }
}

function toldStatus(work: Work, { code = '', message }: pg.DatabaseError): number {
  return answeredError(work, databaseError({ code, message })).status;
}
