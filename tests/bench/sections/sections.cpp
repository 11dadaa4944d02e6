#include "tests/bench/sections/sections.h"

namespace helio::bench {

std::span<const Section> sections()
{
    static constexpr Section All[] = {
        {"decode", "decoding, merging and analysing in memory, one thread", measureDecoding},
        {"ingest", "the trace read whole into a ready store, one and two threads", measureIngest},
        {"calls", "calls of functions, from the trace to a ready store, one and two threads", measureCalls},
        {"trace-dat", "a recording by trace-cmd beside trace-cmd report, one and two threads", measureTraceDat},
        {"declared", "analyses in XML: handlers, scenarios, and a file that was edited", measureDeclared},
        {"hosts", "packets of two hosts: their two ends, and the clocks from them", measureHosts},
        {"machines", "rows of virtual machines: put together, and painted", measureMachines},
        {"paths", "critical paths of threads", measurePaths},
        {"latencies", "how long system calls last: all of them by name", measureLatencies},
        {"sql", "SQL queries that sum and count, beside reading each row", measureSql},
        {"remote", "a trace on another machine, over a connection with a delay", measureRemote},
        {"fleet", "a catalogue of 10,000 traces, and 1,000 small traces: indexing and queries", measureFleet},
        {"instructions", "instructions an event of the ingest (needs valgrind; slow)", measureInstructions},
        {"hot", "instructions of each hot path, on the sample trace (needs valgrind)", measureHotPaths},
        {"text", "events printed as text", measureText},
        {"sizes", "time, memory and store by the length of the trace", measureSizes},
        {"reopen", "an indexed trace opened again, to the first picture", measureReopening},
        {"query", "200 rows asked for at any zoom", measureQueries},
        {"overview", "the overview of everything", measureOverview},
        {"frame", "whole pictures, and their painting alone", measureFrames},
        {"window", "the real window, driven with mouse and keys (needs xvfb-run and xdotool)", measureWindow},
        {"events", "jumps in the event table, searches", measureEvents},
        {"cancel", "how soon indexing stops", measureCancelling},
        {"flame", "call trees of samples; a recording by perf beside perf script and a fold", measureFlame},
    };
    return All;
}

} // namespace helio::bench
