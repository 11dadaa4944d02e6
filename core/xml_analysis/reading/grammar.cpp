#include "core/xml_analysis/reading/grammar.h"

#include "core/xml_analysis/reading/definitions.h"
#include "core/xml_analysis/reading/grammar_rules.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace helio::xml {
namespace {

/// Returns the edit distance of two words: the minimum number of letters to insert, remove or change.
/// Cost: quadratic; only for short words.
std::size_t lettersBetween(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
            corner = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
        }
    }
    return row[b.size()];
}

/// True if the element is unknown because another program extended the language. False if it is probably a mistake: its name is similar to
/// a known name, or it contains elements that belong only into a known element.
bool isForeignExtension(const Element& part)
{
    constexpr std::size_t MostSlips = 3;
    if (isKnownElement(part.name))
        return false;
    const ElementRule& root = ruleOf(ElementKind::Root);
    for (const ChildKind& known : root.children) {
        const std::string_view name = known.name;
        if (part.name.size() < 2 * name.size() && lettersBetween(part.name, name) <= MostSlips)
            return false;
        const ElementRule& rule = ruleOf(known.kind);
        for (const Element& child : part.children)
            if (findSlot(rule.sequences.front(), child.name) < rule.sequences.front().size())
                return false;
    }
    return true;
}

class Checker {
public:
    explicit Checker(std::vector<Problem>& problems)
        : m_problems(problems)
    {
    }

    void check(const Element& element, ElementKind kind)
    {
        const ElementRule& rule = ruleOf(kind);
        checkAttributes(element, rule);
        checkChildren(element, rule);
        for (const Element& child : element.children)
            if (const ElementKind its = kindOf(rule, child);
                its != ElementKind::Leaf) // The content of an unknown element is not checked: only the element itself is reported.
                check(child, its);
    }

    void add(const Element& element, std::string what, bool isWarning = false)
    {
        if (m_problems.size() < (isWarning ? MostWarnings : MostProblems))
            m_problems.push_back({element.place, element.name, std::move(what), isWarning});
    }

private:
    static constexpr std::size_t MostWarnings = 100; ///< Maximum number of warnings, so that space for errors remains.
    static constexpr std::size_t MostProblems = 200;

    void checkAttributes(const Element& element, const ElementRule& rule)
    {
        for (const AttributeRule& it : rule.attributes) {
            const std::string* text = element.find(it.name);
            if (text)
                checkText(element, it, *text);
            else if (it.isRequired)
                add(element, "the attribute " + inQuotes(it.name) + " is missing");
        }
        std::set<std::string_view> names;
        for (const auto& attribute : element.attributes) {
            const std::string& name = attribute.first;
            if (!names.insert(name).second)
                add(element, "the attribute " + inQuotes(name) + " is given twice");
            const bool isKnown = rule.hasAnyAttribute || name.starts_with("xmlns") || name.find(':') != std::string::npos
                || std::ranges::any_of(rule.attributes, [&name](const AttributeRule& it) { return name == it.name; });
            if (!isKnown)
                add(element, "the attribute " + inQuotes(name) + " has no meaning here", true);
        }
    }

    void checkText(const Element& element, const AttributeRule& rule, std::string_view text)
    {
        const auto wrong = [&](const std::string& expected) {
            add(element, "the attribute " + inQuotes(rule.name) + " is " + inQuotes(text) + ", not " + expected);
        };
        if (rule.text == AttributeText::Boolean && text != "true" && text != "false" && text != "1" && text != "0")
            wrong("true or false");
        if (rule.text == AttributeText::Integer) {
            const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
            std::int64_t number = 0;
            const auto end = digits.data() + digits.size();
            const auto [stop, error] = std::from_chars(digits.data(), end, number);
            if (error != std::errc() || stop != end)
                wrong("an integer");
        }
        if (rule.text == AttributeText::OneOf && std::ranges::none_of(rule.words, [text](const char* word) { return text == word; }))
            wrong("one of " + listed(rule.words));
    }

    void checkChildren(const Element& element, const ElementRule& rule)
    {
        const ChildMatch fit = matchChildren(element.children, rule);
        if (!fit.isWhole)
            addMisfits(element, fit, rule.sequences.size());
        else if (rule.last && (element.children.empty() || element.children.back().name != rule.last))
            add(element, std::string("its last element must be ") + rule.last);
    }

    void addMisfits(const Element& element, const ChildMatch& fit, std::size_t sequences)
    {
        if (fit.count >= element.children.size())
            return addLack(element, fit.lacks);
        addMisfit(element, element.children[fit.count], fit.lacks);
        // Report further faults only if the intended sequence is known. It is unknown if several sequences are allowed and no child matches
        // any of them.
        if (fit.slots && (sequences == 1 || fit.count > 0))
            addOtherMisfits(element, fit);
        else
            for (std::size_t i = fit.count + 1; !fit.slots && i < element.children.size(); ++i)
                addMisfit(element, element.children[i], {});
    }

    /// Reports the faults of the children after the first fault, which the caller has reported: children that no slot accepts,
    /// children that occur too often, children in the wrong order, and missing children.
    void addOtherMisfits(const Element& element, const ChildMatch& fit)
    {
        const std::vector<ChildSlot>& slots = *fit.slots;
        std::vector<int> counts(slots.size() + 1, 0);
        std::size_t last = 0;
        const std::size_t first = findSlot(slots, element.children[fit.count].name);
        for (std::size_t i = 0; i < element.children.size(); ++i) {
            const std::size_t slot = findSlot(slots, element.children[i].name);
            if (i == fit.count)
                continue;
            const bool isWrong = slot == slots.size() || slot < last || counts[slot] >= slots[slot].most;
            if (isWrong)
                addMisfit(element, element.children[i], {});
            else
                last = slot;
            ++counts[slot];
        }
        ++counts[first];
        for (std::size_t slot = 0; slot < slots.size(); ++slot)
            if (counts[slot] < slots[slot].least && listed(slots[slot].names) != fit.lacks)
                addLack(element, listed(slots[slot].names));
    }

    void addLack(const Element& element, const std::string& lacks)
    {
        add(element, lacks.find(',') != std::string::npos ? "missing one of: " + lacks : lacks + " is missing");
    }

    void addMisfit(const Element& element, const Element& child, const std::string& lacks)
    {
        add(child, "not allowed here in " + element.name + (lacks.empty() ? "" : ": expected " + lacks));
    }

    std::vector<Problem>& m_problems;
};

bool hasWord(const AttributeRule& rule, std::string_view text)
{
    return std::ranges::any_of(rule.words, [text](const char* word) { return text == word; });
}

/// Returns a valid text for the attribute; if it must be one of several words, the word with the least effect.
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

/// True if the fault, given by its message, is one that mendAttributes() repairs.
bool isMended(std::string_view fault)
{
    return fault.starts_with("the attribute ") && (fault.ends_with(" is missing") || fault.find(", not one of ") != std::string_view::npos);
}

} // namespace

bool checkGrammar(Element& root, std::vector<Problem>& problems)
{
    Checker checker(problems);
    if (root.name != "tmfxml") {
        checker.add(root, "the file's first element is not tmfxml");
        return false;
    }
    for (const Element& child : root.children)
        if (isForeignExtension(child))
            checker.add(child, "unknown element, perhaps of an extension: ignored", true);
    std::erase_if(root.children, isForeignExtension);
    checker.check(root, ElementKind::Root);
    return true;
}

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
