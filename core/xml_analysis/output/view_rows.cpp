#include "core/xml_analysis/output/view_rows.h"

#include "core/base/natural_order.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace helio::xml {
namespace {

std::optional<std::int32_t> intIn(std::string_view text)
{
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Parses the text as a number; nullopt if it is not a number.
std::optional<double> numberIn(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Parses the text as a number with a fraction; nullopt if it is a whole number or not a number.
std::optional<double> fractionIn(std::string_view text)
{
    const auto number = numberIn(text);
    return number && std::isfinite(*number) && *number != std::floor(*number) ? number : std::nullopt;
}

/// Returns the key of a number in m_statesByNumber: a 32-bit integer, truncated and clamped as in Trace Compass.
std::int32_t keyOf(const Value& value)
{
    if (value.isInteger())
        return static_cast<std::int32_t>(value.integer());
    return std::isnan(value.real()) ? 0 : static_cast<std::int32_t>(std::clamp(value.real(), double(INT32_MIN), double(INT32_MAX)));
}

/// Returns the singular of a plural name, in lower case unless it is an abbreviation: "rank" for "Ranks", "CPU" for "CPUs". Returns an
/// empty text for a name that is no plural, or whose singular is not formed by leaving out its "s".
std::string singularOf(std::string name)
{
    const auto endsWith = [&](std::string_view end) { return name.ends_with(end); };
    if (name.size() < 3 || !endsWith("s") || endsWith("ss") || endsWith("us") || endsWith("is") || endsWith("es"))
        return {};
    name.pop_back();
    const auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (isUpper(name[0]) && !isUpper(name[1]))
        name[0] = static_cast<char>(name[0] - 'A' + 'a');
    return name;
}

/// Returns the name of an attribute as the title of a row or series. A number alone does not say what it is, so it follows the name of what
/// it numbers: "rank 0" for "Ranks/0".
std::string titleOf(const AttributeTree& tree, Quark attribute)
{
    std::string title = tree.label(attribute);
    const auto number = intIn(title);
    const std::string numbered = number && *number >= 0 ? singularOf(tree.label(tree.parent(attribute))) : std::string();
    return numbered.empty() ? title : numbered + ' ' + title;
}

} // namespace

void ViewAttributes::watch(const ViewAttribute& attribute, Quark base, PathWatch::Found found)
{
    base = attribute.isAbsolute ? Root : base;
    if (attribute.query.empty())
        return m_paths.watchNames(base, attribute.names, std::move(found));
    m_paths.watchNames(Root, attribute.query, [this, waiting = Waiting{&attribute, base, std::move(found)}](Quark asked, const Wildcards&) {
        if (const Value& value = m_tree.value(asked); isName(value))
            return goOn(waiting, value);
        m_waiting[asked].push_back(waiting);
        m_isAsked.set(asked);
    });
}

void ViewAttributes::goOn(const Waiting& waiting, const Value& name)
{
    std::vector<std::string> names = waiting.attribute->names;
    names.push_back(m_tree.texts().printed(name));
    m_paths.watchNames(waiting.base, std::move(names), waiting.found);
}

void ViewAttributes::takeName(Quark attribute, const Value& value)
{
    if (!isName(value))
        return;
    const auto waiting = m_waiting.extract(attribute);
    m_isAsked.clear(attribute);
    m_tree.effort().take(waiting.mapped().size());
    for (const Waiting& it : waiting.mapped())
        goOn(it, value);
}

ViewRows::ViewRows(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, AnyValues& values,
                   StateSink& sink)
    : m_view(view)
    , m_analysis(analysis)
    , m_tree(tree)
    , m_paths(paths)
    , m_uses(tree, paths)
    , m_values(values)
    , m_sink(sink)
    , m_states(values.addSet("rows:" + view.id, view.title(), false))
    , m_labelledStates(values.addSet("text:" + view.id, view.title(), true))
{
    for (const DefinedValue& value : view.values) {
        if (const auto number = intIn(value.value))
            m_statesByNumber[*number] = {&value, {}, false};
        if (const auto fraction = fractionIn(value.value))
            m_statesByFraction[*fraction] = {&value, {}, false};
        m_statesByText[value.value] = {&value, {}, false};
    }
    watch(view.entries, Root, {}, nullptr);
}

void ViewRows::watch(const std::vector<ViewEntry>& entries, Quark base, const Wildcards& wildcards, Row* above)
{
    for (const ViewEntry& entry : entries) {
        // Skip entries that show the attribute tree of another analysis. That analysis writes their rows to its own store, where the rows
        // have no parent row.
        if (!isOwn(entry, above))
            continue;
        const std::vector<std::string> path = entry.path.empty() ? std::vector<std::string>{"*"} : entry.path;
        m_paths.watch(entry.analysis.empty() ? base : Root, path, wildcards,
                      [this, &entry, above](Quark attribute, const Wildcards& all) { addRow(entry, attribute, all, above); });
    }
}

void ViewRows::addRow(const ViewEntry& entry, Quark attribute, const Wildcards& wildcards, Row* above)
{
    Row& row = m_rows.emplace_back();
    row.entry = &entry;
    row.above = above;
    row.attribute = attribute;
    row.label = titleOf(m_tree, attribute);
    const auto use = [this, &row](const std::optional<ViewAttribute>& read, Use::Kind kind) {
        m_uses.add(read, row.attribute, Use{kind, &row},
                   [this](HostTimestamp from, const Value& value, const Use& of) { take(from, value, of); });
    };
    use(entry.name, Use::Kind::Name);
    use(entry.id, Use::Kind::Id);
    use(entry.parent, Use::Kind::Parent);
    use(entry.display, Use::Kind::Display);
    watch(entry.entries, attribute, wildcards, &row);
}

void ViewRows::take(HostTimestamp from, const Value& value, const Use& use)
{
    Row& row = *use.row;
    switch (use.kind) {
    case Use::Kind::Display: return show(from, value, row);
    case Use::Kind::Id: return takeText(value, row.hasId, row.id);
    case Use::Kind::Parent: return takeText(value, row.hasParent, row.parentId);
    case Use::Kind::Name:
        takeText(value, row.hasName, row.label);
        if (row.track != NoTrack)
            m_sink.track(row.track).label = row.label;
    }
}

/// Sets `text` to the first value that can be shown as text, and then sets `has`. Ignores later values.
void ViewRows::takeText(const Value& value, bool& has, std::string& text)
{
    if (has || value.isNull())
        return;
    std::string printed = m_tree.texts().shown(value);
    has = !printed.empty();
    if (has)
        text = std::move(printed);
}

TrackId ViewRows::trackOf(Row& row)
{
    if (row.track != NoTrack)
        return row.track;
    Track track;
    track.view = m_view.id;
    track.role = TrackRole::Group;
    track.kind = "row";
    track.key = pathOf(m_tree, row.attribute);
    if (m_view.analyses.size() > 1)
        track.key = m_analysis + "/" + track.key;
    if (const int count = ++m_keys[track.key]; count > 1)
        track.key += "#" + std::to_string(count);
    track.label = row.label;
    track.parent = row.above ? trackOf(*row.above) : NoTrack;
    track.states = row.entry->showsText ? m_labelledStates : m_states;
    track.valueKind = ValueKind::Any;
    track.sortKey = static_cast<std::int32_t>(m_keys.size());
    row.track = m_sink.addTrack(std::move(track));
    return row.track;
}

/// Sets the state of a row. Each change begins a new state interval, as in TreeRows.
void ViewRows::show(HostTimestamp from, const Value& value, Row& row)
{
    const TrackId track = trackOf(row);
    if (value.isNull())
        return m_sink.end(from, track);
    if (!row.hasStates) {
        row.hasStates = true;
        m_sink.track(track).role = TrackRole::Other;
    }
    const DefinedState* look = findDefinedState(value);
    // The store has no state for this value, because the state set is full. Show the name that the view defines for the value as text
    // instead.
    if (look && !look->state)
        return m_sink.beginInterval(from, track, AnyValues::typeState(value), m_values.storeText(look->defined->name));
    if (look && row.entry->showsText) { // Show the name that the view defines for the value, followed by the value in parentheses.
        const std::string shown = m_tree.texts().shown(value);
        const std::string& name = look->defined->name;
        return m_sink.beginInterval(from, track, *look->state, m_values.storeText(name == shown ? name : name + " (" + shown + ")"));
    }
    if (const auto stored = m_values.store(value))
        m_sink.beginInterval(from, track, look ? *look->state : AnyValues::typeState(value), *stored);
    else
        m_sink.end(from, track);
}

/// Returns the view's definition for a value; nullptr if the view does not define the value.
ViewRows::DefinedState* ViewRows::findDefinedState(const Value& value)
{
    DefinedState* look = nullptr;
    if (value.isText()) {
        const auto found = m_statesByText.find(m_tree.texts()[value.text()]);
        look = found != m_statesByText.end() ? &found->second : nullptr;
    } else if (const auto fraction = value.type() == Type::Double && std::isfinite(value.real()) ? m_statesByFraction.find(value.real())
                                                                                                 : m_statesByFraction.end();
               fraction != m_statesByFraction.end()) {
        look = &fraction->second;
    } else {
        const auto found = m_statesByNumber.find(keyOf(value));
        look = found != m_statesByNumber.end() ? &found->second : nullptr;
    }
    if (look && !look->isKnown) {
        look->isKnown = true;
        StateKind kind = kindOf(*look);
        kind.style.flags = StateFlag::InHeader;
        const auto state = m_sink.addState(m_states, kind);
        kind.style.flags |= StateFlag::Labelled;
        const auto labelled = m_sink.addState(m_labelledStates, kind);
        if (state && labelled)
            look->state = *state;
    }
    return look;
}

StateKind ViewRows::kindOf(const DefinedState& look) const
{
    StateKind kind{look.defined->name, StateCategory::None, {}};
    kind.style.valueTitle = "Value";
    if (numberIn(look.defined->name)) // A number alone does not say that it names a state.
        kind.style.legend = kind.style.words = "state " + look.defined->name;
    kind.style.color = look.defined->color.empty() ? look.defined->name : look.defined->color;
    const auto place = std::ranges::find(m_view.values, look.defined->name, &DefinedValue::name) - m_view.values.begin();
    kind.style.order = static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(20 + place, RestingOrder - 1));
    return kind;
}

void ViewRows::finish()
{
    std::vector<Row*> rows;
    for (Row& row : m_rows)
        if (row.track != NoTrack)
            rows.push_back(&row);
    // Rows that can be parents. The key is the entry, the enclosing row, and the row's id; if the entry has no id, the row's name.
    std::map<std::tuple<const ViewEntry*, Row*, std::string>, Row*> byId;
    const auto nameOf = [this](const Row& row) { return row.hasName ? row.label : m_tree.label(row.attribute); };
    for (Row* row : rows)
        byId[{row->entry, row->above, row->entry->id ? row->id : nameOf(*row)}] = row;
    std::map<Row*, Row*> below;
    for (Row* row : rows) {
        const auto parent = row->hasParent ? byId.find({row->entry, row->above, row->parentId}) : byId.end();
        if (parent == byId.end())
            continue;
        bool isCircle = false;
        for (Row* at = parent->second; at && !isCircle; at = below.contains(at) ? below[at] : nullptr)
            isCircle = at == row;
        if (!isCircle) {
            below[row] = parent->second;
            m_sink.track(row->track).parent = parent->second->track;
        }
    }
    std::ranges::stable_sort(rows, [](const Row* a, const Row* b) {
        const SourcePosition& x = a->entry->place;
        const SourcePosition& y = b->entry->place;
        return a->entry != b->entry ? std::pair(x.line, x.column) < std::pair(y.line, y.column) : NaturalOrder()(a->label, b->label);
    });
    for (std::size_t i = 0; i < rows.size(); ++i)
        m_sink.track(rows[i]->track).sortKey = static_cast<std::int32_t>(i);
}

ViewCurves::ViewCurves(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, StateSink& sink)
    : m_view(view)
    , m_analysis(analysis)
    , m_tree(tree)
    , m_paths(paths)
    , m_uses(tree, paths)
    , m_sink(sink)
{
    for (const ViewEntry& entry : view.entries)
        if (entry.analysis == analysis || (entry.analysis.empty() && std::ranges::find(view.analyses, analysis) != view.analyses.end()))
            m_paths.watch(Root, entry.path.empty() ? std::vector<std::string>{"*"} : entry.path, {},
                          [this](Quark attribute, const Wildcards&) { add(attribute); });
}

void ViewCurves::add(Quark attribute)
{
    Series& series = m_series.emplace_back();
    series.attribute = attribute;
    series.id = (m_view.analyses.size() > 1 ? m_analysis + "/" : "") + pathOf(m_tree, attribute);
    series.title = titleOf(m_tree, attribute);
    const auto use = [this, &series](const std::optional<ViewAttribute>& read, Part part) {
        m_uses.add(read, series.attribute, Use{part, &series},
                   [this](HostTimestamp from, const Value& value, const Use& of) { take(from, value, of); });
    };
    use(m_view.entries.front().name, Part::Name);
    use(m_view.entries.front().display, Part::Display);
}

void ViewCurves::take(HostTimestamp from, const Value& value, const Use& use)
{
    Series& series = *use.series;
    if (use.part == Part::Name) {
        if (!value.isNull() && !series.hasName)
            series.title = m_tree.texts().shown(value);
        series.hasName = series.hasName || !value.isNull();
        return;
    }
    if (!series.series) {
        if (value.isNull())
            return;
        series.isReal = value.type() == Type::Double || value.isText();
        CounterSeries made{m_view.id, m_view.id + "/" + series.id, series.title};
        made.kind = m_view.isDelta ? CounterSeries::Kind::Accumulating : CounterSeries::Kind::Gauge;
        made.number = series.isReal ? CounterNumber::Real : CounterNumber::Integer;
        const auto added = m_sink.counters().addSeries(made);
        if (!added)
            return;
        series.series = *added;
    }
    if (series.last && series.last->at < from)
        flush(series);
    series.last = {from, value};
}

void ViewCurves::flush(Series& series)
{
    const auto& [at, value] = *series.last;
    const auto textNumber = value.isText() ? numberIn(m_tree.texts()[value.text()]) : std::nullopt;
    if (value.isInteger())
        m_sink.counters().addInteger(*series.series, at, value.integer());
    else
        m_sink.counters().addReal(*series.series, at, value.type() == Type::Double ? value.real() : textNumber.value_or(0));
}

void ViewCurves::finish()
{
    for (Series& series : m_series)
        if (series.series && series.last)
            flush(series);
}

} // namespace helio::xml
