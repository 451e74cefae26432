import { finished, type Readable } from 'node:stream';

/** What a flow gives to whoever began it. */
export interface Flow {
  /** Resolves at the end of the content; rejects with its error, with that of `take`, or when it is stopped. */
  readonly ended: Promise<void>;
  /** Ends it with this error, whatever it waits for. */
  stop(error: unknown): void;
}

/**
 * Hands over a stream in events, which costs half of what reading it chunk by chunk costs. Nothing more comes until
 * a promise that `take` has given is kept. The content is left paused, and is never destroyed.
 */
export function flow(content: Readable, take: (chunk: unknown) => Promise<void> | undefined): Flow {
  let stop: Flow['stop'] = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    let isFlowing = true;
    const onData = (chunk: unknown): void => {
      try {
        const busy = take(chunk);
        if (!busy) return;
        content.pause();
        busy.then(() => isFlowing && content.resume(), stop);
      } catch (error) {
        stop(error);
      }
    };
    const leave = (): void => {
      isFlowing = false;
      unwatch();
      content.off('data', onData);
      content.pause();
    };
    stop = (error) => {
      leave();
      reject(error);
    };
    const unwatch = finished(content, { writable: false }, (error) => {
      if (error) stop(error);
      else {
        leave();
        resolve();
      }
    });
    content.on('data', onData);
  });
  return { ended, stop };
}
