// Determines the context of a position in an HTML text: a value that is safe between two tags runs as a script in
// another context. It reads templates of administrators; it never receives values.

/**
 * `text`: between tags. `attribute`: in a quoted attribute. `url`: at the start of a quoted attribute that
 * holds an address; `url-rest`: further in it. `unsafe`: where escaping is not enough.
 */
export type Place = 'text' | 'attribute' | 'url' | 'url-rest' | 'unsafe';

type State =
  | { readonly kind: 'text' }
  | { readonly kind: 'tag-name'; readonly name: string }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'attribute-name'; readonly tag: string; readonly name: string }
  | { readonly kind: 'after-name'; readonly tag: string; readonly name: string }
  | { readonly kind: 'before-value'; readonly tag: string; readonly name: string }
  | {
      readonly kind: 'quoted';
      readonly tag: string;
      readonly name: string;
      readonly quote: string;
      readonly isEmpty: boolean;
    }
  | { readonly kind: 'unquoted'; readonly tag: string }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'raw'; readonly tag: string; readonly tail: string };

const addressAttributes: ReadonlySet<string> = new Set([
  'action',
  'background',
  'cite',
  'data',
  'formaction',
  'href',
  'poster',
  'src',
  'srcset',
  'xlink:href',
]);
/** Their content is not HTML: escaping for HTML makes nothing safe in it. */
const rawElements: ReadonlySet<string> = new Set(['script', 'style']);
const unsafeAttribute = /^(?:on.*|style|srcdoc)$/;
const space = /\s/;

/** Follows an HTML text from its start. */
export class HtmlReader {
  #state: State = { kind: 'text' };

  /** Reads the next piece. */
  read(text: string): void {
    for (const character of text) this.#state = next(this.#state, character);
  }

  /** Records that there is a value at this position. */
  passValue(): void {
    if (this.#state.kind === 'quoted') this.#state = { ...this.#state, isEmpty: false };
  }

  /** The context of a value at the current position. */
  get place(): Place {
    const state = this.#state;
    switch (state.kind) {
      case 'text':
      case 'comment':
        return 'text';
      case 'quoted':
        if (unsafeAttribute.test(state.name)) return 'unsafe';
        if (!addressAttributes.has(state.name)) return 'attribute';
        return state.isEmpty ? 'url' : 'url-rest';
      case 'tag-name':
      case 'tag':
      case 'attribute-name':
      case 'after-name':
      case 'before-value':
      case 'unquoted':
      case 'raw':
        return 'unsafe';
    }
  }
}

function next(state: State, character: string): State {
  switch (state.kind) {
    case 'text':
      return character === '<' ? { kind: 'tag-name', name: '' } : state;
    case 'tag-name':
      return inTagName(state.name, character);
    case 'tag':
      return inTag(state.tag, character);
    case 'attribute-name':
    case 'after-name':
      return inAttributeName(state, character);
    case 'before-value':
      if (character === '>') return endOfTag(state.tag);
      if (character === '"' || character === "'") {
        return { ...state, kind: 'quoted', quote: character, isEmpty: true };
      }
      return space.test(character) ? state : { kind: 'unquoted', tag: state.tag };
    case 'quoted':
      if (character === state.quote) return { kind: 'tag', tag: state.tag };
      // Browsers skip white space before an address, so a value after it is still at its start.
      return space.test(character) ? state : { ...state, isEmpty: false };
    case 'unquoted':
      if (character === '>') return endOfTag(state.tag);
      return space.test(character) ? { kind: 'tag', tag: state.tag } : state;
    case 'comment':
      return inComment(state.text + character);
    case 'raw':
      return inRaw(state.tag, (state.tail + character).toLowerCase());
  }
}

function inTagName(name: string, character: string): State {
  if (character === '>') return endOfTag(name);
  if (space.test(character) || (character === '/' && name !== '')) {
    return { kind: 'tag', tag: name.toLowerCase() };
  }
  const grown = name + character;
  if (grown === '!--') return { kind: 'comment', text: '' };
  if (name === '' && !/[a-z/!?]/i.test(character)) return { kind: 'text' };
  return { kind: 'tag-name', name: grown };
}

function inTag(tag: string, character: string): State {
  if (character === '>') return endOfTag(tag);
  if (character === '/' || space.test(character)) return { kind: 'tag', tag };
  return { kind: 'attribute-name', tag, name: character.toLowerCase() };
}

function inAttributeName(
  state: Extract<State, { readonly kind: 'attribute-name' | 'after-name' }>,
  character: string,
): State {
  const { kind, tag, name } = state;
  if (character === '=') return { kind: 'before-value', tag, name };
  if (character === '>') return endOfTag(tag);
  if (space.test(character)) return { kind: 'after-name', tag, name };
  const begun = kind === 'after-name' ? '' : name;
  return { kind: 'attribute-name', tag, name: begun + character.toLowerCase() };
}

/**
 * A comment such as `<!--[if mso]>` is hidden in all clients but Outlook, which treats it as HTML. Of other text only
 * the part is kept that shows where the comment ends.
 */
function inComment(text: string): State {
  if (text === '>' || text === '->' || text.endsWith('-->')) return { kind: 'text' };
  if (text.startsWith('[if') && text.endsWith(']>')) return { kind: 'text' };
  return { kind: 'comment', text: text.length <= 5 ? text : text.slice(0, 3) + text.slice(-2) };
}

function inRaw(tag: string, tail: string): State {
  const end = `</${tag}`;
  if (tail.endsWith(end)) return { kind: 'tag-name', name: `/${tag}` };
  return { kind: 'raw', tag, tail: tail.slice(-end.length) };
}

function endOfTag(tag: string): State {
  const name = tag.toLowerCase();
  return rawElements.has(name) ? { kind: 'raw', tag: name, tail: '' } : { kind: 'text' };
}
