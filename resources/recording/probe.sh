# Prints facts of the machine that matter for recordings, one KEY=VALUE a line; see core/recording/machine.h.
# $1 is the folder of the recording, $2 the program to record, and the other arguments are names of libraries.
# shellcheck shell=sh
say() { printf '%s=%s\n' "$1" "$2"; }
folder=$1 program=$2
shift 2
PATH=$PATH:/usr/sbin:/sbin
say host "$(hostname 2>/dev/null || uname -n)"
say kernel "$(uname -r)"
say cpus "$(getconf _NPROCESSORS_ONLN 2>/dev/null)"
say uid "$(id -u)"
say user "$(id -un)"
say groups " $(id -Gn) "
say capabilities "$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)"
say paranoid "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null)"
say address "$(head -n 1 /proc/kallsyms 2>/dev/null)"
say perf "$(perf --version 2>/dev/null)"
say lttng "$(lttng --version 2>/dev/null | head -n 1)"
say trace-cmd "$(trace-cmd --version 2>/dev/null | grep version | head -n 1)"
for file in /lib/modules/"$(uname -r)"/*/lttng-tracer.ko* /lib/modules/"$(uname -r)"/*/*/lttng-tracer.ko* /sys/module/lttng_tracer; do
    [ -e "$file" ] && say lttng_modules yes
done
tracefs=$(awk '$3 == "tracefs" { print $2; exit }' /proc/mounts)
[ -n "$tracefs" ] || tracefs=$(awk '$3 == "debugfs" { print $2 "/tracing"; exit }' /proc/mounts)
say tracefs "$tracefs"
if [ -n "$tracefs" ] && [ -r "$tracefs/available_events" ]; then
    say events "$(tr '\n' ' ' <"$tracefs/available_events")"
fi
for library; do
    say library "$library $(ldconfig -p 2>/dev/null | awk -v name="$library" '$1 == name || index($1, name ".") == 1 { print $1; exit }')"
done
while [ -n "$folder" ] && [ ! -d "$folder" ]; do
    case $folder in */*) folder=${folder%/*} ;; *) folder=. ;; esac
done
say free_kib "$(df -Pk -- "${folder:-/}" 2>/dev/null | awk 'NR == 2 { print $4 }')"
if [ -n "$program" ]; then
    # Not by command -v, which answers for programs that are also commands of the shell, e.g. true, without a path.
    path=$(
        case $program in
        */*) [ -x "$program" ] && [ ! -d "$program" ] && printf '%s' "$program" ;;
        *)
            IFS=:
            for place in $PATH; do
                [ -x "${place:-.}/$program" ] && [ ! -d "${place:-.}/$program" ] && printf '%s' "${place:-.}/$program" && exit
            done
            ;;
        esac
    )
    [ -z "$path" ] || say command "$path"
    [ -r "$path" ] && grep -q __cyg_profile_func_enter -- "$path" && say instrumented yes
fi
say end probe
