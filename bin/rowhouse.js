#!/usr/bin/env node
// The command `rowhouse`: sees to it that Node.js is new enough and the sources are compiled, then hands
// over to the compiled program. Plain JavaScript without packages, because it runs before all else.
import { build } from './build.js';

const commands = { start: () => import('../dist/bin/start.js') };
const usage = `Usage: rowhouse [${Object.keys(commands).join(' | ')}]`;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  end(`rowhouse: Node.js ${process.versions.node} is too old; 20.19 or newer is needed`);
}
const [name = 'start', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined || rest.length > 0) end(usage);

try {
  await build();
} catch (error) {
  end(`rowhouse: ${error.message}`);
}
await command();

function end(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
