#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/cpu_topology.h"
#include "core/trace/event.h"
#include "core/trace/fields/event_type.h"
#include "core/trace/process/module.h"
#include "core/trace/process/sample_view.h"

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

/// A clock that time stamps were read from.
struct ClockInfo {
    std::string name;
    std::string uuid; ///< LTTng: the boot id, the best identity of a running kernel. May be empty.
    std::string description;
    std::uint64_t frequency = 1'000'000'000; ///< Hz.
    std::int64_t offset = 0; ///< ns that a clock value of 0 lies after the epoch (seconds and cycles together).
    bool isAbsolute = false; ///< Times are ns since the Unix epoch.
};

/// What is known of a packet without reading its events.
struct PacketInfo {
    std::uint32_t file = 0; ///< Index in StreamInfo::files.
    std::uint64_t offset = 0; ///< Bytes from the start of the file.
    std::uint64_t size = 0; ///< Bytes, padding included.
    std::uint64_t contentBits = 0;
    std::optional<HostRange> range; ///< As the packet claims. Not to be trusted for order.
    std::uint64_t discarded = 0; ///< Events lost since the previous packet.
    std::int32_t cpu = -1;
};

struct StreamInfo {
    std::string label; ///< Stable and unique in its trace: the file's name, or class and instance.
    std::int32_t cpu = -1; ///< Where all packets say the same CPU.
    std::vector<std::filesystem::path> files;
    std::vector<PacketInfo> packets;
    bool hasTimes = true; ///< False: its events have no times. They lie where those of other streams begin, else at 0.
};

using EnvironmentValue = std::variant<std::int64_t, std::string>;

/// Which threads and CPUs a recording is of: their events alone are in it, and of others it says nothing. As made: of all.
struct RecordedPart {
    std::vector<std::int32_t> threads; ///< Their tids; empty: all.
    bool hasChildren = false; ///< The threads that they start, too.
    bool hasAllCpus = true; ///< False: a thread that leaves one of its CPUs may go on at another, unseen.

    bool isAll() const { return threads.empty() && hasAllCpus; }
};

struct TraceInfo {
    std::filesystem::path path; ///< What names it to people: the folder or file.
    std::string name; ///< Short label, unique in no way.
    std::string format; ///< "ctf"...
    std::string reader; ///< "heliograph", or "babeltrace2" where that library reads it.
    std::string uuid; ///< May be empty.
    std::string hostname; ///< May be empty.
    ClockInfo clock;
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::string
        identity; ///< Hash of UUID, metadata, packet headers and contents; equal for copies, as far as Fingerprint::addContents() says.
    std::uint64_t bytes = 0; ///< Of all stream files.
    bool hasTimes = true; ///< False: nothing in it has a time; all its events lie at 0.
    RecordedPart part;

    const EnvironmentValue* find(std::string_view key) const;
    std::string text(std::string_view key) const; ///< Empty where there is none.
    std::int64_t number(std::string_view key, std::int64_t fallback) const;
};

/// Reads one stream's events in file order, which is time order but for what tracers got wrong.
///
/// Threads: one thread at a time; different streams of one trace may be read at once.
/// Errors:  none; damage ends a packet or the stream early and is reported by diagnostics().
class EventStream {
public:
    virtual ~EventStream() = default;

    /// Replaces the batch by the next run of events (at most a few thousand). False: the end.
    /// A batch may be empty of records, and may yet hold losses. A call should read no more than some 100 KB: reading is stopped between
    /// calls.
    virtual bool next(EventBatch& batch) = 0;

    /// What was unusual in what has been read so far.
    virtual std::vector<Diagnostic> diagnostics() const = 0;
};

/// What one tracer recorded on one host. Immutable; files stay mapped as long as it lives.
///
/// Threads: all methods may be called from any thread at once.
class Trace {
public:
    virtual ~Trace() = default;

    virtual const TraceInfo& info() const = 0;
    virtual const EventTypes& eventTypes() const = 0;
    virtual std::span<const StreamInfo> streams() const = 0;

    /// A reader from `from` on. Cheap: nothing is read before next().
    virtual std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from = {}) const = 0;

    /// What was unusual when it was opened.
    virtual std::span<const Diagnostic> diagnostics() const = 0;

    /// True if another program has written to the trace's files since they were opened: what was read may belong to two recordings.
    /// Cost: a stat() for each file.
    virtual bool hasChanged() const { return false; }

    /// The bytes of batches stay valid as long as the trace, not only until their stream goes on: batches may be read ahead.
    virtual bool keepsBytes() const { return false; }

    /// The code that its addresses lie in, by ModuleId; the first is the unknown one. Empty where none is recorded.
    virtual std::span<const Module> modules() const { return {}; }

    /// In time order. Empty where the events themselves say it.
    virtual std::span<const ProcessRecord> processRecords() const { return {}; }

    /// Where its machine's CPUs lie, as its description says, not its events. Null where that is not there.
    virtual const CpuTopology* topology() const { return nullptr; }

    /// Null where none of its events are samples.
    virtual const SampleReader* samples() const { return nullptr; }
};

/// The files that make up one trace.
struct TraceSource {
    std::filesystem::path path; ///< What names it to people.
    std::vector<std::filesystem::path> parts; ///< Folders or files: chunks of one trace have several.
};

/// A trace on its way in: what it says of itself is read, its packets are still to be found. One thread at a time.
class TraceOpening {
public:
    using Publish = std::function<void(std::shared_ptr<const Trace>)>;

    virtual ~TraceOpening() = default;

    /// The trace without packets: no event can be read from it, and its identity is not known yet.
    virtual std::shared_ptr<const Trace> sketch() const = 0;

    /// Finds the packets and hands over the trace; called once. Where that takes long, `publish` (if any) gets sketches with the packets
    /// found so far, now and then. Errors: Cancelled soon after `stop` is requested.
    virtual Result<std::shared_ptr<const Trace>> finish(const Publish& publish, std::stop_token stop) = 0;
};

/// For what is opened in one step.
std::unique_ptr<TraceOpening> alreadyOpened(std::shared_ptr<const Trace> trace);

/// A kind of recording: a shelf item of core/formats.
struct TraceFormat {
    std::string_view name;

    /// The traces at or below `path` that this format reads; none where it is not its own. Reads little.
    std::vector<TraceSource> (*find)(const std::filesystem::path& path);

    /// Reads no more than the description. Errors: Cancelled soon after `stop` is requested, where that may take long.
    Result<std::unique_ptr<TraceOpening>> (*begin)(const TraceSource& source, std::stop_token stop);

    Result<std::shared_ptr<const Trace>> open(const TraceSource& source) const;
};

/// Every format that was built in, best first. Generated from the folders of core/formats.
std::span<const TraceFormat* const> builtinTraceFormats();

} // namespace helio
