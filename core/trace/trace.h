#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/cpu_topology.h"
#include "core/trace/event.h"
#include "core/trace/fields/event_type.h"
#include "core/trace/process/module.h"
#include "core/trace/process/sample_view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace helio {

/// Clock that time stamps were read from.
struct ClockInfo {
    std::string name;
    std::string uuid; ///< UUID; for LTTng the boot id, the best identity of a running kernel. May be empty.
    std::string description;
    std::uint64_t frequency = 1'000'000'000; ///< Frequency in Hz.
    std::int64_t offset = 0; ///< Time of clock value 0 in ns since the epoch (seconds and cycles together).
    bool isAbsolute = false; ///< True if times are ns since the Unix epoch.
};

/// Properties of a packet that are known without reading its events.
struct PacketInfo {
    std::uint32_t file = 0; ///< Index into StreamInfo::files.
    std::uint64_t offset = 0; ///< Position in bytes from the start of the file.
    std::uint64_t size = 0; ///< Size in bytes, padding included.
    std::uint64_t contentBits = 0;
    std::optional<HostRange> range; ///< Time range that the packet claims; not reliable for ordering.
    std::uint64_t discarded = 0; ///< Number of events lost since the previous packet.
    std::int32_t cpu = -1;
};

struct StreamInfo {
    std::string label; ///< Label, stable and unique in its trace: the file's name, or class and instance.
    std::int32_t cpu = -1; ///< CPU, if all packets have the same; else -1.
    std::vector<std::filesystem::path> files;
    std::vector<PacketInfo> packets;
    bool hasTimes = true; ///< False if its events have no times. They are placed where the events of other streams begin, else at 0.
};

using EnvironmentValue = std::variant<std::int64_t, std::string>;

/// Threads and CPUs to which a recording is limited: it holds their events only. The default is no limit.
struct RecordingScope {
    std::vector<std::int32_t> threads; ///< Thread ids; empty if not limited.
    bool hasChildren = false; ///< True if threads that these threads start are recorded, too.
    bool hasAllCpus = true; ///< False if only some CPUs are recorded: a thread that leaves one of them may continue unseen on another CPU.

    bool isAll() const { return threads.empty() && hasAllCpus; }
};

struct TraceInfo {
    std::filesystem::path path; ///< Folder or file by which the user knows the trace.
    std::string name; ///< Short label; not unique.
    std::string format; ///< Name of the format, for example "ctf".
    std::string reader; ///< Reader of the trace: "heliograph", or "babeltrace2" if that library reads it.
    std::string uuid; ///< UUID of the trace; may be empty.
    std::string hostname; ///< Name of the host; may be empty.
    ClockInfo clock;
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    /// Hash of UUID, metadata, packet headers and contents; equal for copies, within the limits of Fingerprint::addContents().
    std::string identity;
    std::uint64_t bytes = 0; ///< Size of all stream files in bytes.
    bool hasTimes = true; ///< False if no event has a time; all events are then at 0.
    RecordingScope part;

    const EnvironmentValue* find(std::string_view key) const;
    std::string text(std::string_view key) const; ///< Text value of the entry; empty if there is none.
    std::int64_t number(std::string_view key, std::int64_t fallback) const;
};

/// Reads the events of one stream in file order, which is time order unless the tracer made errors.
///
/// Threads: to be used by one thread at a time; different streams of one trace may be read at once.
/// Errors: none; damage ends a packet or the stream early and is reported by diagnostics().
class EventStream {
public:
    virtual ~EventStream() = default;

    /// Fills the batch with the next events (at most a few thousand). Returns false at the end. A batch may have losses but no records. A
    /// call should read at most about 100 KB, because reading is cancelled between calls.
    virtual bool next(EventBatch& batch) = 0;

    /// Diagnostics of the part of the stream that has been read so far.
    virtual std::vector<Diagnostic> diagnostics() const = 0;
};

/// Recording of one tracer on one host. Immutable; its files stay mapped as long as it lives.
///
/// Threads: all methods may be called from any thread at once.
class Trace {
public:
    virtual ~Trace() = default;

    virtual const TraceInfo& info() const = 0;
    virtual const EventTypes& eventTypes() const = 0;
    virtual std::span<const StreamInfo> streams() const = 0;

    /// Returns a reader of the stream from position `from`.
    /// Cost: cheap; nothing is read before next().
    virtual std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from = {}) const = 0;

    /// Diagnostics of opening the trace.
    virtual std::span<const Diagnostic> diagnostics() const = 0;

    /// True if another program has written to the trace's files since they were opened: bytes read may then belong to two recordings.
    /// Cost: one stat() for each file.
    virtual bool hasChanged() const { return false; }

    /// True if the bytes of batches stay valid as long as the trace, not only until the stream's next batch: batches may then be read
    /// ahead.
    virtual bool keepsBytes() const { return false; }

    /// Modules of the recorded addresses, by ModuleId; the first is UnknownModule. Empty if none are recorded.
    virtual std::span<const Module> modules() const { return {}; }

    /// Process records in time order; empty if the events themselves carry this information.
    virtual std::span<const ProcessRecord> processRecords() const { return {}; }

    /// CPU topology from the trace's description, not from its events; nullptr if not recorded.
    virtual const CpuTopology* topology() const { return nullptr; }

    /// Reader of the trace's samples; nullptr if no events are samples.
    virtual const SampleReader* samples() const { return nullptr; }
};

/// Files that make up one trace.
struct TraceSource {
    std::filesystem::path path; ///< Folder or file by which the user knows the trace.
    std::vector<std::filesystem::path> parts; ///< Folders or files; a trace that was recorded in chunks has several.
};

/// A trace that is being opened: its description is read, its packets are not found yet.
/// Threads: to be used by one thread at a time.
class TraceOpening {
public:
    using Publish = std::function<void(std::shared_ptr<const Trace>)>;

    virtual ~TraceOpening() = default;

    /// Returns the trace without packets: no event can be read from it, and its identity is unknown.
    virtual std::shared_ptr<const Trace> sketch() const = 0;

    /// Finds the packets and returns the trace; called once. If that takes long, `publish` (if set) receives from time to time a sketch
    /// with the packets found so far.
    /// Errors: Cancelled soon after `stop` is requested.
    virtual Result<std::shared_ptr<const Trace>> finish(const Publish& publish, std::stop_token stop) = 0;
};

/// Returns an opening that is already complete, for formats that open a trace in one step.
std::unique_ptr<TraceOpening> makeFinishedOpening(std::shared_ptr<const Trace> trace);

/// A format of recordings: an item of core/formats.
struct TraceFormat {
    std::string_view name;

    /// Returns the traces at or below `path` in this format; empty if `path` is of another format.
    /// Cost: reads little.
    std::vector<TraceSource> (*find)(const std::filesystem::path& path);

    /// Reads the description of a trace, no more.
    /// Errors: Cancelled soon after `stop` is requested, if reading may take long.
    Result<std::unique_ptr<TraceOpening>> (*begin)(const TraceSource& source, std::stop_token stop);

    Result<std::shared_ptr<const Trace>> open(const TraceSource& source) const;
};

/// All built-in formats, best first. Generated from the folders of core/formats.
std::span<const TraceFormat* const> builtinTraceFormats();

/// True if only some events of the type were recorded: what happened between two of them is unknown, and no states follow from them.
/// Cost: a binary search.
inline bool isSampled(const Trace& trace, EventTypeId type)
{
    const SampleReader* const samples = trace.samples();
    if (!samples)
        return false;
    const auto found = std::ranges::lower_bound(samples->events(), type, {}, &SampleEvent::type);
    return found != samples->events().end() && found->type == type && found->isSampled;
}

} // namespace helio
