#pragma once

#include "core/experiment/experiment.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>

namespace helio::bench {

/// Traces to measure and their stores, in the scratch folder. The traces are amplified from one source to several lengths; each is made
/// at its first use.
/// Threads: one thread only.
/// Errors: ends the program with a message.
class Subject {
public:
    Subject(std::filesystem::path source, std::filesystem::path scratch, std::uint64_t events);

    /// Path of the default trace, which most measurements use.
    const std::filesystem::path& trace() { return trace(m_events); }
    const std::filesystem::path& trace(std::uint64_t events);
    const std::filesystem::path& source() const { return m_source; }
    const std::filesystem::path& scratch() const { return m_scratch; }
    std::uint64_t requestedEvents() const { return m_events; }

    /// eventsOf() returns the exact number of events of the trace that was made for about `events` events. bytesOf() returns the size of
    /// this trace's stream files in bytes.
    std::uint64_t eventsOf(std::uint64_t events);
    std::uint64_t bytesOf(std::uint64_t events);

    /// Folder of the stores for measurements that need a ready store.
    std::filesystem::path stores() const { return m_scratch / "stores"; }

    /// Opens a trace with its store; builds the store if it is missing.
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

/// Opens a trace, finds or makes its store, and waits until it is ready. Ends the program on failure.
std::unique_ptr<Experiment> openExperiment(const std::filesystem::path& trace, const std::filesystem::path& stores, unsigned jobs = 0,
                                           bool rebuild = false);

/// Drops a file from the page cache, as far as the system allows it without privileges.
void dropFromMemory(const std::filesystem::path& file);

/// Prints the message and ends the program.
[[noreturn]] void stop(const std::string& what);

} // namespace helio::bench
