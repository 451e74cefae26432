#!/usr/bin/env node
// The command `rowhouse`: checks the version of Node.js, compiles changed sources, then starts the compiled program.
// Plain JavaScript without packages, because it runs before everything else.
import { build } from './build.js';
import { followNpm } from './follow-npm.js';

const commands = {
  start: {
    help: ['start', 'Start the API, the console and the worker. Without a command this is meant.'],
    takesOptions: false,
    report: logLine,
    run: () => import('../dist/bin/start.js'),
  },
  build: {
    help: ['build', 'Compile what has changed without starting, so that the next start is short.'],
    takesOptions: false,
    report: plainLine,
    run: () => undefined,
  },
  'gen types': {
    help: [
      'gen types',
      "Write the TypeScript types of a project's tables and functions.",
      '--url <address>  of the project, such as http://demo.localhost:8000',
      '--key <key>      its secret key; else the variable ROWHOUSE_SECRET_KEY',
      '--out <file>     where to write; else to standard output',
    ],
    ...tool(async (options) => {
      const { runGenTypes } = await import('../dist/bin/gen-types.js');
      return runGenTypes(options);
    }),
  },
  'test policies': {
    help: [
      'test policies <ref>',
      "Run the saved tests of a project's policies; fails when one of them fails.",
      '--url <address>  of the project, in the place of its ref',
      '--key <key>      its secret key; else the variable ROWHOUSE_SECRET_KEY',
    ],
    ...tool(async (options) => {
      const { runTestPolicies } = await import('../dist/bin/test-policies.js');
      return runTestPolicies(options);
    }),
  },
  ...functionsCommands({
    'functions new': [
      'functions new <name>',
      'Write functions/<name>/index.ts, with an example.',
      '--dir <folder>   of the functions; else ./functions or ./supabase/functions',
    ],
    'functions deploy': [
      'functions deploy [name…]',
      'Deploy functions of the folder to a project; without a name all of them.',
      '--url <address>  of the project, here and below; else the variable ROWHOUSE_URL',
      '--key <key>      its secret key; else the variable ROWHOUSE_SECRET_KEY',
      '--json           print answers as JSON',
      '--dir <folder>   as above',
      '--public         answer requests without a user or a token, too',
      '--route <route>  of one function; else its name',
    ],
    'functions serve': [
      'functions serve',
      'Deploy functions as their files change, and print their logs.',
      '--env-file <f>   set the variables of a file as secrets first',
      '--dir <folder>   as above',
    ],
    'functions list': ['functions list', 'List the functions of a project.'],
    'functions logs': [
      'functions logs <name>',
      'Print the log of a function.',
      '--limit <n>      how many lines, up to 200; else 100',
      '--level <level>  debug, info, log, warn or error',
      '--follow         go on with what is written meanwhile',
    ],
    'functions delete': [
      'functions delete <name>',
      'Delete a function; asks for its name.',
      '--yes            do not ask',
    ],
    'secrets set': [
      'secrets set NAME=value…',
      'Set variables that functions read; in force at their next call.',
      '--env-file <f>   and those of a file',
    ],
    'secrets list': ['secrets list', 'List their names.'],
    'secrets unset': ['secrets unset NAME…', 'Remove them.'],
  }),
  upgrade: {
    help: [
      'upgrade',
      'Upgrade all projects to this release in waves: one, 5 %, 25 %, the rest. A',
      'snapshot of each is taken first; it needs as much disk as the database, until',
      '--confirm, and a failure puts it back.',
      '--no-snapshot    take none; projects stay open meanwhile',
      '--snapshot       take them again, after a call without',
      '--canary <ref>   upgrade one project, with a snapshot',
      '--wave <n>       end after this wave',
      '--resume         go on after it has stopped, with the projects that failed',
      '--skip <ref>     leave a project as it is; may be given several times',
      '--status         show how far it is, failures and snapshots',
      '--undo <ref>     put the snapshot of a project back; later writes are lost',
      '--confirm <ref>  drop the snapshots of a project; all: those of all projects',
      'Reads the environment as the server does and works while it runs. See',
      'docs/operating.md.',
    ],
    ...tool(async (options) => {
      const { runUpgrade } = await import('../dist/bin/upgrade.js');
      return runUpgrade(options);
    }),
  },
  'operator reset': {
    help: [
      'operator reset <email>',
      'Give an operator a new password for one sign-in, and remove the second factor.',
      'For an operator who cannot sign in any more; all sessions, trusted devices and',
      'lock-outs of the account end. Reads DATA_DIR and DATABASE_URL as the server does',
      'and works while the server runs and while it is stopped.',
    ],
    ...tool(async (options) => {
      const { runOperatorReset } = await import('../dist/bin/operator-reset.js');
      return runOperatorReset(options);
    }),
  },
};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  end(`rowhouse: Node.js ${process.versions.node} is too old; 20.19 or newer is needed`);
}
const args = process.argv.slice(2);
if (args.some((arg) => arg === '--help' || arg === '-h')) {
  process.stdout.write(`${usage()}\n`);
  process.exit(0);
}
const { command, options } = choose(args);
if (command === undefined || (options.length > 0 && !command.takesOptions)) end(usage());

if (command === commands.start) await followNpm();
try {
  await build(command.report);
} catch (error) {
  end(`rowhouse: ${error.message}`);
}
await command.run(options);

/** The rest of a command that takes options and returns its exit code. Only its own output is on standard output. */
function tool(run) {
  return {
    takesOptions: true,
    report: (message) => process.stderr.write(`${message}\n`),
    run: async (options) => {
      process.exitCode = await run(options);
    },
  };
}

/** The commands on functions and secrets by their help. */
function functionsCommands(helpByName) {
  const entries = Object.entries(helpByName).map(([name, help]) => {
    const [area, verb] = name.split(' ');
    const run = async (options) => {
      if (area === 'secrets') {
        return (await import('../dist/bin/secrets-command.js')).runSecrets(verb, options);
      }
      return (await import('../dist/bin/functions-command.js')).runFunctions(verb, options);
    };
    return [name, { help, ...tool(run) }];
  });
  return Object.fromEntries(entries);
}

/** The command at the start of the arguments, and the arguments after it. */
function choose(words) {
  if (words.length === 0) return { command: commands.start, options: [] };
  const name = Object.keys(commands).find((each) =>
    each.split(' ').every((word, i) => words[i] === word),
  );
  if (name === undefined) return { command: undefined, options: words };
  return { command: commands[name], options: words.slice(name.split(' ').length) };
}

function usage() {
  const entries = Object.values(commands).map(({ help: [name, about, ...details] }) =>
    [`  ${name.padEnd(24)}${about}`, ...details.map((line) => `  ${' '.repeat(26)}${line}`)].join(
      '\n',
    ),
  );
  return ['Usage: rowhouse [command]', '', ...entries].join('\n');
}

/** A line of the server's log before there is a server: as bin/log.ts writes it. */
function logLine(message) {
  if (process.stdout.isTTY) plainLine(`${new Date().toTimeString().slice(0, 8)} info ${message}`);
  else plainLine(JSON.stringify({ level: 30, time: Date.now(), msg: message }));
}

function plainLine(message) {
  process.stdout.write(`${message}\n`);
}

function end(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
