#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// The regular expressions that an event name of the language stands for: each "*" is any text, "|" separates alternatives.
std::vector<std::string> eventPatterns(std::string_view text);

/// What makes a pattern unusable; empty: nothing.
std::string faultOfEventPattern(const std::string& pattern);

/// The names that patterns fit, any of which is enough; without any pattern all do. Requires: no pattern has a fault.
/// Cost: some µs to make; then linear in a name's length.
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
