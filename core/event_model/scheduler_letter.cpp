#include "core/event_model/scheduler_letter.h"

#include <utility>

namespace helio {

std::string_view schedulerLetterOf(std::string_view state)
{
    constexpr std::pair<std::string_view, std::string_view> Letters[] = {
        {"sleeping", "S"}, {"blocked", "D"}, {"idle-kthread", "I"}, {"stopped", "T"}, {"parked", "P"},
    };
    for (const auto& [name, letter] : Letters)
        if (state == name)
            return letter;
    return {};
}

} // namespace helio
