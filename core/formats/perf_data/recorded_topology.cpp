#include "core/formats/perf_data/recorded_topology.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace helio::perf {
namespace {

/// Limit of the number of CPUs in all lists together. A recording has a few kinds of lists, and each kind names a CPU once.
constexpr std::int64_t MostNames = 8 * CpuTopology::MostCpus;

/// Reads lists of CPUs like "0-3,8-11". Sets one member of CpuLocation, for all CPUs of a list, to the number of the list.
class ListReader {
public:
    ListReader(CpuTopology& topology, std::int32_t CpuLocation::*what)
        : m_topology(topology)
        , m_what(what)
    {
    }

    void add(std::string_view list, std::int32_t number)
    {
        for (std::int64_t least = 0; !list.empty();) {
            const std::string_view part = list.substr(0, list.find(','));
            list.remove_prefix(std::min(list.size(), part.size() + 1));
            const std::size_t dash = part.find('-');
            const std::int64_t first = numberIn(part.substr(0, dash));
            const std::int64_t last = dash == std::string_view::npos ? first : numberIn(part.substr(dash + 1));
            if (first < least || last < first || last >= CpuTopology::MostCpus || m_names > MostNames)
                return;
            for (std::int64_t cpu = first; cpu <= last; ++cpu)
                m_topology.place(cpu)->*m_what = number;
            m_names += last - first + 1;
            least = last + 1;
        }
    }

private:
    static std::int64_t numberIn(std::string_view text)
    {
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return error == std::errc() && end == text.data() + text.size() ? std::int64_t(number) : -1;
    }

    CpuTopology& m_topology;
    std::int32_t CpuLocation::*m_what;
    std::int64_t m_names = 0;
};

/// Reads a count, followed by as many lists. The i-th list sets the number i.
void readLists(CpuTopology& topology, std::int32_t CpuLocation::*what, BinaryReader& cursor)
{
    ListReader lists(topology, what);
    const std::uint32_t count = cursor.u32();
    for (std::uint32_t i = 0; i < count && !cursor.isCut(); ++i)
        lists.add(cursor.countedText(), static_cast<std::int32_t>(i));
}

} // namespace

void readCpuTopology(CpuTopology& topology, BinaryReader cursor)
{
    readLists(topology, &CpuLocation::package, cursor);
    readLists(topology, &CpuLocation::core, cursor); // The rest of the feature has the same facts in the kernel's numbering.
}

void readNumaTopology(CpuTopology& topology, BinaryReader cursor)
{
    ListReader nodes(topology, &CpuLocation::node);
    for (std::uint32_t left = cursor.u32(); left > 0 && !cursor.isCut(); --left) {
        const std::uint32_t node = cursor.u32();
        cursor.skip(16); // The node's total and free memory.
        if (const std::string cpus = cursor.countedText(); !cursor.isCut() && std::cmp_less(node, CpuTopology::MostCpus))
            nodes.add(cpus, static_cast<std::int32_t>(node));
    }
}

void readCaches(CpuTopology& topology, BinaryReader cursor)
{
    if (cursor.u32() != 1)
        return;
    ListReader l2(topology, &CpuLocation::l2);
    ListReader l3(topology, &CpuLocation::l3);
    const std::uint32_t count = cursor.u32();
    for (std::uint32_t i = 0; i < count && !cursor.isCut(); ++i) {
        const std::uint32_t level = cursor.u32();
        cursor.skip(12); // The cache's line size, sets and ways.
        const std::string type = cursor.countedText();
        cursor.countedText(); // The cache's size.
        const std::string cpus = cursor.countedText();
        if (cursor.isCut() || type == "Instruction" || (level != 2 && level != 3))
            continue;
        (level == 2 ? l2 : l3).add(cpus, static_cast<std::int32_t>(i));
        topology.hasCaches = true;
    }
}

} // namespace helio::perf
