#include "core/analyses/kernel/machine.h"

#include "core/analyses/kernel/handlers.h"
#include "core/analyses/kernel/samples.h"
#include "core/analyses/kernel/syscall_names.h"

#include <algorithm>

namespace helio::kernel {
namespace {

/// The most that Linux can be built for (NR_CPUS).
constexpr std::int64_t MaxCpus = 8192;

/// Nearly all traces that do not say are.
bool mayBeX86(const Trace& trace)
{
    for (const char* key : {"machine", "architecture", "arch"}) {
        const std::string machine = trace.info().text(key);
        if (!machine.empty())
            return machine == "x86_64" || machine == "amd64";
    }
    return true;
}

} // namespace

Machine::Machine(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_threads(sink)
    , m_interrupts(sink)
    , m_prevStates(trace.info().text("kernel_release"))
    , m_cpuStates(*sink.stateSet("cpu", CpuStateNames))
    , m_cpuThreadStates(*sink.stateSet("cpu-thread", CpuThreadStateNames))
{
    m_records = trace.processRecords();
    m_isX86 = mayBeX86(trace);
    bindTypes();
    if (trace.samples())
        m_samples = std::make_unique<Samples>(trace, sink, *this);
}

Machine::~Machine() = default;

void Machine::bindTypes()
{
    const SyscallNaming naming = syscallNaming(m_trace);
    m_bindings.reserve(m_trace.eventTypes().size());
    for (const auto& type : m_trace.eventTypes()) {
        Binding& binding = m_bindings.emplace_back(bind(*type, naming, m_sink));
        binding.handler = handlerOf(binding.kind);
        m_steps.push_back(stepOf(binding));
        m_carefulSteps.push_back({binding.handler ? Step::Kind::Any : Step::Kind::None, 0});
        m_hasForks |= binding.kind == EventKind::ProcessFork;
        m_hasSwitches |= binding.kind == EventKind::SchedSwitch;
        m_hasContextPids |= binding.contextTid.isValid() && binding.contextPid.isValid();
    }
}

void Machine::begin(HostTimestamp at)
{
    m_begin = at;
    m_threads.begin(at);
    m_interrupts.begin(at);
    std::vector<std::int32_t> numbers;
    for (const StreamInfo& stream : m_trace.streams())
        numbers.push_back(stream.cpu);
    std::sort(numbers.begin(), numbers.end());
    for (const std::int32_t number : numbers)
        cpu(number);
}

void Machine::handle(const EventRecord& record, const Binding& binding, EventView& event, Cpu& cpu)
{
    event.record = &record;
    event.type = binding.type;
    if (binding.contextTid.isValid() && isAdoptable(binding, cpu))
        adopt(binding, event, cpu);
    binding.handler(*this, binding, event, cpu);
}

bool Machine::isAdoptable(const Binding& binding, const Cpu& cpu) const
{
    if (!cpu.current || m_hasLosses)
        return true;
    return cpu.current->pid < 0 && cpu.current->tid != 0 && binding.contextPid.isValid();
}

void Machine::adopt(const Binding& binding, const EventView& event, Cpu& cpu)
{
    const std::int64_t tid = binding.contextTid.integerOr(event, -1);
    if (tid < 0 || tid > 0x7fffffff)
        return;
    if (cpu.current && cpu.current->tid != tid && m_hasLosses)
        misplaced(cpu);
    if (!cpu.current)
        setCurrent(event.time(), cpu, tid == 0 ? m_threads.idle() : touch(static_cast<std::int32_t>(tid), event.time()));
    if (tid != 0 && cpu.current->tid == tid)
        m_threads.setFamily(*cpu.current, static_cast<std::int32_t>(binding.contextPid.integerOr(event, -1)), -1);
}

void Machine::finish(HostTimestamp at)
{
    if (m_samples)
        m_samples->finish(at);
    for (Thread& thread : m_threads.all())
        settle(thread);
    m_threads.addLeaders(m_begin);
    m_threads.hangOrphans();
}

Cpu* Machine::cpu(std::int64_t number)
{
    if (number < 0 || number >= MaxCpus)
        return nullptr;
    const auto index = static_cast<std::size_t>(number);
    if (index < m_cpus.size() && m_cpus[index])
        return m_cpus[index];
    return &addCpu(static_cast<std::int32_t>(number));
}

Cpu& Machine::addCpu(std::int32_t number)
{
    Cpu& cpu = m_cpuStore.emplace_back();
    cpu.number = number;
    cpu.since = m_begin;
    cpu.lastEvent = m_begin;
    cpu.gaps = m_gapsOfAll;
    if (m_cpus.size() <= static_cast<std::size_t>(number))
        m_cpus.resize(static_cast<std::size_t>(number) + 1);
    m_cpus[static_cast<std::size_t>(number)] = &cpu;

    Track row;
    row.view = "resources";
    row.kind = "cpu";
    row.key = "cpu:" + std::to_string(number);
    row.label = "CPU " + std::to_string(number);
    row.states = m_cpuStates;
    row.valueKind = ValueKind::Text;
    row.cpu = number;
    row.sortKey = number;
    Track thread = row;
    cpu.track = m_sink.addTrack(std::move(row));
    cpu.row = &m_sink.rowOf(cpu.track);
    thread.kind = "cpu-thread";
    thread.key += "/thread";
    thread.label = "Thread";
    thread.parent = cpu.track;
    thread.states = m_cpuThreadStates;
    thread.valueKind = ValueKind::Thread;
    thread.sortKey = 0;
    cpu.threadTrack = m_sink.addTrack(std::move(thread));
    m_sink.set(m_begin, cpu.track, toState(CpuState::Unknown));
    m_sink.set(m_begin, cpu.threadTrack, toState(CpuThreadState::Unknown), static_cast<std::uint32_t>(NoTrack));
    return cpu;
}

void Machine::setCurrent(HostTimestamp at, Cpu& cpu, Thread& thread)
{
    if (thread.isOnCpu && thread.cpu != cpu.number)
        misplaced(*m_cpus[static_cast<std::size_t>(thread.cpu)]);
    cpu.current = &thread;
    const bool isIdle = thread.tid == 0;
    if (!isIdle) {
        thread.isOnCpu = true;
        thread.cpu = cpu.number;
        thread.firstGap = cpu.gaps.count();
        thread.wasTold = true;
    }
    if (!cpu.isInGap(at))
        m_sink.set(at, cpu.threadTrack, toState(isIdle ? CpuThreadState::Idle : CpuThreadState::Running),
                   static_cast<std::uint32_t>(thread.track));
    refresh(at, cpu);
}

void Machine::clearCurrent(Cpu& cpu)
{
    if (cpu.current && cpu.current->tid != 0)
        cpu.current->isOnCpu = false;
    cpu.current = nullptr;
}

void Machine::refreshUnusual(HostTimestamp at, Cpu& cpu)
{
    Thread* thread = cpu.current && cpu.current->tid != 0 ? cpu.current : nullptr;
    if (cpu.isInGap(at)) {
        // Events of another channel come through; what they tell of this CPU may be only half of it.
        if (thread)
            m_threads.tell(at, *thread, ThreadState::Unknown, {});
    } else if (cpu.isInterrupted()) {
        if (thread)
            m_threads.tell(at, *thread, ThreadState::Interrupted, cpu.handlerName());
        tellCpu(at, cpu, cpu.irqCount > 0 ? CpuState::Irq : CpuState::Softirq, cpu.handlerName());
    } else {
        tellCpu(at, cpu, cpu.current ? CpuState::Idle : CpuState::Unknown, {});
    }
}

StringId Machine::callName(std::int64_t number)
{
    const auto key = static_cast<std::uint64_t>(number) & 0xffffffff;
    const std::uint32_t known = m_callNames.find(key);
    if (known != FlatMap::Missing)
        return static_cast<StringId>(known);
    const StringId name = m_sink.string(m_isX86 ? syscallName(number) : "#" + std::to_string(number));
    m_callNames.put(key, static_cast<std::uint32_t>(name));
    return name;
}

void Machine::noteFirstSyscall(Cpu& cpu)
{
    cpu.hasSyscalls = true;
    // What the CPU's thread did until now was not claimed to be user mode; now it is known.
    Thread* thread = cpu.current;
    if (thread && thread->mode == Mode::User && thread->state == ThreadState::Running && !cpu.isInterrupted())
        refresh(std::max(thread->since, cpu.since), cpu);
}

} // namespace helio::kernel
