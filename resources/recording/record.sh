# Runs a recording and answers requests on standard input; see recordingScript() in core/recording/plan.h, which sets before this text:
# folder (of the recording), place (folder in which the command runs), owner (ID of the user who gets the files; empty for the user of the
# script), output (of the tool, in folder), remote and keeps_symbols (yes or no), ring (perf, lttng or none), signal (that ends the recorder),
# mask (umask of the command), and the functions prepare, run, tidy, save_ring and count_losses.
# shellcheck shell=sh disable=SC2154,SC2012,SC2034,SC3013
main=$$
# Command by which programs get the signal when this script is killed.
setpriv --pdeathsig "$signal" true 2>/dev/null && guard="setpriv --pdeathsig $signal" || guard=
log=$folder/record.log
# The log stays open: the user may remove the folder, and what is enabled must be removed nevertheless.
exec 4>>"$log"
missing=0
saves=0

# Heliograph may be gone when the script writes to it.
say() { printf '%s\n' "$*" 2>/dev/null; }

# True if a process runs: it exists and is no zombie, which some containers never remove.
runs() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null; }

give_back() { [ -z "$owner" ] || chown -R -h "$owner:$(id -g "$owner")" "$folder"; }

# halt SIGNAL: sends the signal to the recorder, which may be about to start.
halt() {
    i=0
    while [ ! -s "$folder/.recorder" ] && runs "$main" && [ $i -lt 300 ]; do
        sleep 0.1
        i=$((i + 1))
    done
    recorder=$(cat "$folder/.recorder" 2>/dev/null) && kill -"$1" "$recorder" 2>/dev/null
}

list_saved() { ls -d "$folder"/perf.data.* "$folder"/lttng/* 2>/dev/null; }

# Gives each ring buffer that perf has saved a folder of its own.
place_saved() {
    for new in "$folder"/perf.data.*; do
        [ -f "$new" ] || continue
        saves=$((saves + 1))
        mkdir "$folder/snapshot-$saves" && mv "$new" "$folder/snapshot-$saves/perf.data" && say "saved snapshot-$saves"
    done
}

save() {
    recorder=$(cat "$folder/.recorder" 2>/dev/null)
    before=$(list_saved)
    save_ring >&4 2>&1 4>&- || {
        say unsaved
        return
    }
    i=0
    while [ "$(list_saved)" = "$before" ] && [ $i -lt 100 ]; do
        sleep 0.1
        i=$((i + 1))
    done
    [ $i -lt 100 ] || {
        say unsaved
        return
    }
    place_saved
    for new in "$folder"/lttng/*; do
        case $before in *"$new"*) ;; *) [ -d "$new" ] && say "saved ${new#"$folder"/}" ;; esac
    done
}

# Answers requests. Runs beside the recorder, and outlives this script if it is killed.
control() {
    # Heliograph may be killed before it has read an answer: without PIPE here, the answer would end control(), and the recording would stay.
    trap '' INT HUP PIPE
    while IFS= read -r request; do
        case $request in
        size) say "size $(du -sk "$folder" | cut -f 1) $(count_losses 2>/dev/null)" ;;
        save) save ;;
        stop) halt "$signal" ;;
        kill) halt KILL ;;
        esac
    done
    halt "$signal"
    # This script ends control() once the recorder has ended. Recorders that are commands may ignore the signal; tools write as long as they
    # need.
    i=0
    while runs "$main" || { runs "$recorder" && [ $i -lt 100 ]; }; do
        [ $i = 100 ] && [ "$signal" = TERM ] && halt KILL
        sleep 0.1
        i=$((i + 1))
    done
    halt KILL
    tidy >&4 2>&1 4>&-
    give_back
    [ "$remote" = no ] || rm -rf "$folder"
}

save_kernel_symbols() {
    build=$(od -An -v -tx1 /sys/kernel/notes 2>/dev/null | tr -d ' \n' | sed -n 's/.*040000001400000003000000474e5500\(.\{40\}\).*/\1/p')
    case $(head -n 1 /proc/kallsyms 2>/dev/null) in
    *[1-9a-f]*' '*) [ -n "$build" ] && cat /proc/kallsyms >"$folder/symbols/kallsyms-$build" ;;
    esac
}

# save_file FILE NAME: copies a file, but follows no link that another user may have put in its place.
save_file() {
    size=$(du -k "$1" 2>/dev/null | cut -f 1)
    [ -f "$1" ] && [ "${size:-0}" -le "$left" ] && [ ! -e "$folder/symbols/$2" ] && cp -P -- "$1" "$folder/symbols/$2" && left=$((left - size))
}

# Saves what names the recorded addresses on other machines, at most 256 MiB of programs and maps, those with samples first.
save_symbols() {
    left=262144
    mkdir -p "$folder/symbols"
    save_kernel_symbols
    for map in /tmp/perf-*.map; do
        [ "$map" -nt "$folder/.started" ] && [ ! -L "$map" ] && save_file "$map" "${map##*/}"
    done
    for data in "$folder"/perf.data "$folder"/*/perf.data; do
        [ -f "$data" ] && { perf buildid-list --with-hits -i "$data" && perf buildid-list -i "$data"; } 2>/dev/null | {
            while read -r build path; do
                case $path in
                /*)
                    save_file "$path" "${path##*/}-$build"
                    begin=${build%"${build#??}"}
                    save_file "/usr/lib/debug/.build-id/$begin/${build#??}.debug" "${path##*/}-$build.debug"
                    ;;
                esac
            done
        }
    done
    return 0
}

# A signal that is caught, unlike one that is ignored, has its usual effect in the recorded command.
trap : PIPE
say ready
[ "$remote" = no ] || trap 'rm -rf "$folder"' EXIT
IFS= read -r request && [ "$request" = start ] || exit 0
exec 3<&0 </dev/null
: >"$folder/.started"
# Control runs before anything is enabled, so that it is removed whenever this script is killed.
control <&3 &
controller=$!
exec 3<&-
trap : INT TERM HUP
if ! prepare >&4 2>&1 4>&-; then
    kill -KILL $controller
    tidy >&4 2>&1 4>&-
    say "failed $(tail -n 2 "$log" | tr '\n' ' ')"
    give_back
    exit 1
fi
say started
run
result=$?
say "stopped $result"
kill -KILL $controller
wait $controller 2>/dev/null
case $ring in
perf)
    saves=$(ls -d "$folder"/snapshot-* 2>/dev/null | wc -l)
    place_saved
    ;;
lttng) save ;;
esac
tidy >&4 2>&1 4>&-
if [ "$ring" = none ] && [ ! -e "$folder/$output" ]; then
    say "failed the tool ended with status $result and recorded nothing. $(tail -n 2 "$log" | tr '\n' ' ')"
    give_back
    exit 1
fi
say "missing $missing"
[ "$keeps_symbols" = no ] || save_symbols >&4 2>&1 4>&-
rm -f "$folder/.recorder" "$folder/.started" "$folder/.environment"
give_back
say ended
if [ "$remote" = yes ]; then
    say archive
    tar -C "$folder" -cf - .
fi
