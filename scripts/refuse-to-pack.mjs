// `npm pack` and `npm publish` in libs/sdk: the sources are not the package, so packing them gives an empty one.
process.stderr.write(
  'libs/sdk holds the sources of the client, not its package. Run `npm run build:sdk` in the repository,\n' +
    'then `npm pack ./dist/client` or `npm publish ./dist/client`; dist/client.tgz is packed already.\n',
);
process.exitCode = 1;
