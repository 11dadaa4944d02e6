// Benchmark of the reader of trace.dat. It measures whole programs: `heliograph index`, from a trace.dat file to a ready store on disk, and
// for comparison `trace-cmd report` on the same file.

#include "core/formats/trace_dat/description.h"
#include "core/io/mapped_file.h"
#include "tests/bench/sections/indexing_runs.h"
#include "tests/support/real_traces.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

namespace helio::bench {
namespace {

constexpr std::uint64_t EventsOfRecording = 10'633; ///< Number of events that `trace-cmd report` prints for the recording.
constexpr std::uint64_t MostEvents = 10'000'000;

std::uint64_t wordAt(const std::vector<char>& bytes, std::size_t at)
{
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

void setWord(std::vector<char>& bytes, std::size_t at, std::uint64_t word) { std::memcpy(bytes.data() + at, &word, sizeof word); }

/// Writes a trace.dat file that repeats the pages of a recording `times` times. Each repetition has later time stamps than the one before
/// it. The recording must have version 6 and be little-endian.
void writeRepeated(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t times)
{
    const auto file = MappedFile::open(from);
    const auto found = file ? tracedat::readDescription((*file)->bytes()) : Result<tracedat::Description>(file.error());
    if (!found || found->version != 6 || found->buffers.size() != 1 || found->buffers[0].cpus.empty())
        stop("cannot use " + from.string());
    const auto& buffer = found->buffers[0];
    const auto* const data = reinterpret_cast<const char*>((*file)->bytes().data());
    std::vector<char> head(data, data + buffer.cpus.front().offset);
    constexpr std::string_view Table("flyrecord\0", 10); // Start of the table with the offset and size of each CPU's pages.
    const std::size_t table = std::string_view(head.data(), head.size()).rfind(Table) + Table.size();
    std::uint64_t at = head.size();
    std::uint64_t earliest = UINT64_MAX;
    std::uint64_t latest = 0;
    for (std::size_t i = 0; i < buffer.cpus.size(); ++i) {
        const auto& cpu = buffer.cpus[i];
        setWord(head, table + 16 * i, at);
        setWord(head, table + 16 * i + 8, cpu.size * times);
        at += cpu.size * times;
        const std::vector<char> pages(data + cpu.offset, data + cpu.offset + cpu.size);
        for (std::size_t page = 0; page + buffer.pageSize <= pages.size(); page += buffer.pageSize) {
            earliest = std::min(earliest, wordAt(pages, page));
            latest = std::max(latest, wordAt(pages, page));
        }
    }
    constexpr std::uint64_t Pause = 1'000'000'000;
    std::ofstream out(to, std::ios::binary);
    out.write(head.data(), static_cast<std::streamsize>(head.size()));
    for (const auto& cpu : buffer.cpus) {
        std::vector<char> pages(data + cpu.offset, data + cpu.offset + cpu.size);
        for (std::uint64_t i = 0; i < times; ++i) {
            out.write(pages.data(), static_cast<std::streamsize>(pages.size()));
            for (std::size_t page = 0; page + buffer.pageSize <= pages.size(); page += buffer.pageSize)
                setWord(pages, page, wordAt(pages, page) + latest - earliest + Pause);
        }
    }
}

} // namespace

void measureTraceDat(Measuring& m)
{
    const QString recorded = realTrace("ftrace-host", "trace-v6.dat");
    if (recorded.isEmpty())
        return;
    const std::filesystem::path scratch = m.subject.scratch() / "trace-dat";
    std::filesystem::create_directories(scratch);
    const std::string trace = (scratch / "trace.dat").string();
    const std::uint64_t times = std::max<std::uint64_t>(1, std::min(m.subject.requestedEvents(), MostEvents) / EventsOfRecording);
    writeRepeated(recorded.toStdString(), trace, times);
    const IndexingRuns runs = runIndexing(m, trace, scratch, {"trace-cmd", "report", trace});
    runs.addFigures(m, "trace_dat", "trace.dat to ready store", double(times * EventsOfRecording), "events", 10);
    std::error_code ignored;
    std::filesystem::remove_all(scratch, ignored);
}

} // namespace helio::bench
