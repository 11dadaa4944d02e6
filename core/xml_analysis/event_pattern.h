#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Returns the regular expressions that an event name in an XML analysis stands for: "*" is any text, "|" separates alternatives.
std::vector<std::string> eventPatterns(std::string_view text);

/// Returns the reason why a pattern cannot be used; empty if it can.
std::string findPatternFault(const std::string& pattern);

/// Tells event names that fit any of some patterns. Without patterns every name fits. Requires: findPatternFault() finds no fault in the
/// patterns.
/// Cost: a few µs to construct; then linear in the length of a name.
class EventNameFilter {
public:
    explicit EventNameFilter(const std::vector<std::string>& patterns);
    ~EventNameFilter();

    bool fits(std::string_view name) const;

private:
    class Pattern;
    std::vector<Pattern> m_patterns;
};

} // namespace helio::xml
