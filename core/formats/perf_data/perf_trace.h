#pragma once

#include "core/formats/perf_data/record_scanner.h"
#include "core/trace/trace.h"

#include <map>
#include <string>
#include <vector>

namespace helio::perf {

/// Event type and attribute that belong to a type of index entries (IndexEntry::type()).
struct IndexEntryType {
    EventTypeId type{};
    std::uint32_t attribute = 0;
    bool isTracepoint = false; ///< True if the event's payload is the raw part of a sample.
};

/// Trace of a recording by perf. All its events are one stream in time order.
class PerfTrace final : public Trace, private SampleReader {
public:
    /// Makes the event types and all other data that do not depend on records. Before fill() is called, the trace has no events and can be
    /// the provisional trace of TraceOpening::provisionalTrace().
    PerfTrace(RecordingDescription description, TraceInfo info, const EventIdCpus& ids = {});

    /// Adds the events, losses, modules and process records that `scan` found.
    void fill(RecordScanner scan);

    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_types; }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override;
    std::span<const Diagnostic> diagnostics() const override { return m_diagnostics; }
    bool hasChanged() const override;
    bool keepsBytes() const override { return true; }
    std::span<const Module> modules() const override { return m_modules; }
    std::span<const ProcessRecord> processRecords() const override { return m_processRecords; }
    const CpuTopology* topology() const override { return m_description.topology.isEmpty() ? nullptr : &m_description.topology; }
    const SampleReader* samples() const override { return m_samples.empty() ? nullptr : this; }
    std::unique_ptr<EventTexts> makeEventTexts() const override;

private:
    friend class PerfStream;

    std::span<const SampleEvent> events() const override { return m_samples; }
    const std::string& machine() const override { return m_machine; }
    bool read(const EventView& event, SampleView& sample) const override;
    const IndexEntryType& kindOf(std::uint32_t entryType) const;
    std::uint64_t findCountedPeriod(const EventView& event, std::uint64_t otherwise) const;
    void completeKernelModules();
    void reportSampled();
    void setRecordedPart(const RecordingTarget& target);
    void addStream();

    RecordingDescription m_description;
    TraceInfo m_info;
    std::string m_machine;
    EventTypes m_types;
    /// Types of index entries: those of all attributes, then SWITCH and SWITCH_CPU_WIDE; parallel to m_types.
    std::vector<IndexEntryType> m_kinds;
    std::vector<SampleEvent> m_samples;
    std::vector<SampleLayout> m_shapes;
    std::vector<TrailerLayout> m_trailers;
    AttributeFinder m_finder;
    std::vector<Source> m_sources;
    std::vector<IndexEntry> m_index;
    EventIdCpus m_cpus;
    /// Names of the guests that recorded samples themselves, e.g. "guest 1234"; keyed by guest.
    std::map<std::int32_t, std::string> m_guestNames;
    std::vector<CountedPeriod> m_periods; ///< Periods of samples that read counters, sorted by CountedPeriod::packedPlace.
    std::vector<Loss> m_losses;
    std::vector<StreamInfo> m_streams;
    std::vector<Module> m_modules;
    std::vector<ProcessRecord> m_processRecords;
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace helio::perf
