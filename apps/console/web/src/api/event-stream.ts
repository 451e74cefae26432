// Server-sent events (WHATWG HTML section 9.2) out of a response, as far as the API of Rowhouse writes them.

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Takes the text of a stream in parts and returns the events that are complete. */
export class EventReader {
  #rest = '';

  read(part: string): readonly StreamEvent[] {
    const blocks = (this.#rest + part).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const fields = new Map(block.split('\n').map(fieldOf));
      const data = fields.get('data');
      return data === undefined ? [] : [{ event: fields.get('event') ?? 'message', data }];
    });
  }
}

function fieldOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) return ['', ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

/** Calls with each event until the response ends. Throws what interrupts it. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const events = new EventReader();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    // Part by part: they are in order.
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of events.read(decoder.decode(value, { stream: true }))) onEvent(event);
  }
}
