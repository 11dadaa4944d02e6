#include "app/cli/tsp/chart_styles.h"

#include "core/base/json.h"

#include <QHashFunctions>

#include <algorithm>

namespace helio {
namespace {

std::string hexOf(const QColor& color) { return color.name().toStdString(); }

} // namespace

std::string ChartStyles::keyOf(const StateSet& set, State state)
{
    const auto index = static_cast<std::size_t>(state);
    return set.id + '.' + (index < set.states.size() ? set.states[index].name : std::to_string(index));
}

void ChartStyles::writeState(JsonWriter& json, const StateSet& set, const StateKind& state) const
{
    const StateAppearance look = m_theme.lookOf(state);
    json.beginObject();
    json.member("style-name", look.words.toStdString());
    if (!set.title.empty())
        json.member("style-group", set.title);
    json.member("background-color", hexOf(look.color));
    writeHeight(json, state);
    json.member("opacity", 1.0);
    json.endObject();
}

void ChartStyles::writeLink(JsonWriter& json, const LinkKindInfo& kind) const
{
    json.beginObject();
    json.member("style-name", kind.title.empty() ? kind.id : kind.title);
    json.member("style-group", "Arrows");
    json.member("color", colorOf(kind));
    json.member("width", std::max(1, kind.width / 2));
    json.endObject();
}

void ChartStyles::writeHeight(JsonWriter& json, const StateKind& state) const
{
    json.member("height", double(std::clamp<int>(state.style.height, 1, 16)) / 16);
}

std::string ChartStyles::colorOf(const StateKind& state) const { return hexOf(m_theme.lookOf(state).color); }
std::string ChartStyles::colorOf(const LinkKindInfo& kind) const { return hexOf(m_theme.colorOf(kind)); }

std::string ChartStyles::colorOf(std::string_view text) const
{
    constexpr std::size_t Categories = 20; ///< Number of category colours of a theme.
    return hexOf(m_theme.category(static_cast<int>(qHashBits(text.data(), text.size(), 0) % Categories)));
}

} // namespace helio
