#include "tests/bench/suite/subject.h"

#include "tests/bench/amplifier/trace_amplifier.h"
#include "tests/bench/suite/scratch.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace helio::bench {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t RoomPerEvent = 64; ///< Disk space per event in bytes: trace and store, with some reserve.

/// Returns the number of events and the size in bytes of a trace as it was recorded, before it is repeated.
std::pair<std::uint64_t, std::uint64_t> eventsAndBytesOf(const fs::path& trace)
{
    ExperimentOptions options;
    options.needsStates = false;
    options.storeDirectory = fs::temp_directory_path();
    const auto opened = Experiment::open({trace}, options);
    if (!opened)
        stop(opened.error().what);
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
    EventBatch batch;
    const auto timeline = (*opened)->timeline();
    for (const TimelineTrace& t : timeline->traces) {
        bytes += t.trace->info().bytes;
        for (std::uint32_t s = 0; s < t.trace->streams().size(); ++s)
            for (const auto stream = t.trace->openStream(s); stream->next(batch);)
                events += batch.records.size();
    }
    return {events, bytes};
}

} // namespace

void stop(const std::string& what)
{
    fmt::print(stderr, "heliograph_bench: {}\n", what);
    std::exit(1);
}

Subject::Subject(fs::path source, fs::path scratch, std::uint64_t events)
    : m_source(std::move(source))
    , m_scratch(std::move(scratch))
    , m_events(events)
{
}

const fs::path& Subject::trace(std::uint64_t events) { return make(events).path; }
std::uint64_t Subject::eventsOf(std::uint64_t events) { return make(events).events; }
std::uint64_t Subject::bytesOf(std::uint64_t events) { return make(events).bytes; }

const Subject::Made& Subject::make(std::uint64_t events)
{
    if (const auto known = m_made.find(events); known != m_made.end())
        return known->second;
    if (const auto lack = missingSpaceMessage(m_scratch, events * RoomPerEvent); !lack.empty())
        stop(lack);
    const fs::path path = m_scratch / fmt::format("trace-{}", events);
    fmt::print(stderr, "   making a trace of {:.1f} M events\n", double(events) / 1e6);
    const auto report = amplify(m_source, path, {events, 0});
    if (report)
        return m_made.emplace(events, Made{path, report->events, report->bytes}).first->second;
    fmt::print(stderr, "   {}; it is measured as it is\n", report.error().what);
    const auto [count, bytes] = eventsAndBytesOf(m_source);
    if (count == 0)
        stop(m_source.string() + ": the trace has no events");
    return m_made.emplace(events, Made{m_source, count, bytes}).first->second;
}

std::unique_ptr<Experiment> Subject::open(std::uint64_t events) { return openExperiment(trace(events), stores()); }

std::unique_ptr<Experiment> openExperiment(const fs::path& trace, const fs::path& stores, unsigned jobs, bool rebuild)
{
    ExperimentOptions options;
    options.storeDirectory = stores;
    options.jobs = jobs;
    options.rebuild = rebuild;
    auto experiment = Experiment::open({trace}, options);
    if (!experiment)
        stop(experiment.error().what);
    (*experiment)->start();
    if (const auto done = (*experiment)->wait(); !done)
        stop(done.error().what);
    return std::move(*experiment);
}

void dropFromMemory(const fs::path& file)
{
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    fdatasync(descriptor); // Write the file's pages to disk first, because the kernel keeps pages in memory that were not written yet.
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    close(descriptor);
}

} // namespace helio::bench
