import { type AppError, type ErrorCode, fail } from '#libs/errors';
import type { ParameterValue } from '#libs/wire';
import { arrayLiteral, parseValueList } from './parse/list.js';
import type { BodyFrame } from './shape/frame.js';
import type { Respond } from './shape/respond.js';
import type { ArgumentText, Method } from './types/request.js';
import type { Parameter, StatementGives, StatementTemplate } from './types/statement.js';

/**
 * How the transaction ends. `implicit`: all statements in one batch, committed by its Sync; `respond` runs afterwards.
 * `inspect`: BEGIN, the statements, `respond`; COMMIT if it returns, ROLLBACK if it throws. `rollback`: the same, with
 * ROLLBACK in both cases.
 */
export type Ending = 'implicit' | 'inspect' | 'rollback';

/** One statement with its values, ready to be sent. */
export interface CompiledStatement {
  /**
   * The SQL text. It identifies the statement: equal texts are the same string object while their shape is cached, so
   * it serves as the key of a connection's prepared statements.
   */
  readonly text: string;
  readonly values: readonly ParameterValue[];
  readonly gives: StatementGives;
}

/** Why only administrators may run a request. */
export type AdminRefusal = Extract<ErrorCode, 'EXPLAIN_REFUSED' | 'UNFILTERED_WRITE'>;

/** Returns the error of a request with this method that only administrators may run. */
export function adminError(refusal: AdminRefusal, method: Method): AppError {
  return refusal === 'UNFILTERED_WRITE' ? fail(refusal, { method }) : fail(refusal);
}

/** What requests of one shape share. */
export interface CompiledShape {
  readonly templates: readonly StatementTemplate[];
  /** Whether it may write; otherwise it runs in a read-only transaction. */
  readonly isWrite: boolean;
  /** Whether it runs code of unknown duration, and so needs a connection of its own. */
  readonly isExclusive: boolean;
  readonly ending: Ending;
  /**
   * Builds the error for callers who are not administrators; undefined if every caller may run it. The caller may be
   * known only after a lookup in the database, so it is not part of a shape.
   */
  readonly adminRefusal: AdminRefusal | undefined;
  /** Undefined: the answer has no body. The rows are those of the first statement. */
  readonly frame: BodyFrame | undefined;
  /** Turns the results, in the order of the statements, into status and headers, or throws. */
  readonly respond: Respond;
}

/** A request that is parsed, allowed by the catalog, and ready to run. */
export interface Compiled {
  readonly shape: CompiledShape;
  readonly statements: readonly CompiledStatement[];
  /** How many of the outermost rows to skip; `respond` needs it. */
  readonly offset: number;
}

/** The values of one request. */
export interface RequestValues {
  /** By slot. */
  readonly operands: readonly string[];
  readonly offset: number;
  /** The body in the form that PostgreSQL reads. */
  readonly body: ParameterValue | undefined;
}

/** Combines a shape with the values of one request. Throws PGRST100 for a malformed list. */
export function bindShape(shape: CompiledShape, values: RequestValues): Compiled {
  return {
    shape,
    statements: shape.templates.map(({ text, parameters, gives }) => ({
      text,
      values: parameters.map((parameter) => valueOf(parameter, values)),
      gives,
    })),
    offset: values.offset,
  };
}

function valueOf(parameter: Parameter, values: RequestValues): ParameterValue {
  switch (parameter.from) {
    case 'body':
      return values.body ?? null;
    case 'offset':
      return String(values.offset);
    case 'operand':
      return operandValue(parameter.as, values.operands[parameter.slot] ?? '');
    case 'argument':
      return argumentValue(parameter.value, values);
  }
}

function operandValue(as: 'text' | 'pattern' | 'list', operand: string): string {
  switch (as) {
    case 'text':
      return operand;
    case 'pattern':
      return operand.replaceAll('*', '%');
    case 'list':
      return arrayLiteral(parseValueList(operand));
  }
}

function argumentValue({ text, slot }: ArgumentText, { operands }: RequestValues): string {
  return slot === undefined ? text : text + (operands[slot] ?? '');
}
