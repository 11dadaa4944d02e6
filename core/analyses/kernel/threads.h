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

constexpr std::int32_t KernelThreadDaemon = 2; ///< TID of kthreadd, the parent of all kernel threads.

/// The threads of a trace by TID, with their rows, names and positions in the process tree.
///
/// Cost: a lookup in a flat map for a known thread; rows, strings and names are written only when they change.
class Threads {
public:
    Threads(StateSink& sink, const RecordingScope& part);

    void begin(HostTimestamp at) { m_begin = at; }

    /// Returns the living thread with the TID; adds a thread if none is known. Without a recorded fork, the new thread existed before the
    /// trace, and its row begins with the trace.
    Thread& get(std::int32_t tid, HostTimestamp at)
    {
        Thread* thread = findAny(tid);
        return thread && thread->isAlive ? *thread : getNew(tid, at);
    }

    /// Returns the living thread with the TID; nullptr if none is known.
    Thread* find(std::int32_t tid);

    /// Returns the thread with the TID, living or ended; nullptr if none is known.
    Thread* findAny(std::int32_t tid)
    {
        const std::uint32_t index = m_byTid.find(static_cast<std::uint32_t>(tid));
        return index == FlatMap::Missing ? nullptr : m_byIndex[index];
    }

    /// Begins a new thread with this TID. Ends a previous thread with the TID if it has not ended.
    Thread& start(std::int32_t tid, HostTimestamp at);

    /// Ends the thread's row and the rows of its attributes at time `at`.
    void end(HostTimestamp at, Thread& thread);
    /// Extends the row of an ended thread for which a later event was recorded: PERF_RECORD_EXIT is written before the thread has released
    /// its memory (kernel/exit.c, do_exit()).
    void extendAfterEnd(HostTimestamp at, Thread& thread);

    /// Stores a state of a recorded thread; ignored for threads that the recording does not cover. `detail`: the system call, or the
    /// name of the handler that interrupts the thread.
    void setState(HostTimestamp at, Thread& thread, ThreadState state, StringId detail)
    {
        if ((thread.state == state && thread.detail == detail) || !thread.isAlive || thread.isUnrecorded)
            return;
        if (thread.state == ThreadState::Unknown)
            thread.knownSince = at;
        thread.state = state;
        thread.detail = detail;
        thread.since = at;
        m_sink.set(at, thread.track, toState(state), static_cast<std::uint32_t>(detail));
    }
    void setState(HostTimestamp at, Thread& thread, ThreadState state) { setState(at, thread, state, callOf(thread)); }

    /// Adds a wake-up. The wake-up's link is stored when finishWakeUps() is called.
    void wake(Thread& thread, const Link& waking) { m_wakings.add(thread.waking, waking); }
    /// Called when the thread gets a CPU after one or more wake-ups. Stores `cpu` in the links of these wake-ups and writes the links.
    /// `cpu`: NoCpu if unknown.
    void finishWakeUps(Thread& thread, std::int32_t cpu) { m_wakings.writeAll(thread.waking, cpu); }
    /// Sets the waker of the wake-ups on `cpu` that have no waker yet. `from`: the waker's row.
    void setWaker(std::uint32_t cpu, TrackId from) { m_wakings.setWaker(cpu, from); }

    /// Marks the thread's states from `at` on as unknown. Used if the thread was on a CPU at a time when its events (e.g. a wake-up)
    /// suggested that it was not. Changes at most a few states.
    void rollBack(HostTimestamp at, Thread& thread);

    void setComm(HostTimestamp at, Thread& thread, std::string_view comm);
    /// Sets the thread's name from a field of an event. Usually the bytes equal the previous ones, which costs one comparison.
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

    /// Marks the thread as recorded, in a recording of selected threads: an event in the thread's own context proves that the recording
    /// covers the thread.
    void setRecorded(Thread& thread) { thread.isUnrecorded = false; }
    /// Marks a child as recorded if its parent is recorded and the recording includes children.
    void markChildRecorded(std::int32_t parentTid, std::int32_t childTid);
    /// Unmarks all recorded threads, because the requested TIDs use another numbering than the events. Afterwards, only threads with events
    /// in their own context are marked as recorded.
    void forgetAllRecorded();
    /// Removes the TID from the set of recorded TIDs when its thread ends, because a later thread with this TID may not be recorded.
    void forgetRecorded(std::int32_t tid) { m_recorded.erase(tid); }

    /// Data from the process records about a thread without events so far; used when the thread's row is created.
    struct RecordedThread {
        std::string comm;
        std::int32_t pid = -1;
        std::int32_t parentTid = -1;
        std::optional<HostTimestamp> born; ///< Beginning of a thread with this TID that has no row yet; nullopt if unknown.
        std::optional<HostTimestamp> died; ///< End of a thread with this TID that has no row yet; nullopt if unknown.
    };
    RecordedThread& known(std::int32_t tid) { return m_known[tid]; }

    /// True if a thread with this TID has a known beginning, but no row yet.
    bool isBorn(std::int32_t tid) const
    {
        const auto found = m_known.find(tid);
        return found != m_known.end() && found->second.born;
    }

    /// Adds rows for known main threads if a thread of their process has a row.
    void addLeaders(HostTimestamp at);

    /// Sets the thread's process (`pid`) and parent thread; -1 if unknown. The thread's row becomes a child of its main thread's row. The
    /// row of a main thread becomes a child of the parent process's row.
    void setFamily(Thread& thread, std::int32_t pid, std::int32_t parentTid);

    /// Records the thread's TID in a PID namespace other than the host's.
    void addNamespaceTid(const Thread& thread, std::uint32_t pidNamespace, std::int32_t tid);

    /// Sets the parents of rows whose main thread or parent thread got its row later.
    void attachOrphans();

    Thread& idle() { return m_idle; } ///< Returns the idle thread. It has no row, and therefore is never alive.
    std::deque<Thread>& all() { return m_threads; }
    std::unordered_map<std::int32_t, Process>& processes() { return m_processes; }

    static StringId callOf(const Thread& thread) { return thread.mode == Mode::Syscall ? thread.syscall : StringId{}; }

private:
    /// Pairs of a thread's row and a PID namespace for which addNamespaceTid() has stored the TID.
    std::set<std::pair<TrackId, std::uint32_t>> m_numbered;
    Thread& slot(std::int32_t tid);
    Thread& getNew(std::int32_t tid, HostTimestamp at);
    void takeNewComm(Thread& thread, const FieldRef& field, const EventView& event, const char* raw);
    void changePriority(HostTimestamp at, Thread& thread, std::int32_t priority);
    void changeKernelThread(Thread& thread, bool isKernelThread);
    void addRow(HostTimestamp at, Thread& thread);
    void takeKnown(HostTimestamp at, Thread& thread);
    void join(Thread& thread);
    void attachToParent(Thread& thread);
    bool isBelow(TrackId row, TrackId above);

    StateSink& m_sink;
    Wakings m_wakings;
    StateSetId m_states{};
    HostTimestamp m_begin;
    Thread m_idle;
    std::deque<Thread> m_threads; ///< Storage of all threads; a deque, because its elements keep their addresses.
    std::vector<Thread*> m_byIndex; ///< Pointers to the elements of m_threads, because indexing a deque needs a division.
    FlatMap m_byTid; ///< Indices into m_byIndex, keyed by TID.
    std::unordered_set<std::int32_t> m_recorded; ///< TIDs of the recorded threads, in a recording of selected threads.
    bool m_recordsAll = true;
    bool m_recordsChildren = false;
    std::unordered_map<std::int32_t, Process> m_processes; ///< Processes, keyed by PID.
    std::unordered_map<std::int32_t, RecordedThread> m_known; ///< Data from process records, keyed by TID.
    std::string m_text;
};

} // namespace helio::kernel
