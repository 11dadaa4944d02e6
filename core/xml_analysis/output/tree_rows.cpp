#include "core/xml_analysis/output/tree_rows.h"

#include <algorithm>

namespace helio::xml {

StateSetId AnyValues::addSet(const std::string& id, const std::string& title, bool showsText)
{
    StateSet set{id, {}, title};
    for (const char* type : {"int", "long", "double", "string"}) {
        StateKind kind{type, StateCategory::None, {}};
        kind.style.flags = StateFlag::ColoredByValue | StateFlag::NamedByValue;
        kind.style.flags |= showsText ? StateFlag::Labelled : 0;
        kind.style.valueTitle = "Value";
        set.states.push_back(std::move(kind));
    }
    const auto made = m_sink.stateSet(set);
    return made ? *made : StateSetId{};
}

std::optional<std::uint32_t> AnyValues::storeOther(const Value& value)
{
    if (value.isText())
        return AnyValue::of(AnyValue::Kind::Text, static_cast<std::uint32_t>(stringOf(value.text())));
    if (hasUserNotation(value))
        return storeText(m_texts.shown(value));
    const auto index = value.isInteger() ? m_sink.integer(value.integer()) : m_sink.real(value.real());
    if (!index || *index > AnyValue::MostIndex)
        return {};
    return AnyValue::of(value.isInteger() ? AnyValue::Kind::Integer : AnyValue::Kind::Real, *index);
}

std::uint32_t AnyValues::storeText(std::string_view text)
{
    return AnyValue::of(AnyValue::Kind::Text, static_cast<std::uint32_t>(m_sink.string(text)));
}

StringId AnyValues::stringOf(TextId text)
{
    if (text >= m_strings.size())
        m_strings.resize(std::max<std::size_t>(m_texts.count(), text + 1));
    auto& known = m_strings[text];
    if (!known)
        known = m_sink.string(m_texts[text]);
    return *known;
}

std::string pathOf(const AttributeTree& tree, Quark attribute)
{
    std::vector<std::string_view> names;
    for (Quark at = attribute; at != Root; at = tree.parent(at))
        names.push_back(tree.texts()[tree.name(at)]);
    std::string path;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        path += path.empty() && name == names.rbegin() ? "" : "/";
        for (const char c : *name)
            path += c == '/' ? std::string("\\/") : std::string(1, c);
    }
    return path;
}

TreeRows::TreeRows(std::string view, const AttributeTree& tree, AnyValues& values, StateSink& sink)
    : m_view(std::move(view))
    , m_tree(tree)
    , m_values(values)
    , m_sink(sink)
    , m_states(values.addSet("attributes", {}, true))
{
}

void TreeRows::onNew(Quark attribute)
{
    const TrackId parent = m_tracks[m_tree.parent(attribute)];
    Track row;
    row.view = m_view;
    row.role = TrackRole::Group;
    row.kind = "attribute";
    row.label = m_tree.label(attribute);
    row.key = pathOf(m_tree, attribute);
    row.parent = parent;
    row.states = m_states;
    row.valueKind = ValueKind::Any;
    row.sortKey = static_cast<std::int32_t>(attribute);
    m_tracks.push_back(m_sink.addTrack(std::move(row)));
    m_hasStates.push_back(0);
}

bool TreeRows::onChange(HostTimestamp from, Quark attribute, const Value& value)
{
    const TrackId track = m_tracks[attribute];
    if (value.isNull()) {
        m_sink.end(from, track);
        return true;
    }
    if (!m_hasStates[attribute]) {
        m_hasStates[attribute] = 1;
        m_sink.track(track).role = TrackRole::Other;
    }
    const auto stored = m_values.store(value);
    if (stored) // Begin a new interval with each change of the value, even if a later change at the same time restores the old value.
        m_sink.beginInterval(from, track, AnyValues::typeState(value), *stored);
    else
        m_sink.end(from, track);
    return stored.has_value();
}

} // namespace helio::xml
