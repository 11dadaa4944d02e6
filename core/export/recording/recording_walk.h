#pragma once

#include "core/experiment/timeline.h"
#include "core/export/tables/exported_tables.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// A thread of the recording: one life of a TID.
struct WalkedThread {
    std::int64_t utid = 0; ///< Id in the table `thread`.
    std::int64_t upid = -1; ///< Id in the table `process`; -1 if there is none.
    std::uint32_t host = 0;
    std::int32_t tid = -1;
    std::int32_t pid = -1; ///< -1 if unknown.
    std::string name; ///< Last name of the thread; empty if unknown.
    std::optional<std::int64_t> start; ///< Time at which the thread was created, in ns.
    std::optional<std::int64_t> end; ///< Time at which the thread ended, in ns.
    bool isMain = false;
    bool isSelected = false; ///< True if slices, counters and samples of the thread are exported.

    bool isIdle() const { return tid == 0; }
};

struct WalkedProcess {
    std::uint32_t host = 0;
    std::int32_t pid = -1; ///< -1 if unknown.
    std::string name;
    std::int32_t parentPid = -1; ///< -1 if unknown.
};

/// A track of slices, or a counter.
struct WalkedTrack {
    std::int64_t id = 0; ///< Id in the table `recorded_track`.
    std::string name;
    std::string type; ///< Id of the kind of slices or of the counter's view; may be empty.
    std::string unit;
    std::uint32_t host = 0;
    std::int64_t utid = -1; ///< -1 if the track belongs to no thread.
    std::int64_t upid = -1; ///< -1 if the track belongs to no process as a whole.
    std::int32_t cpu = -1; ///< -1 if the track belongs to no CPU.
    bool isCounter = false;
};

struct WalkedHost {
    std::string sysname, release, version, arch; ///< Facts of the kernel; empty if not recorded.
    bool isSynchronized = false; ///< True if the host's times can be compared with those of the reference host.
    std::int64_t clockError = 0; ///< Upper bound of the error of the host's times in ns; 0 if unknown.
};

/// A CPU of a host.
struct WalkedCpu {
    std::uint32_t host = 0;
    std::int32_t cpu = -1;
    auto operator<=>(const WalkedCpu&) const = default;
};

/// A run of a thread on a CPU.
struct WalkedRun {
    std::int64_t ts = 0;
    std::optional<std::int64_t> end; ///< nullopt if the end is not in the recording.
    WalkedCpu cpu;
    std::int64_t utid = 0;
    std::string endState; ///< State after the run, e.g. "S" or "R+"; empty if unknown.
    std::optional<std::int64_t> priority;
};

struct WalkedWakeup {
    std::int64_t ts = 0;
    WalkedCpu cpu; ///< CPU that woke the thread; -1 if unknown.
    std::int64_t waker = -1; ///< utid; -1 if an interrupt or an unknown thread woke it.
    std::int64_t woken = -1;
};

/// A thread becomes ready to run: because it was woken or created, or because it left its CPU without waiting.
struct WalkedReadiness {
    std::int64_t ts = 0;
    std::int64_t utid = 0;
};

/// A time range of a CPU in which scheduler events may have been lost.
struct WalkedLoss {
    std::int64_t ts = 0;
    std::int64_t end = 0;
    WalkedCpu cpu; ///< CPU -1 stands for all CPUs of the host.
};

struct WalkedArgument {
    std::string key;
    sql::Value value;
    bool isJson = false; ///< True if the value is the text of a JSON value: an object, a list or a truth value.
};

/// A slice. Slices come in the order of their begins; of slices with the same begin, an outer slice comes first.
struct WalkedSlice {
    std::int64_t id = 0;
    std::int64_t ts = 0;
    std::optional<std::int64_t> end; ///< nullopt if the end is not in the recording.
    std::size_t track = 0; ///< Index into RecordingWalk::tracks().
    std::int64_t depth = 0; ///< Number of slices around it on its track; 0 if it is no call.
    std::string name; ///< Empty if the slice has no name.
    std::vector<WalkedArgument> arguments;
    std::vector<std::uint64_t> flowsOut; ///< Ids of the flows that leave the slice, from 1.
    std::vector<std::uint64_t> flowsIn; ///< Ids of the flows that enter the slice.
};

struct WalkedPoint {
    std::int64_t ts = 0;
    std::size_t track = 0; ///< Index into RecordingWalk::tracks().
    double value = 0;
};

/// State of a row of a view.
struct WalkedState {
    std::int64_t ts = 0;
    std::int64_t end = 0;
    std::size_t row = 0; ///< Index into RecordingWalk::rows().
    std::string name; ///< Name of the state.
    std::string detail; ///< Value of the interval, e.g. a system call; empty if there is none.
};

/// Receives a recording in the order of time, one part of the time range after the other. Within a part, each kind of things is sorted by
/// time by itself.
class RecordingVisitor {
public:
    virtual ~RecordingVisitor() = default;

    virtual void run(const WalkedRun&) { }
    virtual void wakeup(const WalkedWakeup&) { }
    virtual void readiness(const WalkedReadiness&) { }
    virtual void loss(const WalkedLoss&) { }
    virtual void slice(const WalkedSlice&) { }
    virtual void point(const WalkedPoint&) { }
    virtual void state(const WalkedState&) { }
    /// Called after each part, which ends at `end`: nothing that begins before it follows. Returning false ends the walk.
    virtual bool partEnded(std::int64_t end) = 0;
};

/// Reads the selected part of a recording for formats that contain threads, schedules, slices and counters. Context switches and wake-ups
/// are those of all threads on the selected CPUs, because the state of a CPU follows from all of them; the rest is limited to the selected
/// threads. If a view is selected, only the states of its rows are read. A counter that changed before the range has its last value at the
/// begin of the range.
///
/// Threads: to be used by one thread.
/// Memory: the threads and tracks, 40 bytes for each flow, and one part of the time range, which has a limited number of things.
class RecordingWalk {
public:
    /// Kinds of things that a walk visits.
    struct Contents {
        bool hasScheduling = true; ///< True to visit runs, wake-ups and losses.
        bool hasSlices = true; ///< True to visit slices, points and states.
    };

    /// Errors: Unsupported if times are before the zero of the clock, which the formats cannot express; and those of ExportedTables.
    static Result<std::unique_ptr<RecordingWalk>> open(const ExportRequest& request);

    const std::vector<WalkedHost>& hosts() const { return m_hosts; }
    /// Returns all threads; the index is WalkedThread::utid.
    const std::vector<WalkedThread>& threads() const { return m_threads; }
    /// Returns the utid of the thread that stands for the idle threads of a host: these threads come first.
    static std::int64_t idleThreadOf(std::uint32_t host) { return host; }
    const std::vector<WalkedProcess>& processes() const { return m_processes; } ///< All processes; the index is WalkedThread::upid.
    const std::vector<WalkedTrack>& tracks() const { return m_tracks; } ///< The selected tracks.
    const std::vector<Row>& rows() const { return m_rows; } ///< The selected rows of the selected view; empty if no view is selected.
    const SelectedThings& selected() const { return m_selected; }
    std::int64_t begin() const { return m_begin; } ///< Begin of the exported range in ns.
    std::int64_t end() const { return m_end; } ///< End of the exported range in ns.

    /// Visits the recording. `shareBegin` and `shareEnd` are the shares of the work before and after the walk, for the progress.
    Status walk(RecordingVisitor& visitor, Contents contents, double shareBegin, double shareEnd) const;

    /// Returns the time in ns at which a flow enters its slice.
    std::int64_t arrivalOf(std::uint64_t flow) const { return m_arrivals[static_cast<std::size_t>(flow - 1)]; }

private:
    /// Things that begin in a part of the time range.
    struct Part {
        std::int64_t from = 0;
        std::int64_t to = 0; ///< Moves towards `from` if the part has too many things.
        std::size_t count = 0; ///< Number of things that were read.
        std::vector<WalkedRun> runs{};
        std::vector<WalkedWakeup> wakeups{};
        std::vector<WalkedReadiness> readiness{};
        std::vector<WalkedLoss> losses{};
        std::vector<WalkedSlice> slices{};
        std::vector<WalkedPoint> points{};
        std::vector<WalkedState> states{};
        bool haveArguments = false; ///< True if any slice has arguments.
    };
    using CounterValues = std::map<std::size_t, double>; ///< Values of counters, by index of the track.

    explicit RecordingWalk(const ExportRequest& request, ExportedTables tables);
    Status readThings();
    Status readFlows();
    template <typename Take> Status readRows(Part& part, const std::string& select, const Take& take) const;
    Status readPart(Part& part, Contents contents) const;
    Status readScheduling(Part& part) const;
    Status readSlices(Part& part) const;
    Status readArguments(Part& part) const;
    Status readPoints(Part& part) const;
    void readStates(Part& part) const;
    void visit(const Part& part, RecordingVisitor& visitor, CounterValues& before) const;
    std::size_t trackIndex(std::int64_t id) const;

    using FlowEnds = std::vector<std::pair<std::int64_t, std::uint64_t>>; ///< Pairs of a slice's id and a flow's id, sorted.
    static std::vector<std::uint64_t> flowsAt(const FlowEnds& ends, std::int64_t slice);

    ExportRequest m_request;
    ExportedTables m_tables;
    SelectedThings m_selected;
    std::vector<WalkedHost> m_hosts;
    std::vector<WalkedThread> m_threads;
    std::vector<WalkedProcess> m_processes;
    std::vector<WalkedTrack> m_tracks; ///< Sorted by id.
    std::vector<Row> m_rows;
    FlowEnds m_flowsOut;
    FlowEnds m_flowsIn;
    std::vector<std::int64_t> m_arrivals; ///< Times at which flows enter their slices, by the id of the flow less 1.
    std::vector<bool> m_haveScheduling; ///< True for each trace that has context switches.
    std::int64_t m_first = 0; ///< Time of the first event, at which the walk begins.
    std::int64_t m_begin = 0;
    std::int64_t m_end = 0;
};

} // namespace helio
