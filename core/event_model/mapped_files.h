#pragma once

#include "core/event_model/mapped_lives.h"
#include "core/event_model/thread_fields.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// The analysis that finds which files the traced programs had mapped, and the kind of its segments: one from the time a file was mapped
/// until it was unmapped, on the track of its process and of the program that this executes (there is one for each), whose value is the
/// ModuleId of a module of its store with the place in memory (Module::begin and size).
constexpr std::string_view MappingsAnalysis = "mappings";
constexpr std::string_view MappingSegments = "mapping";

/// What traced programs had mapped, when, as the mappings analysis found it. One thread. Cost of finding: binary searches, however often
/// files were mapped at the address.
class MappedFiles {
public:
    /// Nothing is mapped.
    MappedFiles() = default;
    /// `store` outlives it.
    explicit MappedFiles(const Store& store);

    struct Place {
        ModuleId module = UnknownModule; ///< Of the store's modules.
        std::uint64_t address = 0; ///< Counted from where the module was loaded; without a module as it was given.
        HostTimestamp until = HostTimestamp::max(); ///< It lies there from the time that was asked for until then.
        std::uint32_t program = 0; ///< That has it mapped; without a module the one that ran. A process counts what it executes from 0.
    };
    /// Where an address of a process lay at a time. What was mapped there only later or until earlier counts where nothing was at that
    /// time: programs run code of a file before the event that says so, and after the one that it is gone. But what a program had mapped
    /// is nothing to the one that the process executes in its place.
    Place find(const ProcessId& id, std::uint64_t address, HostTimestamp at) const;

    /// Which program a process executes at a time, as far as is known.
    std::uint32_t programAt(const ProcessId& id, HostTimestamp at) const;
    /// When it is seen to execute the next one at the latest. HostTimestamp::max(): never.
    HostTimestamp programEnd(const ProcessId& id, std::uint32_t program) const;

    /// The unknown one first; empty where nothing is mapped.
    std::span<const Module> modules() const { return m_modules; }

private:
    std::span<const Module> m_modules;
    struct Process {
        MappedLives lives;
        std::vector<HostTimestamp> programs; ///< When each program but the first begins.
    };
    std::map<ProcessId, Process> m_processes;
};

} // namespace helio
