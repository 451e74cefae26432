import type { BodyText } from './parse/body.js';
import type { RequestText } from './parse/index.js';

/**
 * Everything of a request that the stages read, and nothing else: requests with equal keys share a shape. Lengths
 * separate fields that may contain any character; header values contain no line break.
 */
export function shapeKey({ input, queryKey, range, body }: RequestText): string {
  const { method, resource, place } = input;
  const { prefer, accept, acceptProfile, contentProfile } = input.headers;
  const { kind, name } = resource;
  const names = `${method}${kind}${name.length} ${name}${queryKey.length} ${queryKey}`;
  const shown = `${prefer ?? ''}\n${accept ?? ''}\n${acceptProfile ?? ''}\n${contentProfile ?? ''}`;
  let key = `${names}${shown}`;
  if (range) key += `\nrange ${range.offset} ${range.limit ?? ''}`;
  // Hidden rows matter only if a count is requested.
  if (input.seesAllRows && prefer) key += '\nall rows';
  if (place) key += `\nplace ${JSON.stringify(place)}`;
  if (body) key += `\nbody ${bodyKey(body)}`;
  return key;
}

// Keys of a body may contain NUL. A name with NUL is in no catalog, so with the number of keys in front no such body
// can match a known shape.
function bodyKey(body: BodyText): string {
  if (body.kind === 'rows') {
    const { kind, keys, isUniform } = body.rows;
    return `${kind}${isUniform}${keys.length} ${keys.join('\0')}`;
  }
  const { arguments: given } = body;
  return given.kind === 'single'
    ? `single ${given.type}`
    : `object${given.keys.length} ${given.keys.join('\0')}`;
}
