// Functions as changes.
import { qualified } from '../../../sql/quote.js';
import type { SchemaFunction } from '../../project/schema.js';
import { type Change, harmless } from '../change.js';

type Signature = Pick<SchemaFunction, 'schema' | 'name' | 'identityArguments' | 'kind'>;

/** What a new function begins with. */
export const FUNCTION_TEMPLATE = `create or replace function public.add_numbers(a integer, b integer)
returns integer
language sql
immutable
as $$
  select a + b;
$$`;

/** A function as `drop` and `alter` name it. */
function signature({ schema, name, identityArguments }: Signature): string {
  return `${qualified({ schema, name })}(${identityArguments})`;
}

/** The change that runs a definition as it was written. */
export function defineFunction(definition: string, name: string | undefined): Change {
  return harmless({
    title: name === undefined ? 'Create a function' : `Change the function ${name}`,
    done: name === undefined ? 'The function was created.' : `The function ${name} was changed.`,
    statements: [withoutSemicolon(definition)],
  });
}

export function dropFunction(of: Signature): Change {
  const noun = of.kind === 'procedure' || of.kind === 'aggregate' ? of.kind : 'function';
  return {
    title: `Drop the ${noun} ${of.name}`,
    done: `The ${noun} ${of.name} was dropped.`,
    statements: [`drop ${noun} ${signature(of)}`],
    losses: [`The ${noun}. It cannot be dropped while triggers, policies or defaults call it.`],
    confirm: of.name,
  };
}

/** The roles of requests. */
export const requestRoles = ['anon', 'authenticated', 'service_role'] as const;

/** The change after which these roles of requests alone may call a function. */
export function grantFunction(of: Signature, roles: readonly string[]): Change {
  const noun = of.kind === 'procedure' ? 'procedure' : 'function';
  const place = `${noun} ${signature(of)}`;
  return harmless({
    title: `Change who may call ${of.name}`,
    done: `The rights on ${of.name} are changed.`,
    statements: [
      `revoke execute on ${place} from public, ${requestRoles.join(', ')}`,
      ...(roles.length === 0 ? [] : [`grant execute on ${place} to ${roles.join(', ')}`]),
    ],
  });
}

function withoutSemicolon(text: string): string {
  return text.trim().replace(/;\s*$/, '');
}
