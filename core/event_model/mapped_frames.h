#pragma once

#include "core/base/flat_index.h"
#include "core/event_model/mapped_files.h"

#include <array>
#include <memory>
#include <vector>

namespace helio {

/// Turns addresses of traced programs into frames of an analysis's own store. The mapped files become modules of that store when they are
/// first met.
///
/// Threads: to be used by one thread.
/// Cost: a look-up if the address was met before and its mapping is unchanged, else MappedFiles::find().
class MappedFrames {
public:
    /// `mapped`: the store of the mappings analysis; nullptr if there is none, then no files are mapped.
    /// Ownership: the sink outlives the object.
    MappedFrames(std::shared_ptr<const Store> mapped, StateSink& sink);

    struct Found {
        StackFrame frame;
        std::uint32_t program = 0; ///< See MappedFiles::Place::program.
    };
    Found at(const ProcessId& process, std::uint64_t address, HostTimestamp time, bool isReturnAddress = false);

    const MappedFiles& files() const { return m_mapped; }

private:
    /// Cache entry: the frame of an address of a process, valid in a time range.
    struct KnownFrame {
        ProcessId process;
        std::uint64_t address = 0;
        HostRange range{};
        Found found;

        bool isOf(const ProcessId& itsProcess, std::uint64_t itsAddress) const { return address == itsAddress && process == itsProcess; }
    };

    /// Returns the frame of an address. Sets `recent` to the index of the frame in m_frames.
    Found find(const ProcessId& process, std::uint64_t address, HostTimestamp time, std::uint32_t& recent);
    StackFrame frameOf(const MappedFiles::Place& place);

    std::shared_ptr<const Store> m_store;
    MappedFiles m_mapped;
    StateSink& m_sink;
    std::vector<ModuleId> m_modules; ///< Modules of the sink's store, indexed by module of m_mapped; UnknownModule if not met yet.
    FlatIndex m_byAddress;
    std::vector<KnownFrame> m_frames;
    std::array<std::uint32_t, 64> m_recent{}; ///< Indices into m_frames, by address: a few functions make up most calls.
};

} // namespace helio
