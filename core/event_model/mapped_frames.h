#pragma once

#include "core/base/flat_index.h"
#include "core/event_model/mapped_files.h"

#include <array>
#include <memory>
#include <vector>

namespace helio {

/// Converts addresses of traced programs into frames of an analysis's own store. A mapped file becomes a module of that store when an
/// address in the file is converted for the first time.
///
/// Threads: to be used by one thread.
/// Cost: a hash lookup if the address was converted before and its mapping is unchanged; else MappedFiles::find().
class MappedFrames {
public:
    /// `mapped`: the store of the mappings analysis; nullptr if there is no such store, so that no files are mapped.
    /// Ownership: the sink must outlive the object.
    MappedFrames(std::shared_ptr<const Store> mapped, StateSink& sink);

    struct Found {
        StackFrame frame;
        std::uint32_t program = 0; ///< Number of the program; see MappedFiles::ModuleAddress::program.
    };
    Found at(const ProcessId& process, std::uint64_t address, HostTimestamp time, bool isReturnAddress = false);

    const MappedFiles& files() const { return m_mapped; }

private:
    /// Cache entry: frame of an address in a process, valid during a time range.
    struct KnownFrame {
        ProcessId process;
        std::uint64_t address = 0;
        HostRange range{};
        Found found;

        bool isOf(const ProcessId& itsProcess, std::uint64_t itsAddress) const { return address == itsAddress && process == itsProcess; }
    };

    /// Returns the frame of an address. Sets `recent` to the frame's index in m_frames.
    Found find(const ProcessId& process, std::uint64_t address, HostTimestamp time, std::uint32_t& recent);
    StackFrame frameOf(const MappedFiles::ModuleAddress& place);

    std::shared_ptr<const Store> m_store;
    MappedFiles m_mapped;
    StateSink& m_sink;
    /// Modules of the sink's store, indexed by module of m_mapped; UnknownModule if the module was not needed yet.
    std::vector<ModuleId> m_modules;
    FlatIndex m_byAddress;
    std::vector<KnownFrame> m_frames;
    /// Small direct-mapped cache of indices into m_frames, by address: a few functions cause most calls.
    std::array<std::uint32_t, 64> m_recent{};
};

} // namespace helio
