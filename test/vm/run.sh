#!/bin/bash
# run.sh COMMAND [ARG...]: runs a command as root in a throw-away VM that boots a stock Debian kernel, for what the
# host's own kernel lacks (flower, dummy, most qdiscs and actions).
#
# The host's / is the guest's / (9p, read-only, under a tmpfs overlay: writes vanish); the current folder is shared
# read-write at the same path. Output and exit code are the command's. 125: the VM died or ran past its time.
# 77: skipped, this machine cannot run a VM; the reason is printed.
#
# Environment:
#   VM_TIMEOUT  seconds the VM may run (600; without KVM everything is about ten times slower than on the host)
#   VM_SMP      CPUs (1)        VM_MEM  MiB (2048)
#   VM_KERNEL   Debian package of the kernel (linux-image-6.12-amd64, or linux-image-amd64 where that is unknown; not
#               a -cloud- one: those lack 9p)
#   VM_CACHE    where kernels are kept (~/.cache/nlstream-vm)
set -euo pipefail

known() { apt-cache show "$1" >/dev/null 2>&1; }
skip() { echo "skipped: $*" >&2; exit 77; }

[ $# -gt 0 ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 2; }
[ "$(uname -m)" = x86_64 ] || skip "the VM is for x86_64, this is $(uname -m)"

install_missing_packages() {
    local -A program=([qemu-system-x86]=qemu-system-x86_64 [busybox-static]=busybox [cpio]=cpio [kmod]=depmod
        [xz-utils]=xz)
    local package missing=()
    for package in "${!program[@]}"; do
        PATH=$PATH:/usr/sbin:/sbin command -v "${program[$package]}" >/dev/null || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || skip "needs ${missing[*]}, and there is no apt-get to install them"
    [ "$(id -u)" = 0 ] || skip "needs ${missing[*]}; install them, or run this as root"
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
        { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends \
            "${missing[@]}" >/dev/null; } || skip "${missing[*]} could not be installed"
}

# Once per kernel package: download, unpack, and make an initramfs of 1.5 MB that finds the host's / over 9p.
prepare_kernel() {
    rm -rf "$cache"
    mkdir -p "$cache"/root/{bin,modules,proc,sys,dev,new}
    chmod 755 "$cache"
    local package version order=10 module
    package=$(apt-cache depends "$kernel" | awk '/ Depends: linux-image/ {print $2; exit}')
    (cd "$cache" && apt-get -qq -o APT::Sandbox::User=root download "${package:-$kernel}" && dpkg -x ./*.deb kernel &&
        rm -f ./*.deb) || skip "the package ${package:-$kernel} could not be downloaded"
    version=$(ls "$cache/kernel/lib/modules")
    cp "$cache/kernel/boot/vmlinuz-$version" "$cache/vmlinuz"
    depmod -b "$cache/kernel" "$version"
    for module in $(modprobe -d "$cache/kernel" -S "$version" -aD virtio_pci 9pnet_virtio 9p overlay |
        awk '$1 == "insmod" && !seen[$2]++ {print $2}'); do
        case $module in *.xz) xz -dc "$module" ;; *) cat "$module" ;; esac >"$cache/root/modules/$((order++)).ko"
    done
    cp "$(command -v busybox)" "$cache/root/bin/busybox"
    cat >"$cache/root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mkdir -p /sbin /usr/bin /usr/sbin
/bin/busybox --install -s
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
argument() { sed -n "s#.*$1=\([^ ]*\).*#\1#p" /proc/cmdline; }
for m in /modules/*.ko; do insmod $m; done
options=trans=virtio,version=9p2000.L,msize=512000
mkdir -p /new/host /new/writes /new/root
mount -t 9p -o $options,ro,cache=loose host /new/host
mount -t tmpfs tmpfs /new/writes
mkdir /new/writes/upper /new/writes/work
mount -t overlay -o lowerdir=/new/host,upperdir=/new/writes/upper,workdir=/new/writes/work overlay /new/root
mkdir -p /new/root/lib/modules
mount --bind /new/host$(argument vm_kernel)/lib/modules /new/root/lib/modules
mount -t 9p -o $options share /new/root$(argument vm_share)
job=$(argument vm_job)
ip link set lo up
echo "VM up: $(uname -r), $(cut -d' ' -f1 /proc/uptime) s"
for d in proc sys dev; do mount --move /$d /new/root/$d; done
mount -t tmpfs tmpfs /new/root/run
mkdir -p /new/root/dev/shm /new/root/dev/pts
mount -t devpts pts /new/root/dev/pts
mount -t tmpfs tmpfs /new/root/dev/shm
exec switch_root /new/root /bin/bash -c \
    "bash $job/command >$job/out 2>&1 </dev/null; echo \$? >$job/status; sync; echo b >/proc/sysrq-trigger; sleep 9"
INIT
    chmod +x "$cache/root/init"
    (cd "$cache/root" && find . | cpio -o -H newc --quiet -R 0:0 | gzip -1) >"$cache/initrd"
    touch "$cache/ready"
}

install_missing_packages
export PATH=$PATH:/usr/sbin:/sbin
command -v apt-cache >/dev/null || skip "no apt to download a kernel with"
kernel=${VM_KERNEL:-linux-image-6.12-amd64}
if [ -z "${VM_KERNEL:-}" ] && ! known "$kernel"; then
    [ "$(id -u)" != 0 ] || apt-get -qq update || true
    known "$kernel" || kernel=linux-image-amd64
fi
cache=${VM_CACHE:-${HOME:-/root}/.cache/nlstream-vm}/$kernel
mkdir -p "${cache%/*}"
exec 8>"${cache%/*}/lock"
flock 8                                         # two runs at once must not prepare the same kernel
[ -e "$cache/ready" ] || prepare_kernel
flock -u 8

share=$PWD
job=$(mktemp -d "$share/.vm.XXXXXX")
trap 'rm -rf "$job"' EXIT
: >"$job/out"
printf 'export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 IN_VM=1\ncd %q\nexec %s\n' \
    "$share" "$(printf '%q ' "$@")" >"$job/command"

if grep -qwE 'vmx|svm' /proc/cpuinfo && [ -w /dev/kvm ]; then
    acceleration=(-accel kvm -cpu host)
else
    acceleration=(-accel tcg,thread=multi -cpu Nehalem)  # no AVX: quicker to emulate
fi
for try in 1 2 3; do                            # several CPUs without KVM: about one boot in a hundred dies early
    : >"$job/console"
    timeout -k 5 "${VM_TIMEOUT:-600}" qemu-system-x86_64 -machine q35 "${acceleration[@]}" \
        -smp "${VM_SMP:-1}" -m "${VM_MEM:-2048}" -nodefaults -display none -no-reboot -serial "file:$job/console" \
        -kernel "$cache/vmlinuz" -initrd "$cache/initrd" \
        -append "console=ttyS0 panic=-1 quiet mitigations=off vm_kernel=$cache/kernel vm_share=$share vm_job=$job" \
        -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
        -virtfs "local,path=$share,mount_tag=share,security_model=none,multidevs=remap" </dev/null &
    vm=$!
    tail -s 0.1 -n +1 -f --pid=$vm "$job/out"
    wait $vm || true
    if [ -s "$job/status" ] || grep -q '^VM up' "$job/console"; then break; fi
    [ "$try" = 3 ] || echo "the VM did not come up, trying again" >&2
done
if [ ! -s "$job/status" ]; then
    cat "$job/console" >&2
    echo "the VM died or ran past ${VM_TIMEOUT:-600} s (VM_TIMEOUT)" >&2
    exit 125
fi
grep -aE 'VM up|BUG:|WARNING:|Oops|Call Trace|panic|rcu.*stall|Out of memory' "$job/console" >&2 || true
exit "$(cat "$job/status")"
