#pragma once

#include "core/store/store.h"
#include "core/store/time_limits.h"
#include "tests/support/dice.h"

#include <array>
#include <cstdint>
#include <vector>

namespace helio::test {

/// Adds the same random points to every store: one series for each shape that is hard to store.
class RandomPoints {
public:
    static constexpr std::int64_t Begin = 1'500'000'000'000'000'000;
    static constexpr std::array Shapes{"steady", "bursts",     "a spike", "equal times", "grows", "extremes",
                                       "real",   "real, huge", "late",    "one",         "none"};

    explicit RandomPoints(std::uint64_t seed, std::int64_t each = 30'000)
        : m_dice(seed)
        , m_each(each)
    {
    }

    void begin(StoreBuilder& builder)
    {
        const TrackId track = builder.addTrack({});
        for (const char* shape : Shapes) {
            const std::string name(shape);
            m_series.push_back(*builder.counters().addSeries(
                {"view of " + name, name, "Title of " + name, "B",
                 name == "grows" ? CounterSeries::Kind::Accumulating : CounterSeries::Kind::Gauge,
                 name.starts_with("real") ? CounterNumber::Real : CounterNumber::Integer, name == "steady" ? track : NoTrack}));
        }
    }
    /// Adds points to all series in turn, until `percent` of all points are added.
    void add(StoreBuilder& builder, int percent)
    {
        for (; m_done < m_each * percent / 100; ++m_done)
            for (std::size_t shape = 0; shape < Shapes.size(); ++shape)
                addOne(builder.counters(), shape);
    }

    CounterSeriesId series(std::size_t shape) const { return m_series[shape]; }
    std::int64_t end() const { return m_now; }

private:
    std::int64_t below(std::uint64_t n) { return static_cast<std::int64_t>(m_dice.below(n)); }

    void addOne(CounterSink& sink, std::size_t shape)
    {
        m_now += below(200);
        const CounterSeriesId id = m_series[shape];
        switch (shape) {
        case 0: return sink.addInteger(id, hostTime(m_now), below(1000) - 500);
        case 1: return sink.addInteger(id, hostTime(m_now - m_now % 1'000'000 + below(3)), below(50));
        case 2: return sink.addInteger(id, hostTime(m_now), m_done == m_each / 3 ? 1'000'000 : 7 + below(2));
        case 3: return sink.addInteger(id, hostTime(Begin + m_done / 700 * 1000), below(100));
        case 4: return sink.addInteger(id, hostTime(m_now), m_total += below(1'000'000));
        case 5: return sink.addInteger(id, hostTime(extreme()), below(2) ? INT64_MIN + below(2) : INT64_MAX - below(2));
        case 6: return sink.addReal(id, hostTime(m_now), static_cast<double>(below(2'000'000) - 1'000'000) / 777);
        case 7: return sink.addReal(id, hostTime(m_now), static_cast<double>(below(2001) - 1000) * 1.7e305);
        case 8: return sink.addInteger(id, hostTime(m_now - below(100'000)), below(10));
        case 9: return m_done == 9 ? sink.addInteger(id, hostTime(m_now), -3) : void();
        default: return;
        }
    }
    /// Returns a time that is usually at the limits of representable times; times never decrease.
    std::int64_t extreme()
    {
        if (m_done < m_each / 4)
            return INT64_MIN + m_done / 100;
        return m_done < m_each / 2 ? -TimeLimit + m_done : m_done < m_each * 3 / 4 ? m_done : INT64_MAX - m_each + m_done;
    }

    Dice m_dice;
    std::int64_t m_each;
    std::int64_t m_done = 0;
    std::int64_t m_now = Begin;
    std::int64_t m_total = 0;
    std::vector<CounterSeriesId> m_series;
};

} // namespace helio::test
