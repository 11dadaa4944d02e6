#include "core/xml_analysis/reading/definitions.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace helio::xml {

namespace {

/// Maximum total size in bytes of all uses of defined values in one element.
constexpr std::size_t MostDefinedText = std::size_t(256) << 20;
constexpr std::size_t MostWarnings = 500;
constexpr std::size_t MostProblems = 1000;
constexpr std::size_t MostQuoted = 200;

std::size_t countOf(const Element& element)
{
    std::size_t count = 1;
    for (const Element& child : element.children)
        count += countOf(child);
    return count;
}

} // namespace

Definitions::Definitions(const Element& owner, std::vector<Problem>& problems)
{
    std::set<std::string_view> mappingIds;
    for (const Element& child : owner.children) {
        if (child.name == "definedValue" && !m_values.emplace(child.text("name"), child.text("value")).second)
            addWarning(problems, child, "the value \"" + std::string(child.text("name")) + "\" is defined twice; the first one counts");
        if (child.name == "location" && !m_locations.insert_or_assign(std::string(child.text("id")), &child).second)
            addWarning(problems, child, "the location \"" + std::string(child.text("id")) + "\" is defined twice; the last one counts");
        if (child.name != "mappingGroup")
            continue;
        if (!mappingIds.insert(child.text("id")).second)
            addError(problems, child, "the mapping group " + inQuotes(child.text("id")) + " is defined twice");
        m_mappingGroups.push_back(&child);
    }
    const auto longest = std::ranges::max_element(m_values, {}, [](const auto& it) { return it.second.size(); });
    if (longest != m_values.end() && longest->second.size() > MostDefinedText / countOf(owner))
        addError(problems, owner, "the defined value " + inQuotes(longest->first) + " is too long to be used by so many elements");
}

std::string_view Definitions::resolve(std::string_view text) const
{
    if (!text.starts_with('$'))
        return text;
    const auto found = m_values.find(text.substr(1));
    return found != m_values.end() ? std::string_view(found->second) : text;
}

const Element* Definitions::location(std::string_view id) const
{
    const auto found = m_locations.find(id);
    return found != m_locations.end() ? found->second : nullptr;
}

std::string inQuotes(std::string_view text)
{
    return "\"" + std::string(text.substr(0, MostQuoted)) + (text.size() > MostQuoted ? "...\"" : "\"");
}

void addError(std::vector<Problem>& problems, const Element& element, std::string what)
{
    if (problems.size() < MostProblems)
        problems.push_back({element.place, element.name, std::move(what), false});
}

void addWarning(std::vector<Problem>& problems, const Element& element, std::string what)
{
    if (problems.size() < MostWarnings) // Limit the warnings; the remaining space is reserved for errors.
        problems.push_back({element.place, element.name, std::move(what), true});
}

bool isTrue(const Element& element, std::string_view attribute, bool fallback)
{
    const std::string* text = element.find(attribute);
    return text ? *text == "true" || *text == "1" : fallback;
}

std::int64_t integerOf(const Element& element, std::string_view attribute)
{
    std::string_view text = element.text(attribute);
    if (text.starts_with('+'))
        text.remove_prefix(1);
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::vector<std::string_view> idsIn(std::string_view text)
{
    std::vector<std::string_view> ids;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(':'), text.size());
        if (end > 0)
            ids.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return ids;
}

} // namespace helio::xml
