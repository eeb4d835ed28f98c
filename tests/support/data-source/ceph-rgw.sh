#!/usr/bin/env bash
# Ceph's object gateway on one machine, for tests with an independent S3 server: one monitor, one storage
# daemon, one radosgw, all on loopback, with all files in DIR. Requires root and these packages of Debian or Ubuntu:
#   apt-get install -y --no-install-recommends ceph-mon ceph-osd ceph-base ceph-common radosgw
#
#   ceph-rgw.sh start DIR PORT MON_PORT   returns when S3 answers on PORT, about 20 s; DIR must not exist or be empty
#   ceph-rgw.sh stop  DIR                 returns when no daemon is left, and removes DIR
#   ceph-rgw.sh guard DIR PID             waits until process PID has ended, then stops
set -euo pipefail

usage() { sed -n 's/^#   ceph-rgw/  ceph-rgw/p' "$0" >&2; exit 2; }
action=${1:-}; dir=${2:-}; [ -n "$dir" ] || usage
daemons='^(ceph-mon|ceph-osd|radosgw)$'

# Whether a pid file's process is (still) one of ours: pids are reused, and a file may outlive its daemon.
runs() { [ -n "$1" ] && grep -qsE "$daemons" "/proc/$1/comm"; }

# Sends a signal to every daemon, and waits up to this number of tenths of a second until all have ended.
end_daemons() {
  local signal=$1 tries=$2 pid left
  for ((; tries > 0; tries--)); do
    left=0
    for file in "$dir"/*.pid; do
      pid=$(cat "$file" 2>/dev/null || true)
      if runs "$pid"; then left=1; kill "-$signal" "$pid" 2>/dev/null || true; fi
    done
    [ $left = 0 ] && return 0
    sleep 0.1
  done
  return 1
}

stop() {
  # The data is removed, so that a clean shutdown is not required.
  end_daemons TERM 30 || end_daemons KILL 100 || echo "some daemons of $dir do not end" >&2
  rm -rf "$dir"
}

# Everything is owned by root and trusted: authentication off, one copy of the data, small pools. The admin sockets are
# off because the path of a Unix socket may have 107 bytes, and DIR may be longer. The storage daemon does not write
# its own location into the crush map: sometimes the monitor refuses, and the daemon ends.
configuration() {
  cat <<CONF
[global]
fsid = $fsid
mon_host = v1:127.0.0.1:$mon_port
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr2 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
auth_allow_insecure_global_id_reclaim = false
run_dir = $dir
admin_socket =
crash_dir = $dir
pid_file = $dir/\$name.pid
log_file = $dir/\$name.log
keyring = $dir/keyring
mon_data = $dir/mon
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_data_avail_warn = 1
mon_data_avail_crit = 1
osd_data = $dir/osd
osd_objectstore = bluestore
bluestore_block_size = 21474836480
osd_memory_target = 1500000000
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pgp_num = 8
osd_crush_chooseleaf_type = 0
osd_crush_update_on_start = false
osd_class_update_on_start = false
[client.rgw]
rgw_data = $dir/rgw
rgw_frontends = beast endpoint=127.0.0.1:$port
CONF
}

start_monitor() {
  ceph-authtool --create-keyring "$dir/keyring" --gen-key -n mon. --cap mon 'allow *'
  monmaptool --create --addv a "[v1:127.0.0.1:$mon_port]" --fsid "$fsid" "$dir/monmap"
  ceph-mon --mkfs -i a --monmap "$dir/monmap" --keyring "$dir/keyring" --setuser root --setgroup root
  ceph-mon -i a --setuser root --setgroup root
}

start_storage() {
  local uuid; uuid=$(cat /proc/sys/kernel/random/uuid)
  ceph --connect-timeout 30 osd new "$uuid"
  ceph-osd -i 0 --mkfs --osd-uuid "$uuid" --setuser root --setgroup root
  ceph-osd -i 0 --setuser root --setgroup root
  ceph --connect-timeout 30 osd crush add osd.0 1.0 root=default host=local
}

start_gateway() {
  timeout 60 radosgw -n client.rgw --setuser root --setgroup root
  # radosgw opens its port only when it can answer.
  for ((tries = 600; tries > 0; tries--)); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
    sleep 0.1
  done
  [ $tries -gt 0 ]
  add_user accession AKACCESSION secret-of-accession
  add_user stranger AKSTRANGER secret-of-stranger
}

# Without a timeout, radosgw-admin waits forever for a storage daemon that did not start.
add_user() { timeout 60 radosgw-admin user create --uid="$1" --display-name="$1" --access-key="$2" --secret="$3"; }

case $action in
  start)
    port=${3:-}; mon_port=${4:-}; [ -n "$mon_port" ] || usage
    mkdir -p "$dir"/{mon,osd,rgw}
    fsid=$(cat /proc/sys/kernel/random/uuid)
    configuration >"$dir/ceph.conf"
    export CEPH_CONF=$dir/ceph.conf
    # If the start fails, the end of the log is printed, because DIR is removed.
    if ! (set -e; start_monitor; start_storage; start_gateway) >"$dir/start.log" 2>&1; then
      tail -n 40 "$dir/start.log" >&2
      stop
      exit 1
    fi
    ;;
  stop) stop ;;
  guard)
    [ -n "${3:-}" ] || usage
    while kill -0 "$3" 2>/dev/null && [ -d "$dir" ]; do sleep 0.5; done
    [ ! -d "$dir" ] || stop
    ;;
  *) usage ;;
esac
