#include "app/cli/command.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/waits/locks/lock_stat.h"

namespace helio {
namespace {

struct LockStatOptions {
    std::vector<std::filesystem::path> files;
    bool arePoints = false;
    bool isQuiet = false;
    FormatOptions format{"lock-stat"};

    void addTo(OptionList& options)
    {
        options.list("FILE", files, "", "A copy of /proc/lock_stat, or that file itself");
        options.flag("--points", arePoints, "Print the code locations that waited for locks and those that held them");
        options.flag("--quiet", isQuiet, "Print no warnings about unreadable lines");
        format.addTo(options);
    }
    std::string missing() const { return files.empty() ? "a FILE is missing" : files.size() > 1 ? "only one FILE can be read" : ""; }
    Status read()
    {
        return runInOrder([&] { return format.check(); }, [&] { return format.read(); });
    }
};

Cell meanCell(const LockStatTimes& times, std::int64_t count)
{
    const auto mean = meanOf(times, count);
    return mean ? Cell(*mean) : Cell();
}

void writeClasses(const LockStat& stat, OutputFormat format, Output& output)
{
    TableWriter table(output, format,
                      {"class", "contentions", "wait_min_ns", "wait_max_ns", "wait_total_ns", "wait_mean_ns", "acquisitions", "hold_min_ns",
                       "hold_max_ns", "hold_total_ns", "hold_mean_ns", "contention_bounces", "acquisition_bounces"},
                      TimeStyle());
    for (const LockStatClass& it : stat.classes)
        table.row({it.name, Cell::integer(it.contentions), it.waits.least, it.waits.most, it.waits.total,
                   meanCell(it.waits, it.contentions), Cell::integer(it.acquisitions), it.holds.least, it.holds.most, it.holds.total,
                   meanCell(it.holds, it.acquisitions), Cell::integer(it.waitBounces), Cell::integer(it.bounces)});
}

void writePoints(const LockStat& stat, OutputFormat format, Output& output)
{
    TableWriter table(output, format, {"class", "what", "contentions", "address", "symbol"}, TimeStyle());
    for (const LockStatPoint& it : stat.points)
        table.row({it.name, it.holds ? "holds" : "waits", Cell::integer(it.contentions), it.address, it.symbol});
}

void complainOf(const LockStat& stat, const std::filesystem::path& file)
{
    for (const LockStatProblem& it : stat.problems)
        warn(file.string() + ":" + std::to_string(it.line) + ": " + it.what);
    if (stat.problems.size() == LockStat::MostProblems)
        warn("there may be more such lines");
}

int run(const LockStatOptions& options)
{
    const auto stat = readLockStat(options.files.front());
    if (!stat)
        return failWith(stat.error());
    Output output;
    options.arePoints ? writePoints(*stat, options.format.output, output) : writeClasses(*stat, options.format.output, output);
    output.flush();
    if (!options.isQuiet)
        complainOf(*stat, options.files.front());
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return stat->problems.empty() ? ExitDone : ExitInput;
}

} // namespace

extern const Command lockStatCommand;
const Command lockStatCommand{67, "lock-stat", "Print /proc/lock_stat of a kernel with CONFIG_LOCK_STAT as a table",
                              callOf<LockStatOptions, run>,
                              R"(heliograph lock-stat /proc/lock_stat
heliograph lock-stat lock_stat.txt --points --format csv
)"};

} // namespace helio
