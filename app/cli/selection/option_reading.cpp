#include "app/cli/selection/option_reading.h"

#include <charconv>

namespace helio {

Error makeUsageError(const std::string& option, const std::string& what) { return {Error::Kind::Usage, option + ": " + what}; }

std::optional<std::int64_t> readNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

} // namespace helio
