#pragma once

#include "core/query/rows/sampled_rows.h"
#include "core/sql/model/recorded_things.h"
#include "core/store/samples.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::sql {

/// A sample as a row of the table `sample`.
struct SampleRow {
    Timestamp ts;
    std::uint32_t source = 0; ///< Index into Samples::sources().
    std::uint64_t number = 0; ///< Number of the sample among those of its source.
    HostSample sample;
};

/// Samples of a trace that the same profiler took.
struct SampleSession {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::string profiler; ///< Profiler as the tables of the field name it, e.g. "linux.perf"; else the name of the trace's format.
    std::string unit; ///< Unit of what the profiler counts to take a sample, e.g. "ns" or "cycles"; empty if unknown.
    std::string command; ///< Command line of the profiler; empty if unknown.
};

/// The samples of one kind in one store.
struct SampleSource {
    /// Role of the samples among those of their recording.
    enum class Role : std::uint8_t {
        Recorded, ///< Each sample is one sample of the recording, or a sum that the recording has.
        GroupMember, ///< Values of a counter that was read with the samples of another counter.
        Derived, ///< Waits that were derived from other samples.
    };

    StoreIndex store{};
    SampleKindId kind{};
    const SampleKind* description = nullptr; ///< Valid as long as the timeline.
    Role role = Role::Recorded;
    std::uint32_t session = 0; ///< Index into Samples::sessions().
    std::uint64_t first = 0; ///< Id of the first sample.
    std::uint64_t count = 0;
};

/// All stored samples of a timeline. Ids number them: source after source, and in the order of the store within a source. The same
/// recording always gets the same ids.
///
/// Threads: to be used by one thread.
class Samples {
public:
    explicit Samples(std::shared_ptr<const RecordedThings> things);

    const RecordedThings& things() const { return *m_things; }
    const std::vector<SampleSource>& sources() const { return m_sources; }
    const std::vector<SampleSession>& sessions() const { return m_sessions; }
    const SampleSession& sessionOf(const SampleRow& row) const { return m_sessions[m_sources[row.source].session]; }
    std::uint64_t total() const { return m_sources.empty() ? 0 : m_sources.back().first + m_sources.back().count; }

    /// Appends the samples of a source whose time is in `part`.
    void append(std::uint32_t source, TimeRange part, std::vector<SampleRow>& out, const std::stop_token& stop) const;
    /// Returns the sample with an id; nullopt if there is none, or if it is damaged.
    std::optional<SampleRow> find(std::int64_t id) const;
    std::int64_t idOf(const SampleRow& row) const { return static_cast<std::int64_t>(m_sources[row.source].first + row.number); }

    /// Returns the sampled thread, as an index into RecordedThings::threads(); nullopt if it is unknown.
    std::optional<std::uint32_t> threadOf(const SampleRow& row) const;

private:
    std::uint32_t findSession(std::uint32_t trace, const SampleKind& kind);
    SampleRow rowOf(std::uint32_t source, std::uint64_t number, const HostSample& sample) const;

    std::shared_ptr<const RecordedThings> m_things;
    std::vector<SampleSource> m_sources;
    std::vector<SampleSession> m_sessions;
    mutable std::map<StoreIndex, SampledRows> m_rows; ///< Rows of the sampled threads of each store, made at first use.
};

} // namespace helio::sql
