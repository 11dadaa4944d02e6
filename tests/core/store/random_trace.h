#pragma once

#include "core/store/store.h"
#include "tests/support/made_states.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace helio::test {

/// Adds the same random tracks, states, links and counts to every builder: a trace with all kinds of tracks. The numbers come from
/// distributions implemented in the test, so they are equal on every machine.
class RandomTrace {
public:
    static constexpr std::int64_t Begin = 1'500'000'000'000'000'000;

    /// Pattern of a track's states.
    enum class Kind { Steady, Bursty, OneState, Gaps, Numbers, Dense, Mixed, Still, Late, Calls, Count };

    explicit RandomTrace(unsigned seed, std::size_t tracks = 12, std::size_t steps = 30'000)
        : m_seed(seed)
        , m_trackCount(tracks)
        , m_steps(steps)
    {
    }

    /// Records all steps in `sink` and calls `each` after every 1000 steps. Returns the time of the last step.
    template <typename Each> std::int64_t storeIn(StoreBuilder& sink, Each each)
    {
        m_random.seed(m_seed);
        addTracks(sink);
        std::int64_t now = Begin;
        for (std::size_t step = 0; step < m_steps; ++step) {
            const std::size_t track = below(m_trackCount);
            now += static_cast<std::int64_t>(below(2000));
            storeStep(sink, track, now);
            if (below(4) == 0)
                storeLink(sink, now);
            sink.addDensity(hostTime(now), 1);
            if (step % 1000 == 999) {
                sink.addCheckpoint({step + 1, hostTime(now), {{1, step, 3, step, 0}, {std::uint32_t(step), 2, step * 3, 4, 5}}});
                each(now);
            }
        }
        sink.addLoss({{hostTime(Begin + 5), hostTime(Begin + 50)}, 3, 0, 1, 0});
        return now + 1;
    }
    std::int64_t storeIn(StoreBuilder& sink)
    {
        return storeIn(sink, [](std::int64_t) {});
    }

    std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : m_random() % n; }

private:
    void addTracks(StoreBuilder& sink)
    {
        m_set = *sink.stateSet(statesNamed("thread", {"unknown", "running", "sleeping", "blocked", "wait-cpu"}));
        for (std::size_t n = 0; n < m_trackCount; ++n) {
            Track track;
            track.view = n % 3 == 2 ? "" : "control-flow";
            track.kind = "thread";
            track.role = TrackRole::Thread;
            track.key = "tid:" + std::to_string(n);
            track.label = n % 2 ? "worker" : "a name that is rather longer";
            track.parent = n > 2 ? TrackId{static_cast<std::uint32_t>(below(n))} : NoTrack;
            track.states = m_set;
            track.tid = static_cast<std::int32_t>(n);
            track.isKernelThread = n % 5 == 0;
            track.valueKind = kindOf(n) == Kind::Numbers ? ValueKind::Number : ValueKind::Text;
            track.band = n % 4 == 1 ? TrackDrawing::Line : TrackDrawing::Bars;
            sink.addTrack(track);
        }
    }

    static Kind kindOf(std::size_t track) { return Kind(track % static_cast<std::size_t>(Kind::Count)); }

    void storeStep(StoreBuilder& sink, std::size_t track, std::int64_t now)
    {
        const TrackId id{static_cast<std::uint32_t>(track)};
        const auto set = [&](std::int64_t time, std::uint64_t state, std::uint64_t value = 0) {
            sink.set(hostTime(time), id, State(static_cast<std::uint8_t>(state)), static_cast<std::uint32_t>(value));
        };
        const std::uint64_t name = static_cast<std::uint64_t>(sink.string("call " + std::to_string(below(30))));
        switch (kindOf(track)) {
        case Kind::Steady: set(now, below(5), below(3)); break;
        case Kind::Bursty:
            if (below(100) == 0)
                for (int i = 0; i < 300; ++i)
                    set(now + i * 3, below(5), name);
            break;
        case Kind::OneState: set(now, 1, below(1000)); break;
        case Kind::Gaps: below(2) ? set(now, below(3)) : sink.end(hostTime(now), id); break;
        case Kind::Numbers: set(now, 0, m_random()); break;
        case Kind::Dense:
            for (std::uint64_t i = 0, n = below(60); i < n; ++i)
                set(now + static_cast<std::int64_t>(i), i % 5);
            break;
        case Kind::Mixed: set(now + static_cast<std::int64_t>(below(3) ? below(20) : 0), below(4), below(2)); break;
        case Kind::Still:
            if (below(5000) == 0)
                set(now, below(5));
            break;
        case Kind::Late: set(now - static_cast<std::int64_t>(below(30'000)), below(3), below(2)); break;
        case Kind::Calls:
            for (std::uint64_t i = 0, n = below(40), at = 0; i < n; ++i, at += below(3)) {
                sink.beginInterval(hostTime(now + static_cast<std::int64_t>(at)), id, State(static_cast<std::uint8_t>(below(2))), 9);
                if (below(3) == 0)
                    sink.end(hostTime(now + static_cast<std::int64_t>(at + below(3))), id);
            }
            break;
        case Kind::Count: break;
        }
    }

    void storeLink(StoreBuilder& sink, std::int64_t now)
    {
        Link link;
        link.kind = LinkKind(below(4));
        link.from = below(5) ? TrackId{static_cast<std::uint32_t>(below(m_trackCount))} : NoTrack;
        link.to = TrackId{static_cast<std::uint32_t>(below(m_trackCount))};
        link.toTime = hostTime(now);
        link.fromTime = hostTime(below(3) ? now : now - static_cast<std::int64_t>(below(below(50) ? 10'000 : 3'000'000)));
        link.cpu = static_cast<std::uint32_t>(below(8));
        link.detail = below(3) ? StringId{} : sink.string("irq " + std::to_string(below(5)));
        if (link.kind == LinkKind::Wakeup) {
            link.targetCpu = static_cast<std::int32_t>(below(300)) - 1;
            link.ranOn = static_cast<std::int32_t>(below(300)) - 1;
        }
        sink.link(link);
    }

    unsigned m_seed;
    std::size_t m_trackCount;
    std::size_t m_steps;
    std::mt19937_64 m_random;
    StateSetId m_set{};
};

} // namespace helio::test
