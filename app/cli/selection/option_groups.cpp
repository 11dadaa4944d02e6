#include "app/cli/selection/option_groups.h"

namespace helio {

const char* const RowFilterHelp = "Only rows that match, by name, tid, pid, cpu and host, as: name == \"worker\" && tid > 100";
const char* const IntervalFilterHelp = "Only intervals that match, as: state == \"preempted\" && duration > 1ms && tid == 12";
const char* const SampleFilterHelp =
    "Only samples that match, by time and by their threads' name, tid, pid and host, as: name == \"worker\" && time < +1s";

void addTraces(OptionList& options, OptionTexts& texts)
{
    options.list("TRACE", texts.traces, "", "Folders, files or archives; all are one experiment");
}

void addSides(OptionList& options, OptionTexts& texts)
{
    options.list("--a", texts.tracesA, "TRACE...", "What is compared: folders, files or archives, one experiment");
    options.list("--b", texts.tracesB, "TRACE...", "With what. Folded stacks with two counts are both A and B");
}

void addReading(OptionList& options, OptionTexts& texts)
{
    options.repeated("--offset", texts.offsets, "TRACE=NS", "Add to a trace's times, in ns");
    options.flag("--no-sync", texts.noSync, "Raw times: no clock corrections");
    options.value("--jobs", texts.jobs, "N", "Threads (0: as many as cores)");
    options.value("--store-dir", texts.storeDirectory, "DIR", "Where the stores are kept");
    options.repeated("--symbols", texts.symbols, "DIR", "A folder to look for programs and libraries in, too");
    options.value("--kallsyms", texts.kallsyms, "FILE", "The recorded kernel's symbols (a copy of its /proc/kallsyms)");
    options.value("--sysroot", texts.sysroot, "DIR", "Where the recorded machine's files are");
    options.flag("--debuginfod", texts.asksDebuginfod, "Ask the servers of DEBUGINFOD_URLS for symbols");
    options.repeated("--plugin", texts.plugins, "FILE", "Load the analyses of a shared library, which may do whatever this program may");
    options.flag("--quiet", texts.isQuiet, "No progress, no warnings");
}

void addSelection(OptionList& options, OptionTexts& texts, const char* filterHelp)
{
    options.value("--begin", texts.begin, "T", "From this time on: ns since the epoch, HH:MM:SS.nnnnnnnnn or +1.5s from the start");
    options.value("--end", texts.end, "T", "Before this time");
    options.value("--row", texts.row, "PATTERN", "Only rows whose id or label matches, as tid:12* or worker-?");
    options.value("--filter", texts.filter, "EXPR", filterHelp);
    options.value("--process", texts.process, "NAME", "Only threads of processes that held this name");
    options.value("--thread", texts.thread, "TID", "Only this thread");
    options.value("--cpu", texts.cpu, "N", "Only this CPU");
    options.value("--host", texts.host, "NAME", "Only this host");
}

void addView(OptionList& options, OptionTexts& texts, const char* help) { options.value("--view", texts.view, "V", help); }

void addWeight(OptionList& options, OptionTexts& texts)
{
    options.value(
        "--by", texts.by, "W",
        "What amounts count: samples, or period (of clocks and off-CPU samples that is time). Unless told: period, or samples where "
        "all periods are one");
}

void addCallTree(OptionList& options, OptionTexts& texts)
{
    options.value("--event", texts.event, "NAME", "Samples of this event, as cpu-clock or off-cpu:blocked; off-cpu is all of those");
    addWeight(options, texts);
    options.flag("--inverted", texts.isInverted, "From the sampled functions to their callers");
    options.value("--callers", texts.callersOf, "NAME", "Only what calls this function");
    options.value("--callees", texts.calleesOf, "NAME", "Only what this function calls");
    options.value("--base", texts.base, "WHAT", "What stands below all functions: command, process, thread, cpu or none");
    options.value("--order", texts.order, "BY", "By weight, name or time");
    options.flag("--icicle", texts.isIcicle, "Flame graphs: roots on top");
    options.flag("--collapse-recursion", texts.collapsesRecursion, "A function that calls itself is one frame");
    options.repeated("--hide", texts.hide, "PATTERN", "Leave out functions: their time goes to their callers");
    options.repeated("--hide-module", texts.hideModule, "PATTERN", "The same for all of a module");
    options.repeated("--focus", texts.focus, "PATTERN", "Only stacks with this function or module");
}

void addDifference(OptionList& options, OptionTexts& texts)
{
    options.flag("--all", texts.isOfAll, "All samples, not those of one program");
    options.value(
        "--per", texts.per, "W",
        "By process, share of all, samples as counted, or unit of work. By itself: process, or share where sides do not count alike");
    options.value("--units-a", texts.unitsA, "N", "Units of work that A did: requests, frames");
    options.value("--units-b", texts.unitsB, "N", "The same of B");
    options.value("--width", texts.width, "W", "Differential flame graphs: as wide as b, a, or the widest of both");
    options.flag("--elided", texts.keepsElided, "They keep frames that one side lacks, as outlines");
    options.flag("--inclusive", texts.ofTotals, "Their colours tell the change with callees, not a frame's own");
    options.flag("--ratio", texts.byRatio, "Their colours are steps of ratio");
}

void addInlining(OptionList& options, OptionTexts& texts)
{
    options.flag("--no-inline", texts.noInline, "Inlined functions are no frames: their time is that of what they were compiled into");
}

std::vector<std::string_view> tableFormats(const OptionTexts&) { return {"text", "csv", "json"}; }

std::string missingTrace(const OptionTexts& texts) { return texts.traces.empty() ? "a TRACE is missing" : ""; }

std::string missingTraceOrView(const OptionTexts& texts)
{
    return texts.traces.empty() ? "a TRACE is missing"
        : texts.view.empty()    ? "--view is missing; heliograph views TRACE... lists them"
                                : "";
}

} // namespace helio
