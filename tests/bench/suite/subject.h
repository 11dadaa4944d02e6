#pragma once

#include "core/experiment/experiment.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>

namespace helio::bench {

/// What is measured: traces of several lengths made of one, and their stores. Made when first asked for, in the scratch folder.
/// Ends the program, saying why, where that cannot be done. One thread.
class Subject {
public:
    Subject(std::filesystem::path source, std::filesystem::path scratch, std::uint64_t events);

    /// The trace that most is measured on, of about so many events.
    const std::filesystem::path& trace() { return trace(m_events); }
    const std::filesystem::path& trace(std::uint64_t events);
    const std::filesystem::path& source() const { return m_source; }
    const std::filesystem::path& scratch() const { return m_scratch; }
    std::uint64_t wantedEvents() const { return m_events; }

    /// How many events the trace of that length really has; bytes of its stream files.
    std::uint64_t eventsOf(std::uint64_t events);
    std::uint64_t bytesOf(std::uint64_t events);

    /// The folder of ready stores.
    std::filesystem::path stores() const { return m_scratch / "stores"; }

    /// The trace with its store, which is made where there is none.
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

/// Opens, indexes (or finds the store) and waits. Ends the program where that fails.
std::unique_ptr<Experiment> openExperiment(const std::filesystem::path& trace, const std::filesystem::path& stores, unsigned jobs = 0,
                                           bool rebuild = false);

/// Takes a file's pages out of memory, as far as the system does that for a program without privileges.
void dropFromMemory(const std::filesystem::path& file);

/// What went wrong, and the end.
[[noreturn]] void stop(const std::string& what);

} // namespace helio::bench
