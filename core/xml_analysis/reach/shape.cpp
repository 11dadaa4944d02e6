#include "core/xml_analysis/reach/shape.h"

#include "core/xml_analysis/event_pattern.h"

#include <algorithm>

namespace helio::xml {
namespace {

void addEntries(const std::vector<ViewEntry>& entries, const std::string& analysis, bool isOfAnalysis, const ShownPath& above,
                std::vector<ShownAttributes>& all)
{
    for (const ViewEntry& it : entries) {
        const bool isOwn = it.analysis.empty() ? isOfAnalysis : it.analysis == analysis;
        if (!isOwn)
            continue;
        const ShownPath base = it.analysis.empty() ? above : ShownPath();
        ShownAttributes shown{&it, base.plus(it.path.empty() ? std::vector<std::string>{"*"} : it.path), {}};
        if (it.display) {
            const ShownPath named = (it.display->isAbsolute ? ShownPath() : shown.path).plusNames(it.display->names);
            shown.display.push_back(it.display->query.empty() ? named : named.plus({"*"}));
        }
        const ShownPath path = shown.path;
        all.push_back(std::move(shown));
        addEntries(it.entries, analysis, true, path, all);
    }
}

} // namespace

AttributePattern shapeOf(const Path& path)
{
    AttributePattern shape;
    for (const PathStep& step : path.steps)
        if (step.kind == PathStep::Kind::Constant)
            shape.emplace_back(step.name);
        else if (step.kind == PathStep::Kind::Scenario)
            shape.insert(shape.end(), {"scenarios", std::nullopt, std::nullopt});
        else
            shape.emplace_back();
    return shape;
}

bool canMeet(const AttributePattern& a, const AttributePattern& b)
{
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return !x || !y || *x == *y; });
}

/// A name in a path of a view: a constant text, or a regular expression. A name that matches everything is a nullptr in m_names instead.
class ShownPath::NamePattern {
public:
    explicit NamePattern(std::string text, const std::string& expression = {})
        : m_text(std::move(text))
    {
        if (!expression.empty())
            m_expression.emplace(std::vector{expression});
    }
    bool fits(const std::string& name) const { return m_expression ? m_expression->fits(name) : name == m_text; }

private:
    std::string m_text;
    std::optional<EventNameFilter> m_expression;
};

ShownPath ShownPath::plusNames(const std::vector<std::string>& names) const
{
    ShownPath longer = *this;
    for (const std::string& name : names)
        longer.m_names.push_back(std::make_shared<const NamePattern>(name));
    return longer;
}

ShownPath ShownPath::plus(const std::vector<std::string>& expressions) const
{
    ShownPath longer = *this;
    for (const std::string& name : expressions) {
        std::string expression;
        for (const char c : name)
            expression += c == '*' ? std::string(".*") : std::string(1, c);
        // A "$1" depends on the names above it, so it is treated as matching every name.
        const bool fitsAll = name == "*" || name.find('$') != std::string::npos;
        const bool isPlain = name.find_first_of("\\^$.|?*+()[]{}") == std::string::npos || !findPatternFault(expression).empty();
        longer.m_names.push_back(fitsAll ? nullptr : std::make_shared<const NamePattern>(name, isPlain ? std::string() : expression));
    }
    return longer;
}

bool ShownPath::canMeet(const AttributePattern& shape) const
{
    return std::ranges::equal(m_names, shape, [](const auto& mine, const auto& its) { return !mine || !its || mine->fits(*its); });
}

std::vector<ShownAttributes> findShownAttributes(const View& view, const std::string& analysis)
{
    std::vector<ShownAttributes> all;
    addEntries(view.entries, analysis, std::ranges::find(view.analyses, analysis) != view.analyses.end(), {}, all);
    return all;
}

std::vector<ShownPath> shownStacks(const CallStacks& stacks)
{
    if (stacks.groups.empty() || stacks.groups.front().levels.empty())
        return {};
    ShownPath path;
    for (const auto& level : stacks.groups.front().levels)
        path = path.plus(level);
    return {path.plus({"CallStack", "*"})};
}

} // namespace helio::xml
