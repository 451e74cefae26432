// Determines the context of a position in an HTML text: a value that is safe between two tags runs as a script in
// another context. It reads templates of administrators; it never receives values.

/**
 * `text`: between tags. `attribute`: in a quoted attribute. `url`: at the start of a quoted attribute that
 * holds an address; `url-rest`: further in it. `unsafe`: where escaping is not enough.
 */
export type Place = 'text' | 'attribute' | 'url' | 'url-rest' | 'unsafe';

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
const startOfName = /[a-z/!?]/i;

type State =
  | 'text'
  | 'tag-name'
  | 'tag'
  | 'attribute-name'
  | 'after-name'
  | 'before-value'
  | 'quoted'
  | 'unquoted'
  | 'comment'
  | 'raw';

/**
 * Follows an HTML text from its start. A group of settings has a megabyte of templates that are read in one turn of the
 * event loop: the state is changed in place.
 */
export class HtmlReader {
  #state: State = 'text';
  /** Of the tag, as far as it was read. */
  #tag = '';
  /** Of the attribute, as far as it was read. */
  #attribute = '';
  /** The character that ends the value. */
  #quote = '';
  #isValueEmpty = true;
  /** The end of what was read of a comment (with its start) or of a raw element. */
  #tail = '';

  /** Reads the next piece. */
  read(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#next(text.charAt(at));
  }

  /** Records that there is a value at this position. */
  passValue(): void {
    this.#isValueEmpty = false;
  }

  /** The context of a value at the current position. */
  get place(): Place {
    switch (this.#state) {
      case 'text':
      case 'comment':
        return 'text';
      case 'quoted':
        if (unsafeAttribute.test(this.#attribute)) return 'unsafe';
        if (!addressAttributes.has(this.#attribute)) return 'attribute';
        return this.#isValueEmpty ? 'url' : 'url-rest';
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

  #next(character: string): void {
    switch (this.#state) {
      case 'text':
        if (character === '<') this.#begin('tag-name');
        return;
      case 'tag-name':
        return this.#inTagName(character);
      case 'tag':
        return this.#inTag(character);
      case 'attribute-name':
      case 'after-name':
        return this.#inAttributeName(character);
      case 'before-value':
        return this.#beforeValue(character);
      case 'quoted':
        if (character === this.#quote) this.#state = 'tag';
        // Browsers skip white space before an address, so a value after it is still at its start.
        else if (this.#isValueEmpty && !isSpace(character)) this.#isValueEmpty = false;
        return;
      case 'unquoted':
        if (character === '>') this.#endTag();
        else if (isSpace(character)) this.#state = 'tag';
        return;
      case 'comment':
        return this.#inComment(this.#tail + character);
      case 'raw':
        return this.#inRaw((this.#tail + character).toLowerCase());
    }
  }

  /** Begins a tag, a comment or a raw element, of which nothing was read. */
  #begin(state: 'tag-name' | 'comment' | 'raw'): void {
    this.#state = state;
    this.#tail = '';
    if (state === 'tag-name') this.#tag = '';
  }

  #inTagName(character: string): void {
    if (character === '>') return this.#endTag();
    if (isSpace(character) || (character === '/' && this.#tag !== '')) this.#state = 'tag';
    else if (this.#tag === '' && !startOfName.test(character)) this.#state = 'text';
    else {
      this.#tag += character.toLowerCase();
      if (this.#tag === '!--') this.#begin('comment');
    }
  }

  #inTag(character: string): void {
    if (character === '>') return this.#endTag();
    if (character === '/' || isSpace(character)) return;
    this.#state = 'attribute-name';
    this.#attribute = character.toLowerCase();
  }

  #inAttributeName(character: string): void {
    if (character === '=') this.#state = 'before-value';
    else if (character === '>') this.#endTag();
    else if (isSpace(character)) this.#state = 'after-name';
    else {
      const begun = this.#state === 'after-name' ? '' : this.#attribute;
      this.#state = 'attribute-name';
      this.#attribute = begun + character.toLowerCase();
    }
  }

  #beforeValue(character: string): void {
    if (character === '>') return this.#endTag();
    if (character === '"' || character === "'") {
      this.#state = 'quoted';
      this.#quote = character;
      this.#isValueEmpty = true;
    } else if (!isSpace(character)) this.#state = 'unquoted';
  }

  /**
   * A comment such as `<!--[if mso]>` is hidden in all clients but Outlook, which treats it as HTML. Of other text only
   * the part is kept that shows where the comment ends.
   */
  #inComment(text: string): void {
    const isOver = text === '>' || text === '->' || text.endsWith('-->');
    if (isOver || (text.startsWith('[if') && text.endsWith(']>'))) this.#state = 'text';
    else this.#tail = text.length <= 5 ? text : text.slice(0, 3) + text.slice(-2);
  }

  #inRaw(tail: string): void {
    const end = `</${this.#tag}`;
    if (tail.endsWith(end)) {
      this.#state = 'tag-name';
      this.#tag = `/${this.#tag}`;
    } else this.#tail = tail.slice(-end.length);
  }

  #endTag(): void {
    if (rawElements.has(this.#tag)) this.#begin('raw');
    else this.#state = 'text';
  }
}

function isSpace(character: string): boolean {
  // Signs, digits and letters of ASCII, which most characters are, need no pattern.
  return (character <= ' ' || character > '~') && space.test(character);
}
