#include "core/xml_analysis/reading/mend.h"

#include "core/xml_analysis/reading/grammar_rules.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace helio::xml {
namespace {

bool hasWord(const AttributeRule& rule, std::string_view text)
{
    return std::ranges::any_of(rule.words, [text](const char* word) { return text == word; });
}

/// Returns a valid text; of several words the one with the least effect.
std::string harmlessText(const AttributeRule& rule)
{
    if (rule.text == AttributeText::Integer)
        return "0";
    if (rule.text != AttributeText::OneOf)
        return {};
    return hasWord(rule, "null") ? "null" : rule.words.front();
}

void mendAttributes(Element& element, const ElementRule& rule)
{
    for (const AttributeRule& it : rule.attributes) {
        const auto found = std::ranges::find(element.attributes, it.name, &std::pair<std::string, std::string>::first);
        if (found == element.attributes.end() && it.isRequired)
            element.attributes.emplace_back(it.name, harmlessText(it));
        else if (found != element.attributes.end() && it.text == AttributeText::OneOf && !hasWord(it, found->second))
            found->second = harmlessText(it);
    }
}

void mendElement(Element& element, const ElementRule& rule);

Element harmless(const char* name, const ElementRule& parent)
{
    Element made;
    made.name = name;
    mendElement(made, ruleOf(kindOf(parent, made)));
    return made;
}

void mendChildren(Element& element, const ElementRule& rule)
{
    const std::vector<ChildSlot>* slots = matchChildren(element.children, rule).slots;
    std::vector<Element> before = std::exchange(element.children, {});
    if (!slots)
        return;
    std::vector<std::vector<Element>> kept(slots->size());
    for (Element& child : before) {
        const std::size_t slot = findSlot(*slots, child.name);
        if (slot < slots->size() && std::cmp_less(kept[slot].size(), (*slots)[slot].most))
            kept[slot].push_back(std::move(child));
    }
    for (std::size_t slot = 0; slot < slots->size(); ++slot) {
        while (std::cmp_less(kept[slot].size(), (*slots)[slot].least))
            kept[slot].push_back(harmless((*slots)[slot].names.front(), rule));
        std::ranges::move(kept[slot], std::back_inserter(element.children));
    }
}

void mendElement(Element& element, const ElementRule& rule)
{
    mendAttributes(element, rule);
    mendChildren(element, rule);
    for (Element& child : element.children)
        mendElement(child, ruleOf(kindOf(rule, child)));
}

/// True if the message is for a fault that mendAttributes() repairs.
bool isMended(std::string_view fault)
{
    return fault.starts_with("the attribute ") && (fault.ends_with(" is missing") || fault.find(", not one of ") != std::string_view::npos);
}

} // namespace

void mend(Element& root) { mendElement(root, ruleOf(ElementKind::Root)); }

void removeConsequentialProblems(std::vector<Problem>& problems, std::size_t known)
{
    const auto placeOf = [](const Problem& it) { return std::pair(it.place.line, it.place.column); };
    std::set<std::pair<std::uint32_t, std::uint32_t>> incomplete;
    for (std::size_t i = 0; i < known; ++i)
        if (!problems[i].isWarning && isMended(problems[i].what))
            incomplete.insert(placeOf(problems[i]));
    const auto follows = [&](const Problem& it) { return it.place.line == 0 || incomplete.contains(placeOf(it)); };
    problems.erase(std::remove_if(problems.begin() + static_cast<std::ptrdiff_t>(known), problems.end(), follows), problems.end());
}

} // namespace helio::xml
