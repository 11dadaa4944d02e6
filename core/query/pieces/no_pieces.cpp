#include "core/query/pieces/no_pieces.h"

#include "core/query/periods/find_periods.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <cctype>

namespace helio {
namespace {

std::string lowered(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Which view's states a kind is made of, and what it is called there. Empty: it is of none.
struct MadeOf {
    std::string view;
    std::string title;
};

MadeOf madeOf(const Timeline& timeline, std::string_view kind)
{
    for (const TrackView& view : describedViews(timeline))
        for (const StateRun& run : view.runs)
            if (run.id == kind)
                return {view.id, lowered(run.title)};
    return {};
}

/// What makes the view of the same name; of what a view's states are together: what all of them take, and what it is said of that without
/// it these are not known.
bool isOf(const Requirement& need, std::string_view kind, const MadeOf& made)
{
    if (need.anyOf.empty())
        return false;
    return need.view == kind
        || (!made.view.empty() && need.view == made.view
            && (need.isEssential || (!made.title.empty() && lowered(need.consequence).find(made.title) != std::string::npos)));
}

std::string wordsOf(const Requirement& need)
{
    return need.anyOf.front() + (need.isSampled ? " was sampled, not recorded as a whole" : " was not recorded")
        + (need.command.empty() ? "" : "; record it with: " + need.command);
}

} // namespace

std::string missingEvents(const Timeline& timeline, std::string_view kind)
{
    const MadeOf made = madeOf(timeline, kind);
    std::string words;
    for (const TimelineTrace& t : timeline.traces) {
        const auto lack = std::ranges::find_if(t.missing, [&](const Requirement& need) { return isOf(need, kind, made); });
        if (lack == t.missing.end())
            return {}; // This one has them.
        if (words.empty())
            words = wordsOf(*lack);
    }
    return words;
}

std::string whyTooFewToRepeat(std::uint64_t count)
{
    if (count >= LeastToRepeat)
        return {};
    const std::string there = count == 0 ? "there is none of these"
        : count == 1                     ? "there is only 1 of these"
                                         : "there are only " + std::to_string(count) + " of these";
    return there + ": too few to look for what repeats";
}

} // namespace helio
