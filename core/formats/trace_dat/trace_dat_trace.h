#pragma once

#include "core/formats/trace_dat/description.h"
#include "core/formats/trace_dat/ring_page.h"
#include "core/io/mapped_file.h"
#include "core/io/spill_buffer.h"
#include "core/trace/trace.h"
#include "core/trace/tracepoint/kernel_functions.h"

#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio::tracedat {

/// Pages of one CPU in one instance's buffer, which are one stream of the trace. The packets of the stream are the pages.
struct CpuBuffer {
    std::span<const std::byte> pages; ///< Bytes in the mapped file or, if the pages were compressed, in TraceDat::m_unpacked.
    std::uint32_t pageSize = 0;
    std::int32_t cpu = -1;
    std::string instance; ///< Name of the instance; empty for the top instance.
    std::uint64_t fileOffset = 0; ///< Offset of the pages (compressed or not) in the file.
    bool isCompressed = false;
    std::vector<HostRange> times; ///< For each page, the times of its first and last event; the time stamp of a page without events.

    std::size_t pageCount() const { return pages.size() / pageSize; }
    std::span<const std::byte> page(std::size_t i) const { return pages.subspan(i * pageSize, pageSize); }
};

/// Trace of a trace.dat file of trace-cmd: a stream for each CPU of each instance.
class TraceDat final : public Trace {
public:
    /// Reads all pages once to find the recorded event types, the times of the pages, and damage.
    /// Errors: Cancelled soon after `stop` is requested; Full if the disk cannot hold the uncompressed pages.
    static Result<std::shared_ptr<const Trace>> open(std::shared_ptr<const MappedFile> file, Description description, TraceInfo info,
                                                     const std::stop_token& stop);

    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_types; }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override;
    std::span<const Diagnostic> diagnostics() const override { return m_diagnostics; }
    bool hasChanged() const override { return m_file->hasChanged(); }
    bool keepsBytes() const override { return true; }
    std::span<const ProcessRecord> processRecords() const override { return m_processRecords; }
    std::string_view kernelFunction(std::uint64_t address) const override;
    bool hasKernelFunctions() const override { return !m_description.tracing.symbols.empty(); }
    std::unique_ptr<EventTexts> makeEventTexts() const override;

private:
    friend class CpuStream;
    friend class RingTexts;

    /// Position of common_type in all events' data.
    struct TypeField {
        std::uint32_t offset = 0;
        std::uint32_t size = 2;
    };

    TraceDat(std::shared_ptr<const MappedFile> file, Description description, TraceInfo info);

    Status addBuffers(const std::stop_token& stop);
    Status unpack(const CpuPages& pages, std::string_view algorithm, std::size_t& size, const std::stop_token& stop);
    Status scan(CpuBuffer& buffer, std::vector<bool>& isRecorded, const std::stop_token& stop);
    void addTypes(const std::vector<bool>& isRecorded);
    void addStream(const CpuBuffer& buffer);
    void addNames();
    void complain(Diagnostic::Severity severity, std::string kind, std::uint64_t offset, std::string what, std::uint64_t count = 1);
    RingPage ringPage(std::span<const std::byte> page) const { return {page, m_description.tracing.page, m_description.tracing.order}; }
    /// Returns the id of an event; MostIds if the file does not describe it, or if it is shorter than its fields.
    std::uint32_t idOf(std::span<const std::byte> page, const RingEvent& event) const;
    HostTimestamp timeOf(std::uint64_t clock, std::int32_t cpu) const;

    std::shared_ptr<const MappedFile> m_file;
    Description m_description;
    TraceInfo m_info;
    TypeField m_typeField;
    SpillBuffer m_unpacked;
    std::vector<CpuBuffer> m_buffers; ///< Buffers of the streams, parallel to m_streams.
    std::vector<StreamInfo> m_streams;
    EventTypes m_types;
    std::vector<std::uint32_t> m_minSizes; ///< For each id of a tracepoint, the minimum size of its data; larger than any event if unknown.
    std::vector<std::int32_t> m_typeOfId; ///< For each id of a tracepoint, its EventTypeId; -1 if no such event is recorded.
    std::set<std::pair<std::uint32_t, std::size_t>> m_damagedPages; ///< Stream and index of pages whose last events cannot be read.
    std::uint64_t m_lost = 0; ///< Number of events that the pages say were lost.
    std::vector<ProcessRecord> m_processRecords;
    std::vector<Diagnostic> m_diagnostics;
    mutable std::once_flag m_hasFunctions; ///< Makes sure that m_functions is filled only once, at its first use.
    mutable tracepoint::KernelFunctions m_functions;
};

} // namespace helio::tracedat
