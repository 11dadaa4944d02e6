#!/bin/bash
# frames.sh PROGRAM TRACE [--size 1920x1080] [--fresh] [--wide] [--json] [--keep FOLDER]
#
# How smooth the real window is: opens it on a screen of its own (Xvfb), drives it with mouse and keys (xdotool) and prints what the
# program measured of itself, in ms: for each kind of input the frames from the input to the painted window (app/gui/meters/meters.h), and the
# longest gap of the event loop. By default the trace is indexed before; with --fresh it is indexed while the window is
# driven. --wide hides the docks and packs the rows. --keep takes stores from, and leaves them in, a folder.
set -euo pipefail
usage() {
    sed -n '2s/^# //p' "$0" >&2
    exit 2
}
[ $# -ge 2 ] || usage
self=$(realpath "$0")
arguments=("$@")
program=$(realpath "$1")
trace=$2
shift 2
size=1920x1080 fresh= wide= json= keep=
while [ $# -gt 0 ]; do
    case $1 in
    --size) size=${2:?} && shift ;;
    --fresh) fresh=1 ;;
    --wide) wide=1 ;;
    --json) json=1 ;;
    --keep) keep=${2:?} && shift ;;
    *) usage ;;
    esac
    shift
done
if [ -z "${HELIOGRAPH_FRAMES_SCREEN:-}" ]; then
    HELIOGRAPH_FRAMES_SCREEN=1 exec xvfb-run -a -s "-screen 0 ${size}x24" "$self" "${arguments[@]}"
fi

scratch=$(mktemp -d)
pid=
cleanup() {
    [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
    rm -rf "$scratch"
}
trap cleanup EXIT
export XDG_CACHE_HOME=${keep:-$scratch/cache} XDG_CONFIG_HOME=$scratch/config XDG_DATA_HOME=$scratch/data
export HELIOGRAPH_REPORT=$scratch/report HELIOGRAPH_FRAMES=$scratch/frames HELIOGRAPH_STALLS=1
if [ -n "$fresh" ]; then
    export XDG_CACHE_HOME=$scratch/cache
else
    "$program" index --quiet "$trace" >"$scratch/index"
fi
"$program" "$trace" 2>"$scratch/figures" &
pid=$!
for _ in $(seq 200); do
    window=$(xdotool search --onlyvisible --name Heliograph 2>/dev/null | tail -1 || true)
    [ -z "$window" ] || break
    sleep 0.05
done
width=${size%x*} height=${size#*x}
xdotool windowmove "$window" 0 0 windowsize "$window" "$width" "$height" windowfocus "$window"
until grep -q '"state":"\(ready\|failed\)"' "$scratch/report" || { [ -n "$fresh" ] && grep -q '"rows":[1-9]' "$scratch/report"; }; do
    sleep 0.1
done
[ -n "$fresh" ] || sleep 2

# The middle of Control flow in the window's usual layout.
x=$((width * 45 / 100)) y=$((height * 60 / 100))
pause="sleep 0.025"
repeat() { # COUNT LINE
    local i
    for ((i = 0; i < $1; ++i)); do
        printf '%s\n' "$2" "$pause"
    done
}
drag() { # BUTTON FROM STEP COUNT
    local i
    printf '%s\n' "mousemove $2 $y" "mousedown $1"
    for ((i = 1; i <= $4; ++i)); do
        printf '%s\n' "mousemove $(($2 + i * $3)) $((y + i % 7))" "$pause"
    done
    printf '%s\n' "mouseup $1" "$pause"
}
hover() { # COUNT
    local i
    for ((i = 0; i < $1; ++i)); do
        printf '%s\n' "mousemove $((x - 100 + 5 * i)) $((y - 60 + 3 * i))" "$pause"
    done
}
wheel() { # KEY BUTTON COUNT
    [ -z "$1" ] || echo "keydown $1"
    repeat "$3" "click $2"
    [ -z "$1" ] || echo "keyup $1"
    echo "sleep 0.2"
}
if [ -n "$wide" ]; then
    xdotool key F9 key F10 mousemove $x $y keydown ctrl keydown shift click 5 click 5 keyup shift keyup ctrl sleep 0.5
fi
drive() {
    echo "mousemove $x $y"
    for turn in 1 2 3; do
        wheel ctrl 4 14
        wheel "" 5 20
        repeat 15 "key d"
        wheel shift 4 10
        wheel ctrl 4 8
        drag 2 $x -9 25
        drag 1 $((x - 200)) 13 30
        wheel "" 4 10
        wheel ctrl 5 22
        hover 40
    done
    echo "key Escape"
    for turn in 1 2 3 4 5; do
        for i in $(seq 12) $(seq 11 -1 0); do
            printf '%s\n' "windowsize $window $((width - i * 24)) $((height - i * 12))" "sleep 0.05"
        done
    done
    printf '%s\n' "windowsize $window $width $height" "sleep 0.3" "key ctrl+shift+l" "sleep 0.2"
    for key in w o r k e r minus 1 BackSpace BackSpace BackSpace BackSpace BackSpace BackSpace BackSpace BackSpace; do
        printf '%s\n' "key $key" "sleep 0.06"
    done
    printf '%s\n' "key Escape" "sleep 0.2" "key ctrl+k" "sleep 0.2"
    for key in w o r k e r minus 1; do
        printf '%s\n' "key $key" "sleep 0.06"
    done
    printf '%s\n' "key Escape" "sleep 0.3"
}
drive | xdotool -
if [ -n "$fresh" ]; then
    until grep -q '"state":"ready"' "$scratch/report"; do
        drive | head -200 | xdotool -
    done
fi
xdotool key ctrl+q
wait $pid
pid=
python3 - "$scratch/frames" "$scratch/figures" "$json" <<'PYTHON'
import json, re, sys

with open(sys.argv[1]) as file:
    kinds = json.load(file)
with open(sys.argv[2]) as file:
    gap = re.search(r"gap ([0-9.]+) ms, longest computation ([0-9.]+)", file.read())
kinds = {"kinds": kinds, "gap_ms": float(gap[1]), "computed_stretch_ms": float(gap[2])}
if sys.argv[3]:
    print(json.dumps(kinds))
    sys.exit()
print(f"{'ms':8}{'count':>6}" + "".join(f"{c:>9}" for c in ("p50", "p90", "p99", "max", "computed", "update", "graphs", "bars", "settled", "(p99)")))
for kind, it in sorted(kinds["kinds"].items()):
    frame = it["frame"]
    if not frame:
        continue
    p = lambda name, share: f"{it[name].get(share, 0):9.2f}"
    print(f"{kind:8}{frame['count']:6}" + "".join(f"{frame[s]:9.2f}" for s in ("p50", "p90", "p99", "max")) + p("computed", "p99")
          + p("update", "p99") + p("graphs", "p99") + p("bars", "p99") + p("settled", "p50") + p("settled", "p99"))
print(f"event loop: longest gap {kinds['gap_ms']:.1f} ms, longest computation {kinds['computed_stretch_ms']:.1f} ms")
PYTHON
