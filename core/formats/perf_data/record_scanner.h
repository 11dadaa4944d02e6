#pragma once

#include "core/base/time.h"
#include "core/formats/perf_data/description.h"
#include "core/formats/perf_data/hardware_trace.h"
#include "core/formats/perf_data/jit_dump.h"
#include "core/formats/perf_data/record_walk.h"
#include "core/formats/perf_data/recording_target.h"
#include "core/formats/perf_data/sample_layout.h"
#include "core/formats/perf_data/sideband.h"
#include "core/io/mapped_file.h"
#include "core/io/spill_buffer.h"
#include "core/io/unpack.h"
#include "core/trace/event.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace helio::perf {

/// Collects the losses of events during recording; each lost event counts once. A loss is a gap on the CPU for which the kernel reported
/// it.
class LossCollector {
public:
    /// Registers the time of an event. A gap that is added later begins at the last event on its CPU. Must be called for each event in the
    /// order of the file.
    void onEvent(HostTimestamp time, std::int32_t cpu);
    /// Adds a gap, which the kernel reported at `time`: the number of events that it could not write since the last event on `cpu`.
    void addGap(HostTimestamp time, std::int32_t cpu, std::uint64_t events);
    /// Adds the number of lost samples of one event, which the recorder writes at its end (record__read_lost_samples in perf's
    /// builtin-record.c). The number includes losses that the kernel reported and losses that it could no longer report.
    void addRecorderTotal(std::uint64_t events);

    /// Returns the losses, sorted by start. Lost events that belong to no added gap become one loss at the time `end` on an unknown CPU.
    std::vector<Loss> take(HostTimestamp end);

private:
    std::vector<Loss> m_gaps;
    std::uint64_t m_inGaps = 0; ///< Number of lost events in m_gaps.
    /// Sum of the loss counts that perf writes at the end of a recording, without times. It includes the events in m_gaps.
    std::uint64_t m_recorderTotal = 0;
    std::unordered_map<std::int32_t, HostTimestamp> m_lastOfCpu;
    HostTimestamp m_last; ///< Time of the last event on any CPU.
};

/// Time of an event and position of its record. Only 16 bytes, because a trace may have a hundred million events.
class IndexEntry {
public:
    static constexpr unsigned OffsetBits = 40;
    static constexpr unsigned SourceBits = 10;
    static constexpr std::uint64_t MaxOffset = (std::uint64_t{1} << OffsetBits) - 1;
    static constexpr std::uint32_t MaxSources = 1u << SourceBits;
    static constexpr std::uint32_t MaxTypes = 1u << (64 - OffsetBits - SourceBits);

    IndexEntry() = default;
    IndexEntry(HostTimestamp time, std::uint32_t type, std::uint32_t source, std::uint64_t offset)
        : m_time(time)
        , m_packedPlace(std::uint64_t(type) << (OffsetBits + SourceBits) | std::uint64_t(source) << OffsetBits | offset)
    {
    }

    HostTimestamp time() const { return m_time; }
    /// Event type, source (file or decompressed data) and offset of the record, packed into one number.
    std::uint64_t packedPlace() const { return m_packedPlace; }
    std::uint64_t offset() const { return m_packedPlace & MaxOffset; } ///< Offset in bytes from the start of the source.
    /// Index of the source: the file or the decompressed data that contains the record.
    std::uint32_t source() const { return static_cast<std::uint32_t>(m_packedPlace >> OffsetBits) & (MaxSources - 1); }
    std::uint32_t type() const { return static_cast<std::uint32_t>(m_packedPlace >> (OffsetBits + SourceBits)); }

private:
    HostTimestamp m_time;
    std::uint64_t m_packedPlace = 0;
};

/// Values of IndexEntry::type() for context switches; smaller values are indexes of attributes.
constexpr std::uint32_t SwitchEntry = IndexEntry::MaxTypes - 1;
constexpr std::uint32_t SwitchCpuWideEntry = IndexEntry::MaxTypes - 2;
constexpr std::uint32_t MaxAttributeEntries = IndexEntry::MaxTypes - 2;

/// Finds the attribute of a record by the id in the record.
class AttributeFinder {
public:
    /// Adds an attribute with its index in RecordingDescription::attributes.
    void add(const Attribute& attribute, std::uint32_t index);

    static constexpr std::uint32_t NoAttribute = ~std::uint32_t{0};

    /// Returns the index of a sample's attribute; NoAttribute if it is unknown.
    std::uint32_t findForSample(const Record& record, ByteOrder order) const;
    /// Returns the index of the attribute in the trailer of a record that is not a sample; 0 if the trailer has no id, NoAttribute if the
    /// id is unknown.
    std::uint32_t findForOtherRecord(const Record& record, ByteOrder order) const;

    /// Returns the index of the attribute with an id; 0 for id 0, NoAttribute for an unknown id.
    std::uint32_t find(std::uint64_t id) const;

private:
    std::uint32_t m_count = 0;
    std::uint32_t m_idInSample = SampleLayout::None;
    std::uint32_t m_idInTrailer = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> m_byId;
};

/// Bytes that contain records: a file, or the decompressed data of a file.
struct Source {
    std::shared_ptr<const MappedFile> file; ///< The file; for decompressed data, the file that contains the compressed data.
    std::shared_ptr<SpillBuffer> decompressed; ///< Decompressed data; nullptr if the records are in the file itself.
    std::uint64_t begin = 0; ///< Offset in bytes of the first record, from the start of bytes().
    std::uint64_t end = 0; ///< Offset in bytes of the end of the last record, from the start of bytes().

    std::span<const std::byte> bytes() const { return decompressed ? decompressed->bytes() : file->bytes(); }
};

/// Period of a sample that read a counter: the difference from the counter's previous value.
struct CountedPeriod {
    std::uint64_t packedPlace = 0; ///< Position of the sample's record, as returned by IndexEntry::packedPlace().
    std::uint64_t period = 0;
};

/// Reads all records of a recording once. It makes an index of the events in time order and collects all other records.
///
/// Cost: reads the header and size fields of each record. Memory: 16 bytes for each event, and 8 more during sorting.
class RecordScanner {
public:
    /// `description` is extended by records in pipe mode, for example with attributes.
    RecordScanner(RecordingDescription& description, std::int64_t clockOffset);

    /// Reads the records of one file.
    /// Errors: Cancelled, Corrupt, Full or Unsupported.
    Status read(Source source, std::stop_token stop);
    /// Adds the code that a just-in-time compiler made. `file` is the name of the jitdump file. If `hasTimes` is false, times of the
    /// jitdump file cannot be converted to the recording's clock: all code then counts as placed at `mapped.since`, in the order of the
    /// file.
    void addJitCode(const JitDump& dump, const MappedJitDump& mapped, const std::string& file, bool hasTimes);
    /// Sorts and completes the results, which are the public data members. Must be called after the last read().
    void finish();

    std::vector<Source> sources;
    std::vector<IndexEntry> index; ///< Index of the events; sorted by time after finish().
    std::vector<Loss> losses; ///< Losses sorted by start; set by finish().
    std::vector<SampleLayout> shapes; ///< Layouts of samples, indexed by attribute.
    /// Layouts of the fields that the kernel appends to records other than samples (sample_id), indexed by attribute.
    std::vector<TrailerLayout> trailers;
    AttributeFinder finder;
    Sideband sideband;
    RecordingTarget recorded;
    EventIdCpus cpus;
    HardwareTraces hardwareTraces;
    std::vector<Diagnostic> diagnostics;
    std::vector<CountedPeriod> periods; ///< Periods of samples that read counters, sorted by CountedPeriod::packedPlace.
    /// Attributes of counters that were read together with samples of another event. The key is the counter's attribute; the value is the
    /// attribute of the samples.
    std::map<std::uint32_t, std::uint32_t> readerOfCounter;
    bool hasSwitch = false;
    bool hasSwitchCpuWide = false;

private:
    Status walk(std::uint32_t source, std::uint64_t& at, bool isTailExpected, const std::stop_token& stop);
    Status take(const Record& record, std::uint32_t source);
    void takeSample(const Record& record, std::uint32_t source);
    void takeKernelRecord(const Record& record, std::uint32_t source);
    void takeUserRecord(const Record& record);
    void splitCounterReads();
    void takeAttribute(const Record& record);
    void takeUpdate(const Record& record);
    Status decompress(const Record& record, std::uint32_t source);
    void addAttribute(const Attribute& attribute);
    std::uint32_t minRawSize(std::uint32_t attribute);
    HostTimestamp timeAt(const std::byte* at) const;
    void push(HostTimestamp time, std::int32_t cpu, std::uint32_t type, std::uint32_t source, std::uint64_t offset);
    void report(Diagnostic::Severity severity, std::string kind, const Record* record, std::uint32_t source, std::string what,
                std::uint64_t count = 1);

    RecordingDescription& m_description;
    std::array<bool, FeatureBits> m_hasFeature{}; ///< True if a record in pipe mode contained the feature; indexed by Feature.
    const ByteOrder m_order;
    const std::int64_t m_clockOffset;
    /// Minimum size in bytes of a tracepoint's raw data (results of minRawSize()), keyed by attribute.
    std::unordered_map<std::uint32_t, std::uint32_t> m_minRawSizes;
    std::unique_ptr<ZstdStream> m_zstd;
    std::uint64_t m_compressed = 0; ///< Number of compressed bytes that were decompressed so far.
    std::uint64_t m_decompressedAt = 0; ///< Offset of the end of the last record that was read from the current source's decompressed data.
    LossCollector m_lost;
    bool m_hasGuestCode = false; ///< True if a sample is from code of a guest.
    bool m_isSorted = true; ///< True while `index` is sorted by time.
};

} // namespace helio::perf
