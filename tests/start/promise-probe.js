// Loaded into the product's process: on SIGUSR2 it prints whether Node follows every promise there, which it does
// while somebody keeps an AsyncLocalStorage on. A followed promise is known by a number of its own.
import { executionAsyncId } from 'node:async_hooks';

async function arePromisesFollowed() {
  await Promise.resolve();
  const id = executionAsyncId();
  await Promise.resolve();
  return executionAsyncId() !== id;
}

process.on('SIGUSR2', () => {
  void arePromisesFollowed().then((areFollowed) =>
    process.stdout.write(`promises are ${areFollowed ? 'followed' : 'not followed'}\n`),
  );
});
