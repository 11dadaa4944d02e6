#pragma once

#include "core/io/partial_file.h"
#include "core/trace/packed/index_description.h"

#include <filesystem>
#include <memory>
#include <string>

namespace helio {

/// Trace whose index is here without the recording, because it was packed, or because the recording is on another machine: its stores are
/// available, its streams are empty.
class IndexOnlyTrace final : public Trace, private SampleReader {
public:
    /// `path`: path by which the trace is shown to the user. `stores`: folder with the stores. `rest`: fetches the bytes of the stores that
    /// are on another machine; nullptr if all are here.
    /// Requires: readIndexDescription() returned `description`.
    IndexOnlyTrace(IndexDescription description, std::filesystem::path path, std::filesystem::path stores,
                   std::shared_ptr<const PartialFolder> rest = nullptr);

    const std::filesystem::path& storeDirectory() const { return m_stores; } ///< Folder with the stores of the trace.
    const std::filesystem::path& recordedPath() const { return m_recordedPath; } ///< Path of the recording where it was indexed.
    const PartialFolder* rest() const { return m_rest.get(); } ///< Bytes of the stores on another machine; nullptr if all are here.

    const TraceInfo& info() const override { return m_description.info; }
    const EventTypes& eventTypes() const override { return m_types; }
    std::span<const StreamInfo> streams() const override { return m_description.streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override;
    std::span<const Diagnostic> diagnostics() const override { return m_description.diagnostics; }
    bool keepsBytes() const override { return true; }
    std::span<const Module> modules() const override { return m_description.modules; }
    std::span<const ProcessRecord> processRecords() const override { return m_description.processRecords; }
    const CpuTopology* topology() const override { return m_description.topology ? &*m_description.topology : nullptr; }
    const SampleReader* samples() const override { return m_description.samples.empty() ? nullptr : this; }

private:
    std::span<const SampleEvent> events() const override { return m_description.samples; }
    const std::string& machine() const override { return m_description.machine; }
    std::span<const RecordedFrame> stacks() const override { return m_description.stacks; }
    bool read(const EventView&, SampleView&) const override { return false; }

    IndexDescription m_description;
    std::filesystem::path m_recordedPath;
    std::filesystem::path m_stores;
    std::shared_ptr<const PartialFolder> m_rest;
    EventTypes m_types;
};

} // namespace helio
