#pragma once

#include "core/experiment/timeline.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// Decides every host's clock from what relations found and what a person said, along the path of least error to the reference, and makes
/// each trace's from it. Hosts that nothing relates to the reference are related to the first of them, whose times stay raw. Links are not
/// touched: retimeLinks(). Cost: little; nothing is read again.
void alignHosts(Timeline& timeline);

/// The host whose clock its times are on: the reference, or, where nothing relates it to that, the first of those that are related to it;
/// the host itself where nobody is.
std::uint32_t rootOf(const Timeline& timeline, std::uint32_t host);
/// Whether their times can be laid over each other, as judgeClocks() decided last.
bool areRelated(const Timeline& timeline, std::uint32_t a, std::uint32_t b);

/// Puts the links of relations where the clocks are now. Cost: as those links.
void retimeLinks(Timeline& timeline);

/// What a choice says of the host, under its id or its label. Null: nothing.
template <typename Value> const Value* saidOf(const TimelineHost& host, const std::map<std::string, Value>& choice)
{
    for (const std::string* name : {&host.id, &host.label})
        if (const auto found = choice.find(*name); found != choice.end())
            return &found->second;
    return nullptr;
}

/// The place in Timeline::hosts. Nothing: there is no such host.
std::optional<std::uint32_t> hostNamed(const Timeline& timeline, std::string_view labelOrId);

} // namespace helio
