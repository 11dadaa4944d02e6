#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace helio::locks {

/// The view of all rows.
constexpr std::string_view View = "locks";

/// Who waits for a lock or holds it.
struct Contender {
    std::uint64_t id = 0; ///< Of its thread, unique in the trace.
    std::int32_t tid = -1;
    std::string name;
    std::int32_t pid = -1; ///< Of its process.
    std::int32_t idleOn = -1; ///< Of the idle thread of a CPU, that CPU: all of those have TID 0.
    auto words() const { return tid < 0 ? name : name.empty() ? std::to_string(tid) : name + " (" + std::to_string(tid) + ")"; }
};

/// How a wait ended.
struct WaitEnd {
    bool isGot = true; ///< Else it gave up.
    std::string_view by{}; ///< "timeout": where the events say what ended it.
    std::string waker{}; ///< As Contender::words() has it. Empty: nobody, or not known.
};

/// States of locks, of threads that want them, and of threads that wait for futexes, which say who ended that, not who has it.
const StateSet& lockStates();
const StateSet& contenderStates();
const StateSet& futexWaiterStates();

/// One lock of a trace: its row, one below it for each thread that ever wanted it, and who waits for it and holds it. What ended is a
/// segment: a wait, or that it was held. One thread; the sink outlives it. Cost of a call: of the threads that wait for it.
class Lock {
public:
    /// More threads of a lock have no row of their own.
    static constexpr std::size_t MostRows = 1024;

    /// `key`: "lock:0xffff888100044880"; `label`: how people call it; `row`: where it is to be shown, NoTrack: in no view.
    /// `contenders`: the states of its threads' rows.
    Lock(StateSink& sink, const StateSet& contenders, std::string key, std::string label, TrackId row);

    /// Who waits already, goes on: a mutex of the kernel that was spun for is then slept for.
    void wait(HostTimestamp at, const Contender& who, std::string_view sort);
    /// Nothing where it does not wait.
    void endWait(HostTimestamp at, const Contender& who, const WaitEnd& end);
    /// It turns out that it did not wait: that is no segment, and no state of its row.
    void takeBackWait(HostTimestamp at, const Contender& who);
    /// Its wait ended, nobody knows when and how: that is no segment.
    void forgetWait(HostTimestamp at, const Contender& who);
    /// What it means that another held it, whose release was not seen: it held it until now, or for a time that nobody knows.
    enum class Before { Held, Unknown };
    void hold(HostTimestamp at, const Contender& who, Before before);
    /// Nothing where it does not hold it: that is the late release of who held it before, or of what nobody saw it get.
    void release(HostTimestamp at, const Contender& who);

    /// Nothing is known any more of who waits for it and holds it. Rows say so until endLost().
    void lose(HostTimestamp at);
    void endLost(HostTimestamp at);

    /// Once all is read: where its row stands among those of other locks, the one that was waited for longest first.
    void placeRow() const;

private:
    struct Wait {
        Contender who;
        HostTimestamp since;
        std::string sort;
        std::string holder; ///< When it began. Empty: not known.
    };
    struct Hold {
        Contender who;
        HostTimestamp since;
        int depth = 1; ///< It may take it again.
        std::size_t mostWaiting = 0;
        Duration madeWait{}; ///< Of waits that ended meanwhile.
    };

    bool isHeldBy(const Contender& who) const { return m_hold && m_hold->who.id == who.id; }
    std::size_t waiting() const { return m_waits.size() - (m_hold ? m_waits.count(m_hold->who.id) : 0); } ///< For another.
    TrackId rowOf(const Contender& who);
    void show(HostTimestamp at);
    using Declare = SegmentKindId (*)(StateSink&);
    void add(std::optional<SegmentKindId>& kind, Declare declare, HostTimestamp begin, HostTimestamp end, const Contender& who,
             std::string fields);
    void endHold(HostTimestamp at);
    void dropHold(HostTimestamp at);

    StateSink& m_sink;
    const StateSet& m_contenders;
    std::string m_key;
    StringId m_name;
    TrackId m_row;
    std::map<std::uint64_t, TrackId> m_rows; ///< By thread.
    std::map<std::uint64_t, Wait> m_waits; ///< The same.
    Duration m_waited{}; ///< By all, of waits that ended.
    std::optional<Hold> m_hold;
    std::vector<TrackId> m_lost;
    std::optional<SegmentKindId> m_waitKind, m_holdKind; ///< None: it has none yet.
    HostTimestamp m_shown; ///< When its own row changed last.
};

} // namespace helio::locks
