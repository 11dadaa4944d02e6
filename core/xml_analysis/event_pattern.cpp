#include "core/xml_analysis/event_pattern.h"

#include <algorithm>
#include <memory>
#include <re2/re2.h>

namespace helio::xml {
namespace {

RE2::Options quietly()
{
    RE2::Options options(RE2::Quiet);
    options.set_max_mem(1 << 16); // Names are short: a pattern that needs more memory is a mistake and takes long to compile.
    return options;
}

} // namespace

std::vector<std::string> eventPatterns(std::string_view text)
{
    // A "|" inside parentheses belongs to the regular expression.
    std::vector<std::string> patterns(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == '|' && depth == 0)
            patterns.emplace_back();
        else if (c == '*')
            patterns.back() += ".*";
        else
            patterns.back() += c;
    }
    return patterns;
}

std::string findPatternFault(const std::string& pattern)
{
    const RE2 expression(pattern, quietly());
    return expression.ok() ? std::string() : expression.error();
}

/// A literal name, or a regular expression for names.
class EventNameFilter::Pattern {
public:
    explicit Pattern(const std::string& text)
        : m_text(text)
        , m_expression(isPlain(text) ? nullptr : std::make_unique<const RE2>(text, quietly()))
    {
    }
    bool fits(std::string_view name) const
    {
        return m_expression ? RE2::FullMatch(re2::StringPiece(name.data(), name.size()), *m_expression) : name == m_text;
    }

private:
    static bool isPlain(const std::string& text) { return text.find_first_of("\\^$.|?*+()[]{}") == std::string::npos; }

    std::string m_text;
    std::unique_ptr<const RE2> m_expression;
};

EventNameFilter::EventNameFilter(const std::vector<std::string>& patterns)
{
    for (const std::string& pattern : patterns)
        m_patterns.emplace_back(pattern);
}

EventNameFilter::~EventNameFilter() = default;

bool EventNameFilter::fits(std::string_view name) const
{
    return m_patterns.empty() || std::ranges::any_of(m_patterns, [name](const Pattern& pattern) { return pattern.fits(name); });
}

} // namespace helio::xml
