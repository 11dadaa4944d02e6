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

constexpr std::int32_t KernelThreadDaemon = 2; ///< Tid of kthreadd, the parent of all kernel threads.

/// The threads of a trace by tid, with their rows, names and places in the process tree.
///
/// Cost: a look-up in a flat map for a known thread; rows, strings and names are made only when they change.
class Threads {
public:
    Threads(StateSink& sink, const RecordingScope& part);

    void begin(HostTimestamp at) { m_begin = at; }

    /// Returns the living thread of the tid. If none is known, adds one: without a recorded fork it existed before the trace, and its row
    /// begins with the trace.
    Thread& get(std::int32_t tid, HostTimestamp at)
    {
        Thread* thread = findAny(tid);
        return thread && thread->isAlive ? *thread : getNew(tid, at);
    }

    /// Returns the living thread of the tid; nullptr if none is known.
    Thread* find(std::int32_t tid);

    /// Returns the thread of the tid, living or ended; nullptr if none is known.
    Thread* findAny(std::int32_t tid)
    {
        const std::uint32_t index = m_byTid.find(static_cast<std::uint32_t>(tid));
        return index == FlatMap::Missing ? nullptr : m_byIndex[index];
    }

    /// Begins a new thread with this tid. Ends a former thread with the tid that has not ended.
    Thread& start(std::int32_t tid, HostTimestamp at);

    /// Ends the thread's row and the rows of its attributes.
    void end(HostTimestamp at, Thread& thread);
    /// Extends the row of an ended thread that was seen again: PERF_RECORD_EXIT comes before the thread has released its memory
    /// (kernel/exit.c, do_exit()).
    void extendAfterEnd(HostTimestamp at, Thread& thread);

    /// Stores a state if the thread is recorded. `detail`: the system call, or the handler's name if the thread is interrupted.
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

    /// Adds a wake-up. Its link is stored once ranOn() is called.
    void wake(Thread& thread, const Link& waking) { m_wakings.add(thread.waking, waking); }
    /// Notes the CPU where the thread runs after its wake-ups; NoCpu if unknown.
    void ranOn(Thread& thread, std::int32_t cpu) { m_wakings.handAll(thread.waking, cpu); }
    /// Sets the source of the wake-ups on that CPU that have none so far.
    void setWaker(std::uint32_t cpu, TrackId from) { m_wakings.setWaker(cpu, from); }

    /// Makes the thread's states from `at` on unknown. Only a few states can be affected: those from events that did not show the thread's
    /// place.
    void rollBack(HostTimestamp at, Thread& thread);

    void setComm(HostTimestamp at, Thread& thread, std::string_view comm);
    /// Sets the thread's name from an event's field. Mostly the bytes are the same as last time, which costs one comparison.
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

    /// Marks the thread as recorded, in a recording of some threads only: an event in a thread's own context proves that the recording
    /// covers the thread.
    void setRecorded(Thread& thread) { thread.isUnrecorded = false; }
    /// Marks a child as recorded if its parent is and the recording includes children.
    void markChildRecorded(std::int32_t parentTid, std::int32_t childTid);
    /// Forgets which threads are recorded, because the requested tids use another numbering than the events. From then on, only threads
    /// with events in their own context count as recorded.
    void forgetAllRecorded();
    /// Forgets that the tid is recorded: its next thread is another one.
    void forgetRecorded(std::int32_t tid) { m_recorded.erase(tid); }

    /// Facts from the trace's process records about a thread without events so far; its row begins with them.
    struct Known {
        std::string comm;
        std::int32_t pid = -1;
        std::int32_t parentTid = -1;
        std::optional<HostTimestamp> born; ///< Time at which a thread with this tid began that has no row yet; nullopt if there is none.
        std::optional<HostTimestamp> died; ///< Time at which a thread with this tid ended that has no row yet; nullopt if there is none.
    };
    Known& known(std::int32_t tid) { return m_known[tid]; }

    /// Returns true if a thread with this tid is known to have begun, but has no row yet.
    bool isBorn(std::int32_t tid) const
    {
        const auto found = m_known.find(tid);
        return found != m_known.end() && found->second.born;
    }

    /// Adds rows for known leaders if a thread of their process has a row.
    void addLeaders(HostTimestamp at);

    /// Sets the process and the parent, -1 if unknown. The row becomes a child of its leader's row; the row of a leader becomes a child of
    /// its parent process's row.
    void setFamily(Thread& thread, std::int32_t pid, std::int32_t parentTid);

    /// Adds the thread's number in a PID namespace below the host's.
    void addNamespaceTid(const Thread& thread, std::uint32_t pidNamespace, std::int32_t tid);

    /// Sets the parents of rows whose leader or parent was added after them.
    void attachOrphans();

    Thread& idle() { return m_idle; } ///< Has no row, and therefore is never alive.
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
    void attachToParent(Thread& thread);
    bool isBelow(TrackId row, TrackId above);

    StateSink& m_sink;
    Wakings m_wakings;
    StateSetId m_states{};
    HostTimestamp m_begin;
    Thread m_idle;
    std::deque<Thread> m_threads; ///< A deque, because its elements keep their addresses.
    std::vector<Thread*> m_byIndex; ///< Pointers to the elements of m_threads, because indexing a deque takes a division.
    FlatMap m_byTid; ///< Indices into m_byIndex.
    std::unordered_set<std::int32_t> m_recorded; ///< Tids of the recorded threads, in a recording of some threads.
    bool m_recordsAll = true;
    bool m_recordsChildren = false;
    std::unordered_map<std::int32_t, Known> m_known; ///< Indexed by tid.
    std::string m_text;
};

} // namespace helio::kernel
