#pragma once

#include "core/formats/perf_data/description.h"
#include "core/formats/perf_data/losses.h"
#include "core/formats/perf_data/record_index.h"
#include "core/formats/perf_data/record_walk.h"
#include "core/formats/perf_data/sample_shape.h"
#include "core/formats/perf_data/sideband.h"
#include "core/formats/perf_data/target.h"
#include "core/io/mapped_file.h"
#include "core/io/spill_buffer.h"
#include "core/io/zstd_stream.h"

#include <array>
#include <map>
#include <memory>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace helio::perf {

/// Which event a record belongs to.
class AttributeFinder {
public:
    /// One more attribute is known; it must stay where it is while others are added.
    void add(const Attribute& attribute, std::uint32_t index);

    static constexpr std::uint32_t NoAttribute = ~std::uint32_t{0};

    std::uint32_t ofSample(const Record& record, ByteOrder order) const;
    /// Of any other record, by its trailer.
    std::uint32_t ofOther(const Record& record, ByteOrder order) const;

    std::uint32_t find(std::uint64_t id) const;

private:
    std::uint32_t m_count = 0;
    std::uint32_t m_idInSample = SampleShape::None;
    std::uint32_t m_idInTrailer = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> m_byId;
};

/// Bytes that records lie in: a file, or what was decompressed of it.
struct Source {
    std::shared_ptr<const MappedFile> file; ///< Of this or, decompressed, from this.
    std::shared_ptr<SpillBuffer> decompressed; ///< Null for the file itself.
    std::uint64_t begin = 0; ///< Where records begin.
    std::uint64_t end = 0;

    std::span<const std::byte> bytes() const { return decompressed ? decompressed->bytes() : file->bytes(); }
};

/// What a sample that read a counter stands for: how far the counter went since it was last read.
struct CountedPeriod {
    std::uint64_t place = 0; ///< IndexEntry::place().
    std::uint64_t period = 0;
};

/// Reads all records of a recording once: puts the events in order of time, collects what is recorded beside them.
///
/// Cost: touches every record's header and size fields, 16 bytes an event, and 8 more while it sorts.
class Scan {
public:
    /// In pipe mode the attributes come with the records: `description` grows.
    Scan(Description& description, std::int64_t clockOffset);

    /// One file's records. Errors: Cancelled, Full.
    Status read(Source source, std::stop_token stop);
    void finish();

    std::vector<Source> sources;
    std::vector<IndexEntry> index; ///< Sorted by finish().
    std::vector<Loss> losses; ///< By their begin.
    std::vector<SampleShape> shapes; ///< By attribute.
    std::vector<TrailerShape> trailers;
    AttributeFinder finder;
    Sideband sideband;
    Target recorded;
    CpusOfIds cpus;
    std::vector<Diagnostic> diagnostics;
    std::vector<CountedPeriod> periods; ///< Of samples that read counters, by place.
    std::map<std::uint32_t, std::uint32_t> readers; ///< Attributes whose counters samples of another one, or of them, read: which one's.
    bool hasSwitch = false;
    bool hasSwitchCpuWide = false;

private:
    Status walk(std::uint32_t source, std::uint64_t& at, bool isTailExpected, const std::stop_token& stop);
    Status take(const Record& record, std::uint32_t source);
    void takeSample(const Record& record, std::uint32_t source);
    void takeOther(const Record& record, std::uint32_t source);
    void takeUserRecord(const Record& record);
    void splitReads();
    void takeAttribute(const Record& record);
    void takeUpdate(const Record& record);
    Status decompress(const Record& record, std::uint32_t source);
    void addAttribute(const Attribute& attribute);
    std::uint32_t leastRaw(std::uint32_t attribute);
    HostTimestamp timeAt(const std::byte* at) const;
    void push(HostTimestamp time, std::int32_t cpu, std::uint32_t type, std::uint32_t source, std::uint64_t offset);
    void report(Diagnostic::Severity severity, std::string kind, const Record* record, std::uint32_t source, std::string what,
                std::uint64_t count = 1);

    Description& m_description;
    std::array<bool, FeatureBits> m_hasFeature{}; ///< By Feature: a record of a pipe said it.
    const ByteOrder m_order;
    const std::int64_t m_clockOffset;
    std::unordered_map<std::uint32_t, std::uint32_t> m_leastRaw; ///< By attribute.
    std::unique_ptr<ZstdStream> m_zstd;
    std::uint64_t m_compressed = 0; ///< Bytes decompressed so far, as they lie in the file.
    std::uint64_t m_decompressedAt = 0; ///< Up to where what was decompressed of the current source was walked.
    Losses m_lost;
    bool m_isSorted = true;
};

} // namespace helio::perf
