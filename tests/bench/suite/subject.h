#pragma once

#include "core/experiment/experiment.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>

namespace helio::bench {

/// The measured traces: several lengths made of one source, and their stores. Made when first requested, in the scratch folder.
/// Threads: one thread only.
/// Errors: ends the program with a message.
class Subject {
public:
    Subject(std::filesystem::path source, std::filesystem::path scratch, std::uint64_t events);

    /// Returns the trace for most measurements, with about that many events.
    const std::filesystem::path& trace() { return trace(m_events); }
    const std::filesystem::path& trace(std::uint64_t events);
    const std::filesystem::path& source() const { return m_source; }
    const std::filesystem::path& scratch() const { return m_scratch; }
    std::uint64_t requestedEvents() const { return m_events; }

    /// Exact number of events, and size of the stream files in bytes, of the trace with about `events` events.
    std::uint64_t eventsOf(std::uint64_t events);
    std::uint64_t bytesOf(std::uint64_t events);

    /// Folder of the ready stores.
    std::filesystem::path stores() const { return m_scratch / "stores"; }

    /// Opens the trace with its store, which is made if it is missing.
    std::unique_ptr<Experiment> open(std::uint64_t events);
    std::unique_ptr<Experiment> open() { return open(m_events); }

private:
    struct Made {
        std::filesystem::path path;
        std::uint64_t events = 0;
        std::uint64_t bytes = 0;
    };
    const Made& make(std::uint64_t events);

    std::filesystem::path m_source;
    std::filesystem::path m_scratch;
    std::uint64_t m_events;
    std::map<std::uint64_t, Made> m_made;
};

/// Opens a trace, indexes it (or finds its store) and waits. Ends the program if that fails.
std::unique_ptr<Experiment> openExperiment(const std::filesystem::path& trace, const std::filesystem::path& stores, unsigned jobs = 0,
                                           bool rebuild = false);

/// Drops a file's pages from the page cache, as far as the system allows it without privileges.
void dropFromMemory(const std::filesystem::path& file);

/// Prints the message and ends the program.
[[noreturn]] void stop(const std::string& what);

} // namespace helio::bench
