#include "core/xml_analysis/reach/shape.h"

#include "core/xml_analysis/event_pattern.h"

#include <algorithm>

namespace helio::xml {

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

/// A name that does not fit every name.
class ShownPath::Name {
public:
    explicit Name(std::string text, const std::string& expression = {})
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
        longer.m_names.push_back(std::make_shared<const Name>(name));
    return longer;
}

ShownPath ShownPath::plus(const std::vector<std::string>& expressions) const
{
    ShownPath longer = *this;
    for (const std::string& name : expressions) {
        std::string expression;
        for (const char c : name)
            expression += c == '*' ? std::string(".*") : std::string(1, c);
        const bool fitsAll = name == "*" || name.find('$') != std::string::npos; // "$1" depends on the names above.
        const bool isPlain = name.find_first_of("\\^$.|?*+()[]{}") == std::string::npos || !findPatternFault(expression).empty();
        longer.m_names.push_back(fitsAll ? nullptr : std::make_shared<const Name>(name, isPlain ? std::string() : expression));
    }
    return longer;
}

bool ShownPath::fitsBeginOf(const AttributePattern& shape) const
{
    return std::equal(m_names.begin(), m_names.end(), shape.begin(),
                      [](const auto& mine, const auto& its) { return !mine || !its || mine->fits(*its); });
}

} // namespace helio::xml
