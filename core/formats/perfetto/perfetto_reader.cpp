#include "core/formats/perfetto/perfetto_reader.h"

#include "core/formats/perfetto/clocks.h"
#include "core/formats/perfetto/diagnostic_log.h"
#include "core/formats/perfetto/event_writer.h"
#include "core/formats/perfetto/ftrace_reader.h"
#include "core/formats/perfetto/packet_head.h"
#include "core/formats/perfetto/packets.h"
#include "core/formats/perfetto/process_reader.h"
#include "core/formats/perfetto/sample_reader.h"
#include "core/formats/perfetto/sequence.h"
#include "core/formats/perfetto/stats_reader.h"
#include "core/formats/perfetto/track_event_reader.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <unordered_map>

namespace helio::perfetto {
namespace {

/// Returns the primary clock of a trace. `defined` is the number of the clock that a snapshot defines as the primary one; 0 means none, and
/// then the primary clock is BOOTTIME.
ClockId primaryClock(std::uint32_t defined) { return {defined == 0 ? ClockId::Boottime : defined, 0}; }

std::string uuidFrom(std::uint64_t low, std::uint64_t high)
{
    char text[40];
    std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                  static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xffff), static_cast<unsigned>(low >> 48),
                  static_cast<unsigned long long>(low & 0xffff'ffff'ffff));
    return text;
}

/// Returns the TrackEventDefaults message in a TracePacketDefaults message.
std::string_view trackEventDefaultsIn(std::string_view defaults)
{
    std::string_view found;
    if (defaults.size() <= PacketSequence::LongestDefaults)
        forEachField(defaults, [&](const WireField& field) {
            if (field.number == 11)
                found = field.bytes;
        });
    return found;
}

class Reader {
public:
    Reader(const std::string& file, Machines machines)
        : m_file(file)
        , m_log(file)
        , m_writer(m_recording->events, m_log)
        , m_processes(m_writer, m_recording->records, m_log)
        , m_samples(m_writer, m_log)
        , m_trackWriter(m_recording->events)
        , m_tracks(m_trackWriter)
        , m_trackEvents(m_trackWriter, m_tracks, m_log)
        , m_stats(m_trackWriter)
        , m_machines(std::move(machines))
    {
    }

    Result<PerfettoRecording> read(std::string_view trace, const std::stop_token& stop)
    {
        if (auto done = m_packets.read(trace, m_file, stop); !done)
            return done.error();
        m_texts.setTraceSize(m_packets.contentSize());
        if (auto done = prepare(stop); !done)
            return done.error();
        for (std::size_t i = 0; i < m_packets.size(); ++i) {
            if (i % 256 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            takePacket(m_packets[i], m_packets.offsetOf(i));
        }
        return finish();
    }

private:
    static EventType makeType(const NewEvent& event, std::span<const StoredField> fields)
    {
        return EventWriter::isOwn(event) ? EventWriter::makeType(event, fields) : makeTrackEventType(event, fields);
    }

    /// Reads all clock snapshots, and then calls prepare() for each packet.
    Status prepare(const std::stop_token& stop)
    {
        std::uint32_t primary = 0;
        std::uint32_t hostPrimary = 0;
        for (std::size_t i = 0; i < m_packets.size(); ++i) {
            if (i % 256 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            const PacketHead head = readHead(m_packets[i]);
            const bool isOwn = head.machine == m_machines.read;
            if (head.payload == payload::ClockSnapshot && (isOwn || head.machine == 0)) {
                ClockSnapshot snapshot = readClockSnapshot(head.payloadBytes, isOwn ? head.sequence : ClockId::HostSequence);
                if (!isOwn)
                    std::erase_if(snapshot.readings, [](const ClockReading& it) { return ClockId::isOfSequence(it.clock.number); });
                std::uint32_t& known = isOwn ? primary : hostPrimary;
                known = known == 0 ? snapshot.primary : known;
                m_clocks.add(snapshot.readings, head.sequence);
            } else if (head.payload == payload::RemoteClockSync && isOwn && m_machines.read != 0) {
                addHostClock(head.payloadBytes, m_clocks, m_hostClock);
            }
        }
        m_ownPrimary = m_primary = primaryClock(primary);
        if (m_hostClock.rounds > 0)
            m_primary = {primaryClock(hostPrimary).number, ClockId::HostSequence};
        m_ftrace.emplace(m_writer, m_clocks, m_primary, m_recording->losses, m_log);
        for (std::size_t i = 0; i < m_packets.size(); ++i) {
            if (i % 256 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            const PacketHead head = readHead(m_packets[i]);
            if (head.machine == m_machines.read)
                prepare(head);
        }
        return Done{};
    }

    /// Takes the parts of a packet that must be known before the first event is stored, e.g. the descriptions of tracks.
    void prepare(const PacketHead& head)
    {
        switch (head.payload) {
        case payload::Ftrace: m_ftrace->prepare(head.payloadBytes); break;
        case payload::GenericProcessTree: m_processes.prepareGenericTree(head.payloadBytes); break;
        case payload::TrackDescriptor: m_tracks.describe(head.payloadBytes); break;
        case payload::ProcessDescriptor: m_tracks.describeProcess(head.payloadBytes); break;
        case payload::ThreadDescriptor: m_tracks.describeThread(head.payloadBytes); break;
        case payload::TrackEvent: m_trackEvents.prepare(head.payloadBytes, m_defaults[head.sequence]); break;
        default: break;
        }
        if (head.hasDefaults)
            m_defaults[head.sequence] = trackEventDefaultsIn(head.defaults);
    }

    void takePacket(std::string_view packet, std::uint64_t offset)
    {
        const PacketHead head = readHead(packet);
        if (head.isDamaged)
            m_log.add(Diagnostic::Severity::Error, "damaged-packet", offset,
                      "a packet is damaged; its content behind the damage is missing");
        if (head.machine != m_machines.read) {
            if (m_machines.read == 0 && !std::ranges::binary_search(m_machines.others, head.machine))
                ++m_ofMachines[head.machine];
            return;
        }
        PacketSequence& sequence = m_sequences.try_emplace(head.sequence, m_texts).first->second;
        const bool isAfterLoss = head.isAfterLoss && sequence.hasPackets;
        sequence.hasPackets = true;
        if (head.clearsState || isAfterLoss) {
            sequence.clearState();
            sequence.hasValidState = head.clearsState;
        }
        if (head.hasDefaults)
            takeDefaults(head.defaults, sequence, offset);
        if (!head.internedData.empty() && !sequence.addInterned(head.internedData))
            m_log.warn("damaged-packet", offset, "a packet is damaged; its content behind the damage is missing");
        if (head.payload == payload::ClockSnapshot) {
            for (const ClockReading& reading : readClockSnapshot(head.payloadBytes, head.sequence).readings) {
                m_units[reading.clock] = reading.unit;
                if (reading.isIncremental)
                    sequence.incrementalTimes[reading.clock.number] = reading.time();
            }
            return;
        }
        if (head.needsState && !sequence.hasValidState) {
            m_log.warn("no-state", offset, "packets refer to names and defaults that were lost or not recorded; these packets are missing");
            return;
        }
        auto time = timeOf(head, sequence, offset);
        if (head.payload == payload::TrackEvent && !head.timestamp)
            time = timeOfEvent(head, sequence);
        const std::optional<std::int64_t> before = sequence.lastTime;
        if (time)
            sequence.lastTime = std::max(sequence.lastTime.value_or(*time), *time);
        const bool hasLostTime = head.timestamp && !time;
        if (!hasLostTime)
            takePayload(head, sequence, time, offset);
        if (isAfterLoss)
            addLoss(sequence, before, offset);
    }

    void takeDefaults(std::string_view defaults, PacketSequence& sequence, std::uint64_t offset)
    {
        if (defaults.size() > PacketSequence::LongestDefaults)
            m_log.warn("long-defaults", offset, "defaults of a sequence have more than 64 KiB; they are not used");
        sequence.setDefaults(defaults);
    }

    /// Returns the time of a packet in ns of the primary clock; nullopt if the packet has no timestamp, or if its clock cannot be
    /// converted.
    std::optional<std::int64_t> timeOf(const PacketHead& head, PacketSequence& sequence, std::uint64_t offset)
    {
        if (!head.timestamp)
            return {};
        const std::uint32_t number = (head.clock ? head.clock : sequence.defaultClock()).value_or(0);
        const ClockId clock = number == 0 ? m_ownPrimary : ClockId::of(number, head.sequence);
        const auto unit = number == 0 ? m_units.end() : m_units.find(clock);
        auto time = static_cast<std::int64_t>(*head.timestamp * (unit == m_units.end() ? 1 : unit->second));
        if (const auto last = sequence.incrementalTimes.find(number);
            last != sequence.incrementalTimes.end() && ClockId::isOfSequence(number)) {
            time = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + static_cast<std::uint64_t>(last->second));
            last->second = time;
        }
        const auto converted = m_clocks.convert(clock, time, m_primary);
        if (!converted)
            m_log.add(Diagnostic::Severity::Error, "no-clock", offset,
                      "no snapshot relates " + clockName(clock.number) + " to " + clockName(m_primary.number)
                          + "; packets with this clock are missing");
        return converted;
    }

    /// Returns the time inside a TrackEvent message in ns of the primary clock; nullopt if the message contains none. Its clock is
    /// MONOTONIC. If no snapshot contains this clock, the time is not converted.
    std::optional<std::int64_t> timeOfEvent(const PacketHead& head, PacketSequence& sequence)
    {
        const auto time = TrackEventReader::ownTime(head.payloadBytes, sequence);
        return time ? m_clocks.convert({ClockId::Monotonic, 0}, *time, m_primary).value_or(*time) : time;
    }

    /// Reports that packets of a sequence were lost. If the sequence has ftrace events, the time from `before` (in ns) to the sequence's
    /// last time becomes a loss, in which the states of threads are unknown.
    void addLoss(const PacketSequence& sequence, std::optional<std::int64_t> before, std::uint64_t offset)
    {
        if (sequence.hasFtrace && before && sequence.lastTime)
            m_ftrace->addLoss(*before, *sequence.lastTime);
        else
            m_log.warn("lost-packets", offset, "packets of a sequence were lost");
    }

    void takePayload(const PacketHead& head, PacketSequence& sequence, std::optional<std::int64_t> time, std::uint64_t offset)
    {
        const std::int64_t at = time.value_or(sequence.lastTime.value_or(0));
        switch (head.payload) {
        case 0: break;
        case payload::Ftrace: m_ftrace->takeBundle(head.payloadBytes, sequence, offset); break;
        case payload::ProcessTree: m_processes.takeTree(head.payloadBytes, at, offset); break;
        case payload::GenericProcessTree: m_processes.takeGenericTree(head.payloadBytes, at, offset); break;
        case payload::GenericTaskState: m_processes.takeTaskState(head.payloadBytes, at); break;
        case payload::GenericTaskRename: m_processes.takeTaskName(head.payloadBytes, at); break;
        case payload::GenericCpuFrequency: m_processes.takeFrequency(head.payloadBytes, at); break;
        case payload::TraceConfig: break;
        case payload::ProcessStats: m_stats.takeProcessStats(head.payloadBytes, at); break;
        case payload::SysStats: m_stats.takeSysStats(head.payloadBytes, at); break;
        case payload::Battery: m_stats.takeBattery(head.payloadBytes, at); break;
        case payload::TrackEvent: m_trackEvents.take(head.payloadBytes, sequence, at, offset); break;
        case payload::TrackDescriptor:
        case payload::ProcessDescriptor: break; // prepare() has already read these packets.
        case payload::ThreadDescriptor: sequence.setThread(head.payloadBytes); break;
        case payload::StreamingProfile: takeProfile(head.payloadBytes, sequence, time); break;
        case payload::SystemInfo: takeSystemInfo(head.payloadBytes); break;
        case payload::PerfSample: m_samples.takePerfSample(head.payloadBytes, sequence, at, offset); break;
        case payload::TraceUuid: takeUuid(head.payloadBytes); break;
        case payload::RemoteClockSync:
        case payload::Synchronization: break;
        case payload::ChromeEvents: takeChromeEvents(head.payloadBytes, offset); break;
        default: ++m_skipped[head.payload];
        }
    }

    /// Takes the samples of a StreamingProfilePacket message. The time of each sample is stored as the difference in us to the preceding
    /// one.
    void takeProfile(std::string_view message, PacketSequence& sequence, std::optional<std::int64_t> time)
    {
        std::vector<std::uint64_t> stacks;
        std::vector<std::uint64_t> deltas;
        forEachField(message, [&](const WireField& field) {
            if (field.number == 1 || field.number == 2)
                forEachNumber(field, [&](std::uint64_t number) { (field.number == 1 ? stacks : deltas).push_back(number); });
        });
        constexpr std::uint64_t Microsecond = 1000;
        // If the packet has no timestamp, its first difference is relative to the last track event of the sequence.
        std::int64_t at = time.value_or(sequence.eventTime);
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            at = static_cast<std::int64_t>(static_cast<std::uint64_t>(at) + (i < deltas.size() ? deltas[i] * Microsecond : 0));
            const std::int64_t converted = time ? at : m_clocks.convert({ClockId::Monotonic, 0}, at, m_primary).value_or(at);
            m_samples.takeProfileSample(sequence, converted, stacks[i], {-1, sequence.tid, sequence.pid});
        }
        if (!time)
            sequence.eventTime = at;
    }

    void takeSystemInfo(std::string_view message)
    {
        const auto add = [&](const char* name, std::string_view value) {
            if (!value.empty())
                m_environment.emplace_back(name, std::string(value));
        };
        forEachField(message, [&](const WireField& field) {
            if (field.number == 4)
                add("tracer_version", field.bytes);
            if (field.number != 1 || !field.isBytes())
                return;
            forEachField(field.bytes, [&](const WireField& part) {
                switch (part.number) {
                case 1: add("sysname", part.bytes); break;
                case 2: add("kernel_version", part.bytes); break;
                case 3: add("kernel_release", part.bytes); break;
                case 4: add("machine", part.bytes); break;
                default: break;
                }
            });
        });
    }

    void takeUuid(std::string_view message)
    {
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        forEachField(message, [&](const WireField& field) { (field.number == 1 ? high : low) = field.value; });
        m_uuid = uuidFrom(low, high);
    }

    /// Reports the machines whose packets no trace shows.
    void addMachines()
    {
        std::uint64_t left = 0;
        std::string machines; // The IDs of the first machines, separated by commas.
        constexpr std::size_t Longest = 60;
        for (const auto& [machine, count] : m_ofMachines) {
            left += count;
            if (machines.size() < Longest)
                machines += (machines.empty() ? "" : ", ") + std::to_string(machine);
        }
        if (left > 0)
            m_log.warn("other-machine", 0,
                       "packets of machines that the beginning of the trace does not name are not read; the machines are " + machines,
                       left);
    }

    /// Takes the texts in a ChromeEventBundle message of old versions of Chrome, and counts its events, which are not read. A text may be
    /// divided among many messages.
    void takeChromeEvents(std::string_view message, std::uint64_t offset)
    {
        bool hasOther = false;
        forEachField(message, [&](const WireField& field) {
            switch (field.number) {
            case 1: m_log.warn("unread-trace_events", offset, "old events of Chrome in packets (trace_events) are not read"); break;
            case 4: m_systrace += field.bytes; break;
            case 5: takeJson(field.bytes, offset); break;
            default: hasOther = true;
            }
        });
        m_skipped[payload::ChromeEvents] += hasOther ? 1 : 0;
    }

    /// Takes a ChromeLegacyJsonTrace message: a part of a list of events, without the brackets of the list.
    void takeJson(std::string_view message, std::uint64_t offset)
    {
        std::uint64_t type = 0;
        std::string_view data;
        forEachField(message, [&](const WireField& field) {
            if (field.number == 1)
                type = field.value;
            else if (field.number == 2)
                data = field.bytes;
        });
        constexpr std::uint64_t UserTrace = 0;
        if (type != UserTrace)
            m_log.warn("unread-json", offset, "texts of other systems in packets (legacy_json_trace) are not read");
        else
            m_json += data;
    }

    /// Returns the texts that takeChromeEvents() took.
    std::vector<EmbeddedText> takeEmbedded()
    {
        std::vector<EmbeddedText> embedded;
        if (!m_systrace.empty())
            embedded.push_back({"legacy_ftrace_output", std::move(m_systrace)});
        if (!m_json.empty())
            embedded.push_back(
                {"legacy_json_trace",
                 m_json.starts_with('[') || m_json.starts_with("{\"traceEvents\"") ? std::move(m_json) : '[' + m_json + ']'});
        return embedded;
    }

    PerfettoRecording finish()
    {
        m_ftrace->finish();
        m_trackEvents.finish();
        m_samples.finish();
        std::string unknown; // The first numbers of unknown fields, separated by commas.
        std::uint64_t unknownCount = 0;
        for (const auto& [number, count] : m_skipped) {
            if (count == 0)
                continue;
            const std::string_view name = payloadName(number);
            constexpr std::size_t Longest = 60;
            if (!name.empty()) {
                m_log.add(Diagnostic::Severity::Info, "unread-" + std::string(name), 0,
                          "packets with \"" + std::string(name) + "\" are not read", count);
                continue;
            }
            unknownCount += count;
            if (unknown.size() < Longest)
                unknown += (unknown.empty() ? "" : ", ") + std::to_string(number);
            else if (!unknown.ends_with("..."))
                unknown += ", ...";
        }
        if (unknownCount > 0)
            m_log.add(Diagnostic::Severity::Info, "unread-fields", 0, "packets with the unknown fields " + unknown + " are not read",
                      unknownCount);
        addMachines();
        for (const ClockId& clock : m_clocks.backwardClocks())
            m_log.warn("backward-clock", 0, clockName(clock.number) + " goes back between two snapshots; its times are not converted");
        if (m_clocks.ignoredReadings() > 0)
            m_log.warn("clock-readings", 0, "readings of clocks are repeated in a snapshot, or too many; they are not used",
                       m_clocks.ignoredReadings());
        if (m_texts.cuts() > 0)
            m_log.warn("cut-texts", 0, "texts to which many events refer would take too much room; they are cut, call stacks are left out",
                       m_texts.cuts());
        PerfettoRecording result;
        result.environment = std::move(m_environment);
        if (m_ftrace->hasEvents())
            result.environment.emplace_back("domain", "kernel");
        result.uuid = std::move(m_uuid);
        result.clock = clockName(m_primary.number);
        result.hostClock = m_hostClock;
        result.wallClock = m_clocks.firstDifference(m_primary, {ClockId::Realtime, m_primary.sequence});
        if (m_primary.number == ClockId::Realtime)
            result.wallClock = 0;
        if (result.wallClock)
            m_recording->shift(Duration(*result.wallClock));
        m_recording->finish();
        auto& all = m_recording->events.diagnostics();
        const auto append = [&](const std::vector<Diagnostic>& more) { all.insert(all.end(), more.begin(), more.end()); };
        append(m_packets.diagnostics());
        append(m_log.take());
        result.samples = m_samples.takeKinds();
        result.modules = m_samples.stacks().takeModules();
        result.stacks = m_samples.stacks().takeTree();
        result.recording = std::move(m_recording);
        result.embedded = takeEmbedded();
        return result;
    }

    const std::string& m_file;
    Packets m_packets;
    TextBudget m_texts;
    DiagnosticLog m_log;
    std::unique_ptr<StoredRecording> m_recording = std::make_unique<StoredRecording>(m_file, makeType);
    EventWriter m_writer;
    ClockGraph m_clocks;
    std::map<ClockId, std::uint64_t> m_units; ///< Length of each clock's unit in ns.
    ClockId m_primary; ///< Primary clock, to which all times are converted.
    ClockId m_ownPrimary; ///< Clock of packets that do not name a clock: the primary clock of the machine whose packets are read.
    std::optional<FtraceReader> m_ftrace;
    ProcessReader m_processes;
    PacketSamples m_samples;
    TrackEventWriter m_trackWriter;
    TrackTree m_tracks;
    TrackEventReader m_trackEvents;
    StatsReader m_stats;
    std::unordered_map<std::uint32_t, PacketSequence> m_sequences;
    /// TrackEventDefaults message of each sequence, keyed by sequence ID; used only by prepare().
    std::unordered_map<std::uint32_t, std::string_view> m_defaults;
    std::map<std::uint32_t, std::uint64_t> m_skipped; ///< Number of packets whose payload is not read, keyed by the payload's field number.
    const Machines m_machines;
    std::map<std::uint32_t, std::uint64_t> m_ofMachines; ///< Number of packets of machines that no trace shows, keyed by machine ID.
    HostClock m_hostClock; ///< Relation of the machine's clock to the clock of the trace's host.
    std::vector<std::pair<std::string, EnvironmentValue>> m_environment;
    std::string m_uuid;
    std::string m_systrace; ///< Text of ftrace in packets of Chrome.
    std::string m_json; ///< Events in Chrome's JSON format in packets of Chrome.
};

} // namespace

Result<PerfettoRecording> readPerfetto(std::string_view trace, const std::string& file, const std::stop_token& stop, Machines machines)
{
    return Reader(file, std::move(machines)).read(trace, stop);
}

} // namespace helio::perfetto
