// Reader for perf.data, written by `perf record`: files, pipes (`-o -`) and directories (`--threads`), plain or compressed (`-z`), of
// either byte order.
//
// The trace's events are the samples and context switches (`--switch-events`). Other records become the trace's modules, process records
// and losses. Jitdump files give names to code that was compiled at run time. AUX data of hardware traces are reported with tracer and
// size, but not decoded. Deferred call chains, which are recorded later than their sample, are not read.

#include "core/formats/perf_data/description.h"
#include "core/formats/perf_data/jit_dump.h"
#include "core/formats/perf_data/perf_trace.h"
#include "core/io/fingerprint.h"
#include "core/trace/find_recordings.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <system_error>

namespace helio::perf {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t LargestOffset = std::int64_t{1} << 62;
/// Version of the reader; increment it when other events, losses or stacks are reported, so that stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 8;

const char* clockName(std::int32_t id)
{
    switch (id) {
    case 0: return "realtime";
    case 1: return "monotonic";
    case 4: return "monotonic_raw";
    case 7: return "boottime";
    case 11: return "tai";
    default: return "perf";
    }
}

class PerfOpening final : public TraceOpening {
public:
    PerfOpening(TraceSource source, std::vector<std::shared_ptr<const MappedFile>> files, RecordingDescription description)
        : m_source(std::move(source))
        , m_files(std::move(files))
        , m_description(std::move(description))
    {
        if (m_description.isPipe)
            readPipeDescription();
    }

    std::shared_ptr<const Trace> provisionalTrace() const override
    {
        const RecordingDescription& known = m_description.isPipe ? m_head : m_description;
        return std::make_shared<PerfTrace>(known, makeInfo(known));
    }

    Result<std::shared_ptr<const Trace>> finish(const Publish&, std::stop_token stop) override
    {
        for (const auto& file : m_files)
            file->advise(MappedFile::Advice::Sequential);
        RecordScanner scan(m_description, clockOffset(m_description));
        for (const auto& file : m_files) {
            const bool isMain = file == m_files.front();
            const FileRange data = isMain ? m_description.data : FileRange{0, file->bytes().size()};
            if (auto read = scan.read({file, nullptr, data.offset, data.offset + data.size}, stop); !read)
                return Error{read.error().kind, m_source.path.string() + ": " + read.error().what};
        }
        addJitDumps(scan);
        scan.finish();
        for (const auto& file : m_files)
            file->advise(MappedFile::Advice::Normal);
        if (m_description.attributes.empty())
            return Error{Error::Kind::Corrupt, m_source.path.string() + ": describes no events"};
        TraceInfo info = makeInfo(m_description);
        info.identity = identity();
        auto trace = std::make_shared<PerfTrace>(m_description, std::move(info), scan.cpus);
        trace->fill(std::move(scan));
        return std::shared_ptr<const Trace>(std::move(trace));
    }

private:
    /// Reads the jitdump files that just-in-time compilers wrote during the recording. Each file is searched in the folder of the recording
    /// first, and then at the path at which the compiler wrote it.
    void addJitDumps(RecordScanner& scan)
    {
        for (const MappedJitDump& mapped : scan.sideband.findJitDumps()) {
            const std::string& path = mapped.path;
            const std::string name = fs::path(path).filename().string();
            const auto report = [&](Diagnostic::Severity severity, const char* kind, std::string what) {
                scan.diagnostics.push_back({severity, kind, path, 0, 1, std::move(what)});
            };
            auto file = MappedFile::open(m_source.path.parent_path() / name);
            if (!file)
                file = MappedFile::open(path);
            if (!file) {
                report(Diagnostic::Severity::Info, "no-jitdump",
                       "the names of code compiled at run time are missing; copy " + name + " to the folder of the recording");
                continue;
            }
            const auto dump = readJitDump((*file)->bytes());
            if (!dump) {
                report(Diagnostic::Severity::Warning, "bad-jitdump", dump.error().what);
                continue;
            }
            if (const auto named = pidOfJitDump(path); named && std::uint32_t(*named) != dump->pid) {
                report(Diagnostic::Severity::Warning, "bad-jitdump",
                       "the file belongs to process " + std::to_string(dump->pid) + "; its names are not used");
                continue;
            }
            const auto& attributes = m_description.attributes;
            const bool hasTimes = dump->isMonotonic && !attributes.empty() && attributes.front().usesClockId()
                && attributes.front().clockId == CLOCK_MONOTONIC;
            if (!hasTimes)
                report(Diagnostic::Severity::Warning, "jitdump-clock",
                       "its clock is not the recording's, so reused addresses have the names of the last code; record with perf record -k "
                       "mono");
            for (Diagnostic damage : dump->diagnostics) {
                damage.file = (*file)->path().string();
                scan.diagnostics.push_back(std::move(damage));
            }
            scan.addJitCode(*dump, mapped, name, hasTimes);
            m_jitDumps.push_back(std::move(*file));
        }
    }

    /// Reads the description for provisionalTrace() in pipe mode. Only the records before the kernel's first record are read, so that the
    /// rest of the file need not be scanned.
    void readPipeDescription()
    {
        m_head = m_description;
        RecordWalk records(m_files.front()->bytes(), m_description.data.offset, m_files.front()->bytes().size(), m_description.order);
        std::uint64_t end = records.offset();
        Record record;
        while (records.next(record) && record.type >= RecordType::HeaderAttr && record.type < RecordType::Compressed)
            end = records.offset();
        RecordScanner scan(m_head, 0);
        (void)scan.read({m_files.front(), nullptr, m_description.data.offset, end}, {});
    }

    /// Returns the offset in ns from the recording's clock to the wall clock; 0 if unknown. It is computed from a clock pair, i.e. one time
    /// read on both clocks. In pipe mode, the clock pair is in the records before the kernel's records; in a file, in the description.
    std::int64_t clockOffset(const RecordingDescription& description) const
    {
        const auto& pair = m_description.isPipe ? m_head.clock : description.clock;
        if (!pair)
            return 0;
        return std::clamp(static_cast<std::int64_t>(pair->wallClock - pair->clock), -LargestOffset, LargestOffset);
    }

    TraceInfo makeInfo(const RecordingDescription& description) const
    {
        TraceInfo info;
        info.path = m_source.path;
        info.name = m_source.path.filename().string();
        info.format = "perf.data";
        info.reader = "heliograph";
        info.hostname = description.fact("hostname");
        for (const auto& [key, value] : description.facts)
            info.environment.emplace_back(key, value);
        info.clock = clockInfo(description);
        for (const auto& file : m_files)
            info.bytes += file->bytes().size();
        return info;
    }

    ClockInfo clockInfo(const RecordingDescription& description) const
    {
        ClockInfo clock;
        const auto& attributes = description.attributes;
        const bool isChosen = !attributes.empty() && attributes.front().usesClockId();
        clock.name = isChosen ? clockName(attributes.front().clockId) : "perf";
        clock.offset = clockOffset(description);
        clock.isAbsolute = clock.offset != 0 || (isChosen && attributes.front().clockId == 0);
        clock.description =
            clock.isAbsolute ? "anchored to the wall clock" : "ns of the recorded kernel's clock; perf record -k adds the wall clock";
        return clock;
    }

    std::string identity() const
    {
        Fingerprint print;
        print.add(ReaderVersion);
        for (const auto& file : m_files)
            print.addContents(*file);
        for (const auto& file : m_jitDumps)
            print.addContents(*file);
        return print.text();
    }

    const TraceSource m_source;
    const std::vector<std::shared_ptr<const MappedFile>> m_files;
    std::vector<std::shared_ptr<const MappedFile>> m_jitDumps; ///< Jitdump files that addJitDumps() read.
    RecordingDescription m_description;
    RecordingDescription m_head; ///< Description from the records that precede the kernel's records; pipe mode only.
};

constexpr std::size_t MaxParts = 50'000;

/// Returns the recording in a folder that `perf record --threads` made: the file `data` contains the header, and data.0, data.1, ...
/// contain the records. nullopt if the folder is not of that kind.
std::optional<TraceSource> fromFolder(const fs::path& folder)
{
    std::error_code error;
    if (!fs::is_regular_file(folder / "data", error) || !fs::is_regular_file(folder / "data.0", error)
        || !isPerfData(readHead(folder / "data")))
        return {};
    TraceSource source{folder, {folder / "data"}};
    for (std::size_t i = 0; i < MaxParts; ++i) {
        fs::path part = folder / ("data." + std::to_string(i));
        if (!fs::is_regular_file(part, error))
            break;
        source.parts.push_back(std::move(part));
    }
    return source;
}

/// Reads the header, attributes and features of a recording; TraceOpening::finish() reads its records.
Result<std::unique_ptr<TraceOpening>> beginPerf(const TraceSource& source)
{
    std::vector<std::shared_ptr<const MappedFile>> files;
    for (const auto& part : source.parts) {
        auto file = MappedFile::open(part);
        if (!file)
            return file.error();
        files.push_back(std::move(*file));
    }
    if (files.empty())
        return Error{Error::Kind::NotFound, source.path.string() + ": no file"};
    auto description = readDescription(files.front()->bytes());
    if (!description)
        return Error{description.error().kind, files.front()->path().string() + ": " + description.error().what};
    return std::unique_ptr<TraceOpening>(std::make_unique<PerfOpening>(source, std::move(files), std::move(*description)));
}

} // namespace
} // namespace helio::perf

namespace helio {

extern const TraceFormat perfDataFormat{"perf.data",
                                        [](const std::filesystem::path& path) {
                                            return findRecordings(path, {perf::isPerfData, perf::fromFolder});
                                        },
                                        [](const TraceSource& source, std::stop_token) { return perf::beginPerf(source); }};

} // namespace helio
