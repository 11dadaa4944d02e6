#include "core/profiling/samples/call_tree.h"
#include "core/query/rows/facts.h"
#include "core/sql/engine/call_table.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace helio::sql {
namespace {

enum FlameArgument : int { ProfileType, TimeIn, TimeConstraint, Upid, UpidGroup, FocusText };

constexpr std::array FlameArguments{
    argument("profile_type", ColumnType::Text),          optionalArgument("ts_in"),
    optionalArgument("ts_constraint", ColumnType::Text), optionalArgument("upid"),
    optionalArgument("upid_group", ColumnType::Text),    optionalArgument("focus_str", ColumnType::Text),
};

/// A node of the flame graph: functions with the same callers.
struct FlameRow {
    std::int64_t id = 0;
    std::int64_t parent = -1; ///< -1 for outermost functions.
    std::int64_t ts = 0;
    std::uint32_t depth = 0;
    std::string name;
    std::string module;
    std::uint64_t self = 0;
    std::uint64_t total = 0;
};

std::string_view textIn(const Filter& filter, FlameArgument argument)
{
    const Value* const value = filter.equalValue(argument);
    const auto* const text = value ? std::get_if<std::string>(value) : nullptr;
    return text ? std::string_view(*text) : std::string_view();
}

/// Calls `take` for each part of a list that commas separate.
template <typename Take> void forEachPart(std::string_view list, const Take& take)
{
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        take(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

std::int64_t numberIn(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument("\"" + std::string(text) + "\" is no integer");
    return number;
}

/// Returns the times that a text like ">=1000,<2000" allows.
IntegerRange timesIn(std::string_view constraints)
{
    IntegerRange range;
    forEachPart(constraints, [&](std::string_view part) {
        const std::string_view comparison = part.substr(0, part.find_first_not_of("<=>"));
        const std::int64_t number = numberIn(part.substr(comparison.size()));
        if (comparison == ">=" || comparison == "=")
            range.lowest = std::max(range.lowest, number);
        if (comparison == "<=" || comparison == "=")
            range.highest = std::min(range.highest, number);
        if (comparison == ">" && number < std::numeric_limits<std::int64_t>::max())
            range.lowest = std::max(range.lowest, number + 1);
        if (comparison == "<" && number > std::numeric_limits<std::int64_t>::min())
            range.highest = std::min(range.highest, number - 1);
        if (comparison.empty() || comparison.size() > 2 || comparison == "==" || comparison == "<>" || comparison == "=<"
            || comparison == "=>")
            throw std::invalid_argument("ts_constraint: \"" + std::string(part) + "\" has no comparison");
    });
    return range;
}

std::set<std::int64_t> processesIn(const Filter& filter)
{
    std::set<std::int64_t> processes;
    if (const auto upid = filter.equal(Upid))
        processes.insert(*upid);
    forEachPart(textIn(filter, UpidGroup), [&](std::string_view part) { processes.insert(numberIn(part)); });
    return processes;
}

SampleFilter samplesIn(const Recording& recording, const Filter& filter)
{
    SampleFilter wanted;
    for (const SampleSource& source : recording.samples->sources())
        if (source.role == SampleSource::Role::Recorded && std::ranges::find(wanted.kinds, source.description->name) == wanted.kinds.end())
            wanted.kinds.push_back(source.description->name);
    if (const IntegerRange times = timesIn(textIn(filter, TimeConstraint));
        times.lowest != IntegerRange().lowest || times.highest != IntegerRange().highest) {
        const Timestamp last = timestamp(times.highest);
        wanted.ranges.push_back({timestamp(times.lowest), last < Timestamp::max() ? last + Duration(1) : last});
        if (times.isEmpty())
            wanted.ranges.back().end = wanted.ranges.back().begin;
    }
    if (auto processes = processesIn(filter); !processes.empty())
        wanted.accepts = [things = recording.things, processes = std::move(processes)](TrackRef thread, Timestamp at) {
            const auto found = thread.isValid() ? things->threadOf(thread, at) : std::nullopt;
            return found && processes.contains(things->threads()[*found].process);
        };
    return wanted;
}

bool containsIgnoringCase(std::string_view text, std::string_view part)
{
    const auto isSame = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), isSame) != text.end();
}

/// Keeps only the functions whose name contains a text, their callers and their callees, and numbers the rows again. Requires: callers come
/// before the functions that they call.
void focusOn(std::string_view text, std::vector<FlameRow>& rows)
{
    std::vector<bool> isInside(rows.size()); // True for functions with the text, and for what they call.
    std::vector<std::uint64_t> totals(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        isInside[i] =
            containsIgnoringCase(rows[i].name, text) || (rows[i].parent >= 0 && isInside[static_cast<std::size_t>(rows[i].parent)]);
    std::vector<bool> isKept = isInside;
    for (std::size_t i = rows.size(); i-- > 0;) {
        if (!isKept[i])
            continue;
        totals[i] += rows[i].self;
        if (rows[i].parent >= 0) {
            isKept[static_cast<std::size_t>(rows[i].parent)] = true;
            totals[static_cast<std::size_t>(rows[i].parent)] += totals[i];
        }
    }
    std::vector<std::int64_t> numbers(rows.size(), -1);
    std::vector<FlameRow> kept;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!isKept[i])
            continue;
        FlameRow& row = kept.emplace_back(std::move(rows[i]));
        row.id = numbers[i] = static_cast<std::int64_t>(kept.size() - 1);
        row.parent = row.parent >= 0 ? numbers[static_cast<std::size_t>(row.parent)] : -1;
        row.total = totals[i];
    }
    rows = std::move(kept);
}

std::vector<FlameRow> makeFlameGraph(const Recording& recording, const Filter& filter)
{
    if (textIn(filter, ProfileType) != "perf")
        throw std::invalid_argument("profile_type must be 'perf': heap profiles are not supported");
    const Timeline& timeline = recording.timeline();
    const SampleFilter wanted = samplesIn(recording, filter);
    if (wanted.kinds.empty() || (!wanted.ranges.empty() && wanted.ranges.front().isEmpty()))
        return {};
    const StackProfile profile = collectStacks(timeline, wanted, nullptr, filter.stop());
    const StackNames names = nameStacks(profile, timeline, {}, nullptr, filter.stop());
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    options.by = WeightBy::Samples;
    const CallTree tree = buildCallTree(profile, names, options, filter.stop());
    const std::uint64_t divisor = profile.kind.divisor();
    const std::int64_t begin = wanted.ranges.empty() ? nanoseconds(rangeOf(timeline).begin) : nanoseconds(wanted.ranges.front().begin);
    std::vector<FlameRow> rows;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
        const CallNode& node = tree.nodes[i];
        const SampledFunction& function = tree.functionOf(i);
        rows.push_back({std::int64_t{i} - 1, std::int64_t{node.parent} - 1, begin, node.depth - 1, function.label(), function.modulePath,
                        node.self.samples / divisor, node.total.samples / divisor});
    }
    if (const std::string_view focus = textIn(filter, FocusText); !focus.empty())
        focusOn(focus, rows);
    return rows;
}

std::unique_ptr<Table> makeFlameGraphs(const Recording& recording)
{
    using Row = FlameRow;
    const auto count = [](std::uint64_t Row::*number) {
        return [number](const Row& row, ValueSink sink) { sink.integer(static_cast<std::int64_t>(row.*number)); };
    };
    const auto writeNull = [](const Row&, ValueSink) {}; // Facts of heap profiles, and places that differ between the calls of a function.
    std::vector<ListColumn<Row>> columns;
    columns.push_back({{"id"}, [](const Row& row, ValueSink sink) { sink.integer(row.id); }});
    columns.push_back({{"ts"}, [](const Row& row, ValueSink sink) { sink.integer(row.ts); }});
    columns.push_back({{"depth"}, [](const Row& row, ValueSink sink) { sink.integer(row.depth); }});
    columns.push_back({{"name", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.text(row.name); }});
    columns.push_back({{"map_name", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.textOrNull(row.module); }});
    columns.push_back({{"count"}, count(&Row::self)});
    columns.push_back({{"cumulative_count"}, count(&Row::total)});
    columns.push_back({{"size"}, count(&Row::self)});
    columns.push_back({{"cumulative_size"}, count(&Row::total)});
    for (const std::string_view name : {"alloc_count", "cumulative_alloc_count", "alloc_size", "cumulative_alloc_size"})
        columns.push_back({{name}, writeNull});
    columns.push_back({{"parent_id"}, [](const Row& row, ValueSink sink) { sink.id(row.parent); }});
    columns.push_back({{"source_file", ColumnType::Text}, writeNull});
    columns.push_back({{"line_number"}, writeNull});
    return std::make_unique<CallTable<Row>>(FlameArguments, std::move(columns),
                                            [recording](const Filter& filter) { return makeFlameGraph(recording, filter); });
}

} // namespace

/// experimental_flamegraph(profile_type, ts, ts_constraint, upid, upid_group, focus_str): the call tree of the recorded samples.
extern const TableFactory experimentalFlamegraphFunction;
const TableFactory experimentalFlamegraphFunction{"experimental_flamegraph", makeFlameGraphs};

} // namespace helio::sql
