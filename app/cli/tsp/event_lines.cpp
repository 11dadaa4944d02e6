#include "app/cli/tsp/event_lines.h"

#include "app/cli/output/field_output.h"
#include "app/cli/output/table_writer.h"
#include "core/query/rows/facts.h"

#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace helio {
namespace {

constexpr std::uint64_t SearchedLines = 2'000; ///< Number of lines that a search reads at a time.
constexpr int HighlightTag = 8; ///< Bit of the member "tags" by which clients highlight a line that matches.

/// Column of the table. The numbers are the ids of the protocol.
enum class EventColumn : std::int64_t { Time, TimeInNs, Trace, Host, Cpu, Event, Tid, Contents };

struct ColumnText {
    EventColumn column;
    const char* name;
    const char* description;
    const char* type;
};
/// The columns in the order of the table. Clients know the column "Timestamp ns" by its name and hide it.
constexpr ColumnText Columns[] = {{EventColumn::Time, "Timestamp", "Time of the event", "STRING"},
                                  {EventColumn::TimeInNs, "Timestamp ns", "Time of the event in ns", "NUMBER"},
                                  {EventColumn::Trace, "Trace", "Name of the recording", "STRING"},
                                  {EventColumn::Host, "Host", "Name of the host", "STRING"},
                                  {EventColumn::Cpu, "CPU", "Number of the CPU", "NUMBER"},
                                  {EventColumn::Event, "Event type", "Name of the event", "STRING"},
                                  {EventColumn::Tid, "TID", "Thread in which the event occurred", "NUMBER"},
                                  {EventColumn::Contents, "Contents", "Fields of the event", "STRING"}};

std::vector<const ColumnText*> columnsOf(const Timeline& timeline)
{
    std::vector<const ColumnText*> columns;
    for (const ColumnText& it : Columns)
        if ((it.column != EventColumn::Trace || timeline.traces.size() > 1)
            && (it.column != EventColumn::Host || timeline.hosts.size() > 1))
            columns.push_back(&it);
    return columns;
}

std::string cellText(const EventRow& row, EventColumn column, const TimeStyle& times)
{
    std::string text;
    switch (column) {
    case EventColumn::Time: return row.hasTime ? textOf(Cell(row.time), times) : "-";
    case EventColumn::TimeInNs: return row.hasTime ? std::to_string(nanoseconds(row.time)) : "";
    case EventColumn::Trace: return row.traceName;
    case EventColumn::Host: return row.host;
    case EventColumn::Cpu: return row.cpu >= 0 ? std::to_string(row.cpu) : "";
    case EventColumn::Event: return row.name;
    case EventColumn::Tid: return row.tid >= 0 ? std::to_string(row.tid) : "";
    case EventColumn::Contents: appendReadable(text, row.fields); return text;
    }
    return text;
}

/// A search for lines whose cells match regular expressions.
class LineSearch {
public:
    static Result<LineSearch> make(const OutputRequest& request)
    {
        LineSearch search(request);
        for (const auto& [column, text] : request.parameters.search.expressions) {
            const QRegularExpression expression(QString::fromStdString(text));
            if (!expression.isValid())
                return Error{Error::Kind::Usage,
                             "the regular expression \"" + text + "\" is not valid: " + expression.errorString().toStdString()};
            if (column < 0 || column > static_cast<std::int64_t>(EventColumn::Contents))
                return Error{Error::Kind::Usage, "there is no column " + std::to_string(column)};
            search.m_expressions.emplace_back(EventColumn(column), expression);
        }
        return search;
    }

    bool isEmpty() const { return m_expressions.empty(); }
    bool matches(const EventRow& row) const
    {
        return std::ranges::all_of(m_expressions, [&](const auto& it) {
            return it.second.match(QString::fromStdString(cellText(row, it.first, m_times))).hasMatch();
        });
    }

    /// Returns the number of the nearest matching line from line `from` on, in the direction of the search; nullopt if there is none, or
    /// after a stop request.
    std::optional<std::uint64_t> find(std::uint64_t from) const
    {
        EventTable table(m_request.timeline); // Not the table of other requests, which would have to wait for the search.
        const auto isMatch = [&](const EventRow& row) { return matches(row); };
        if (m_request.parameters.search.direction == TableSearch::Direction::Next) {
            for (; from < table.size() && !m_request.stop.stop_requested(); from += SearchedLines) {
                const std::vector<EventRow> rows = table.rows(from, SearchedLines, m_request.stop);
                if (const auto found = std::ranges::find_if(rows, isMatch); found != rows.end())
                    return found->index;
            }
            return {};
        }
        for (std::uint64_t end = std::min(from < table.size() ? from + 1 : from, table.size());
             end > 0 && !m_request.stop.stop_requested();) {
            const std::uint64_t begin = end > SearchedLines ? end - SearchedLines : 0;
            const std::vector<EventRow> rows = table.rows(begin, static_cast<std::size_t>(end - begin), m_request.stop);
            if (const auto found = std::find_if(rows.rbegin(), rows.rend(), isMatch); found != rows.rend())
                return found->index;
            end = begin;
        }
        return {};
    }

private:
    explicit LineSearch(const OutputRequest& request)
        : m_request(request)
        , m_times(hasEpoch(*request.timeline))
    {
    }

    const OutputRequest& m_request;
    TimeStyle m_times;
    std::vector<std::pair<EventColumn, QRegularExpression>> m_expressions;
};

/// Returns the requested columns, or all columns if the client requested none.
std::vector<const ColumnText*> requestedColumns(const OutputRequest& request)
{
    std::vector<const ColumnText*> columns = columnsOf(*request.timeline);
    if (const auto& asked = request.parameters.columns; asked && !asked->empty())
        std::erase_if(columns, [&](const ColumnText* it) {
            return std::ranges::find(*asked, static_cast<std::int64_t>(it->column)) == asked->end();
        });
    return columns;
}

} // namespace

Status writeColumns(ModelText& model, const OutputRequest& request)
{
    JsonWriter& json = model.json();
    json.beginArray();
    for (const ColumnText* column : columnsOf(*request.timeline)) {
        json.beginObject();
        json.member("id", static_cast<std::int64_t>(column->column));
        json.member("name", column->name);
        json.member("description", column->description);
        json.member("type", column->type);
        json.endObject();
    }
    json.endArray();
    return Done{};
}

Status writeLines(ModelText& model, const OutputRequest& request)
{
    const QueryParameters& parameters = request.parameters;
    if (!parameters.lineCount)
        return Error{Error::Kind::Usage, "\"requested_table_count\" is missing"};
    if (!parameters.lineIndex && !parameters.times)
        return Error{Error::Kind::Usage, "\"requested_table_index\" or \"requested_times\" is missing"};
    const auto search = LineSearch::make(request);
    if (!search)
        return search.error();
    const Timeline& timeline = *request.timeline;
    const std::vector<const ColumnText*> columns = requestedColumns(request);
    std::vector<EventRow> rows;
    std::uint64_t size = 0;
    std::optional<std::uint64_t> first;
    request.experiment.withEvents(request.timeline, [&](EventTable& table) {
        size = table.size();
        const auto indexAt = [&](Timestamp at) {
            // Times far outside of the recorded time would overflow when a clock's offset is added.
            return at > timeline.range.end ? size : table.indexAt(std::max(at, timeline.range.begin), request.stop);
        };
        first = parameters.lineIndex ? std::uint64_t(*parameters.lineIndex) : indexAt(parameters.times->first);
    });
    if (!search->isEmpty() && parameters.search.direction != TableSearch::Direction::None)
        first = search->find(*first);
    if (first && *first < size)
        request.experiment.withEvents(request.timeline, [&](EventTable& table) {
            rows = table.rows(*first, static_cast<std::size_t>(*parameters.lineCount), request.stop);
        });
    const TimeStyle times(hasEpoch(timeline));
    JsonWriter& json = model.json();
    json.beginObject();
    json.member("size", size);
    json.member("lowIndex", first.value_or(0));
    json.key("columnIds").beginArray();
    for (const ColumnText* column : columns)
        json.value(static_cast<std::int64_t>(column->column));
    json.endArray();
    json.key("lines").beginArray();
    for (const EventRow& row : rows) {
        json.beginObject();
        json.member("index", row.index);
        if (!search->isEmpty() && search->matches(row))
            json.member("tags", HighlightTag);
        json.key("cells").beginArray();
        for (const ColumnText* column : columns) {
            json.beginObject();
            json.member("content", cellText(row, column->column, times));
            json.endObject();
        }
        json.endArray();
        json.endObject();
        if (model.isFull())
            return ModelText::tooLong();
    }
    json.endArray();
    json.endObject();
    return Done{};
}

} // namespace helio
