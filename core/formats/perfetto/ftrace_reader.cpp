#include "core/formats/perfetto/ftrace_reader.h"

#include "core/trace/loss_range.h"

#include <algorithm>
#include <limits>

namespace helio::perfetto {
namespace {

constexpr std::int32_t MostCpus = 65'536;
/// Size in bytes at which names in descriptions of events are cut, which may belong to any number of events.
constexpr std::size_t LongestName = 256;

// Values of the protobuf enum FtraceClock.
constexpr std::uint32_t ClockUnknown = 1;
constexpr std::uint32_t ClockGlobal = 2;
constexpr std::uint32_t ClockLocal = 3;
constexpr std::uint32_t ClockMonotonicRaw = 4;

/// Converts a device number from the encoding of user space (makedev in <sys/sysmacros.h>) to the encoding of the kernel (MKDEV in
/// include/linux/kdev_t.h).
std::int64_t kernelDevice(std::uint64_t device)
{
    const std::uint64_t major = ((device >> 8) & 0xfff) | ((device >> 32) & 0xfffff000);
    const std::uint64_t minor = (device & 0xff) | ((device >> 12) & 0xffffff00);
    return static_cast<std::int64_t>((major << 20) | (minor & 0xfffff));
}

std::int64_t clamped(std::uint64_t time)
{
    return static_cast<std::int64_t>(std::min<std::uint64_t>(time, std::numeric_limits<std::int64_t>::max()));
}

std::string fieldName(std::uint32_t number) { return "field_" + std::to_string(number); }

} // namespace

FtraceReader::Bundle FtraceReader::headOf(std::string_view bundle)
{
    Bundle head;
    forEachField(bundle, [&](const WireField& field) {
        switch (field.number) {
        case 1: head.cpu = field.value < MostCpus ? field.int32() : -1; break;
        case 3: head.isAfterLoss = field.value != 0; break;
        case 5: head.clockKind = field.uint32(); break;
        case 6: head.globalTime = field.value; break;
        case 7: head.bootTime = field.value; break;
        default: break;
        }
    });
    if (head.clockKind == ClockGlobal)
        head.clock = {ClockId::FtraceGlobal, 0};
    else if (head.clockKind == ClockMonotonicRaw)
        head.clock = {ClockId::MonotonicRaw, 0};
    else
        head.clock = {ClockId::Boottime, 0};
    return head;
}

void FtraceReader::prepare(std::string_view bundle)
{
    const Bundle head = headOf(bundle);
    if (head.clockKind == ClockGlobal && head.globalTime != 0 && head.bootTime != 0) {
        const ClockReading readings[] = {{{ClockId::FtraceGlobal, 0}, head.globalTime}, {{ClockId::Boottime, 0}, head.bootTime}};
        m_clocks.add(readings, {});
    }
    constexpr std::uint32_t Descriptors = 11;
    forEachField(bundle, [&](const WireField& field) {
        if (field.number == Descriptors && field.isBytes())
            describe(field.bytes);
    });
}

/// Takes the description of an event type (message GenericEventDescriptor). It describes the fields of the event like those of a protobuf
/// message (DescriptorProto in google/protobuf/descriptor.proto).
void FtraceReader::describe(std::string_view descriptor)
{
    std::uint32_t number = 0;
    DescribedEvent event;
    forEachField(descriptor, [&](const WireField& part) {
        if (part.number == 1)
            number = part.uint32();
        if (part.number != 2 || !part.isBytes())
            return;
        forEachField(part.bytes, [&](const WireField& of) {
            if (of.number == 1)
                event.name = of.bytes.substr(0, LongestName);
            if (of.number != 2 || !of.isBytes())
                return;
            std::string_view name;
            std::uint32_t id = 0;
            forEachField(of.bytes, [&](const WireField& it) {
                if (it.number == 1)
                    name = it.bytes.substr(0, LongestName);
                else if (it.number == 3)
                    id = it.uint32();
            });
            event.fields[id] = name;
        });
    });
    if (number > 2 && !event.name.empty())
        m_described[number] = std::move(event);
}

std::optional<std::int64_t> FtraceReader::timeOf(const Bundle& bundle, std::uint64_t time)
{
    // Bundle and trace use the same clock, BOOTTIME: no conversion is needed.
    if (bundle.clock == ClockId{ClockId::Boottime, 0} && m_primary == bundle.clock)
        return clamped(time);
    auto converted = m_clocks.convert(bundle.clock, clamped(time), m_primary);
    if (!converted)
        m_log.add(Diagnostic::Severity::Error, "no-clock", bundle.offset,
                  "no snapshot relates " + clockName(bundle.clock.number) + " to " + clockName(m_primary.number)
                      + "; events with this clock are missing");
    return converted;
}

void FtraceReader::noteTime(const Bundle& bundle, std::int64_t time)
{
    m_first = std::min(m_first.value_or(time), time);
    m_last = std::max(m_last, time);
    auto& last = bundle.sequence->lastTime;
    last = std::max(last.value_or(time), time);
    m_hasEvents = true;
}

void FtraceReader::takeBundle(std::string_view bundle, PacketSequence& sequence, std::uint64_t offset)
{
    Bundle head = headOf(bundle);
    head.sequence = &sequence;
    head.offset = offset;
    sequence.hasFtrace = true;
    if (head.cpu < 0) {
        m_log.warn("no-cpu", offset, "a bundle of ftrace events has no CPU, or an impossible one; its events are missing");
        return;
    }
    if (head.clockKind == ClockLocal || head.clockKind == ClockUnknown) {
        m_log.add(Diagnostic::Severity::Error, "unusable-clock", offset,
                  "ftrace events were recorded with the clock \"local\" or an unknown one; they are missing");
        return;
    }
    CpuState& cpu = m_cpus[head.cpu];
    const std::optional<std::int64_t> before = cpu.lastTime;
    if (head.isAfterLoss) {
        cpu.isKnown = false;
        cpu.hasLoss = true;
    }
    m_first.reset();
    const bool isSound = forEachField(bundle, [&](const WireField& field) {
        if (!field.isBytes())
            return;
        if (field.number == 2)
            takeEvent(head, field.bytes);
        else if (field.number == 4)
            takeCompact(head, field.bytes);
    });
    if (!isSound)
        m_log.add(Diagnostic::Severity::Error, "damaged-bundle", offset,
                  "a bundle of ftrace events is damaged; its events behind the damage are missing");
    if (!cpu.hasLoss || !m_first)
        return;
    cpu.hasLoss = false;
    if (!before)
        m_log.warn("lost-before", offset, "events of a CPU were lost before its first event");
    else
        addLossOf(head.cpu, *before, *m_first);
}

/// Adds a loss of events of the CPU `cpu` between the times `from` and `to`, both in ns.
void FtraceReader::addLossOf(std::int32_t cpu, std::int64_t from, std::int64_t to)
{
    m_losses.push_back({makeLossRange(hostTime(from), hostTime(to)), 0, 0, cpu, 0});
}

void FtraceReader::addLoss(std::int64_t from, std::int64_t to)
{
    for (auto& [number, cpu] : m_cpus)
        cpu.isKnown = false;
    m_losses.push_back({makeLossRange(hostTime(from), hostTime(to)), 0, 1, -1, 0});
}

void FtraceReader::takeEvent(const Bundle& bundle, std::string_view event)
{
    std::optional<std::uint64_t> timestamp;
    EventContext context;
    context.cpu = bundle.cpu;
    WireField payload;
    const bool isSound = forEachField(event, [&](const WireField& field) {
        if (field.isBytes() && payload.number == 0)
            payload = field;
        else if (field.number == 1)
            timestamp = field.value;
        else if (field.number == 2)
            context.tid = field.int32();
    });
    if (!isSound || !timestamp || payload.number == 0) {
        m_log.warn("damaged-event", bundle.offset, "an ftrace event is damaged, or has no time or no content; it is missing");
        return;
    }
    const auto time = timeOf(bundle, *timestamp);
    if (!time)
        return;
    m_writer.begin();
    std::string_view name = ftraceLayout(payload.number).name;
    const auto described = m_described.find(payload.number);
    if (payload.number == ftrace::Generic)
        name = m_writer.keep(addGenericFields(payload.bytes));
    else
        addFields(bundle, payload.number, payload.bytes);
    if (name.empty() && described != m_described.end())
        name = described->second.name;
    if (name.empty()) {
        ++m_unknown[payload.number];
        name = m_writer.keep("ftrace_event_" + std::to_string(payload.number));
    }
    noteTime(bundle, *time);
    CpuState& cpu = m_cpus[bundle.cpu];
    cpu.lastTime = std::max(cpu.lastTime.value_or(*time), *time);
    m_writer.store(name, *time, context);
    if (payload.number == ftrace::SchedSwitch)
        noteSwitch(cpu, payload.bytes);
}

void FtraceReader::noteSwitch(CpuState& cpu, std::string_view message)
{
    constexpr std::uint32_t NextPid = 6;
    cpu.isKnown = false;
    forEachField(message, [&](const WireField& field) {
        if (field.number == NextPid) {
            cpu.tid = field.int32();
            cpu.isKnown = true;
        }
    });
}

void FtraceReader::addFields(const Bundle& bundle, std::uint32_t number, std::string_view message)
{
    const FtraceLayout& layout = ftraceLayout(number);
    const auto described = m_described.find(number);
    std::uint32_t previous = 0;
    const bool isSound = forEachField(message, [&](const WireField& field) {
        FtraceField known;
        if (field.number - 1 < layout.fields.size())
            known = layout.fields[field.number - 1];
        std::string_view name = known.name;
        if (name.empty() && described != m_described.end())
            if (const auto found = described->second.fields.find(field.number); found != described->second.fields.end())
                name = found->second;
        if (name.empty())
            name = m_writer.keep(fieldName(field.number));
        if (field.number == previous) // The values of a repeated field are joined to one text.
            return m_writer.appendToLast(field.isBytes() ? readableText(field.bytes) : std::to_string(field.integer()));
        previous = field.number;
        if (m_writer.hasRoom())
            addField(bundle, known, name, field);
    });
    if (!isSound)
        m_log.warn("damaged-event", bundle.offset, "an ftrace event is damaged; its fields behind the damage are missing");
}

void FtraceReader::addField(const Bundle& bundle, const FtraceField& field, std::string_view name, const WireField& value)
{
    if (value.isBytes()) {
        const bool isText = !field.name.empty();
        m_writer.addText(name, isText ? value.bytes : m_writer.keep(readableText(value.bytes)));
        return;
    }
    switch (field.kind) {
    case FtraceFieldKind::Address: m_writer.addAddress(name, value.value); return;
    case FtraceFieldKind::Device: m_writer.addNumber(name, kernelDevice(value.value)); return;
    case FtraceFieldKind::Symbol:
        if (const auto function = bundle.sequence->findText(interned::KernelSymbols, value.value))
            m_writer.addText(name, *function);
        else
            m_writer.addText(name, m_writer.keep("symbol " + std::to_string(value.value)));
        return;
    case FtraceFieldKind::Plain: break;
    }
    if (value.type == protozero::pbf_wire_type::varint)
        m_writer.addNumber(name, value.integer());
    else
        m_writer.addReal(name, value.real());
}

/// Adds the fields of a GenericFtraceEvent message, which contains its own name and the names of its fields. Returns the event's name.
std::string FtraceReader::addGenericFields(std::string_view message)
{
    std::string name = "generic";
    forEachField(message, [&](const WireField& field) {
        if (!field.isBytes())
            return;
        if (field.number == 1)
            name = field.bytes;
        if (field.number != 2)
            return;
        std::string_view label;
        WireField value;
        forEachField(field.bytes, [&](const WireField& part) {
            if (part.number == 1)
                label = part.bytes;
            else if (part.number >= 3 && part.number <= 5)
                value = part;
        });
        if (label.empty() || value.number == 0 || !m_writer.hasRoom())
            return;
        if (value.isBytes())
            m_writer.addText(label, value.bytes);
        else
            m_writer.addNumber(label, value.integer());
    });
    return name;
}

/// Stores the scheduler events in a CompactSched message. The message encodes events as columns; each column is a repeated field.
void FtraceReader::takeCompact(const Bundle& bundle, std::string_view message)
{
    std::vector<std::string_view> comms;
    std::vector<std::uint64_t> columns[13];
    constexpr std::uint32_t InternTable = 5;
    bool areSound = true;
    const bool isSound = forEachField(message, [&](const WireField& field) {
        if (field.number == InternTable)
            comms.push_back(field.bytes);
        else if (field.number < std::size(columns))
            areSound = forEachNumber(field, [&](std::uint64_t number) { columns[field.number].push_back(number); }) && areSound;
    });
    const auto& [unused0, switchTimes, prevStates, nextTids, nextPriorities, unused5, nextComms, wakingTimes, tids, targets, priorities,
                 wakingComms, flags] = columns;
    const std::size_t switches =
        std::min({switchTimes.size(), prevStates.size(), nextTids.size(), nextPriorities.size(), nextComms.size()});
    const std::size_t wakings = std::min({wakingTimes.size(), tids.size(), targets.size(), priorities.size(), wakingComms.size()});
    areSound = areSound && isSound && switches == switchTimes.size() && wakings == wakingTimes.size();
    const auto commOf = [&](std::uint64_t index) {
        areSound = areSound && index < comms.size();
        return index < comms.size() ? bundle.sequence->texts().take(comms[index]) : std::string_view();
    };
    CpuState& cpu = m_cpus[bundle.cpu];
    std::uint64_t switchTime = switches > 0 ? switchTimes[0] : 0;
    std::uint64_t wakingTime = wakings > 0 ? wakingTimes[0] : 0;
    for (std::size_t i = 0, k = 0; i < switches || k < wakings;) {
        // If a wake-up and a switch have the same time, the wake-up came first, because the switch holds the run queue's lock.
        const bool isWaking = k < wakings && (i == switches || wakingTime <= switchTime);
        const auto time = timeOf(bundle, isWaking ? wakingTime : switchTime);
        if (!time)
            return;
        noteTime(bundle, *time);
        cpu.lastTime = std::max(cpu.lastTime.value_or(*time), *time);
        if (isWaking) {
            const auto flag = k < flags.size() ? std::optional(static_cast<std::int64_t>(flags[k])) : std::nullopt;
            storeWaking(bundle, cpu,
                        {*time, static_cast<std::int32_t>(tids[k]), static_cast<std::int64_t>(targets[k]),
                         static_cast<std::int64_t>(priorities[k]), commOf(wakingComms[k]), flag});
            if (++k < wakings)
                wakingTime += wakingTimes[k];
        } else {
            storeSwitch(bundle, cpu,
                        {*time, static_cast<std::int64_t>(prevStates[i]), static_cast<std::int32_t>(nextTids[i]),
                         static_cast<std::int64_t>(nextPriorities[i]), commOf(nextComms[i])});
            if (++i < switches)
                switchTime += switchTimes[i];
        }
    }
    if (!areSound)
        m_log.add(Diagnostic::Severity::Error, "damaged-compact-sched", bundle.offset,
                  "the columns of compact scheduler events are damaged or have different lengths; events or names are missing");
}

/// Stores a context switch. CompactSched does not contain the thread that leaves the CPU; it is the next thread of the CPU's preceding
/// context switch. This thread is unknown before the CPU's first switch and after a loss: then, the event has no field prev_pid. The name
/// and the priority of the thread may have changed meanwhile, so that the event never contains them.
void FtraceReader::storeSwitch(const Bundle& bundle, CpuState& cpu, const CompactSwitch& it)
{
    m_writer.begin();
    EventContext context{bundle.cpu};
    if (cpu.isKnown) {
        context.tid = cpu.tid;
        m_writer.addNumber("prev_pid", cpu.tid);
    }
    m_writer.addNumber("prev_state", it.prevState);
    m_writer.addText("next_comm", it.nextComm);
    m_writer.addNumber("next_pid", it.nextTid);
    m_writer.addNumber("next_prio", it.nextPriority);
    m_writer.store("sched_switch", it.time, context);
    cpu.isKnown = true;
    cpu.tid = it.nextTid;
}

void FtraceReader::storeWaking(const Bundle& bundle, const CpuState& cpu, const CompactWaking& it)
{
    m_writer.begin();
    m_writer.addText("comm", it.comm);
    m_writer.addNumber("pid", it.tid);
    m_writer.addNumber("prio", it.priority);
    m_writer.addNumber("target_cpu", it.targetCpu);
    if (it.flags)
        m_writer.addNumber("common_flags", *it.flags);
    m_writer.store("sched_waking", it.time, {bundle.cpu, cpu.isKnown ? cpu.tid : -1});
}

void FtraceReader::finish()
{
    for (const auto& [number, cpu] : m_cpus)
        if (cpu.hasLoss && cpu.lastTime)
            addLossOf(number, *cpu.lastTime, m_last);
        else if (cpu.hasLoss)
            m_log.warn("lost-before", 0, "events of a CPU were lost before its first event");
    std::uint64_t all = 0;
    std::string numbers;
    for (const auto& [number, count] : m_unknown) {
        all += count;
        if (numbers.size() < 200)
            numbers += (numbers.empty() ? "" : ", ") + std::to_string(number) + " (" + std::to_string(count) + ')';
    }
    if (all > 0)
        m_log.add(Diagnostic::Severity::Info, "unknown-ftrace-events", 0,
                  "ftrace events have unknown numbers and are named ftrace_event_N: " + numbers, all);
}

} // namespace helio::perfetto
