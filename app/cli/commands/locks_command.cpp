#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/option_list.h"
#include "core/query/rows/facts.h"
#include "core/waits/locks/lock_contention.h"

#include <map>

namespace helio {
namespace {

struct LocksOptions {
    RowTableOptions table{"locks"};
    bool areCulprits = false;

    void addTo(OptionList& options)
    {
        addTraces(options, table.traces);
        options.flag("--culprits", areCulprits, "Print the threads that made others wait, and for how long");
        table.reading.addTo(options);
        table.selection.addTo(options, RowFilterHelp);
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read() { return table.read(); }
};

/// Returns a predicate on segments: true if the segment's thread, which is a row below the lock, is selected.
std::function<bool(const Segment&)> makeThreadFilter(const RowSelection& selection, const Timeline& timeline)
{
    return [&selection, &timeline, known = std::map<TrackRef, bool>()](const Segment& segment) mutable {
        const auto [it, isNew] = known.try_emplace(segment.row());
        if (isNew)
            it->second = selection.selects(rowOf(timeline, segment));
        return it->second;
    };
}

const std::vector<std::string> LockColumns{
    "lock",    "host",          "waits",       "wait_total_ns",  "wait_max_ns",       "wait_max_at_ns",
    "threads", "most_at_once",  "most_at_ns",  "two_or_more_ns", "convoy_ns",         "convoy_at_ns",
    "holds",   "hold_total_ns", "hold_max_ns", "work_waits",     "work_wait_total_ns"};
const std::vector<std::string> CulpritColumns{"who", "host", "did", "lock", "times", "made_wait_ns"};

void writeLocks(const Timeline& timeline, const LockSelection& selection, TableWriter& table)
{
    for (const LockContention& it : computeLockContention(timeline, selection)) {
        const bool isWaitedFor = it.waits > 0, isCrowded = it.mostAtOnce > 1, isHeld = it.holds > 0;
        table.row({it.name, hostName(timeline, it.host), Cell::count(it.waits), it.waited,
                   isWaitedFor ? Cell(it.longest.duration()) : Cell(), isWaitedFor ? Cell(it.longest.begin) : Cell(),
                   Cell::count(it.threads), Cell::count(it.mostAtOnce), isCrowded ? Cell(it.mostAt) : Cell(), it.crowded,
                   isCrowded ? Cell(it.convoy.duration()) : Cell(), isCrowded ? Cell(it.convoy.begin) : Cell(), Cell::count(it.holds),
                   isHeld ? Cell(it.held) : Cell(), isHeld ? Cell(it.longestHold) : Cell(), Cell::count(it.workWaits), it.waitedForWork});
    }
}

void writeCulprits(const Timeline& timeline, const LockSelection& selection, TableWriter& table)
{
    for (const LockCulprit& it : lockCulprits(timeline, selection))
        table.row({it.who, hostName(timeline, it.host), it.did == LockCulprit::Evidence::Held ? "held" : "woke", it.lock,
                   Cell::count(it.times), it.causedWait});
}

int run(const LocksOptions& options)
{
    if (const auto done = checkRowFilter(options.table.selection); !done)
        return failWith(done.error());
    const auto check = [](const OpenedExperiment& opened, const std::vector<std::string>&) -> Status {
        if (!hasLocks(*opened.timeline))
            return Error{Error::Kind::Usage,
                         "no lock events were recorded: record system calls (futex), lock:contention_begin and "
                         "lock:contention_end, or lttng_ust_pthread:*, all of them and not sampled"};
        return Done{};
    };
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>&, TableWriter& table) {
        const RowSelection rows(options.table.selection, *opened.timeline);
        const LockSelection selection{opened.window, makeThreadFilter(rows, *opened.timeline)};
        if (!options.areCulprits)
            return writeLocks(*opened.timeline, selection, table);
        const std::uint64_t unknown = options.table.reading.isQuiet ? 0 : countKernelLockWaits(*opened.timeline, selection);
        if (unknown > 0)
            warn(std::to_string(unknown) + " waits for kernel locks are not listed: the owners of kernel locks are not recorded");
        writeCulprits(*opened.timeline, selection, table);
    };
    return runTable(options.table, options.areCulprits ? CulpritColumns : LockColumns, fill, check);
}

} // namespace

extern const Command locksCommand;
const Command locksCommand{66,
                           "locks",
                           "Print lock contention: who waited for which lock, and who made them wait",
                           callOf<LocksOptions, run>,
                           R"(heliograph locks TRACE --process mysqld
heliograph locks TRACE --culprits
)",
                           R"(A culprit held the lock while others waited. For futexes it is the thread that ended the wait,
which need not have held the lock; holders of kernel locks are not recorded. Waits for work, for
example for a condition, are no contention and have columns of their own.
)"};

} // namespace helio
