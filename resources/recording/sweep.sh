# Removes the tracing sessions of recordings that were killed together with their scripts: those named heliograph-PID where no process PID
# exists.
# shellcheck shell=sh
PATH=$PATH:/usr/sbin:/sbin
isStale() {
    case $1 in heliograph-*[!0-9]* | heliograph-) return 1 ;; heliograph-*) ;; *) return 1 ;; esac
    ! kill -0 "${1#heliograph-}" 2>/dev/null && ! [ -d "/proc/${1#heliograph-}" ]
}
tracefs=$(awk '$3 == "tracefs" { print $2; exit }' /proc/mounts)
for instance in "$tracefs"/instances/heliograph-*; do
    [ -d "$instance" ] && isStale "${instance##*/}" && rmdir "$instance"
done
if command -v lttng >/dev/null && pgrep -x lttng-sessiond >/dev/null; then
    lttng list 2>/dev/null | sed -n 's/^ *[0-9]*) \(heliograph-[0-9]*\) .*/\1/p' | while read -r session; do
        isStale "$session" && lttng destroy --no-wait "$session"
    done
fi
exit 0
