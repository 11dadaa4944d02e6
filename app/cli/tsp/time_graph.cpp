#include "app/cli/tsp/time_graph.h"

#include "app/cli/output/table_writer.h"
#include "app/cli/tsp/chart_styles.h"
#include "core/query/filters/state_search.h"
#include "core/query/rows/arrows.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/state_text.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t MostArrows = 20'000; ///< Maximum number of arrows of a response.

Error missing(const char* parameter) { return {Error::Kind::Usage, '"' + std::string(parameter) + "\" is missing"}; }

/// Returns the entry of a row. Groups have no track; their identity is their id.
OutputEntry entryOf(const OutputRequest& request, const Row& row)
{
    if (row.ref.isValid())
        return {request.output, row.ref, {}, {}};
    return {request.output, {}, {}, row.kind + ':' + std::to_string(row.host) + ':' + std::to_string(row.trace) + ':' + row.id};
}

/// Marks the rows that exist in the range, and the parents of these rows.
std::vector<char> findVisibleRows(const std::vector<Row>& all, TimeRange range)
{
    std::vector<char> isVisible(all.size());
    for (std::size_t i = all.size(); i-- > 0;) { // Backwards, because a parent comes before its children.
        isVisible[i] = isVisible[i] || (all[i].ref.isValid() && all[i].life.overlaps(range));
        if (isVisible[i] && all[i].parent >= 0)
            isVisible[static_cast<std::size_t>(all[i].parent)] = 1;
    }
    return isVisible;
}

void writeMetadata(JsonWriter& json, const Row& row)
{
    json.key("metadata").beginObject();
    const auto add = [&](const char* name, std::int64_t value) {
        if (value < 0)
            return;
        json.key(name).beginArray();
        json.value(value);
        json.endArray();
    };
    add("pid", row.pid);
    add("tid", row.shownTid());
    add("cpu", row.cpu);
    add("trace", row.ref.isValid() ? std::int64_t(row.trace) : -1);
    json.key("row").beginArray();
    json.value(row.id);
    json.endArray();
    json.endObject();
}

void writeHeader(JsonWriter& json, std::string_view name)
{
    json.beginObject();
    json.member("name", name);
    json.member("tooltip", "");
    json.endObject();
}

/// The filters of a request, and the facts of the row that they are applied to.
class StateFilters {
public:
    static Result<StateFilters> make(const QueryParameters& parameters)
    {
        StateFilters filters;
        for (const auto& [texts, target] :
             {std::pair(&parameters.dimming, &filters.m_dimming), std::pair(&parameters.excluding, &filters.m_excluding)})
            for (const std::string& text : *texts) {
                auto parsed = Expression::parse(text);
                if (!parsed)
                    return Error{Error::Kind::Usage, "the filter \"" + text + "\" is not valid: " + parsed.error().what};
                target->push_back(std::move(*parsed));
            }
        return filters;
    }

    bool isEmpty() const { return m_dimming.empty() && m_excluding.empty(); }
    bool dims(const Timeline& timeline, RowFacts& facts, const Interval& interval) const
    {
        return !haveMatch(m_dimming, timeline, facts, interval);
    }
    bool excludes(const Timeline& timeline, RowFacts& facts, const Interval& interval) const
    {
        return !haveMatch(m_excluding, timeline, facts, interval);
    }

private:
    using Expressions = std::vector<std::shared_ptr<const Expression>>;

    static bool haveMatch(const Expressions& all, const Timeline& timeline, RowFacts& facts, const Interval& interval)
    {
        return std::ranges::all_of(all, [&](const auto& expression) { return matches(*expression, timeline, facts, interval); });
    }

    Expressions m_dimming;
    Expressions m_excluding;
};

/// Writes the states of one row.
class StateRowWriter {
public:
    StateRowWriter(ModelText& model, const OutputRequest& request, const ChartStyles& styles, const StateFilters& filters)
        : m_json(model.json())
        , m_request(request)
        , m_styles(styles)
        , m_filters(filters)
        , m_range(requestedRange(request))
        , m_resolution(requestedResolution(request))
        , m_haveOwnStyles(request.experiment.hasEarlyStyles(request.output))
    {
    }

    void write(std::int64_t id, TrackRef track)
    {
        m_json.beginObject();
        m_json.member("entryId", id);
        m_json.key("states").beginArray();
        m_spans.clear();
        if (!m_range.isEmpty())
            spans(*m_request.timeline, track, m_range, m_resolution, m_spans, m_request.stop);
        const std::optional<Row> row = m_filters.isEmpty() ? std::nullopt : rowOf(*m_request.timeline, track);
        std::optional<RowFacts> facts;
        if (row)
            facts = rowFacts(*m_request.timeline, *row);
        for (const Span& span : m_spans.spans)
            writeState(track, span, facts);
        m_json.endArray();
        m_json.endObject();
    }

private:
    void writeState(TrackRef track, const Span& span, std::optional<RowFacts>& facts)
    {
        constexpr int Dimmed = 1; ///< Bit of the member "tags".
        const Timeline& timeline = *m_request.timeline;
        const Interval interval{span.range, span.state, span.value};
        const bool isWhole = span.count == 1;
        // Folded intervals are not filtered: one of the intervals that the span does not show may match.
        if (facts && isWhole && m_filters.excludes(timeline, *facts, interval))
            return;
        m_json.beginObject();
        m_json.member("start", nanoseconds(span.range.begin));
        m_json.member("end", nanoseconds(span.range.end));
        if (facts && isWhole && m_filters.dims(timeline, *facts, interval))
            m_json.member("tags", Dimmed);
        const StateSet& set = statesOf(timeline, track);
        const StateKind& kind = stateKind(timeline, track, span.state);
        const StateStyle& style = kind.style;
        const bool isColoredByValue = style.has(StateFlag::ColoredByValue) || style.has(StateFlag::NamedByValue);
        const StateText text = isWhole || isColoredByValue ? stateText(timeline, track, interval) : StateText();
        const std::string& label = style.has(StateFlag::NamedByValue) ? text.state : text.detail;
        if (isWhole && !label.empty())
            m_json.member("label", label);
        m_json.key("style").beginObject();
        m_json.member("parentKey", ChartStyles::keyOf(set, span.state));
        m_json.key("values").beginObject();
        if (isColoredByValue && !label.empty())
            m_json.member("background-color", m_styles.colorOf(label));
        else if (m_haveOwnStyles)
            m_json.member("background-color", m_styles.colorOf(kind));
        if (m_haveOwnStyles)
            m_styles.writeHeight(m_json, kind);
        m_json.endObject();
        m_json.endObject();
        m_json.endObject();
    }

    JsonWriter& m_json;
    const OutputRequest& m_request;
    const ChartStyles& m_styles;
    const StateFilters& m_filters;
    const TimeRange m_range;
    const Duration m_resolution;
    const bool m_haveOwnStyles; ///< True if states contain colour and height.
    Spans m_spans;
};

/// Writes names and values of a tooltip; leaves out empty values.
class TooltipLines {
public:
    TooltipLines(JsonWriter& json, const Timeline& timeline)
        : m_json(json)
        , m_times(hasEpoch(timeline))
    {
    }

    void add(std::string_view name, const Cell& value)
    {
        if (const std::string text = textOf(value, m_times); !text.empty())
            m_json.member(name.empty() ? std::string_view("Detail") : name, text);
    }

private:
    JsonWriter& m_json;
    TimeStyle m_times;
};

std::string titleOfTrack(const Timeline& timeline, TrackRef track)
{
    const std::optional<Row> row = track.isValid() ? rowOf(timeline, track) : std::nullopt;
    return row ? titleOf(timeline, *row) : std::string();
}

void writeStateTooltip(TooltipLines& lines, const Timeline& timeline, TrackRef track, Timestamp at)
{
    for (const Interval& interval : intervalAt(timeline, track, at)) {
        const StateKind& kind = stateKind(timeline, track, interval.state);
        const StateText text = stateText(timeline, track, interval);
        const bool isNamedByValue = kind.style.has(StateFlag::NamedByValue);
        lines.add("State", isNamedByValue || kind.style.words.empty() ? text.state : kind.style.words);
        lines.add(kind.style.valueTitle, isNamedByValue ? std::string() : text.detail);
        lines.add("Begin", interval.range.begin);
        lines.add("End", interval.range.end);
        lines.add("Duration", interval.range.duration());
    }
}

/// Writes the arrows that begin at the time of the element and lead to its target.
void writeArrowTooltip(TooltipLines& lines, const OutputRequest& request, const RequestedElement& element)
{
    const Timeline& timeline = *request.timeline;
    const TimeRange recorded = TimeRange{timeline.range.begin, timeline.range.end + Duration(1)};
    if (!recorded.contains(element.time))
        return;
    const auto source = request.experiment.ids().find(request.output, element.source);
    const auto target = request.experiment.ids().find(request.output, element.target);
    for (ArrowWalk walk(timeline, linkKindsInView(timeline, request.view), {element.time, element.time + Duration(1)}, request.stop);
         walk.next();) {
        const Arrow arrow = walk.arrow();
        if (arrow.fromTime != element.time || (source && arrow.from != source->track) || (target && arrow.to != target->track))
            continue;
        const LinkKindInfo& kind = kindOf(timeline, arrow);
        lines.add("Link", kind.title.empty() ? kind.id : kind.title);
        lines.add("From", titleOfTrack(timeline, arrow.from));
        lines.add("To", titleOfTrack(timeline, arrow.to));
        lines.add("Begin", arrow.fromTime);
        lines.add("Duration", arrow.toTime - arrow.fromTime);
        lines.add(kind.detail, arrow.detail);
        return;
    }
}

} // namespace

Status writeRows(ModelText& model, const OutputRequest& request)
{
    const Timeline& timeline = *request.timeline;
    if (timeline.isComplete)
        readFrameNames(timeline, request.view, request.stop);
    const std::vector<Row> all = rows(timeline, request.view);
    const TimeRange range = requestedRange(request);
    const bool isLimited = request.parameters.times.has_value();
    const std::vector<char> isVisible = isLimited ? findVisibleRows(all, range) : std::vector<char>(all.size(), 1);
    const std::string number = viewDescription(timeline, request.view).number;
    JsonWriter& json = model.json();
    json.beginObject();
    json.member("autoExpandLevel", -1);
    json.key("headers").beginArray();
    writeHeader(json, "Name");
    if (!number.empty())
        writeHeader(json, number);
    json.endArray();
    json.key("entries").beginArray();
    std::vector<std::int64_t> ids(all.size(), -1);
    for (std::size_t i = 0; i < all.size() && !request.stop.stop_requested(); ++i) {
        if (!isVisible[i])
            continue;
        const Row& row = all[i];
        ids[i] = request.experiment.ids().idOf(entryOf(request, row));
        json.beginObject();
        json.member("id", ids[i]);
        json.member("parentId", row.parent >= 0 ? ids[static_cast<std::size_t>(row.parent)] : std::int64_t(-1));
        json.key("labels").beginArray();
        json.value(row.label.empty() ? row.id : row.label);
        if (!number.empty())
            json.value(row.shownTid() >= 0 ? std::to_string(row.shownTid()) : row.cpu >= 0 ? std::to_string(row.cpu) : std::string());
        json.endArray();
        const TimeRange life = row.ref.isValid() ? row.life : timeline.range;
        json.member("start", nanoseconds(life.begin));
        json.member("end", nanoseconds(life.end));
        json.member("hasData", row.ref.isValid());
        writeMetadata(json, row);
        json.endObject();
        if (model.isFull())
            return ModelText::tooLong();
    }
    json.endArray();
    json.endObject();
    return Done{};
}

Status writeStates(ModelText& model, const OutputRequest& request, const ChartStyles& styles)
{
    if (!request.parameters.times)
        return missing("requested_timerange");
    if (!request.parameters.items)
        return missing("requested_items");
    const auto filters = StateFilters::make(request.parameters);
    if (!filters)
        return filters.error();
    StateRowWriter states(model, request, styles, *filters);
    JsonWriter& json = model.json();
    json.beginObject();
    json.key("rows").beginArray();
    std::set<std::int64_t> written; // A row that is named twice is written once.
    for (const std::int64_t id : *request.parameters.items) {
        if (request.stop.stop_requested())
            break;
        const auto entry = request.experiment.ids().find(request.output, id);
        if (!entry || !entry->track.isValid() || !written.insert(id).second)
            continue;
        states.write(id, entry->track);
        if (model.isFull())
            return ModelText::tooLong();
    }
    json.endArray();
    json.endObject();
    return Done{};
}

Status writeArrows(ModelText& model, const OutputRequest& request, const ChartStyles& styles, std::string& note)
{
    if (!request.parameters.times)
        return missing("requested_timerange");
    const Timeline& timeline = *request.timeline;
    const TimeRange range = requestedRange(request);
    std::uint64_t total = 0;
    std::vector<Arrow> all;
    if (!range.isEmpty())
        all = arrows(timeline, linkKindsInView(timeline, request.view, false), range, MostArrows, &total, request.stop);
    if (total > all.size())
        note = std::to_string(total) + " arrows, of which " + std::to_string(all.size()) + " are shown; zoom in to see all";
    const bool haveOwnStyles = request.experiment.hasEarlyStyles(request.output);
    JsonWriter& json = model.json();
    json.beginArray();
    for (const Arrow& arrow : all) {
        const auto source = request.experiment.ids().idOfRow(request.output, arrow.from);
        const auto target = request.experiment.ids().idOfRow(request.output, arrow.to);
        if (!source || !target) // An end is on a row of another view.
            continue;
        json.beginObject();
        json.member("sourceId", *source);
        json.member("targetId", *target);
        json.member("start", nanoseconds(arrow.fromTime));
        json.member("end", nanoseconds(arrow.toTime));
        json.key("style").beginObject();
        json.member("parentKey", ChartStyles::keyOf(kindOf(timeline, arrow)));
        json.key("values").beginObject();
        if (haveOwnStyles)
            json.member("color", styles.colorOf(kindOf(timeline, arrow)));
        json.endObject();
        json.endObject();
        json.endObject();
    }
    json.endArray();
    return Done{};
}

Status writeTooltip(ModelText& model, const OutputRequest& request)
{
    const QueryParameters& parameters = request.parameters;
    if (!parameters.items || parameters.items->size() != 1)
        return Error{Error::Kind::Usage, "\"requested_items\" must have one element"};
    if (!parameters.times)
        return missing("requested_times");
    const auto entry = request.experiment.ids().find(request.output, parameters.items->front());
    if (!entry)
        return Error{Error::Kind::NotFound, "there is no entry " + std::to_string(parameters.items->front())};
    const Timeline& timeline = *request.timeline;
    JsonWriter& json = model.json();
    json.beginObject();
    TooltipLines lines(json, timeline);
    if (parameters.element && parameters.element->type == "arrow") {
        writeArrowTooltip(lines, request, *parameters.element);
    } else if (entry->track.isValid()) {
        lines.add("Row", titleOfTrack(timeline, entry->track));
        if (TimeRange{timeline.range.begin, timeline.range.end + Duration(1)}.contains(parameters.times->first))
            writeStateTooltip(lines, timeline, entry->track, parameters.times->first);
    }
    json.endObject();
    return Done{};
}

Status writeStyles(ModelText& model, const OutputRequest& request, const ChartStyles& styles)
{
    const Timeline& timeline = *request.timeline;
    if (!timeline.isComplete)
        request.experiment.noteEarlyStyles(request.output);
    JsonWriter& json = model.json();
    std::set<std::string> written;
    const auto begin = [&](const std::string& key) {
        json.key(key).beginObject();
        json.key("parentKey").null();
        json.key("values");
    };
    json.beginObject();
    json.key("styles").beginObject();
    for (const Row& row : request.view.empty() ? std::vector<Row>() : rows(timeline, request.view)) {
        const StateSet& set = statesOf(timeline, row.ref);
        if (set.states.empty() || !written.insert(set.id).second)
            continue;
        for (std::size_t i = 0; i < set.states.size(); ++i) {
            begin(ChartStyles::keyOf(set, State(i)));
            styles.writeState(json, set, set.states[i]);
            json.endObject();
        }
    }
    const LinkIds links = request.view.empty() ? LinkIds() : linkKindsInView(timeline, request.view);
    const auto writeLinks = [&](std::span<const LinkKindInfo> kinds) {
        for (const LinkKindInfo& kind : kinds) {
            if (std::ranges::find(links.ids, kind.id) == links.ids.end() || !written.insert(ChartStyles::keyOf(kind)).second)
                continue;
            begin(ChartStyles::keyOf(kind));
            styles.writeLink(json, kind);
            json.endObject();
        }
    };
    forEachStore(timeline, [&](StoreIndex index, const Store&, const TimelineTrace&) { writeLinks(linkKindsOf(timeline, index)); });
    forEachInterTraceLinks(timeline, [&](RelationIndex, const InterTraceLinks& found) { writeLinks(found.kinds()); });
    json.endObject();
    json.endObject();
    return Done{};
}

} // namespace helio
