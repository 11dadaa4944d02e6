#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_list.h"
#include "core/profiling/heap/heap_use.h"

#include <algorithm>
#include <array>
#include <map>

namespace helio {
namespace {

struct Grouping {
    std::string_view name;
    HeapGrouping grouping;
};
constexpr std::array Groupings{Grouping{"function", HeapGrouping::Function}, Grouping{"line", HeapGrouping::Line},
                               Grouping{"process", HeapGrouping::Process}};

struct Order {
    std::string_view name;
    std::int64_t (*of)(const HeapUse&); ///< Function that returns the sort key; lines are sorted by it, largest first.
};
constexpr std::array Orders{
    Order{"unfreed", [](const HeapUse& it) { return it.unfreedBytes; }},
    Order{"bytes", [](const HeapUse& it) { return it.bytes; }},
    Order{"allocations", [](const HeapUse& it) { return static_cast<std::int64_t>(it.allocations); }},
    Order{"largest", [](const HeapUse& it) { return it.largest; }},
    Order{"peak", [](const HeapUse& it) { return it.peak; }},
};

struct HeapOptions {
    RowTableOptions table{"heap"};
    Grouping by = Groupings.front();
    Order order = Orders.front();
    bool isOfLeaks = false;

    void addTo(OptionList& options)
    {
        addTraces(options, table.traces);
        options.value("--by", m_givenBy, "G", "Sum by function, line or process (default: function)");
        options.flag("--leaks", isOfLeaks, "Print only allocations that were never freed");
        options.value("--sort", m_givenOrder, "S", "Sort by unfreed, bytes, allocations, largest or peak (default: unfreed)");
        table.reading.addTo(options);
        table.selection.addTo(options, RowFilterHelp);
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read()
    {
        return table.read([this] {
            return runInOrder([&] { return choose("--by", m_givenBy, Groupings, by); },
                              [&] { return choose("--sort", m_givenOrder, Orders, order); });
        });
    }

private:
    template <typename Choices, typename Choice>
    static Status choose(const char* option, const std::string& given, const Choices& choices, Choice& chosen)
    {
        const auto found = std::ranges::find(choices, given, &Choice::name);
        if (!given.empty() && found == choices.end())
            return makeUsageError(option, "there is no \"" + given + '"');
        if (found != choices.end())
            chosen = *found;
        return Done{};
    }

    std::string m_givenBy, m_givenOrder;
};

/// Returns a predicate on segments: true if the segment's thread is a selected row.
std::function<bool(const Segment&)> makeRowFilter(const RowSelection& selection, const Timeline& timeline)
{
    return [&selection, &timeline, known = std::map<TrackRef, bool>()](const Segment& segment) mutable {
        const auto [it, isNew] = known.try_emplace(segment.row());
        if (isNew)
            it->second = selection.selects(rowOf(timeline, segment));
        return it->second;
    };
}

void fill(const HeapOptions& options, const OpenedExperiment& opened, TableWriter& table)
{
    const RowSelection selection(options.table.selection, *opened.timeline);
    std::vector<HeapUse> all = heapUses(*opened.timeline, options.by.grouping, {opened.window, makeRowFilter(selection, *opened.timeline)});
    if (options.isOfLeaks)
        std::erase_if(all, [](const HeapUse& it) { return it.unfreed == 0; });
    const auto keyOf = [&](const HeapUse& it) {
        return std::tuple(-options.order.of(it), -it.bytes, it.trace, it.pid, std::tie(it.function, it.module, it.file, it.line));
    };
    std::ranges::sort(all, [&](const HeapUse& a, const HeapUse& b) { return keyOf(a) < keyOf(b); });
    const bool areOfCode = options.by.grouping != HeapGrouping::Process;
    const auto functionOf = [areOfCode](const HeapUse& it) {
        return it.function.empty() && areOfCode ? std::string("[unknown]") : it.function;
    };
    const auto number = [](std::uint64_t count) { return Cell::integer(static_cast<std::int64_t>(count)); };
    for (const HeapUse& it : all)
        table.row({number(it.trace), Cell::id(it.pid), it.process, functionOf(it), it.module, it.file,
                   it.line > 0 ? number(it.line) : Cell(), number(it.allocations), Cell::integer(it.bytes), Cell::integer(it.largest),
                   Cell::integer(it.peak), number(it.frees), number(it.unfreed), Cell::integer(it.unfreedBytes), number(it.doubleFrees),
                   number(it.unknownFrees)});
}

int run(const HeapOptions& options)
{
    if (const auto done = checkRowFilter(options.table.selection); !done)
        return failWith(done.error());
    const auto check = [](const OpenedExperiment& opened, const std::vector<std::string>&) -> Status {
        if (!hasHeap(*opened.timeline))
            return Error{Error::Kind::Usage, "no allocation events were recorded"};
        return Done{};
    };
    return runTable(
        options.table,
        {"trace", "pid", "process", "function", "module", "file", "line", "allocations", "bytes", "largest_bytes", "peak_bytes", "frees",
         "unfreed", "unfreed_bytes", "double_frees", "unknown_frees"},
        [&](const OpenedExperiment& opened, const std::vector<std::string>&, TableWriter& table) { fill(options, opened, table); }, check);
}

} // namespace

extern const Command heapCommand;
const Command heapCommand{77, "heap", "Print memory allocations by call site, and leaked blocks", callOf<HeapOptions, run>,
                          R"(heliograph heap TRACE --leaks
heliograph heap TRACE --by line --sort peak
)"};

} // namespace helio
