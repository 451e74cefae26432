// Loaded into the product's process by a memory run: answers its parent with what is in use after a
// garbage collection. It keeps the process from nothing: the channel alone does not hold it open.

import { isMemoryQuestion, type MemoryReading } from './ask.js';

function readMemory(): MemoryReading {
  // The second one collects what the first has made free to finalize.
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { kind: 'memory', rssBytes: rss, heapBytes: heapUsed, externalBytes: external };
}

process.on('message', (message: unknown) => {
  if (isMemoryQuestion(message)) process.send?.(readMemory());
});
process.channel?.unref();
