#pragma once

#include "core/analyses/kernel/flat_map.h"
#include "core/analyses/kernel/model.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstring>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace helio::kernel {

constexpr std::int32_t KernelThreadDaemon = 2; ///< The tid of kthreadd: its children are kernel threads.

/// Every thread by its tid, with its row, its names and its place in the process tree.
///
/// Cost: a look-up in a flat map for a thread that is known; rows, strings and names are made when they change only.
class Threads {
public:
    Threads(StateSink& sink, const RecordedPart& part);

    void begin(HostTimestamp at) { m_begin = at; }

    /// The living thread of that tid. One that no fork was seen of was there before the trace: its row begins with it.
    Thread& get(std::int32_t tid, HostTimestamp at)
    {
        Thread* thread = findAny(tid);
        return thread && thread->isAlive ? *thread : getNew(tid, at);
    }

    /// Null where no living thread of that tid is known.
    Thread* find(std::int32_t tid);

    /// The same, or its remains.
    Thread* findAny(std::int32_t tid)
    {
        const std::uint32_t index = m_byTid.find(static_cast<std::uint32_t>(tid));
        return index == FlatMap::Missing ? nullptr : m_byIndex[index];
    }

    /// A new life that begins now; a former one of the tid that no one ended ends.
    Thread& start(std::int32_t tid, HostTimestamp at);

    /// Ends the row and those of its attributes.
    void end(HostTimestamp at, Thread& thread);
    /// An ended thread was still seen: PERF_RECORD_EXIT comes before it has given back its memory (kernel/exit.c, do_exit()). Its row
    /// goes on until then.
    void outlive(HostTimestamp at, Thread& thread);

    /// Stores a state of a thread that is recorded. The system call, or the handler's name where it is interrupted, is the detail.
    void setState(HostTimestamp at, Thread& thread, ThreadState state, StringId detail)
    {
        if ((thread.state == state && thread.detail == detail) || !thread.isAlive || thread.isUnrecorded)
            return;
        thread.state = state;
        thread.detail = detail;
        thread.since = at;
        m_sink.set(at, thread.track, toState(state), static_cast<std::uint32_t>(detail));
    }
    void setState(HostTimestamp at, Thread& thread, ThreadState state) { setState(at, thread, state, callOf(thread)); }

    /// The link is handed over to the store as soon as its ranOn is known.
    void wake(Thread& thread, const Link& waking) { m_wakings.add(thread.waking, waking); }
    /// Where it runs, or goes on, after wake-ups; NoCpu: that was not seen.
    void ranOn(Thread& thread, std::int32_t cpu) { m_wakings.handAll(thread.waking, cpu); }
    /// The row that wake-ups on that CPU are from which have none so far.
    void setWaker(std::uint32_t cpu, TrackId from) { m_wakings.setWaker(cpu, from); }

    /// What was stored of the thread from `at` on is taken back: unknown. That can be little only: what did not place it.
    void takeBack(HostTimestamp at, Thread& thread);

    void setComm(HostTimestamp at, Thread& thread, std::string_view comm);
    /// The name that an event's field has. Nearly always the same bytes as last time, which costs a comparison.
    void takeComm(Thread& thread, const FieldRef& field, const EventView& event)
    {
        const char* raw = field.chars(event, thread.rawComm.size());
        if (!raw || std::memcmp(raw, thread.rawComm.data(), thread.rawComm.size()) != 0)
            takeNewComm(thread, field, event, raw);
    }
    void setPriority(HostTimestamp at, Thread& thread, std::int32_t priority)
    {
        if (!thread.hasPriority || thread.priority != priority)
            changePriority(at, thread, priority);
    }
    void setKernelThread(Thread& thread, bool isKernelThread)
    {
        if (thread.isKernelThread != isKernelThread && thread.track != NoTrack)
            changeKernelThread(thread, isKernelThread);
    }

    /// Where only some threads are recorded: this is one of them, as an event in its own context proves.
    void setRecorded(Thread& thread) { thread.isUnrecorded = false; }
    /// The child of one that is recorded is so, too, where the recording has the children.
    void takeChild(std::int32_t parentTid, std::int32_t childTid);
    /// The tids that the recording was asked for number threads otherwise than its events: those alone are recorded that prove it.
    void forgetAllRecorded();
    /// Who has the tid from now on is another.
    void forgetRecorded(std::int32_t tid) { m_recorded.erase(tid); }

    /// What a trace's records say of a thread before its events speak of it: its row begins with that.
    struct Known {
        std::string comm;
        std::int32_t pid = -1;
        std::int32_t parentTid = -1;
        std::optional<HostTimestamp> born; ///< Of a life that has no row yet.
        std::optional<HostTimestamp> died; ///< The same.
    };
    Known& known(std::int32_t tid) { return m_known[tid]; }

    /// A new life is known that has no row yet.
    bool isBorn(std::int32_t tid) const
    {
        const auto found = m_known.find(tid);
        return found != m_known.end() && found->second.born;
    }

    /// Adds the rows of known leaders whose threads have one.
    void addLeaders(HostTimestamp at);

    /// Its process and its parent, as far as known (-1 not). Hangs the row below its leader's, a leader's below its parent process's.
    void setFamily(Thread& thread, std::int32_t pid, std::int32_t parentTid);

    /// The thread has that TID in a PID namespace below the host's.
    void setNumberInside(const Thread& thread, std::uint32_t pidNamespace, std::int32_t tid);

    /// Rows whose leader or parent came later than they did.
    void hangOrphans();

    Thread& idle() { return m_idle; } ///< Has no row, and so is never alive.
    std::deque<Thread>& all() { return m_threads; }

    static StringId callOf(const Thread& thread) { return thread.mode == Mode::Syscall ? thread.syscall : StringId{}; }

private:
    std::set<std::pair<TrackId, std::uint32_t>> m_numbered; ///< Threads and the namespaces in which their numbers are known.
    Thread& slot(std::int32_t tid);
    Thread& getNew(std::int32_t tid, HostTimestamp at);
    void takeNewComm(Thread& thread, const FieldRef& field, const EventView& event, const char* raw);
    void changePriority(HostTimestamp at, Thread& thread, std::int32_t priority);
    void changeKernelThread(Thread& thread, bool isKernelThread);
    void addRow(HostTimestamp at, Thread& thread);
    void takeKnown(HostTimestamp at, Thread& thread);
    void hang(Thread& thread);
    bool isBelow(TrackId row, TrackId above);

    StateSink& m_sink;
    Wakings m_wakings;
    StateSetId m_states{};
    HostTimestamp m_begin;
    Thread m_idle;
    std::deque<Thread> m_threads; ///< Addresses stay.
    std::vector<Thread*> m_byIndex; ///< The same: finding a deque's n-th takes a division.
    FlatMap m_byTid; ///< Indices.
    std::unordered_set<std::int32_t> m_recorded; ///< Tids of those that are, where not all threads are.
    bool m_recordsAll = true;
    bool m_recordsChildren = false;
    std::unordered_map<std::int32_t, Known> m_known; ///< By tid.
    std::string m_text;
};

} // namespace helio::kernel
