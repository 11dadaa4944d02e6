#include "core/profiling/samples/stack_unwinding.h"

#include "core/trace/process/sample_view.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::size_t MostProcesses = 64; ///< Maximum number of processes whose unwinders are cached.

ElfMachine machineOf(const std::string& name)
{
    return name == "x86_64" ? ElfMachine::X86_64 : name == "aarch64" ? ElfMachine::AArch64 : ElfMachine::Other;
}

} // namespace

StackUnwinding::StackUnwinding(const TimelineTrace& trace, std::shared_ptr<Symbolizer> symbolizer, std::stop_token stop)
    : m_trace(trace)
    , m_symbolizer(std::move(symbolizer))
    , m_stop(std::move(stop))
{
}

void StackUnwinding::openBefore(std::uint64_t event)
{
    // Without checkpoints, start at the trace's first event: the facts of a trace may be incomplete while its samples are already
    // available.
    const auto checkpoints = m_trace.facts ? m_trace.facts->mergeIndex() : std::span<const MergeCheckpoint>();
    const auto after = std::upper_bound(checkpoints.begin(), checkpoints.end(), event,
                                        [](std::uint64_t e, const MergeCheckpoint& c) { return e < c.event; });
    const bool isAtBegin = after == checkpoints.begin();
    m_events =
        std::make_unique<MergedEvents>(*m_trace.trace, isAtBegin ? std::span<const StreamPosition>() : std::prev(after)->streams, m_stop);
    m_next = isAtBegin ? 0 : std::prev(after)->event;
    m_spaces.emplace(m_trace.trace->modules());
    m_records = 0;
    m_changed.clear();
    m_processes.clear();
}

/// Moves m_events to the event with this number. Returns false at the end of the trace.
bool StackUnwinding::goTo(std::uint64_t event)
{
    if (!m_events || event < m_next || event - m_next > MergeIndexStep)
        openBefore(event);
    while (m_next <= event) {
        if (!m_events->next())
            return false;
        ++m_next;
    }
    return true;
}

void StackUnwinding::takeRecordsUntil(HostTimestamp time)
{
    const auto records = m_trace.trace->processRecords();
    for (; m_records < records.size() && records[m_records].time <= time; ++m_records) {
        m_spaces->take(records[m_records]);
        if (records[m_records].guest == NoGuest)
            m_changed[records[m_records].pid] = m_records + 1;
    }
}

StackUnwinding::Process& StackUnwinding::processOf(std::int32_t pid)
{
    if (m_processes.size() >= MostProcesses && !m_processes.contains(pid))
        m_processes.clear();
    Process& process = m_processes[pid];
    const bool isNew = !process.unwinder;
    if (isNew)
        process.unwinder = Unwinder::make(machineOf(m_trace.trace->samples()->machine()), m_symbolizer, m_frames);
    if (isNew || m_changed[pid] > process.records) {
        const AddressSpace* space = m_spaces->spaceOf(pid);
        process.unwinder->setMappings(space ? space->all() : std::vector<Mapping>(), m_trace.trace->modules());
        process.records = m_records;
    }
    return process;
}

UnwoundStack StackUnwinding::unwind(const HostSample& sample)
{
    const SampleReader* reader = m_trace.trace ? m_trace.trace->samples() : nullptr;
    SampleView view;
    if (!reader || !m_symbolizer || !goTo(sample.event) || !reader->read(m_events->event(), view))
        return {{}, UnwindEnd::Unreadable};
    if (view.user.registers.empty())
        return {{}, UnwindEnd::BadRegisters};
    takeRecordsUntil(sample.time);
    m_registers.resize(view.user.registers.size());
    for (std::size_t i = 0; i < m_registers.size(); ++i)
        m_registers[i] = view.user.registers[i];
    UserRegisters registers;
    registers.abi = view.user.abi == 2 ? UserRegisters::Abi::Bits64
        : view.user.abi == 1           ? UserRegisters::Abi::Bits32
                                       : UserRegisters::Abi::None;
    registers.mask = view.user.registerMask;
    registers.values = m_registers;
    UnwoundStack stack = processOf(view.pid).unwinder->unwind(registers, view.user.stack);
    // If the innermost frame has no module, search the recorded mappings: the process may have called execve(), and the address may
    // belong to the previous program.
    if (!stack.frames.empty() && stack.frames.front().module == UnknownModule) {
        const ModuleAddress place = m_spaces->find(view.pid, stack.frames.front().ip);
        stack.frames.front().module = place.module;
        stack.frames.front().address = place.address;
    }
    // If the stack was copied completely, it cannot be truncated: the unwinder followed wrong unwind information.
    if (stack.end == UnwindEnd::Truncated && !view.user.isStackTruncated)
        stack.end = UnwindEnd::NoUnwindInfo;
    return stack;
}

} // namespace helio
