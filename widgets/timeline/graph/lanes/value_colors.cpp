#include "widgets/timeline/graph/lanes/value_colors.h"

#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "widgets/theme/module_colors.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace helio {
namespace {

constexpr int Colors = 20; // Number of category colours of a theme: cat.00 to cat.19.
constexpr int KernelColor = Colors;
/// Index of the look of faded calls among the looks that stylesByValue() appends: it follows the looks with the category colours and with
/// the kernel's colour.
constexpr int Faded = Colors + 1;
constexpr std::uint32_t Hidden = MostStates; ///< Result of a lookup for a call that the FrameChoice hides; no state has this index.

bool canFade(const StateSet& set) { return set.states.size() + Faded < MostStates; }

/// Returns a bit mask of the states that are coloured by value. 0 if there are none, or if appending a state for each colour would exceed
/// MostStates, the maximum of a set.
std::uint32_t dividedOf(const StateSet& set)
{
    std::uint32_t divided = 0;
    if (set.states.size() + Colors < MostStates)
        for (std::size_t i = 0; i < set.states.size(); ++i)
            divided |= set.states[i].style.has(StateFlag::ColoredByValue) ? 1U << i : 0;
    return divided;
}

/// Returns the category colour of a text without a state of its own, chosen by a hash.
int colorOfText(const std::string& text) { return int(qHash(QString::fromUtf8(text.data(), qsizetype(text.size())), 0) % Colors); }

/// Returns the category colour of a whole number; consecutive numbers have different colours.
int colorOfNumber(const std::string& text)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && at == end ? int((number % Colors + Colors) % Colors) : colorOfText(text);
}

/// Assigns a state to each value of a row; cached by value.
class ValueStates {
public:
    ValueStates(const Timeline& timeline, TrackRef track, const StateSet& set, const FrameChoice& frames)
        : m_timeline(timeline)
        , m_track(track)
        , m_kind(valueKindOf(timeline, track))
        , m_set(set)
        , m_frames(frames)
        , m_modules(m_kind == ValueKind::Frame ? moduleColors(timeline) : nullptr)
    {
    }

    /// Returns the index of the state that gives a bar the colour of its value: a state of the set, or one of the states that
    /// stylesByValue() appends. Returns nullopt if the value is empty or unknown, so that the bar keeps its state, and Hidden if calls with
    /// this value are hidden.
    std::optional<std::uint32_t> of(std::uint32_t value)
    {
        const auto [it, isNew] = m_known.try_emplace(value);
        if (isNew)
            it->second = find(value);
        return it->second;
    }

private:
    std::optional<std::uint32_t> find(std::uint32_t value) const
    {
        const bool isOfText = m_kind != ValueKind::Track && m_kind != ValueKind::Frame;
        const std::string text = isOfText ? valueText(m_timeline, m_track, value) : std::string();
        switch (m_kind) {
        case ValueKind::None: return {};
        case ValueKind::Track: return ofTrack({m_track.store, TrackId{value}});
        case ValueKind::Frame: return ofFrame(StackId{value});
        case ValueKind::Text: return text.empty() ? std::nullopt : std::optional(ofText(text));
        default: return text.empty() ? std::nullopt : std::optional(ofColor(colorOfNumber(text)));
        }
    }

    std::optional<std::uint32_t> ofTrack(TrackRef ref) const
    {
        const auto row = rowOf(m_timeline, ref);
        if (!row)
            return {};
        if (row->isKernelThread)
            return ofColor(KernelColor);
        return ofColor(row->tid >= 0 ? row->tid % Colors
                                     // Threads that were created one after the other mostly have consecutive TIDs, so they get different
                                     // colours.
                                     : colorOfText(row->label));
    }

    std::optional<std::uint32_t> ofFrame(StackId stack) const
    {
        const std::string module = frameModuleText(m_timeline, m_track.store, stack);
        const std::string function = m_frames == FrameChoice() ? std::string() : frameText(m_timeline, m_track.store, stack);
        if (canFade(m_set) && m_frames.hides(function, module))
            return Hidden;
        if (canFade(m_set) && m_frames.fades(function, module))
            return ofColor(Faded);
        if (!m_frames.isByFunction && isKernelFrame(m_timeline, m_track.store, stack))
            return ofColor(KernelColor);
        const std::string name = m_frames.isByFunction ? function
            : module.empty()                           ? recordedFunction(m_timeline, m_track.store, stack)
                                                       : module;
        if (name.empty())
            return {};
        return ofColor(m_frames.isByFunction || module.empty() ? categoryOfName(name) : m_modules->categoryOf(name));
    }

    std::uint32_t ofText(const std::string& text) const
    {
        const auto named = std::ranges::find(m_set.states, text, &StateKind::name);
        return named != m_set.states.end() ? std::uint32_t(named - m_set.states.begin()) : ofColor(colorOfText(text));
    }

    std::uint32_t ofColor(int color) const { return std::uint32_t(m_set.states.size()) + std::uint32_t(color); }

    const Timeline& m_timeline;
    TrackRef m_track;
    ValueKind m_kind;
    const StateSet& m_set;
    const FrameChoice& m_frames;
    std::shared_ptr<const ModuleColors> m_modules; ///< Colours by module for values that are frames; nullptr for other values.
    std::unordered_map<std::uint32_t, std::optional<std::uint32_t>> m_known;
};

/// Appends the shares of a span to `shares`, read from `old`; shares of states in the bit mask `from` are added to the state `to`.
void moveShares(Span& span, std::uint32_t from, std::uint32_t to, const std::vector<std::uint8_t>& old, std::vector<std::uint8_t>& shares)
{
    std::array<std::uint8_t, MostStates> byState{};
    std::size_t share = span.firstShare;
    for (std::uint32_t mask = span.mask; mask && share < old.size(); mask &= mask - 1) {
        const auto state = std::uint32_t(std::countr_zero(mask));
        std::uint8_t& sum = byState[(from >> state & 1U) != 0 ? to : state];
        sum = std::uint8_t(std::min(255, sum + old[share++]));
    }
    if ((span.mask & from) != 0)
        span.mask = (span.mask & ~from) | 1U << to;
    span.firstShare = std::uint32_t(shares.size());
    for (std::uint32_t mask = span.mask; mask; mask &= mask - 1)
        shares.push_back(byState[std::size_t(std::countr_zero(mask))]);
}

} // namespace

std::vector<LaneEnd> colorByValue(const Timeline& timeline, TrackRef track, Spans& spans, const FrameChoice& frames)
{
    std::vector<LaneEnd> ends;
    const StateSet& set = statesOf(timeline, track);
    const std::uint32_t divided = dividedOf(set);
    if (divided == 0)
        return ends;
    const StateStyle& usual = set.states[std::size_t(std::countr_zero(divided))].style;
    ValueStates states(timeline, track, set, frames);
    const std::vector<std::uint8_t> old = std::exchange(spans.shares, {});
    const std::vector<Span> all = std::exchange(spans.spans, {});
    spans.spans.reserve(all.size());
    for (Span span : all) {
        const auto own = std::size_t(span.state);
        const bool isDivided = own < set.states.size() && (divided >> own & 1U) != 0;
        auto to = isDivided ? states.of(span.value) : std::nullopt;
        if (to == Hidden && span.count == 1)
            continue;
        if (to == Hidden)
            to = std::uint32_t(set.states.size()) + Faded;
        if (span.count > 1)
            moveShares(span, to ? divided : 0, to.value_or(0), old, spans.shares);
        else if (isDivided && (set.states[own].style.drawing != usual.drawing || set.states[own].style.color != usual.color))
            ends.push_back({std::uint32_t(spans.spans.size()), set.states[own].style.drawing});
        if (to)
            span.state = State(*to);
        spans.spans.push_back(span);
    }
    return ends;
}

std::optional<State> stateByValue(const Timeline& timeline, TrackRef track, const Interval& interval, const FrameChoice& frames)
{
    Spans one;
    one.spans.push_back({interval.range, interval.range.duration(), 1, interval.value, 0, 0, interval.state});
    colorByValue(timeline, track, one, frames);
    return one.spans.empty() ? std::nullopt : std::optional(one.spans.front().state);
}

StateAppearance styleByValue(const Theme& theme, const Timeline& timeline, TrackRef track, const Interval& interval)
{
    StateAppearance look = theme.lookOf(stateKind(timeline, track, interval.state));
    const StateLooks looks = stylesByValue(theme, statesOf(timeline, track));
    if (const auto state = std::size_t(stateByValue(timeline, track, interval).value_or(interval.state)); state < looks.size())
        look.color = looks[state].color;
    return look;
}

StateLooks stylesByValue(const Theme& theme, const StateSet& set)
{
    StateLooks looks = theme.looksOf(set);
    const std::uint32_t divided = dividedOf(set);
    if (divided == 0)
        return looks;
    for (int i = 0; i <= Colors; ++i) {
        StateAppearance look = looks[std::size_t(std::countr_zero(divided))];
        look.color = i == KernelColor ? theme.color("flame.kernel") : theme.category(i);
        look.ink = theme.textColorFor(look.color);
        look.shadedInk = theme.textColorFor(theme.shaded(look.color));
        looks.push_back(std::move(look));
    }
    if (canFade(set)) {
        StateAppearance look = looks.back();
        look.color = theme.color("line.subtle");
        look.ink = look.shadedInk = theme.color("text.hint");
        looks.push_back(std::move(look));
    }
    return looks;
}

} // namespace helio
