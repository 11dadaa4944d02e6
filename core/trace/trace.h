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

/// Clock from which the time stamps of a trace were read.
struct ClockInfo {
    std::string name;
    std::string uuid; ///< UUID of the clock; for LTTng the boot id, the best identity of a running kernel. May be empty.
    std::string description;
    std::uint64_t frequency = 1'000'000'000; ///< Frequency in Hz.
    std::int64_t offset = 0; ///< Time at clock value 0, in ns since the epoch (sum of the offsets in seconds and in cycles).
    bool isAbsolute = false; ///< True if times are ns since the Unix epoch.
};

/// Position, time range and lost events of a packet, known without reading its events.
struct PacketInfo {
    std::uint32_t file = 0; ///< Index of the packet's file in StreamInfo::files.
    std::uint64_t offset = 0; ///< Position in bytes from the start of the file.
    std::uint64_t size = 0; ///< Size in bytes, padding included.
    std::uint64_t contentBits = 0;
    std::optional<HostRange> range; ///< Time range that the packet's header claims; not reliable for ordering.
    std::uint64_t discarded = 0; ///< Number of events lost since the previous packet.
    std::int32_t cpu = -1;
};

struct StreamInfo {
    /// Label, stable and unique in its trace: the name of the stream's file or, without a file, stream class and instance: "0:3".
    std::string label;
    std::int32_t cpu = -1; ///< CPU of the stream, if all its packets have the same CPU; else -1.
    std::vector<std::filesystem::path> files;
    std::vector<PacketInfo> packets;
    /// False if the events of the stream were recorded without times. They get the start time of the earliest packet that has a time; time
    /// 0 if there is no such packet.
    bool hasTimes = true;
};

/// Certainty that a file has the recognized format, in ascending order.
enum class Recognition : std::uint8_t {
    Guess, ///< The content is valid in the format, but also common in other files, for example lines of words that end with a number.
    Structure, ///< The beginning of the content has the structure of the format.
    Signature, ///< The content begins with the format's magic number or signature.
};

/// Returns a phrase for how the format was recognized, e.g. "by its magic number".
std::string_view groundOf(Recognition recognition);
/// Returns the word by which machine-readable output says how a file's format was recognized: "guess", "structure" or "signature".
std::string_view wordOf(Recognition recognition);

using EnvironmentValue = std::variant<std::int64_t, std::string>;

/// Threads and CPUs to which a recording is limited: only their events were recorded. The default is no limit.
struct RecordingScope {
    std::vector<std::int32_t> threads; ///< Thread ids; empty if not limited.
    /// True if the recording also covers the threads that the threads in `threads` create, directly or indirectly.
    bool hasChildren = false;
    /// False if only some CPUs were recorded: a thread that leaves a recorded CPU may continue on another CPU without any event.
    bool hasAllCpus = true;

    bool isAll() const { return threads.empty() && hasAllCpus; }
};

/// A guest (virtual machine) that was recorded together with its host. The data come from the host's recording.
struct RecordedGuest {
    std::string name;
    std::string id; ///< RecordingSession::id of the guest's recording.
    /// Pairs of a guest CPU's number and the TID of the host thread that runs it.
    std::vector<std::pair<std::int32_t, std::int32_t>> vcpus;
};

/// Relation of a recording to other recordings of the same session. In a session, a tracer records a host and its guests together.
struct RecordingSession {
    std::string id; ///< Id of the recording; empty if it has none.
    /// For a guest's recording: id of the host's recording whose clock the times were converted to; empty if the times were not converted.
    std::string hostId;
    std::vector<RecordedGuest> guests;
};

struct TraceInfo {
    std::filesystem::path path; ///< Folder or file by which the trace is shown to the user.
    std::string name; ///< Short label for the user; not unique.
    std::string format; ///< Name of the format, for example "ctf".
    std::string reader; ///< Reader of the trace: "heliograph", or "babeltrace2" if that library reads it.
    Recognition recognition = Recognition::Signature;
    std::string uuid; ///< UUID of the trace; may be empty.
    std::string hostname; ///< Name of the host; may be empty.
    ClockInfo clock;
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    /// Hash of UUID, metadata, packet headers and contents, by which a trace is recognized; copies have the same hash, within the limits of
    /// Fingerprint::addContents().
    std::string identity;
    std::uint64_t bytes = 0; ///< Size of all stream files in bytes.
    bool hasTimes = true; ///< False if no event of the trace has a time; all events are then at time 0.
    /// Recorded end of the trace, if it is later than the last event: the last sample of a profile covers time after it. min() if unknown.
    HostTimestamp end = HostTimestamp::min();
    RecordingScope part;
    RecordingSession session;

    const EnvironmentValue* find(std::string_view key) const;
    std::string text(std::string_view key) const; ///< Returns the text value of the entry `key`; empty if `key` has no text value.
    std::int64_t number(std::string_view key, std::int64_t fallback) const;
};

/// Reads the events of one stream in file order, which is time order unless the tracer made errors.
///
/// Threads: to be used by one thread at a time; different streams of one trace may be read at once.
/// Errors: none; damage ends a packet or the stream early and is reported by diagnostics().
class EventStream {
public:
    virtual ~EventStream() = default;

    /// Fills the batch with the next events (at most a few thousand). Returns false at the end of the stream. A batch may contain losses
    /// but no event records. A call should read at most about 100 KB, because cancelling takes effect only between calls.
    virtual bool next(EventBatch& batch) = 0;

    /// Diagnostics of the part of the stream that has been read so far.
    virtual std::vector<Diagnostic> diagnostics() const = 0;
};

/// Prints events in the same form as the tracer's own tools, for example by the print formats of the kernel's tracepoints.
/// Threads: to be used by one thread at a time.
class EventTexts {
public:
    virtual ~EventTexts() = default;

    /// Appends the text of an event to `text`, without the event's time, CPU, thread and name. Returns false if the tracer defines no text
    /// for the event, or if that text cannot be made.
    virtual bool append(std::string& text, const EventView& event) = 0;
};

/// Recording of one tracer on one host. Immutable; the trace's files stay mapped during its lifetime.
///
/// Threads: all methods may be called from any thread at once.
class Trace {
public:
    virtual ~Trace() = default;

    virtual const TraceInfo& info() const = 0;
    virtual const EventTypes& eventTypes() const = 0;
    virtual std::span<const StreamInfo> streams() const = 0;

    /// Returns a reader of the stream that starts at position `from`.
    /// Cost: cheap; nothing is read before next().
    virtual std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from = {}) const = 0;

    /// Problems found when the trace was opened.
    virtual std::span<const Diagnostic> diagnostics() const = 0;

    /// True if another program has written to the trace's files since they were opened: the bytes read may then be a mixture of two
    /// recordings.
    /// Cost: one stat() for each file.
    virtual bool hasChanged() const { return false; }

    /// True if the bytes of batches stay valid during the trace's lifetime, not only until the stream's next batch. Only then may batches
    /// be read ahead.
    virtual bool keepsBytes() const { return false; }

    /// Modules that contain the recorded addresses, by ModuleId; the first is UnknownModule. Empty if no modules are recorded.
    virtual std::span<const Module> modules() const { return {}; }

    /// Records of processes in time order; empty if the events themselves contain this information.
    virtual std::span<const ProcessRecord> processRecords() const { return {}; }

    /// CPU topology from the trace's description, not from its events; nullptr if not recorded.
    virtual const CpuTopology* topology() const { return nullptr; }

    /// Reader of the trace's samples; nullptr if none of its events are samples.
    virtual const SampleReader* samples() const { return nullptr; }

    /// Returns the name of the kernel function at an address, from the symbols in the recording; empty if the symbols do not contain it.
    /// Cost: the first call sorts the symbols; each later call is a binary search.
    virtual std::string_view kernelFunction(std::uint64_t) const { return {}; }

    /// True if the recording contains symbols of the kernel, which kernelFunction() uses.
    virtual bool hasKernelFunctions() const { return false; }

    /// Returns an object that prints the trace's events; nullptr if the recording does not describe the events' texts. The trace must
    /// outlive the object.
    /// Cost: the call is cheap; printing the first event takes up to a second.
    virtual std::unique_ptr<EventTexts> makeEventTexts() const { return nullptr; }
};

/// Files that make up one trace.
struct TraceSource {
    std::filesystem::path path; ///< Folder or file by which the trace is shown to the user.
    std::vector<std::filesystem::path> parts; ///< Folders or files of the trace; several if the trace was recorded in chunks.
    Recognition recognition = Recognition::Signature;
};

/// Text of another recording that a trace's file contains, for example the text of ftrace in a trace of Chrome.
struct EmbeddedText {
    std::string name; ///< Name of the part of the file, without '/'.
    std::string text;
};

/// A trace that is being opened: its description was read, its packets are not found yet.
/// Threads: to be used by one thread at a time.
class TraceOpening {
public:
    using Publish = std::function<void(std::shared_ptr<const Trace>)>;

    virtual ~TraceOpening() = default;

    /// Returns a preliminary trace without packets: it has no events, and its identity is unknown.
    virtual std::shared_ptr<const Trace> provisionalTrace() const = 0;

    /// Finds the packets and returns the complete trace. Called once. During a long search, `publish` (if set) receives preliminary traces
    /// with the packets found so far.
    /// Errors: Cancelled soon after `stop` is requested.
    virtual Result<std::shared_ptr<const Trace>> finish(const Publish& publish, std::stop_token stop) = 0;

    /// Returns the texts of other recordings in the trace's file, and forgets them. Their content decides which format reads them.
    virtual std::vector<EmbeddedText> takeEmbedded() { return {}; }
};

/// Returns a TraceOpening whose trace is complete already, for formats that read description and packets in one step.
std::unique_ptr<TraceOpening> makeFinishedOpening(std::shared_ptr<const Trace> trace, std::vector<EmbeddedText> embedded = {});

/// A format of recordings. Each format is a folder of core/formats.
struct TraceFormat {
    std::string_view name;

    /// Returns the traces at or below `path` in this format; empty if `path` is of another format.
    /// Cost: reads little.
    std::vector<TraceSource> (*find)(const std::filesystem::path& path);

    /// Begins to open a trace: reads only its description.
    /// Errors: Cancelled soon after `stop` is requested, in formats whose description may take long to read.
    Result<std::unique_ptr<TraceOpening>> (*begin)(const TraceSource& source, std::stop_token stop);

    Result<std::shared_ptr<const Trace>> open(const TraceSource& source) const;

    /// For text formats that are the output of a tool: name of the binary format that the tool reads, e.g. "perf.data" for the output of
    /// perf script. Empty for all other formats.
    std::string_view printOf{};
};

/// All built-in formats, best first. Generated from the folders of core/formats.
std::span<const TraceFormat* const> builtinTraceFormats();

/// True if the tracer recorded only some of the type's events. No states follow from such events, because changes between two recorded
/// events are unknown.
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
