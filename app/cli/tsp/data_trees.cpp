#include "app/cli/tsp/data_trees.h"

#include "app/cli/command_line.h"
#include "app/cli/output/command_capture.h"
#include "app/cli/selection/kept_experiments.h"
#include "core/query/events/event_counts.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <utility>

namespace helio {
namespace {

/// Writes a tree whose first column is a name.
class TreeWriter {
public:
    TreeWriter(ModelText& model, std::initializer_list<std::pair<const char*, const char*>> columns)
        : m_json(model.json())
    {
        m_json.beginObject();
        m_json.member("autoExpandLevel", -1);
        m_json.key("headers").beginArray();
        for (const auto& [name, type] : columns) {
            m_json.beginObject();
            m_json.member("name", name);
            m_json.member("tooltip", "");
            m_json.member("dataType", type);
            m_json.endObject();
        }
        m_json.endArray();
        m_json.key("entries").beginArray();
    }

    /// Writes an entry below another one (-1: below none). Returns its id.
    std::int64_t add(std::int64_t parent, const std::vector<std::string>& labels)
    {
        m_json.beginObject();
        m_json.member("id", m_next);
        m_json.member("parentId", parent);
        m_json.key("labels").beginArray();
        for (const std::string& label : labels)
            m_json.value(label);
        m_json.endArray();
        m_json.member("hasData", true);
        m_json.endObject();
        return m_next++;
    }

    void finish()
    {
        m_json.endArray();
        m_json.endObject();
    }

private:
    JsonWriter& m_json;
    std::int64_t m_next = 0;
};

/// Returns pairs of event type and number of events, the most frequent first.
std::vector<std::pair<std::string, std::uint64_t>> countsOf(const OutputRequest& request)
{
    const TimeRange range = requestedRange(request);
    const TimeRange recorded{request.timeline->range.begin, request.timeline->range.end + Duration(1)};
    if (range == recorded) // The index contains these counts.
        return eventCounts(*request.timeline);
    std::map<std::string, std::uint64_t> sums;
    if (!range.isEmpty())
        for (const EventTypeCount& it : countEventTypes(request.timeline, range, {}, request.stop))
            sums[it.name] += it.count;
    std::vector<std::pair<std::string, std::uint64_t>> counts(sums.begin(), sums.end());
    std::ranges::stable_sort(counts, std::ranges::greater(), &std::pair<std::string, std::uint64_t>::second);
    return counts;
}

/// Positions of the columns of the table that the command `stats` prints.
enum StatsColumn : std::size_t { AtTrace, AtRow, AtLabel, AtTid, AtCpu, AtState, AtCount, AtTotal, AtLeast, AtMean, AtMost };

/// Runs a command on a timeline.
/// Errors: the error of the command; Cancelled.
Result<CapturedTable> runOnTimeline(std::vector<std::string> words, const OutputRequest& request)
{
    constexpr std::size_t MostRows = 500'000; ///< Maximum number of rows of the table.
    static std::mutex s_mutex; // Commands are made to run one at a time.
    const std::lock_guard lock(s_mutex);
    KeptExperiments kept;
    kept.setTimeline(request.timeline, true);
    const KeptExperiments::Use use(kept);
    CaptureLimits limits;
    limits.mostRows = MostRows;
    const CommandCapture capture(limits, request.stop);
    words.emplace_back("timeline"); // The command needs a trace, but uses the timeline.
    try {
        if (runCaptured(words) == 0 && capture.tables().size() == 1)
            return capture.tables().front().isCut() ? Result<CapturedTable>(ModelText::tooLong()) : capture.tables().front();
    } catch (const CommandCancelled&) {
        return Error{Error::Kind::Cancelled, "the request was cancelled"};
    }
    return Error{Error::Kind::Unreadable, capture.failure()};
}

/// Returns a cell of a command's table as exact text.
std::string exactText(const Cell& cell)
{
    switch (cell.kind) {
    case Cell::Kind::Integer:
    case Cell::Kind::Time:
    case Cell::Kind::Length: return std::to_string(cell.number);
    case Cell::Kind::Text:
    case Cell::Kind::Real: return cell.text;
    case Cell::Kind::None: return {};
    }
    return {};
}

} // namespace

Status writeEventCounts(ModelText& model, const OutputRequest& request)
{
    const auto counts = countsOf(request);
    std::uint64_t all = 0;
    for (const auto& [name, count] : counts)
        all += count;
    TreeWriter tree(model, {{"Event type", "STRING"}, {"Count", "NUMBER"}, {"Percent", "NUMBER"}});
    const std::int64_t root = tree.add(-1, {"Total", std::to_string(all), percentText(all, all)});
    for (const auto& [name, count] : counts) {
        tree.add(root, {name, std::to_string(count), percentText(count, all)});
        if (model.isFull())
            return ModelText::tooLong();
    }
    tree.finish();
    return Done{};
}

Status writeStateTimes(ModelText& model, const OutputRequest& request)
{
    std::vector<std::string> words{"stats", "--view=" + request.view};
    if (request.parameters.times) {
        const TimeRange range = requestedRange(request);
        words.push_back("--begin=" + std::to_string(nanoseconds(range.begin)));
        words.push_back("--end=" + std::to_string(nanoseconds(std::max(range.begin, range.end))));
    }
    const auto table = runOnTimeline(std::move(words), request);
    if (!table)
        return table.error();
    TreeWriter tree(model,
                    {{"Name", "STRING"},
                     {"Count", "NUMBER"},
                     {"Total (ns)", "NUMBER"},
                     {"Minimum (ns)", "NUMBER"},
                     {"Average (ns)", "NUMBER"},
                     {"Maximum (ns)", "NUMBER"}});
    std::string row; // Trace and id of the row whose states are being written.
    std::int64_t parent = -1;
    for (const std::vector<Cell>& cells : table->rows) {
        if (cells.size() <= AtMost)
            return Error{Error::Kind::Unreadable, "the command stats printed another table than expected"};
        std::string own = exactText(cells[AtTrace]) + '/' + exactText(cells[AtRow]);
        if (parent < 0 || own != row)
            parent = tree.add(-1, {exactText(cells[cells[AtLabel].text.empty() ? AtRow : AtLabel]), "", "", "", "", ""});
        row = std::move(own);
        std::vector<std::string> labels;
        for (const StatsColumn column : {AtState, AtCount, AtTotal, AtLeast, AtMean, AtMost})
            labels.push_back(exactText(cells[column]));
        tree.add(parent, labels);
        if (model.isFull())
            return ModelText::tooLong();
    }
    tree.finish();
    return Done{};
}

} // namespace helio
