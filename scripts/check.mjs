// `npm run check`: the checks below, each a script `check:…` of package.json, two at a time, because most of them keep
// one core busy. The output of each is shown when it has ended. All run; exits with 1 if any fails. Lint checks types.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Those that take longest come first. */
const waiting = ['format', 'lint', 'layers', 'unused'];
const atOnce = 2;

await Promise.all(Array.from({ length: atOnce }, work));

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await check(name);
}

async function check(name) {
  const child = spawn('npm', ['run', '--silent', `check:${name}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32', // npm is a script of the shell there.
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) process.exitCode = 1;
  process.stdout.write(`${output}${exitCode === 0 ? 'passed' : 'FAILED'}: check:${name}\n`);
}
