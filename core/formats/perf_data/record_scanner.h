#pragma once

#include "core/base/time.h"
#include "core/formats/perf_data/description.h"
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

/// Collects the events that were lost during recording, each event once. A loss is a gap on the CPU where the kernel reported it.
class LossCollector {
public:
    /// Notes an event. Must be called for each event in the file's order: a gap begins at the last event before it on its CPU.
    void onEvent(HostTimestamp time, std::int32_t cpu);
    /// Adds a gap. At `time`, the kernel reported the number of events that it could not write since the last event on `cpu`.
    void addGap(HostTimestamp time, std::int32_t cpu, std::uint64_t events);
    /// Adds a total that the recorder writes at its end: the number of lost samples of an event (record__read_lost_samples in perf's
    /// builtin-record.c). It includes the losses that the kernel reported and those that it could no longer report.
    void addRecorderTotal(std::uint64_t events);

    /// Returns the losses sorted by their begin. Events that only the totals include become a loss at `end` on an unknown CPU.
    std::vector<Loss> take(HostTimestamp end);

private:
    std::vector<Loss> m_gaps;
    std::uint64_t m_inGaps = 0; ///< Number of lost events in m_gaps.
    std::uint64_t m_inAll = 0; ///< Number of lost events by the recorder's totals.
    std::unordered_map<std::int32_t, HostTimestamp> m_lastOfCpu;
    HostTimestamp m_last; ///< Time of the last event on any CPU.
};

/// Time of an event and position of its record. It has only 16 bytes, because a trace may have a hundred million events.
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
        , m_place(std::uint64_t(type) << (OffsetBits + SourceBits) | std::uint64_t(source) << OffsetBits | offset)
    {
    }

    HostTimestamp time() const { return m_time; }
    std::uint64_t place() const { return m_place; } ///< Type, source and offset in one number.
    std::uint64_t offset() const { return m_place & MaxOffset; } ///< Bytes from the begin of its source.
    std::uint32_t source() const { return static_cast<std::uint32_t>(m_place >> OffsetBits) & (MaxSources - 1); } ///< Index of its Source.
    std::uint32_t type() const { return static_cast<std::uint32_t>(m_place >> (OffsetBits + SourceBits)); }

private:
    HostTimestamp m_time;
    std::uint64_t m_place = 0;
};

/// Types of IndexEntry other than the index of an attribute.
constexpr std::uint32_t SwitchEntry = IndexEntry::MaxTypes - 1;
constexpr std::uint32_t SwitchCpuWideEntry = IndexEntry::MaxTypes - 2;
constexpr std::uint32_t MaxAttributeEntries = IndexEntry::MaxTypes - 2;

/// Finds the attribute that a record belongs to.
class AttributeFinder {
public:
    /// Adds an attribute with its index in RecordingDescription::attributes.
    void add(const Attribute& attribute, std::uint32_t index);

    static constexpr std::uint32_t NoAttribute = ~std::uint32_t{0};

    /// Returns the index of a sample's attribute; NoAttribute if unknown.
    std::uint32_t findForSample(const Record& record, ByteOrder order) const;
    /// Returns the index of the attribute of a record that is not a sample, from its trailer; 0 if unknown, NoAttribute if there is none.
    std::uint32_t findForOtherRecord(const Record& record, ByteOrder order) const;

    /// Returns the index of the attribute with an id; 0 for id 0, NoAttribute for an unknown id.
    std::uint32_t find(std::uint64_t id) const;

private:
    std::uint32_t m_count = 0;
    std::uint32_t m_idInSample = SampleLayout::None;
    std::uint32_t m_idInTrailer = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> m_byId;
};

/// Bytes that contain records: a file, or data that was decompressed from a file.
struct Source {
    std::shared_ptr<const MappedFile> file; ///< The file, also if the bytes were decompressed from it.
    std::shared_ptr<SpillBuffer> decompressed; ///< Decompressed data; nullptr if the bytes are the file itself.
    std::uint64_t begin = 0; ///< Offset of the first record in bytes.
    std::uint64_t end = 0; ///< Offset after the last record in bytes.

    std::span<const std::byte> bytes() const { return decompressed ? decompressed->bytes() : file->bytes(); }
};

/// Period of a sample that read a counter: the difference to the counter's previous value.
struct CountedPeriod {
    std::uint64_t place = 0; ///< IndexEntry::place() of the sample.
    std::uint64_t period = 0;
};

/// Reads all records of a recording once. It makes an index of the events in order of time, and collects all other records.
///
/// Cost: reads every record's header and size fields. Needs 16 bytes of memory for each event, and 8 more while it sorts.
class RecordScanner {
public:
    /// In pipe mode, the records extend `description`, for example with attributes.
    RecordScanner(RecordingDescription& description, std::int64_t clockOffset);

    /// Reads the records of one file. Errors: Cancelled, Corrupt, Full or Unsupported.
    Status read(Source source, std::stop_token stop);
    /// Completes the members. Must be called after the last read().
    void finish();

    std::vector<Source> sources;
    std::vector<IndexEntry> index; ///< Events; finish() sorts them by time.
    std::vector<Loss> losses; ///< Sorted by begin; set by finish().
    std::vector<SampleLayout> shapes; ///< Layout of samples, by attribute.
    std::vector<TrailerLayout> trailers; ///< Layout of trailers, by attribute.
    AttributeFinder finder;
    Sideband sideband;
    RecordingTarget recorded;
    EventIdCpus cpus;
    std::vector<Diagnostic> diagnostics;
    std::vector<CountedPeriod> periods; ///< Periods of samples that read counters, sorted by place.
    std::map<std::uint32_t, std::uint32_t> readers; ///< Attribute of the samples that read a counter, by the counter's attribute.
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
    std::array<bool, FeatureBits> m_hasFeature{}; ///< True for features that a pipe's record had, by Feature.
    const ByteOrder m_order;
    const std::int64_t m_clockOffset;
    std::unordered_map<std::uint32_t, std::uint32_t> m_minRawSizes; ///< Results of minRawSize(), by attribute.
    std::unique_ptr<ZstdStream> m_zstd;
    std::uint64_t m_compressed = 0; ///< Size of the compressed data that was decompressed so far, in bytes.
    std::uint64_t m_decompressedAt = 0; ///< Offset after the last record taken from the current source's decompressed data.
    LossCollector m_lost;
    bool m_isSorted = true; ///< True if `index` is sorted by time.
};

} // namespace helio::perf
