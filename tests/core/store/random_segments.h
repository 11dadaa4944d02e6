#pragma once

#include "core/store/store.h"
#include "core/store/time_limits.h"
#include "tests/support/dice.h"

#include <array>
#include <cstdint>
#include <vector>

namespace helio::test {

/// Adds the same random segments to every store: one kind for each shape that is hard to store.
class RandomSegments {
public:
    static constexpr std::int64_t Begin = 1'500'000'000'000'000'000;
    static constexpr std::array Shapes{"nested", "bursts", "a giant", "equal times", "no lengths", "extremes", "any order", "one", "none"};
    static constexpr std::uint32_t Tracks = 5;

    explicit RandomSegments(std::uint64_t seed, std::int64_t each = 40'000)
        : m_dice(seed)
        , m_each(each)
    {
    }

    /// Adds kinds and tracks. After this, add() adds segments of all kinds in turn, until `percent` of all segments are added.
    void begin(StoreBuilder& builder)
    {
        for (std::uint32_t n = 0; n < Tracks; ++n)
            builder.addTrack({});
        for (const char* shape : Shapes)
            m_kinds.push_back(*builder.segments().addKind(
                {shape, std::string("Title of ") + shape, "Name", "Value", "B", std::string_view(shape).size() % 2 == 0}));
    }
    void add(StoreBuilder& builder, int percent)
    {
        for (; m_done < m_each * percent / 100; ++m_done)
            for (std::size_t shape = 0; shape < Shapes.size(); ++shape)
                addOne(builder.segments(), shape);
    }

    SegmentKindId kind(std::size_t shape) const { return m_kinds[shape]; }
    std::int64_t end() const { return m_now; }

private:
    std::int64_t below(std::uint64_t n) { return static_cast<std::int64_t>(m_dice.below(n)); }

    void addOne(SegmentSink& sink, std::size_t shape)
    {
        m_now += below(200);
        const std::int64_t now = m_now;
        switch (shape) {
        case 0: // Completed calls of a call stack; deeper calls are shorter.
            return put(sink, shape, now - (std::int64_t(1) << below(30)), now);
        case 1: return put(sink, shape, now - now % 1'000'000, now - now % 1'000'000 + below(50));
        case 2: return m_done == m_each / 2 ? put(sink, shape, Begin - 1000, now) : put(sink, shape, now - 2 - below(3), now);
        case 3: return put(sink, shape, Begin + 77 * below(3), Begin + 77 * (2 + below(3)));
        case 4: return put(sink, shape, now, now - below(2));
        case 5: return put(sink, shape, extreme(), extreme());
        case 6: {
            const std::int64_t begin = Begin + below(std::uint64_t(m_each) * 1000);
            return put(sink, shape, begin, begin + below(std::uint64_t(1) << below(40)));
        }
        case 7: return m_done == 7 ? put(sink, shape, now - 5000, now) : void();
        default: return;
        }
    }
    std::int64_t extreme()
    {
        switch (below(5)) {
        case 0: return INT64_MIN + below(3);
        case 1: return INT64_MAX - below(3);
        case 2: return -TimeLimit + below(3) - 1;
        case 3: return TimeLimit + below(3) - 1;
        default: return below(1000);
        }
    }
    void put(SegmentSink& sink, std::size_t shape, std::int64_t begin, std::int64_t end)
    {
        HostSegment segment{hostTime(begin),
                            hostTime(end),
                            below(1000) - 500,
                            StringId{static_cast<std::uint32_t>(below(40))},
                            below(4) ? TrackId{static_cast<std::uint32_t>(below(Tracks))} : NoTrack,
                            m_kinds[shape]};
        if (below(1000) == 0)
            segment.value = below(2) ? INT64_MAX : INT64_MIN;
        sink.add(segment);
    }

    Dice m_dice;
    std::int64_t m_each;
    std::int64_t m_done = 0;
    std::int64_t m_now = Begin;
    std::vector<SegmentKindId> m_kinds;
};

} // namespace helio::test
