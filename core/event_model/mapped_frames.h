#pragma once

#include "core/base/flat_index.h"
#include "core/event_model/mapped_files.h"

#include <array>
#include <memory>
#include <vector>

namespace helio {

/// Addresses of traced programs as frames of an analysis's own store: the files that they lie in become modules of it, each as it is first
/// met. One thread. Cost: as MappedFiles::find(), but for an address that means the same as when it was last met a look-up.
class MappedFrames {
public:
    /// `mapped` is the store of the mappings analysis; null: nothing is known to be mapped. The sink outlives it.
    MappedFrames(std::shared_ptr<const Store> mapped, StateSink& sink);

    struct Found {
        StackFrame frame;
        std::uint32_t program = 0; ///< As MappedFiles::Place has it.
    };
    Found at(const ProcessId& process, std::uint64_t address, HostTimestamp time, bool isReturnAddress = false);

    const MappedFiles& files() const { return m_mapped; }

private:
    /// What an address means for some time.
    struct KnownFrame {
        ProcessId process;
        std::uint64_t address = 0;
        HostRange range{};
        Found found;

        bool isOf(const ProcessId& itsProcess, std::uint64_t itsAddress) const { return address == itsAddress && process == itsProcess; }
    };

    /// `recent`: gets its index.
    Found find(const ProcessId& process, std::uint64_t address, HostTimestamp time, std::uint32_t& recent);
    StackFrame frameOf(const MappedFiles::Place& place);

    std::shared_ptr<const Store> m_store;
    MappedFiles m_mapped;
    StateSink& m_sink;
    std::vector<ModuleId> m_modules; ///< Of the sink's store, by those of the mapped files; the unknown one: not met yet.
    FlatIndex m_byAddress;
    std::vector<KnownFrame> m_frames;
    std::array<std::uint32_t, 64> m_recent{}; ///< Indices of frames, by their address: a few functions are most of all calls.
};

} // namespace helio
