#include "core/export/export_file.h"
#include "core/export/export_format.h"
#include "core/export/perfetto/packet_writer.h"
#include "core/export/perfetto/sample_packets.h"
#include "core/export/perfetto/scheduler_packets.h"
#include "core/export/perfetto/track_packets.h"
#include "core/export/recording/recording_walk.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

namespace helio {
namespace {

// Field numbers (protos/perfetto/trace/clock_snapshot.proto, remote_clock_sync.proto, system_info.proto).
enum SyncField : std::uint32_t { SyncExchange = 1 };
enum ExchangeField : std::uint32_t { ExchangeClient = 2, ExchangeHost = 3 };
enum SnapshotField : std::uint32_t { SnapshotClock = 1, SnapshotPrimary = 2 };
enum ClockField : std::uint32_t { ClockNumber = 1, ClockTime = 2 };
enum Clocks : std::uint32_t { Realtime = 1, Boottime = 6 };
enum SystemField : std::uint32_t { SystemNames = 1 };
enum NamesField : std::uint32_t { NamesSystem = 1, NamesVersion = 2, NamesRelease = 3, NamesMachine = 4 };

/// Returns the kernel release to write: readers derive from it how prev_state is to be read, which prevStateOf() writes as Linux 4.14 and
/// later do.
std::string releaseOf(const WalkedHost& host)
{
    int major = 0;
    int minor = 0;
    const bool isKnown = std::sscanf(host.release.c_str(), "%d.%d", &major, &minor) == 2;
    if (isKnown && (major > 4 || (major == 4 && minor >= 14)))
        return host.release;
    return "5.0 (states as of Linux 5.0; " + (host.release.empty() ? "the release is not recorded)" : "recorded on " + host.release + ')');
}

/// Writes that the clock of a machine shows the same time as that of the trace's host, with the known error: as two exchanges of messages,
/// in each of which the machine's clock is read before the host's.
void writeClockRelation(const WalkedHost& host, std::int64_t time, PacketWriter& writer, PacketSequence& sequence)
{
    constexpr std::int64_t LargestError = 10'000'000'000; // Readers ignore exchanges of more than 30 s.
    const std::int64_t error = std::min(host.clockError, LargestError);
    writer.write(sequence, time, [&](protozero::pbf_writer& packet) {
        protozero::pbf_writer sync(packet, perfetto_field::RemoteClockSync);
        for (const std::int64_t begin : {time, time + 2 * error}) {
            protozero::pbf_writer exchange(sync, SyncExchange);
            for (const auto& [field, reading] : {std::pair(ExchangeClient, begin), std::pair(ExchangeHost, begin + error)}) {
                protozero::pbf_writer snapshot(exchange, field);
                protozero::pbf_writer clock(snapshot, SnapshotClock);
                clock.add_uint32(ClockNumber, Boottime);
                clock.add_uint64(ClockTime, static_cast<std::uint64_t>(reading));
            }
        }
    });
}

/// Writes the relation of the times to the clock of the day, and the facts of a host's kernel.
void writeHead(const RecordingWalk& walk, const Timeline& timeline, PacketWriter& writer, std::vector<PacketSequence>& sequences)
{
    for (std::size_t host = 0; host < sequences.size(); ++host) {
        if (!walk.selected().hasHost(static_cast<std::uint32_t>(host)))
            continue;
        writer.write(sequences[host], walk.begin(), [&](protozero::pbf_writer& packet) {
            protozero::pbf_writer snapshot(packet, perfetto_field::ClockSnapshot);
            for (const std::uint32_t clock : {Boottime, Realtime}) {
                if (clock == Realtime && !hasEpoch(timeline))
                    continue;
                protozero::pbf_writer message(snapshot, SnapshotClock);
                message.add_uint32(ClockNumber, clock);
                message.add_uint64(ClockTime, static_cast<std::uint64_t>(walk.begin()));
            }
            snapshot.add_enum(SnapshotPrimary, Boottime);
        });
        if (host >= walk.hosts().size())
            continue;
        const WalkedHost& facts = walk.hosts()[host];
        if (sequences[host].machine != 0 && facts.isSynchronized)
            writeClockRelation(facts, walk.begin(), writer, sequences[host]);
        writer.write(sequences[host], walk.begin(), [&](protozero::pbf_writer& packet) {
            protozero::pbf_writer info(packet, perfetto_field::SystemInfo);
            protozero::pbf_writer names(info, SystemNames);
            const auto add = [&](std::uint32_t field, const std::string& text) {
                if (!text.empty())
                    addText(names, field, text);
            };
            add(NamesSystem, facts.sysname);
            add(NamesVersion, facts.version);
            add(NamesRelease, releaseOf(facts));
            add(NamesMachine, facts.arch);
        });
    }
}

/// Passes the parts of a recording to the writers of packets.
class PerfettoVisitor final : public RecordingVisitor {
public:
    PerfettoVisitor(const RecordingWalk& walk, SchedulerPackets& scheduler, TrackPackets& tracks, const PacketWriter& writer)
        : m_walk(walk)
        , m_scheduler(scheduler)
        , m_tracks(tracks)
        , m_writer(writer)
    {
    }
    void run(const WalkedRun& run) override { m_scheduler.add(run); }
    void wakeup(const WalkedWakeup& wakeup) override { m_scheduler.add(wakeup); }
    void readiness(const WalkedReadiness& readiness) override { m_scheduler.add(readiness); }
    void loss(const WalkedLoss& loss) override { m_scheduler.add(loss); }
    void slice(const WalkedSlice& slice) override
    {
        // Readers derive preemptions from the context switches.
        if (m_walk.tracks()[slice.track].type != "preemption")
            m_tracks.add(slice);
    }
    void point(const WalkedPoint& point) override { m_tracks.add(point); }
    void state(const WalkedState& state) override { m_tracks.add(state); }
    bool partEnded(std::int64_t end) override
    {
        m_scheduler.flush(end);
        m_tracks.flush(end);
        return m_writer.isWritable();
    }

private:
    const RecordingWalk& m_walk;
    SchedulerPackets& m_scheduler;
    TrackPackets& m_tracks;
    const PacketWriter& m_writer;
};

Status writePerfetto(const ExportRequest& request, const std::filesystem::path& path)
{
    const auto walk = RecordingWalk::open(request);
    if (!walk)
        return walk.error();
    ExportFile file(path, request.stop);
    PacketWriter writer(file);
    std::vector<PacketSequence> ftrace;
    std::vector<PacketSequence> events;
    std::uint32_t nextSequence = 1;
    for (std::uint32_t host = 0; host < request.timeline->hosts.size(); ++host) {
        ftrace.push_back({nextSequence++, machineOf(**walk, host), false});
        events.push_back({nextSequence++, machineOf(**walk, host), false});
    }
    writeHead(**walk, *request.timeline, writer, events);
    SchedulerPackets scheduler(**walk, writer, ftrace);
    TrackPackets tracks(**walk, writer, events);
    tracks.writeThings();
    PerfettoVisitor visitor(**walk, scheduler, tracks, writer);
    const bool isWhole = request.selection.view.empty();
    if (Status read = (*walk)->walk(visitor, {.hasScheduling = isWhole}, 0.05, 0.9); !read)
        return read;
    // Runs and slices that end after the range end there, except those whose end is not recorded.
    scheduler.finish();
    tracks.flush(std::numeric_limits<std::int64_t>::max());
    if (isWhole)
        if (Status written = writeSamples(**walk, request, writer, nextSequence); !written)
            return written;
    return file.close();
}

} // namespace

extern const ExportFormat perfettoExport;
const ExportFormat perfettoExport{10,
                                  "perfetto",
                                  "Perfetto trace",
                                  "Threads, states, slices, counters, flows, samples; for ui.perfetto.dev",
                                  ".perfetto-trace",
                                  false,
                                  {.selectsView = true},
                                  writePerfetto};

} // namespace helio
