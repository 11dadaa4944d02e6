#include "core/xml_analysis/reading/view_locations.h"

#include "core/xml_analysis/reading/definitions.h"

#include <algorithm>

namespace helio::xml {
namespace {

// Limits that handwritten files stay far below.
constexpr std::size_t MostAnalysesAsked = 16;
constexpr int MostLocationsInOneAnother = 16;
constexpr int MostLocationSteps = 100;

} // namespace

ViewLocations::ViewLocations(const Element& file)
{
    for (const Element& part : file.children) {
        add(part);
        if (part.name == "callstack")
            std::ranges::for_each(part.children, [this](const Element& it) { add(it); });
    }
}

void ViewLocations::add(const Element& owner)
{
    if (owner.name != "stateProvider" && owner.name != "pattern")
        return;
    const std::string_view id = owner.text("id");
    for (const Element& child : owner.children)
        if (child.name == "location")
            m_locations.insert_or_assign(Key(id, child.text("id")), &child);
        else if (child.name == "definedValue")
            m_values.emplace(Key(id, child.text("name")), child.text("value"));
}

std::optional<std::vector<std::string>> ViewLocations::path(std::span<const std::string> analyses, std::string_view id,
                                                            std::string& why) const
{
    why = "no analysis of the view has a location " + inQuotes(id) + " in this file";
    for (const std::string& analysis : analyses.first(std::min(analyses.size(), MostAnalysesAsked))) {
        const auto found = m_locations.find({analysis, id});
        if (found == m_locations.end())
            continue;
        std::vector<std::string> names;
        int steps = 0;
        why = whyNot(analysis, *found->second, names, 0, steps);
        return why.empty() ? std::optional(std::move(names)) : std::nullopt;
    }
    return {};
}

std::string ViewLocations::whyNot(std::string_view analysis, const Element& location, std::vector<std::string>& names, int depth,
                                  int& steps) const
{
    const std::string which = "the location " + inQuotes(location.text("id"));
    for (const Element& step : location.children) {
        const std::string_view type = step.text("type");
        const std::string_view value = step.text("value");
        if (++steps > MostLocationSteps || depth > MostLocationsInOneAnother)
            return which + " is too long, or stands in itself";
        if (type == "location") {
            const auto found = m_locations.find({analysis, value});
            if (found == m_locations.end())
                return "there is no location " + inQuotes(value);
            if (std::string why = whyNot(analysis, *found->second, names, depth + 1, steps); !why.empty())
                return why;
        } else if (type != "constant") {
            return which + " is another one at each event";
        } else {
            const auto defined = value.starts_with('$') ? m_values.find({analysis, value.substr(1)}) : m_values.end();
            names.emplace_back(defined != m_values.end() ? defined->second : value);
        }
    }
    return {};
}

} // namespace helio::xml
