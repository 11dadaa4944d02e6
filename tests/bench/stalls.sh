#!/bin/bash
# stalls.sh PROGRAM TRACE: how long the window leaves its events waiting while it indexes the trace afresh, is zoomed and panned.
# Runs inside xvfb-run; needs xdotool. Prints the program's own figures (see app/stall_meter.h).
set -euo pipefail
program=$1
trace=$2
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
HELIOGRAPH_STALLS=1 XDG_CACHE_HOME=$cache XDG_CONFIG_HOME=$cache "$program" "$trace" 2>"$cache/figures" &
pid=$!
sleep 1.5
window=$(xdotool search --onlyvisible --pid $pid | tail -1)
xdotool windowmove "$window" 0 0 windowsize "$window" 1920 1080 windowfocus "$window"
sleep 4
xdotool mousemove 900 430
for button in 4 5; do
    for _ in $(seq 30); do
        xdotool keydown ctrl click $button keyup ctrl
        sleep 0.03
    done
    for _ in $(seq 20); do
        xdotool key d
        sleep 0.03
    done
done
xdotool key ctrl+q
wait $pid
grep -o 'longest.*' "$cache/figures"
