#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_list.h"
#include "core/profiling/ipc/ipc_sums.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

namespace helio {
namespace {

struct IpcOptions {
    RowTableOptions table{"ipc"};
    IpcGrouping by = IpcGrouping::Method;

    void addTo(OptionList& options)
    {
        addTraces(options, table.traces);
        options.value("--by", m_by, "G", "Sum by method, rpc, thread or cpu (default: method)");
        table.reading.addTo(options);
        table.selection.addTo(options, RowFilterHelp);
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read()
    {
        return table.read([this]() -> Status {
            const auto choice = readChoice<IpcGrouping>(
                "--by", m_by.empty() ? "method" : m_by,
                {{"method", IpcGrouping::Method}, {"rpc", IpcGrouping::Rpc}, {"thread", IpcGrouping::Thread}, {"cpu", IpcGrouping::Cpu}});
            if (!choice)
                return choice.error();
            by = *choice;
            return Done{};
        });
    }

private:
    std::string m_by;
};

Cell ipcCell(double value)
{
    std::array<char, 32> digits{};
    const int size = std::snprintf(digits.data(), digits.size(), "%.4f", value);
    return Cell::real(value, std::string(digits.data(), static_cast<std::size_t>(size)));
}

void fill(const IpcOptions& options, const OpenedExperiment& opened, TableWriter& table)
{
    const RowSelection selection(options.table.selection, *opened.timeline);
    std::vector<IpcSum> all = ipcSums(*opened.timeline, options.by, opened.window, [&](const Row& row) { return selection.selects(row); });
    std::ranges::sort(all, {}, [](const IpcSum& it) { return std::tuple(-it.time, -it.unmeasured, it.trace, it.name, it.tid, it.cpu); });
    for (const IpcSum& it : all) {
        const bool isMeasured = it.time > Duration::zero();
        table.row({Cell::integer(it.trace), it.name, it.tid >= 0 ? Cell::id(it.tid) : Cell(), it.cpu >= 0 ? Cell::id(it.cpu) : Cell(),
                   Cell::integer(static_cast<std::int64_t>(it.spans)), it.time, isMeasured ? ipcCell(it.ipc()) : Cell(),
                   isMeasured ? ipcCell(it.lowestIpc()) : Cell(), it.low, it.unmeasured});
    }
}

int run(const IpcOptions& options)
{
    if (const auto done = checkRowFilter(options.table.selection); !done)
        return failWith(done.error());
    const auto check = [](const OpenedExperiment& opened, const std::vector<std::string>&) -> Status {
        if (!hasIpc(*opened.timeline))
            return Error{Error::Kind::Usage, "no instructions per cycle were recorded: record them with KUtrace (kutrace_control, goipc)"};
        return Done{};
    };
    return runTable(
        options.table, {"trace", "name", "tid", "cpu", "spans", "time_ns", "ipc", "ipc_at_least", "below_half_ns", "unmeasured_ns"},
        [&](const OpenedExperiment& opened, const std::vector<std::string>&, TableWriter& table) { fill(options, opened, table); }, check);
}

} // namespace

extern const Command ipcCommand;
const Command ipcCommand{78,
                         "ipc",
                         "Print instructions per cycle by method, RPC, thread or CPU",
                         callOf<IpcOptions, run>,
                         R"(heliograph ipc TRACE
heliograph ipc TRACE --by rpc
)",
                         R"(Averages are weighted by time. KUtrace stores ranges: ipc is the mean of their
middles, ipc_at_least the mean of their lower ends.
)"};

} // namespace helio
