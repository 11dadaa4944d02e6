#include "widgets/timeline/graph/lanes/lane_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace helio {

void LaneLayout::clear()
{
    runs.clear();
    parts.clear();
    ticks.clear();
}

int heightOf(const StateAppearance& look, int band)
{
    if (look.height <= 0)
        return 0;
    return std::max(1, (look.height * band + 8) / 16);
}

StackOrder::StackOrder(const StateLooks& looks)
{
    std::iota(states.begin(), states.end(), std::uint8_t(0));
    std::stable_sort(states.begin(), states.begin() + std::ptrdiff_t(std::min(States, looks.size())),
                     [&](std::uint8_t a, std::uint8_t b) { return looks[a].order < looks[b].order; });
    for (std::size_t i = 0; i < States; ++i)
        places[states[i]] = std::uint8_t(i);
}

namespace {

constexpr std::size_t States = StackOrder::States;

/// Largest part of a pixel that is regarded as a rounding error; far below 1 ns if a screen shows one hour.
constexpr double LeastAmount = 1e-11;

/// `Common`: severity of states that occur in every trace, e.g. interrupts. In a column, a state of this severity gets a tick only if its
/// share is more than `Unusual` times the mean share of all states of this severity.
constexpr int Common = 1;
constexpr float Unusual = 6;

/// Sums of the states' shares in one column. Indexed by position in the stacking order; only positions whose bit is set in `mask` have
/// shares, so that no others need to be visited.
struct Column {
    std::array<float, States> share{};
    std::uint32_t mask = 0;

    void add(std::size_t place, float amount)
    {
        if (amount <= 0)
            return;
        share[place] += amount;
        mask |= 1U << place;
    }
    void clear()
    {
        for (std::uint32_t m = mask; m; m &= m - 1)
            share[std::size_t(std::countr_zero(m))] = 0;
        mask = 0;
    }
};

class LaneBuilder {
public:
    LaneBuilder(const StackedLooks& states, const LaneColumns& columns, int band, LaneLayout& out)
        : m_looks(states.looks)
        , m_order(states.order)
        , m_band(band)
        , m_width(columns.count)
        , m_windowBegin(columns.asked)
        , m_out(out)
    {
        const int rare = std::max(2, band / 6);
        for (; m_count < std::min(States, m_looks.size()); ++m_count) {
            const StateAppearance& look = m_looks[m_count];
            m_pureHeight[m_count] = heightOf(look, band);
            m_unit[m_count] = float(look.height) * float(band) / 16;
            m_least[m_count] = look.isRare ? rare : 1;
        }
    }

    /// Adds a span between two x positions inside the width.
    void add(const Span& span, const std::vector<std::uint8_t>& shares, double from, double to)
    {
        m_isBarBefore = std::exchange(m_isBar, false);
        const int first = int(from);
        const int last = std::min(int(to), m_width);
        if (first == last) {
            gather(first, span, shares, to - from);
            return;
        }
        int whole = first;
        if (from > first) {
            gather(first, span, shares, first + 1 - from);
            whole = first + 1;
        }
        if (whole < last) {
            flush();
            run(whole, last - whole, span, shares, from == whole);
        }
        if (to > last && last < m_width)
            gather(last, span, shares, to - last);
    }

    void flush()
    {
        if (m_column.mask != 0)
            stack(m_at, 1);
        m_column.clear();
    }

    /// Writes the last columns. Must be called after all spans were added.
    void finish()
    {
        flush();
        for (const CommonTick& it : m_common)
            if (it.share * float(m_commonColumns) > Unusual * m_commonSum)
                m_out.ticks.push_back(it.tick);
    }

private:
    struct CommonTick {
        LaneTick tick;
        float share;
    };

    void gather(int column, const Span& span, const std::vector<std::uint8_t>& shares, double amount)
    {
        if (amount <= LeastAmount)
            return;
        if (column != m_at) {
            flush();
            m_at = column;
        }
        put(span, shares, float(amount));
    }

    void put(const Span& span, const std::vector<std::uint8_t>& shares, float amount)
    {
        if (span.count <= 1) {
            m_column.add(m_order.places[std::size_t(span.state) & (States - 1)], amount);
            return;
        }
        std::size_t share = span.firstShare;
        const float unit = amount / 255;
        for (std::uint32_t m = span.mask; m && share < shares.size(); m &= m - 1)
            m_column.add(m_order.places[std::size_t(std::countr_zero(m))], unit * float(shares[share++]));
    }

    /// Lays out columns that are completely inside one span.
    void run(int x, int width, const Span& span, const std::vector<std::uint8_t>& shares, bool startsHere)
    {
        m_at = x;
        if (span.count > 1) {
            put(span, shares, 1);
            stack(x, width);
            m_column.clear();
            return;
        }
        const std::size_t state = std::size_t(span.state) & (States - 1);
        if (state >= m_count || m_pureHeight[state] == 0)
            return;
        const bool isParted = m_isBarBefore && x - m_barEnd <= 1 && m_barState == span.state && m_looks[state].isLabelled && width >= 3;
        addRun(x, width, true);
        // If the window cuts off the beginning of a span, the span's longest interval is longer than the span's range.
        const bool isCut = span.range.begin == m_windowBegin && span.longest > span.range.duration();
        m_out.runs.back().startsBar = span.range.begin >= m_windowBegin && !isCut && (startsHere || x > 0);
        m_out.runs.back().isParted = isParted;
        part(state, 0, m_pureHeight[state]);
        m_isBar = true;
        m_barEnd = x + width;
        m_barState = span.state;
    }

    void addRun(int x, int width, bool isPure)
    {
        m_out.runs.push_back({x, width, std::uint32_t(m_out.parts.size()), 0, isPure, false, false});
    }

    void part(std::size_t state, int from, int to)
    {
        m_out.parts.push_back({std::uint8_t(state), std::int16_t(from), std::int16_t(to)});
        ++m_out.runs.back().parts;
    }

    /// Raises a state and all states stacked above by `by` pixels. A state that rounding left out is inserted at its stacking position.
    void raise(std::size_t state, int by)
    {
        const auto first = m_out.parts.end() - m_out.runs.back().parts;
        auto own = std::find_if(first, m_out.parts.end(),
                                [&](const LaneStateShare& it) { return m_order.places[it.state] >= m_order.places[state]; });
        if (own == m_out.parts.end() || own->state != state) {
            const std::int16_t from = own != m_out.parts.end() ? own->from : m_out.parts.back().to;
            own = m_out.parts.insert(own, {std::uint8_t(state), from, from});
            ++m_out.runs.back().parts;
        }
        own->to = std::int16_t(own->to + by);
        for (auto it = own + 1; it != m_out.parts.end(); ++it)
            *it = {it->state, std::int16_t(it->from + by), std::int16_t(it->to + by)};
    }

    /// Stacks the summed shares of the states in a column. The resting state with the largest share is a thin line, which is drawn only if
    /// it reaches above the stack.
    void stack(int x, int width)
    {
        addRun(x, width, false);
        float height = 0;
        int top = 0;
        std::size_t resting = States;
        std::size_t largest = States;
        std::size_t severe = States;
        float most = 0; // Height of the tallest state, in pixels.
        for (std::uint32_t m = m_column.mask; m; m &= m - 1) {
            const auto place = std::size_t(std::countr_zero(m));
            const std::size_t state = m_order.states[place];
            const float share = m_column.share[place];
            if (state >= m_count)
                continue;
            const StateAppearance& look = m_looks[state];
            if (look.isInactive()) {
                if (resting == States || share > m_column.share[m_order.places[resting]])
                    resting = state;
                continue;
            }
            if (look.severity == Common) {
                m_commonSum += share * float(width);
                m_commonColumns += width;
            }
            const float own = share * m_unit[state];
            if (largest == States || own > most) {
                largest = state;
                most = own;
            }
            if (look.severity > 0 && own < 1 && (severe == States || look.severity > m_looks[severe].severity))
                severe = state;
            height += own;
            const int reached = std::min(m_band, int(double(height) + 0.5));
            if (reached > top) {
                part(state, top, reached);
                top = reached;
            }
        }
        if (top == 0 && largest != States) // All states were rounded to 0 pixels: the largest one gets one pixel, so that it is visible.
            part(largest, 0, top = 1);
        if (largest != States && top < m_least[largest])
            raise(largest, m_least[largest] - std::exchange(top, m_least[largest]));
        if (resting != States && m_pureHeight[resting] > top)
            part(resting, top, m_pureHeight[resting]);
        if (severe != States) {
            for (int i = 0; i < width; ++i) {
                const LaneTick tick{x + i, std::uint8_t(severe)};
                if (m_looks[severe].severity == Common)
                    m_common.push_back({tick, m_column.share[m_order.places[severe]]});
                else
                    m_out.ticks.push_back(tick);
            }
        }
        if (m_out.runs.back().parts == 0)
            m_out.runs.pop_back();
    }

    const StateLooks& m_looks;
    const StackOrder& m_order;
    int m_band;
    int m_width;
    Timestamp m_windowBegin;
    LaneLayout& m_out;
    std::array<int, States> m_pureHeight{};
    std::array<float, States> m_unit{}; ///< Height in pixels of a column that is entirely in one state, indexed by state.
    std::array<int, States> m_least{}; ///< Minimum height of a column that is mostly in one state, by state, in pixels.
    std::size_t m_count = 0;
    Column m_column;
    std::vector<CommonTick> m_common;
    /// Sum of the shares of states with severity `Common`, over all columns. Divided by m_commonColumns, it is the mean share.
    float m_commonSum = 0;
    int m_commonColumns = 0; ///< Number of shares in m_commonSum, one for each state of severity `Common` in each column.
    int m_at = -1;
    bool m_isBar = false; ///< True if the current span is drawn as a bar, which m_barEnd and m_barState describe.
    bool m_isBarBefore = false; ///< True if the previous span was drawn as a bar.
    int m_barEnd = 0;
    State m_barState{};
};

} // namespace

void layOutLane(const Spans& spans, const StackedLooks& states, const LaneColumns& columns, int band, LaneLayout& out)
{
    out.clear();
    const TimeScale& scale = columns.scale;
    if (!scale.isValid() || columns.count <= 0)
        return;
    LaneBuilder builder(states, columns, band, out);
    double last = 0;
    Timestamp known = Timestamp::min(); // End of the previous span: its x is reused, because most spans begin there.
    double at = 0;
    for (const Span& span : spans.spans) {
        const double begin = span.range.begin == known ? at : scale.xAt(span.range.begin) - columns.first;
        const double from = std::max(last, begin); // A span that overlaps the previous one is cut to begin after it.
        known = span.range.end;
        at = scale.xAt(known) - columns.first;
        const double to = std::min(double(columns.count), at);
        if (to <= from)
            continue;
        builder.add(span, spans.shares, from, to);
        last = to;
    }
    builder.finish();
}

} // namespace helio
