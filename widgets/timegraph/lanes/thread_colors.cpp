#include "widgets/timegraph/lanes/thread_colors.h"

#include "core/query/rows/row_lookup.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

namespace helio {
namespace {

constexpr int Colors = 20; // cat.00 to cat.19
constexpr int KernelColor = Colors;

/// The state whose bars have a colour of their value; the number of states where there is none, or no room for the colours.
std::ptrdiff_t runningOf(const StateSet& set)
{
    const auto found = std::ranges::find_if(set.states, [](const StateKind& state) { return state.style.has(StateFlag::ByValue); });
    return set.states.size() + Colors < MostStates ? found - set.states.begin() : std::ssize(set.states);
}

/// Which colour a thread has, found once a thread.
class ThreadColors {
public:
    ThreadColors(const Timeline& timeline, StoreIndex store)
        : m_timeline(timeline)
        , m_store(store)
    {
    }

    /// Below 0: no thread.
    int of(std::uint32_t value)
    {
        const auto [it, isNew] = m_known.try_emplace(value, -1);
        if (isNew)
            it->second = find(value);
        return it->second;
    }

private:
    int find(std::uint32_t value) const
    {
        const auto row = rowOf(m_timeline, {m_store, TrackId{value}});
        if (!row)
            return -1;
        return row->isKernelThread ? KernelColor : int(std::uint32_t(row->tid) % Colors); // Threads made one after the other differ.
    }

    const Timeline& m_timeline;
    StoreIndex m_store;
    std::unordered_map<std::uint32_t, int> m_known;
};

/// The span's shares with the one of state `from` given to `to`, which is higher than any in its mask.
void giveShare(Span& span, std::uint32_t from, std::uint32_t to, const std::vector<std::uint8_t>& old, std::vector<std::uint8_t>& shares)
{
    std::size_t share = span.firstShare;
    std::uint8_t given = 0;
    span.firstShare = std::uint32_t(shares.size());
    for (std::uint32_t mask = span.mask; mask && share < old.size(); mask &= mask - 1, ++share) {
        if (std::uint32_t(std::countr_zero(mask)) == from)
            given = old[share];
        else
            shares.push_back(old[share]);
    }
    shares.push_back(given);
    span.mask = (span.mask & ~(1U << from)) | 1U << to;
}

} // namespace

void splitByThread(const Timeline& timeline, TrackRef track, Spans& spans)
{
    const StateSet& set = statesOf(timeline, track);
    const std::ptrdiff_t running = runningOf(set);
    const auto states = std::ptrdiff_t(set.states.size());
    if (running == states)
        return;
    ThreadColors colors(timeline, track.store);
    const std::vector<std::uint8_t> old = std::exchange(spans.shares, {});
    for (Span& span : spans.spans) {
        const int color = std::ptrdiff_t(span.state) == running ? colors.of(span.value) : -1;
        const auto to = color < 0 ? std::uint32_t(running) : std::uint32_t(states + color);
        if (span.count > 1 && color >= 0 && (span.mask >> running & 1U) != 0) {
            giveShare(span, std::uint32_t(running), to, old, spans.shares);
        } else if (span.count > 1) {
            const auto from = old.begin() + std::min<std::ptrdiff_t>(span.firstShare, std::ssize(old));
            const auto count = std::min<std::ptrdiff_t>(std::popcount(span.mask), old.end() - from);
            span.firstShare = std::uint32_t(spans.shares.size());
            spans.shares.insert(spans.shares.end(), from, from + count);
        }
        if (color >= 0)
            span.state = State(to);
    }
}

StateLooks looksByThread(const Theme& theme, const StateSet& set)
{
    StateLooks looks = theme.looksOf(set);
    const std::ptrdiff_t running = runningOf(set);
    if (running == std::ssize(looks))
        return looks;
    for (int i = 0; i <= Colors; ++i) {
        StateLook look = looks[std::size_t(running)];
        look.color = i == KernelColor ? theme.color("flame.kernel") : theme.category(i);
        look.ink = theme.inkFor(look.color);
        look.shadedInk = theme.inkFor(theme.shaded(look.color));
        looks.push_back(std::move(look));
    }
    return looks;
}

} // namespace helio
