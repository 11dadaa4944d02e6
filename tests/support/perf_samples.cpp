#include "tests/support/perf_samples.h"

#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/open_trace.h"

#include <QFile>
#include <QRegularExpression>

#include <map>

namespace helio {
namespace {

/// Names of threads and mappings of processes at a point in time; goTo() replays the process records up to that time.
class Processes {
public:
    explicit Processes(std::span<const ProcessRecord> records)
        : m_records(records)
    {
    }

    void goTo(HostTimestamp until)
    {
        for (; !m_records.empty() && m_records.front().time <= until; m_records = m_records.subspan(1))
            take(m_records.front());
    }

    std::string nameOf(std::int32_t tid) const
    {
        const auto found = m_names.find(tid);
        return found == m_names.end() ? (tid == 0 ? "swapper" : ":" + std::to_string(tid)) : found->second;
    }

    /// Returns the offset of an address in its mapped file; the address itself if no file is mapped at this address.
    std::uint64_t placeOf(std::int32_t pid, std::uint64_t address) const
    {
        for (const std::int32_t owner : {pid, -1}) {
            const auto maps = m_maps.find(owner);
            if (maps == m_maps.end())
                continue;
            for (auto map = maps->second.rbegin(); map != maps->second.rend(); ++map)
                if (address >= map->address && address - map->address < map->size)
                    return address - map->address + map->fileOffset;
        }
        return address;
    }

private:
    void take(const ProcessRecord& record)
    {
        switch (record.kind) {
        // An exec does not remove the earlier mappings: they stay until new mappings replace them, as in perf.
        case ProcessRecord::Kind::Exec:
        case ProcessRecord::Kind::Comm: m_names[record.tid] = record.name; break;
        case ProcessRecord::Kind::Map: m_maps[record.pid].push_back(record.mapping); break;
        case ProcessRecord::Kind::Exit: break;
        case ProcessRecord::Kind::Fork:
            m_names[record.tid] = nameOf(record.parentTid);
            if (record.pid != record.parentPid)
                m_maps[record.pid] = m_maps[record.parentPid];
            break;
        }
    }

    std::span<const ProcessRecord> m_records;
    std::map<std::int32_t, std::string> m_names;
    std::map<std::int32_t, std::vector<Mapping>> m_maps;
};

/// Parses the first line of a sample: "  comm  1234/1235 [000] 12.345678:   1001 cpu-clock:ppp: ..."; pid, CPU and period are optional.
bool parseHead(const QString& line, PrintedSample& sample)
{
    static const QRegularExpression head(
        R"(^\s*(\S.*?)\s+(?:(\d+)/\s*)?(-?\d+)\s+(?:\[(\d+)\]\s+)?(\d+)\.(\d{6}|\d{9}):\s+(?:(\d+)\s+)?(\S+?):(?:\s|$))");
    const auto match = head.match(line);
    if (!match.hasMatch())
        return false;
    sample.comm = match.captured(1).toStdString();
    sample.pid = match.captured(2).isEmpty() ? -1 : match.captured(2).toInt();
    sample.tid = match.captured(3).toInt();
    sample.cpu = match.captured(4).isEmpty() ? -1 : match.captured(4).toInt();
    const QString fraction = match.captured(6);
    sample.time = match.captured(5).toLongLong() * 1'000'000'000 + fraction.toLongLong() * (fraction.size() == 6 ? 1000 : 1);
    sample.period = match.captured(7).toULongLong();
    sample.event = match.captured(8).toStdString();
    return true;
}

} // namespace

std::vector<PrintedSample> parsePerfScript(const QByteArray& text)
{
    std::vector<PrintedSample> samples;
    for (const QByteArray& bytes : text.split('\n')) {
        const QString line = QString::fromUtf8(bytes);
        if (line.trimmed().isEmpty() || line.startsWith('#') || line.contains("PERF_RECORD_"))
            continue;
        PrintedSample sample;
        if (line.startsWith('\t')) {
            const QString word = line.trimmed().section(' ', 0, 0);
            if (!samples.empty() && !line.endsWith("(inlined)"))
                samples.back().ips.push_back(word.toULongLong(nullptr, 16));
        } else if (parseHead(line, sample)) {
            samples.push_back(std::move(sample));
        } else {
            qFatal("not a line of perf script: %s", bytes.constData());
        }
    }
    return samples;
}

std::vector<PrintedSample> readPerfScript(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? parsePerfScript(file.readAll()) : std::vector<PrintedSample>();
}

std::vector<PrintedSample> readSamples(const Trace& trace)
{
    std::vector<PrintedSample> all;
    const SampleReader* reader = trace.samples();
    if (!reader)
        return all;
    Processes processes(trace.processRecords());
    MergedEvents events(trace);
    while (events.next()) {
        SampleView view;
        const EventView& event = events.event();
        if (!reader->read(event, view))
            continue;
        PrintedSample sample;
        processes.goTo(event.time());
        sample.comm = processes.nameOf(view.tid);
        sample.event = event.type->name;
        sample.time = nanoseconds(event.time());
        sample.period = view.period;
        sample.pid = view.pid;
        sample.tid = view.tid;
        sample.cpu = view.cpu;
        for (std::size_t i = 0; i < view.callchain.size(); ++i)
            if (!callchain::isMarker(view.callchain[i]))
                sample.ips.push_back(processes.placeOf(view.pid, view.callchain[i]));
        if (view.callchain.empty() && view.hasIp)
            sample.ips.push_back(processes.placeOf(view.pid, view.ip));
        for (const NamedValue& field : decodeSection(event, Section::Payload))
            sample.fields.emplace_back(field.name, displayText(field.value));
        all.push_back(std::move(sample));
    }
    return all;
}

std::shared_ptr<const Trace> openPerfData(const std::filesystem::path& path, std::string* error)
{
    if (error)
        *error = "no perf.data";
    return openTrace("perf.data", path, error);
}

} // namespace helio
