#include "core/formats/perfetto/sample_reader.h"

#include <algorithm>

namespace helio::perfetto {
namespace {

/// Names that perf gives to counters, indexed by the values of the protobuf enum PerfEvents.Counter.
constexpr std::string_view Counters[] = {{},
                                         "cpu-clock",
                                         "page-faults",
                                         "task-clock",
                                         "context-switches",
                                         "cpu-migrations",
                                         "minor-faults",
                                         "major-faults",
                                         "alignment-faults",
                                         "emulation-faults",
                                         "cycles",
                                         "instructions",
                                         "cache-references",
                                         "cache-misses",
                                         "branches",
                                         "branch-misses",
                                         "bus-cycles",
                                         "stalled-cycles-frontend",
                                         "stalled-cycles-backend",
                                         "ref-cycles",
                                         "dummy"};

/// Event that a profiler counts to decide when to take a sample (message PerfEvents.Timebase).
struct Timebase {
    std::string name;
    std::uint64_t period = 0; ///< Number of events between two samples; 0 if the profiler samples at a frequency.
    std::uint64_t frequency = 0; ///< Number of samples per second; 0 if not recorded.
};

/// Returns the timebase in a PerfSampleDefaults message (TracePacketDefaults.perf_sample_defaults).
Timebase timebaseIn(std::string_view defaults)
{
    Timebase timebase;
    std::string_view given;
    forEachField(defaults, [&](const WireField& field) {
        if (field.number != 1 || !field.isBytes())
            return;
        forEachField(field.bytes, [&](const WireField& part) {
            switch (part.number) {
            case 1: timebase.period = part.value; break;
            case 2: timebase.frequency = part.value; break;
            case 3:
                forEachField(part.bytes, [&](const WireField& of) {
                    if (of.number == 1)
                        timebase.name = of.bytes;
                });
                break;
            case 4:
                if (part.value < std::size(Counters))
                    timebase.name = Counters[part.value];
                break;
            case 5: timebase.name = "raw event"; break;
            case 10: given = part.bytes; break;
            default: break;
            }
        });
    });
    if (!given.empty())
        timebase.name = given;
    if (timebase.name.empty())
        timebase.name = "perf_sample";
    constexpr std::size_t Longest = 256; // The name is that of each sample.
    timebase.name.resize(std::min(timebase.name.size(), Longest));
    return timebase;
}

} // namespace

void PacketSamples::takePerfSample(std::string_view message, PacketSequence& sequence, std::int64_t time, std::uint64_t offset)
{
    EventContext context;
    std::uint64_t callstack = 0;
    std::uint32_t mode = 0;
    std::uint64_t lost = 0;
    bool isSkipped = false;
    bool isCutShort = false;
    const bool isSound = forEachField(message, [&](const WireField& field) {
        switch (field.number) {
        case 1: context.cpu = field.value < 65'536 ? field.int32() : -1; break;
        case 2: context.pid = field.int32(); break;
        case 3: context.tid = field.int32(); break;
        case 4: callstack = field.value; break;
        case 5: mode = field.uint32(); break;
        case 16: isCutShort = field.value > 1; break; // PerfSample.unwind_error: 0 is an unknown error, 1 is no error.
        case 17: lost = field.value; break;
        case 18: isSkipped = true; break;
        default: break;
        }
    });
    if (!isSound)
        m_log.warn("damaged-packet", offset, "a packet is damaged; its content behind the damage is missing");
    if (lost > 0)
        return m_log.warn("lost-records", offset, "records of a profiler were lost in the kernel's buffer", lost);
    if (isSkipped)
        return m_log.warn("skipped-samples", offset, "the profiler skipped samples because it could not unwind their stacks");
    if (isCutShort)
        m_log.add(Diagnostic::Severity::Info, "cut-stacks", offset, "the profiler could not unwind stacks to their outermost frames");
    const Timebase timebase = timebaseIn(sequence.sampleDefaults());
    SampleEvent kind;
    kind.name = timebase.name;
    kind.isTime = timebase.period > 0 && (timebase.name == "cpu-clock" || timebase.name == "task-clock");
    if (timebase.frequency > 0)
        kind.spacing = Duration(1'000'000'000 / static_cast<std::int64_t>(std::min<std::uint64_t>(timebase.frequency, 1'000'000'000)));
    add(kind, time, context, std::max<std::uint64_t>(timebase.period, 1), m_stacks.nodeOf(sequence, callstack), mode);
}

void PacketSamples::takeProfileSample(const PacketSequence& sequence, std::int64_t time, std::uint64_t callstack, EventContext thread)
{
    SampleEvent kind;
    kind.name = "profile_sample";
    add(kind, time, thread, 1, m_stacks.nodeOf(sequence, callstack), 0);
}

void PacketSamples::add(const SampleEvent& kind, std::int64_t time, EventContext context, std::uint64_t period, std::uint32_t stack,
                        std::uint32_t mode)
{
    constexpr std::uint64_t LargestPeriod = std::uint64_t{1} << 53;
    m_writer.begin();
    m_writer.addNumber("period", static_cast<std::int64_t>(std::min(period, LargestPeriod)));
    m_writer.addNumber("stack", stack);
    m_writer.addNumber("cpu_mode", mode);
    const std::uint32_t type = m_writer.storeSample(kind.name, time, context);
    if (type == StoredEvents::NoType)
        return;
    const auto place = std::ranges::lower_bound(m_kinds, EventTypeId{type}, {}, &SampleEvent::type);
    if (place != m_kinds.end() && place->type == EventTypeId{type})
        return;
    SampleEvent& added = *m_kinds.insert(place, kind);
    added.type = EventTypeId{type};
}

std::vector<SampleEvent> PacketSamples::takeKinds()
{
    // Event types with equal names differ in their stream contexts. All but the first get a number, e.g. "cycles#2".
    std::map<std::string, int> uses;
    for (SampleEvent& kind : m_kinds)
        if (const int use = ++uses[kind.name]; use > 1)
            kind.name += '#' + std::to_string(use);
    return std::move(m_kinds);
}

void PacketSamples::finish()
{
    if (m_stacks.isCut())
        m_log.warn("many-stacks", 0, "too many different call stacks; inner frames of further ones are missing");
}

} // namespace helio::perfetto
